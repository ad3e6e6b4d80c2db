#include "properties/onnx/graph/each_element.h"

#include <fmt/format.h>

#include <array>

#include "properties/onnx/graph/not_taken.h"

namespace attest {

std::vector<std::int64_t> common_sizes(const operator_call& call, const ranged_tensor& a,
                                       const ranged_tensor& b) {
  const auto sizes = broadcast_sizes(a.sizes, b.sizes);
  if (!sizes)
    call.fail(fmt::format("of sizes [{}] and [{}]", sizes_text(a.sizes), sizes_text(b.sizes)),
              "sizes that broadcast");
  return *sizes;
}

ranged_tensor with_each_pair(const operator_call& call, const ranged_tensor& a,
                             const ranged_tensor& b, ranged_tensor result,
                             const std::function<ranged(const ranged&, const ranged&)>& f) {
  result.sizes = common_sizes(call, a, b);
  for_each_place(result.sizes, [&](const std::vector<std::int64_t>& i) {
    result.values.push_back(f(a.values[place_in(a.sizes, i)], b.values[place_in(b.sizes, i)]));
  });
  return result;
}

ranged_tensor with_each(const ranged_tensor& x, ranged_tensor result,
                        const std::function<ranged(const ranged&)>& f) {
  result.sizes = x.sizes;
  result.values.reserve(x.values.size());
  for (const ranged& value : x.values) result.values.push_back(f(value));
  return result;
}

ranged_tensor of_type(const ranged_tensor& x) { return {x.kind, x.element, {}, {}}; }
ranged_tensor booleans() { return {element_kind::boolean, nullptr, {}, {}}; }

void require_numbers(const operator_call& call, const ranged_tensor& x) {
  if (x.kind == element_kind::boolean) call.fail("of booleans", "numbers");
}
void require_floating(const operator_call& call, const ranged_tensor& x) {
  if (x.kind != element_kind::floating)
    call.fail(fmt::format("of {}s", type_text(x)), "floating numbers");
}
void require_booleans(const operator_call& call, const ranged_tensor& x) {
  if (x.kind != element_kind::boolean) call.fail("of numbers", "booleans");
}
void require_same_type(const ranged_tensor& a, const ranged_tensor& b) {
  if (!a.has_type_of(b))
    throw not_taken(
        fmt::format("an operator of {} and {} numbers at once", type_text(a), type_text(b)));
}

ranged applied(const operator_call& call, interval_function f, accuracy a, const ranged& x,
               const format* element) {
  const std::array<const ranged*, 1> one{&x};
  return call.numbers().apply(f, a, one, element);
}

ranged applied(const operator_call& call, interval_function f, accuracy a, const ranged& x,
               const ranged& y, const format* element) {
  const std::array<const ranged*, 2> both{&x, &y};
  return call.numbers().apply(f, a, both, element);
}

}  // namespace attest
