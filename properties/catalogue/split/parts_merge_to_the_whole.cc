#include <algorithm>
#include <cmath>
#include <memory>

#include "derivation/bounds/parts.h"
#include "properties/catalogue/catalogue.h"
#include "properties/explicit_mask.h"
#include "properties/judge.h"
#include "properties/merged_parts.h"
#include "properties/selection.h"
#include "reference/elementary/elementary.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

enum stream : std::uint64_t { way_of_splitting = 352, places_of_cuts, part_of_the_sink };

// Positions would not survive a cut of the keys. An lse without the sink does not tell how much
// mass a part has.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  const bool can_split =
      subject.features.has(feature::cross_lengths) || subject.features.has(feature::mask);
  if (!can_split || !subject.features.has(feature::lse)) return std::nullopt;
  spec.causal = causal_anchor::none;
  spec = without_patterns(std::move(spec));
  if (find_profile(spec.profile).sink == lse_sink::left_out) spec.sink = false;
  return without_capped_mask(spec);
}

// Whether a part is the whole with the other keys masked, or has no other keys.
bool splits_by_mask(const problem_spec& spec, const subject_info& subject) {
  const bool mask = subject.features.has(feature::mask),
             slice = subject.features.has(feature::cross_lengths);
  return mask && (!slice || random_below(spec.seed, way_of_splitting, 0, 2) == 0);
}

// --- Where to cut: part s holds the keys from cut s up to the next ---

using cuts = std::vector<std::int64_t>;

// In two at every place where keys are few, and before the last key where they are many; in three
// at random. The first part may be empty if a mask makes it so.
std::vector<cuts> ways_to_cut(const problem_spec& spec, bool may_be_empty) {
  constexpr std::int64_t few = 11;
  const std::int64_t n = spec.dims.keys;
  const auto place = [&](std::uint64_t number, std::int64_t from, std::int64_t to) {
    return from + static_cast<std::int64_t>(random_below(spec.seed, places_of_cuts, number,
                                                         static_cast<std::uint64_t>(to - from)));
  };
  std::vector<cuts> ways;
  for (std::int64_t at = n > few ? n - 1 : may_be_empty ? 0 : 1; at < n; ++at)
    ways.push_back({0, at, n});
  if (n < 3) return ways;
  const std::int64_t first = place(1, 1, n - 1);
  ways.push_back({0, first, place(2, first + 1, n), n});
  return ways;
}

// --- Asking for a part ---

problem sliced(const problem& p, std::int64_t first, std::int64_t last, layout placed) {
  selection some = everything(p);
  some.keys = interval(first, last);
  problem part = select(p, some, placed);
  for (std::int64_t& length : part.lengths)
    length = std::clamp<std::int64_t>(length - first, 0, last - first);
  return part;
}

problem with_others_masked(const problem& p, std::int64_t first, std::int64_t last) {
  constexpr unsigned keys = 0b1000;
  return with_mask(p, keys,
                   [&](const row_index&, std::int64_t key) { return first <= key && key < last; });
}

struct part {
  part(problem asked, examiner& subject)
      : posed(std::move(asked)), given(subject.ask(posed)), rows(posed) {}

  const problem posed;
  const answer given;
  certified_rows rows;
};

using split = std::vector<std::unique_ptr<part>>;

// The sink is counted in one part only.
split ask_parts(const problem& p, const cuts& at, const problem_spec& spec, examiner& subject) {
  const bool by_mask = splits_by_mask(spec, subject.info());
  const std::uint64_t with_sink = random_below(spec.seed, part_of_the_sink, 0, at.size() - 1);
  split parts;
  for (std::size_t s = 0; s + 1 < at.size(); ++s) {
    problem one = by_mask ? with_others_masked(p, at[s], at[s + 1])
                          : sliced(p, at[s], at[s + 1], spec.placed);
    if (s != with_sink) one.sink.clear();
    parts.push_back(std::make_unique<part>(std::move(one), subject));
  }
  return parts;
}

// --- Judging one row of the whole ---

// What merges: an empty part only where the semantics makes it the identity, 0 with an lse of -inf.
bool merges(const problem& p, const row_index& place, const row_reference& row) {
  return !row.exact().empty() || (rule_of_empty_row(p, place) == empty_row::zero &&
                                  p.rules.on_empty_lse == empty_lse::minus_infinity);
}

// What has overflowed says nothing of the whole.
bool any_may_overflow(const row_reference& row) {
  for (std::size_t d = 0; d < row.exact().output.size(); ++d)
    if (may_overflow(row.output(static_cast<std::int64_t>(d)))) return true;
  return false;
}

row_part observed_part(const answer& a, const row_index& place) {
  row_part seen{a.lse->at(place.b, place.h, place.i, 0), {}};
  for (std::int64_t d = 0; d < a.o.sizes()[3]; ++d)
    seen.output.push_back(a.o.at(place.b, place.h, place.i, d));
  return seen;
}

double difference(const enclosure& a, const enclosure& b) {
  return (a.high - b.high) + (a.low - b.low);
}

double least(double bound, double likely) { return std::fmin(bound, likely); }

// One row of the whole and of its parts: what was seen, what is exact, and how far they may differ.
class split_row {
 public:
  split_row(const row_reference& whole, lse_base base)
      : whole_(whole), base_(base), unit_(base == lse_base::two ? 0x1.62e42fefa39efp-1 : 1) {}

