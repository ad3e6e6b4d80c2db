#include "properties/dump/other_readings.h"

#include <functional>

#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

struct reading {
  std::string words;
  std::function<void(problem&)> apply;
};

using readings = std::vector<reading>;

void add_causal(readings& all, const problem& p) {
  constexpr std::string_view names[] = {"none", "top_left", "bottom_right"};
  for (const causal_anchor c :
       {causal_anchor::none, causal_anchor::top_left, causal_anchor::bottom_right})
    if (c != p.causal)
      all.push_back({"--causal " + std::string(names[static_cast<std::size_t>(c)]),
                     [c](problem& q) { q.causal = c; }});
}

void add_scales(readings& all, const problem& p) {
  const double width = static_cast<double>(p.dims.width);
  if (p.scale) all.push_back({"without --scale", [](problem& q) { q.scale.reset(); }});
  for (const double scale : {1.0, 1 / width})
    if (p.scale != scale && width != 1)
      all.push_back({"--scale " + to_text(scale), [scale](problem& q) { q.scale = scale; }});
}

// What true means in the mask may be another thing under another profile.
void read_under(problem& p, const semantics& rules) {
  if (p.mask && rules.polarity != p.rules.polarity) p.mask->invert();
  p.rules = rules;
}

void add_profiles(readings& all, const problem& p) {
  for (const profile& each : all_profiles())
    if (each.rules != p.rules)
      all.push_back({"--profile " + std::string(each.name),
                     [&each](problem& q) { read_under(q, each.rules); }});
}

void add_omissions(readings& all, const problem& p) {
  if (p.mask) {
    all.push_back({"without the mask", [](problem& q) { q.mask.reset(); }});
    all.push_back({"with the mask inverted", [](problem& q) { q.mask->invert(); }});
  }
  if (p.bias) all.push_back({"without the bias", [](problem& q) { q.bias.reset(); }});
  if (!p.sink.empty()) all.push_back({"without the sink", [](problem& q) { q.sink.clear(); }});
  if (!p.lengths.empty())
    all.push_back({"without the lengths", [](problem& q) { q.lengths.clear(); }});
  if (!p.slopes.empty())
    all.push_back({"without the slopes", [](problem& q) { q.slopes.clear(); }});
  if (!p.key_segments.empty())
    all.push_back({"without the segments", [](problem& q) {
                     q.query_segments.clear();
                     q.key_segments.clear();
                   }});
  if (!p.sliding.open()) all.push_back({"without --window", [](problem& q) { q.sliding = {}; }});
  if (!p.pattern.open())
    all.push_back({"without dilation, chunks and blocks", [](problem& q) {
                     q.pattern = {};
                     q.block_mask.reset();
                   }});
  if (p.dropout_mask) {
    all.push_back({"without the dropout", [](problem& q) {
                     q.dropout_mask.reset();
                     q.dropout_scale = 1;
                   }});
    all.push_back({"with the dropout mask inverted", [](problem& q) { q.dropout_mask->invert(); }});
  }
  if (p.dropout_scale != 1)
    all.push_back({"without --dropout-scale", [](problem& q) { q.dropout_scale = 1; }});
  if (p.soft_cap > 0) all.push_back({"without --soft-cap", [](problem& q) { q.soft_cap = 0; }});
}

readings readings_of(const problem& p) {
  readings all;
  add_causal(all, p);
  add_scales(all, p);
  add_profiles(all, p);
  add_omissions(all, p);
  return all;
}

// All of a problem but its tensors q, k and v, which no reading changes and which are not copied.
class kept_aside {
 public:
  explicit kept_aside(problem& p) : posed_(p) {
    large apart = take(p);
    before_ = p;
    put(std::move(apart));
  }
  kept_aside(const kept_aside&) = delete;
  kept_aside& operator=(const kept_aside&) = delete;
  ~kept_aside() {
    large apart = take(posed_);
    posed_ = std::move(before_);
    put(std::move(apart));
  }

 private:
  struct large {
    tensor q, k, v;
  };

  static large take(problem& p) { return {std::move(p.q), std::move(p.k), std::move(p.v)}; }
  void put(large apart) {
    posed_.q = std::move(apart.q);
    posed_.k = std::move(apart.k);
    posed_.v = std::move(apart.v);
  }

  problem& posed_;
  problem before_;
};

bool holds_under(dump& d, const reading& r, const contract& c, const std::vector<row_index>& rows) {
  const kept_aside before(d.posed);
  r.apply(d.posed);
  const dump_judgement j = judge_rows(d, c, rows);
  return !j.fails() && j.is_decided();
}

}  // namespace

std::vector<std::string> readings_that_hold(dump& d, const contract& c,
                                            const std::vector<row_index>& rows) {
  std::vector<std::string> words;
  for (const reading& r : readings_of(d.posed))
    if (holds_under(d, r, c, rows)) words.push_back(r.words);
  return words;
}

}  // namespace attest
