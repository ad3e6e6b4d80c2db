#include "properties/dump/judge_gradients.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "derivation/bounds/gradient.h"
#include "properties/judge.h"
#include "reference/backends/answer.h"
#include "reference/exact/exact_gradient.h"
#include "reference/exact/exact_row.h"
#include "reference/input_error.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void require_finite(const tensor& t, const char* name) {
  for_each_index(t.sizes(), [&](const index4& i) {
    if (!std::isfinite(t.at(i)))
      throw input_error(fmt::format("{} holds {} (allowed: finite numbers)", name, t.at(i)));
  });
}

void require_judgeable(const gradient_dump& d, const contract& kept) {
  if (!gradient_bound::covers(kept, d.posed))
    throw input_error("gradients of this member under contract " + kept.name +
                      " (allowed: those of a softmax of products, under a contract that neither "
                      "quantises inputs nor stores weights in 8 bits)");
  const shape& s = d.posed.dims;
  const double products = static_cast<double>(s.batch) * static_cast<double>(s.query_heads) *
                          static_cast<double>(s.queries) * static_cast<double>(s.keys) *
                          static_cast<double>(s.width + s.value_width);
  if (products > most_gradient_products)
    throw input_error(
        fmt::format("B Hq Lq Lk (D + Dv) is {:.3g} (allowed: up to {:.3g}: a slice of "
                    "batch rows and heads is a problem as well)",
                    products, most_gradient_products));
  require_finite(d.posed.q, "q");
  require_finite(d.posed.k, "k");
  require_finite(d.posed.v, "v");
  require_finite(d.given.o, "do");
  if (d.given.lse) require_finite(*d.given.lse, "dlse");
}

// What a stored number may be off by, at most; nothing is known of one that is not finite.
double distance_of(double stored, const enclosure& exact) {
  return std::isfinite(stored) && std::isfinite(exact.high) ? distance_to(exact, stored).most
                                                            : infinity;
}

class gradient_judge {
 public:
  gradient_judge(const gradient_dump& d, const contract& kept)
      : dump_(d),
        contract_(kept),
        exact_(exact_gradient(d.posed, d.given)),
        bound_(kept, d.posed, d.given) {
    for_each_row(d.posed.dims, [&](const row_index& at) { add_row(at); });
  }

  judgement judge() {
    using bound = gradient_bound;
    judge("dq", exact_.scored.q, &bound::q, &bound::size_of_q);
    judge("dk", exact_.scored.k, &bound::k, &bound::size_of_k);
    judge("dv", exact_.v, &bound::v, &bound::size_of_v);
    judge("dbias", exact_.bias, &bound::bias, &bound::size_of_bias);
    judge("dsink", exact_.sink, &bound::sink, &bound::size_of_sink);
    judge("dslopes", exact_.slopes, &bound::slope, &bound::size_of_slope);
    return found_;
  }

 private:
  // o and lse as the backward pass had them.
  saved_error saved(const row_index& at, const exact_row& row) const {
    const forward_bound forward(contract_, dump_.posed, at, row);
    saved_error error = saved_by_forward(dump_.posed, row, forward);
    if (dump_.o)
      for (std::size_t d = 0; d < error.o.size(); ++d)
        error.o[d] =
            distance_of(dump_.o->at(at.b, at.h, at.i, static_cast<std::int64_t>(d)), row.output[d]);
    if (dump_.lse) error.lse = distance_of(dump_.lse->at(at.b, at.h, at.i, 0), row.lse);
    return error;
  }

  void add_row(const row_index& at) {
    ++found_.rows;
    const exact_row row = compute_exact_row(dump_.posed, at);
    if (row.empty()) {
      const empty_row rule = rule_of_empty_row(dump_.posed, at);
      if (rule == empty_row::nan || rule == empty_row::unspecified)
        open_.insert({at.b, dump_.posed.kv_head(at.h)});
      bound_.add(at, row, {});
    } else {
      bound_.add(at, row, saved(at, row));
    }
  }

  using numbers = std::vector<enclosure>;
  using of_element = double (gradient_bound::*)(const index4&) const;
  using of_head = double (gradient_bound::*)(std::int64_t) const;

  void judge(const char* name, const array4<enclosure>& exact, of_element bound, of_element size) {
    judge_all(name, [&](const index4& i) {
      return due{exact.at(i), (bound_.*bound)(i), (bound_.*size)(i), contract_.inputs};
    });
  }
  void judge(const char* name, const numbers& exact, of_head bound, of_head size) {
    judge_all(name, [&](const index4& i) {
      return due{exact[static_cast<std::size_t>(i[1])], (bound_.*bound)(i[1]), (bound_.*size)(i[1]),
                 contract_.inputs};
    });
  }

  template <class DueAt>
  void judge_all(const char* name, DueAt due_at) {
    const auto stored = dump_.gradients.find(name);
    if (stored == dump_.gradients.end()) return;
    for_each_index(stored->second.sizes(),
                   [&](const index4& i) { judge_one(name, i, due_at(i), stored->second.at(i)); });
  }

  // Rows without keys may be NaN, and make NaN whatever they meet.
  bool may_be_nan(const std::string& name, const index4& i) const {
    if (open_.empty()) return false;
    if (name == "dk" || name == "dv") return open_.contains({i[0], i[1]});
    if (name == "dq") return open_.contains({i[0], dump_.posed.kv_head(i[1])});
    return true;
  }

  void judge_one(const char* name, const index4& i, const due& d, double observed) {
    if (std::isinf(d.bound) || std::isinf(d.value.radius) ||
        (std::isnan(observed) && may_be_nan(name, i))) {
      ++found_.undecided;
      return;
    }
    judge_element(found_, d, observed, fmt::format("{}[{},{},{},{}]", name, i[0], i[1], i[2], i[3]),
                  "gradient");
  }

  const gradient_dump& dump_;
  const contract& contract_;
  const attention_gradient<enclosure> exact_;
  gradient_bound bound_;
  std::set<std::pair<std::int64_t, std::int64_t>> open_;  // batch rows and KV heads
  judgement found_;
};

}  // namespace

judgement judge_gradients(const gradient_dump& d, const contract& kept) {
  require_judgeable(d, kept);
  return gradient_judge(d, kept).judge();
}

}  // namespace attest