  void add(const row_reference& part, row_part seen) {
    const due lse = part.lse();
    const double share = exp_double(unit_ * difference(lse.value, whole_.exact().lse));
    always_.push_back({share, unit_ * lse.bound, 0, 0});
    likely_.push_back({share, unit_ * least(lse.bound, lse.likely), 0, 0});
    if (part.exact().empty()) always_.back().share = likely_.back().share = 0;
    outputs_.emplace_back();
    for (std::size_t d = 0; d < seen.output.size(); ++d)
      outputs_.back().push_back(part.output(static_cast<std::int64_t>(d)));
    seen_.push_back(std::move(seen));
  }

  void judge(judgement& j, const answer& a, const row_index& place) {
    if (seen_.empty()) return;
    const merged_row merged = merge(seen_, base_);
    for (std::size_t d = 0; d < merged.output.size(); ++d) {
      const auto column = static_cast<std::int64_t>(d);
      judge_element(j, output(merged.output[d], column), a.o.at(place.b, place.h, place.i, column),
                    place_of("o", place, column), "output next to the merge of its parts");
    }
    judge_element(j, lse(merged.lse), a.lse->at(place.b, place.h, place.i, 0),
                  place_of("lse", place, -1), "lse next to the merge of its parts");
  }

 private:
  due output(const enclosure& merged, std::int64_t d) {
    for (std::size_t s = 0; s < outputs_.size(); ++s) {
      const due& o = outputs_[s][static_cast<std::size_t>(d)];
      always_[s].output = o.bound;
      likely_[s].output = least(o.bound, o.likely);
      always_[s].distance = likely_[s].distance = distance_of(o.value, d);
    }
    due one = whole_.output(d);
    one.value = merged;
    one.likely = least(one.bound, one.likely) + merged_output_bound(likely_);
    one.bound += merged_output_bound(always_);
    return one;
  }

  due lse(const enclosure& merged) const {
    due one = whole_.lse();
    one.value = merged;
    one.likely = least(one.bound, one.likely) + merged_lse_bound(likely_) / unit_;
    one.bound += merged_lse_bound(always_) / unit_;
    return one;
  }

  // |o_s - o|, not too small.
  double distance_of(const enclosure& part, std::int64_t d) const {
    const enclosure& whole = whole_.exact().output[static_cast<std::size_t>(d)];
    const double lost = 0x1p-100 * (std::fabs(part.high) + std::fabs(whole.high));
    return std::fabs(difference(part, whole)) + part.radius + whole.radius + lost;
  }

  const row_reference& whole_;
  lse_base base_;
  double unit_;                              // of the lse, in base e
  std::vector<part_error> always_, likely_;  // of each part, at the column at hand
  std::vector<std::vector<due>> outputs_;    // of each part and column
  std::vector<row_part> seen_;
};

void judge_split(judgement& j, const problem& p, const answer& whole_given,
                 const row_reference& whole, const split& parts, const terms& on,
                 const row_index& place) {
  split_row row(whole, p.rules.base);
  bool in_domain = whole.bound().in_domain(), finite = true;
  for (const auto& each : parts) {
    const row_reference one(each->rows, on, place);
    in_domain = in_domain && one.bound().in_domain();
    finite = finite && !any_may_overflow(one);
    if (merges(each->posed, place, one)) row.add(one, observed_part(each->given, place));
  }
  ++j.rows;
  if (!in_domain) ++j.out_of_domain;
  if (in_domain && finite) row.judge(j, whole_given, place);
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const answer whole = subject.ask(p);
  if (whole.refusal) return *whole.refusal;
  std::vector<split> splits;
  for (const cuts& at : ways_to_cut(spec, splits_by_mask(spec, subject.info())))
    splits.push_back(ask_parts(p, at, spec, subject));
  for (const split& parts : splits)
    for (const auto& each : parts)
      if (each->given.refusal) return *each->given.refusal;
  judgement j;
  certified_rows rows(p);
  const terms on = subject.terms_for(p);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_reference exact(rows, on, place);
    if (!merges(p, place, exact)) return;
    for (const split& parts : splits) judge_split(j, p, whole, exact, parts, on, place);
  });
  return j;
}

constexpr feature_set admitted =
    feature_set::all().without(positional_features).without(feature::dropout);

}  // namespace

const property parts_merge_to_the_whole{
    .name = "parts_merge_to_the_whole",
    .theme = "split",
    .statement =
        "The keys may be divided at will: the parts, weighted by exp(lse), merge to the whole row.",
    .method =
        "The keys are cut in two at every place, or before the last where they are many, and in "
        "three; each part is asked for by itself or with the others masked, the sink in one of "
        "them. Their o and lse are merged in 192 bits. Empty parts are the identity.",
    .bound = "forward_bound of the whole, and those of the parts through the merge",
    .proof = "derivation/bounds/parts.md",
    .claim = "exp_law",
    .needs = "an lse that includes the sink, and Lq != Lk or a mask; no causal mask, no window",
    .catches =
        "an lse in another base, without scale, sink or soft cap, sinks counted per split, "
        "dropped or repeated keys at the ends of splits, empty splits that give NaN, masks that "
        "change the lse",
    .admits = admitted,
    .groups = feature_set()
                  .with(feature::mask)
                  .with(feature::bias)
                  .with(feature::lengths)
                  .with(feature::segments)
                  .with(feature::scale)
                  .with(feature::soft_cap)
                  .with(feature::sink),
    .base_problems = 3,
    .scorers = scorers_without_positions,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
