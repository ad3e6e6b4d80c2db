// Operators that bring the elements along axes together.
#include <array>

#include "properties/onnx/graph/operator_call.h"

namespace attest {
namespace {

using sizes_list = std::vector<std::int64_t>;

// Whether each axis is reduced. Axes are an input or an attribute; without any all are meant,
// unless noop_with_empty_axes.
std::vector<bool> reduced_axes(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  const sizes_list axes =
      call.has_input(1) ? call.integers(1) : call.integers_attribute("axes").value_or(sizes_list{});
  const bool all = axes.empty() && call.integer_attribute("noop_with_empty_axes", 0) == 0;
  std::vector<bool> is_reduced(x.sizes.size(), all);
  for (const std::int64_t axis : axes)
    is_reduced[static_cast<std::size_t>(call.axis(axis, x.rank()))] = true;
  return is_reduced;
}

// With 1 in place of the size of a reduced axis, or without it.
sizes_list reduced_sizes(const operator_call& call, bool keeps_axes) {
  const std::vector<bool> is_reduced = reduced_axes(call);
  sizes_list sizes;
  for (std::size_t n = 0; n < is_reduced.size(); ++n) {
    if (!is_reduced[n])
      sizes.push_back(call.input(0).sizes[n]);
    else if (keeps_axes)
      sizes.push_back(1);
  }
  return sizes;
}

using fold = ranged (*)(const operator_call&, const std::vector<const ranged*>&, const format*);

// What f makes of the elements that are brought together. Nothing to fold is refused.
ranged_tensor folded(const operator_call& call, fold f) {
  const ranged_tensor& x = call.input(0);
  if (x.kind == element_kind::boolean) call.fail("of booleans", "numbers");
  if (x.values.empty()) call.fail("of no elements", "one or more");
  ranged_tensor result{x.kind, x.element, reduced_sizes(call, true), {}};
  std::vector<std::vector<const ranged*>> parts(static_cast<std::size_t>(count_of(result.sizes)));
  std::size_t n = 0;
  for_each_place(x.sizes, [&](const sizes_list& i) {
    parts[place_in(result.sizes, i)].push_back(&x.values[n++]);
  });
  for (const std::vector<const ranged*>& part : parts)
    result.values.push_back(f(call, part, x.element));
  if (call.integer_attribute("keepdims", 1) == 0) result.sizes = reduced_sizes(call, false);
  return result;
}

interval greater(std::span<const interval> x) { return max_of(x[0], x[1]); }
interval lesser(std::span<const interval> x) { return min_of(x[0], x[1]); }
interval quotient(std::span<const interval> x) { return x[0] / x[1]; }

template <auto F>
ranged extreme(const operator_call& call, const std::vector<const ranged*>& part,
               const format* element) {
  ranged result = *part.front();
  for (const ranged* x : part) {
    const std::array<const ranged*, 2> both{&result, x};
    result = call.numbers().apply(F, accuracy::exact, both, element);
  }
  return result;
}

ranged total(const operator_call& call, const std::vector<const ranged*>& part,
             const format* element) {
  return call.numbers().sum(part, element);
}

ranged mean(const operator_call& call, const std::vector<const ranged*>& part,
            const format* element) {
  const ranged sum = total(call, part, element);
  const ranged count = ranged::known(static_cast<double>(part.size()));
  const std::array<const ranged*, 2> both{&sum, &count};
  return call.numbers().apply(quotient, accuracy::quotient, both, element);
}

ranged_tensor reduce_max(const operator_call& call) { return folded(call, extreme<greater>); }
ranged_tensor reduce_min(const operator_call& call) { return folded(call, extreme<lesser>); }
ranged_tensor reduce_sum(const operator_call& call) { return folded(call, total); }
ranged_tensor reduce_mean(const operator_call& call) {
  if (call.input(0).kind != element_kind::floating) call.fail("of integers", "floating numbers");
  return folded(call, mean);
}

struct named_operator {
  std::string_view name;
  graph_operator compute;
};

constexpr named_operator operators[] = {
    {"ReduceMax", reduce_max},
    {"ReduceMean", reduce_mean},
    {"ReduceMin", reduce_min},
    {"ReduceSum", reduce_sum},
};

}  // namespace

graph_operator find_reduction(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
