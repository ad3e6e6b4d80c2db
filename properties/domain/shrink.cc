// How a failing problem is made smaller.
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "properties/domain/domain.h"

namespace attest {
namespace {

using simplification = void (*)(problem_spec&);

// Features first, then places and values: what is left tells what the defect needs.
constexpr simplification simplifications[] = {
    [](problem_spec& s) { s.page = 0; },
    [](problem_spec& s) { s.sliding = {}; },
    [](problem_spec& s) { s.pattern.global_keys = 0; },
    [](problem_spec& s) { s.pattern.dilation = 1; },
    [](problem_spec& s) { s.pattern.chunk = 0; },
    [](problem_spec& s) {
      s.block_axes.reset(), s.pattern.block_queries = s.pattern.block_keys = 0;
    },
    [](problem_spec& s) { s.packed = false; },
    [](problem_spec& s) { s.alibi = false; },
    [](problem_spec& s) { s.dropout_axes.reset(), s.dropout_scale = 1; },
    [](problem_spec& s) { s.soft_cap = 0; },
    [](problem_spec& s) { s.sink = false; },
    [](problem_spec& s) { s.infinite_bias = false; },
    [](problem_spec& s) { s.bias_axes.reset(), s.infinite_bias = false; },
    [](problem_spec& s) { s.mask_axes.reset(); },
    [](problem_spec& s) { s.ragged = false; },
    [](problem_spec& s) { s.causal = causal_anchor::none; },
    [](problem_spec& s) { s.scale.reset(); },
    [](problem_spec& s) { s.placed = layout::bhld; },
    [](problem_spec& s) { s.dims.query_heads = s.dims.kv_heads; },
    [](problem_spec& s) { s.dims.query_heads /= s.dims.kv_heads, s.dims.kv_heads = 1; },
    [](problem_spec& s) { s.dims.value_width = s.dims.width; },
    [](problem_spec& s) { s.dims.queries = s.dims.keys = std::min(s.dims.queries, s.dims.keys); },
    [](problem_spec& s) {
      s.dims.width = s.dims.value_width = std::min(s.dims.width, s.dims.value_width);
    },
    [](problem_spec& s) { s.regime = value_regime::normal; },
    [](problem_spec& s) { s.regime = value_regime::exact; },
    [](problem_spec& s) { s.seed %= 8; },
};

constexpr std::int64_t shape::*dimensions[] = {&shape::batch, &shape::queries, &shape::keys,
                                               &shape::width, &shape::value_width};

// What a spec asks. (Of a bias with few cells none may come out infinite: problem::asks sees that,
// this does not.)
feature_set features_of(const problem_spec& s) {
  feature_set set;
  const auto ask = [&](bool asked, feature f) { set = asked ? set.with(f) : set; };
  ask(s.mask_axes.has_value(), feature::mask);
  ask(s.bias_axes.has_value(), feature::bias);
  ask(s.infinite_bias, feature::infinite_bias);
  ask(s.causal == causal_anchor::top_left, feature::causal_top_left);
  ask(s.causal == causal_anchor::bottom_right, feature::causal_bottom_right);
  ask(!s.sliding.open(), feature::window);
  ask(s.packed, feature::segments);
  ask(s.pattern.dilation != 1, feature::dilation);
  ask(s.pattern.chunk != 0, feature::chunks);
  ask(s.pattern.global_keys != 0, feature::global_keys);
  ask(s.block_axes.has_value(), feature::block_mask);
  ask(s.alibi, feature::alibi);
  ask(s.dropout_axes.has_value(), feature::dropout);
  ask(s.ragged, feature::lengths);
  ask(s.dims.query_heads != s.dims.kv_heads, feature::grouped_heads);
  ask(s.scale.has_value(), feature::scale);
  ask(s.soft_cap > 0, feature::soft_cap);
  ask(s.sink, feature::sink);
  ask(s.dims.queries != s.dims.keys, feature::cross_lengths);
  ask(s.dims.width != s.dims.value_width, feature::value_width);
  ask(s.placed != layout::bhld, feature::strides);
  ask(s.page != 0, feature::pages);
  return set;
}

bool no_larger(const shape& a, const shape& b) {
  return a.batch <= b.batch && a.query_heads <= b.query_heads && a.kv_heads <= b.kv_heads &&
         a.queries <= b.queries && a.keys <= b.keys && a.width <= b.width &&
         a.value_width <= b.value_width;
}

// Simpler than a random problem of the same size: exact before normal before all others.
int rank_of(value_regime regime) {
  return regime == value_regime::exact ? 0 : regime == value_regime::normal ? 1 : 2;
}

// Never a feature more, which the subject may not declare; a dimension may grow only where that
// saves a feature. So no chain of simpler problems is endless.
bool simpler(const problem_spec& a, const problem_spec& b) {
  const feature_set less = features_of(a), more = features_of(b);
  return !(a == b) && more.contains(less) && rank_of(a.regime) <= rank_of(b.regime) &&
         a.seed <= b.seed && a.page <= b.page && (!(less == more) || no_larger(a.dims, b.dims));
}

// Sizes to try in place of one; some may not be smaller, or no size.
std::array<std::int64_t, 4> smaller_sizes(std::int64_t size) {
  return {1, size / 4, size / 2, size - 1};
}

// The problems in which the dimensions, which are equal, are smaller.
void add_sizes(std::vector<problem_spec>& list, const problem_spec& spec,
               std::initializer_list<std::int64_t shape::*> equal) {
  const std::int64_t size = spec.dims.*(*equal.begin());
  for (const std::int64_t smaller : smaller_sizes(size)) {
    problem_spec next = spec;
    for (const auto member : equal) next.dims.*member = smaller;
    if (smaller >= 1 && smaller < size && simpler(next, spec)) list.push_back(next);
  }
}

void add_pages(std::vector<problem_spec>& list, const problem_spec& spec) {
  for (const std::int64_t smaller : smaller_sizes(spec.page)) {
    problem_spec next = spec;
    next.page = smaller;
    if (smaller >= 1 && smaller < spec.page) list.push_back(next);
  }
}

void add_sizes(std::vector<problem_spec>& list, const problem_spec& spec) {
  if (spec.dims.queries == spec.dims.keys) add_sizes(list, spec, {&shape::queries, &shape::keys});
  if (spec.dims.width == spec.dims.value_width)
    add_sizes(list, spec, {&shape::width, &shape::value_width});
  for (const auto member : dimensions) add_sizes(list, spec, {member});
}

// The steps that make a problem simpler, biggest first.
std::vector<problem_spec> simpler_specs(const problem_spec& spec) {
  std::vector<problem_spec> list;
  for (const simplification simplify : simplifications) {
    problem_spec next = spec;
    simplify(next);
    if (simpler(next, spec)) list.push_back(next);
  }
  add_sizes(list, spec);
  add_pages(list, spec);
  return list;
}

}  // namespace

problem_spec shrink_spec(const problem_spec& failing,
                         const std::function<bool(const problem_spec&)>& fails, int most_tries) {
  const auto shrinks = [](const problem_spec& spec) {
    return rc::seq::fromContainer(simpler_specs(spec));
  };
  auto smallest = rc::shrinkable::shrinkRecur(problem_spec(failing), shrinks);
  int tries = 0;
  for (bool found = true; found && tries < most_tries;) {
    found = false;
    auto candidates = smallest.shrinks();
    for (auto next = candidates.next(); next && tries < most_tries; next = candidates.next()) {
      ++tries;
      if (!fails(next->value())) continue;
      smallest = std::move(*next);
      found = true;
      break;
    }
  }
  return smallest.value();
}

}  // namespace attest
