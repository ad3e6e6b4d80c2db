// Comparisons, choices and types of each element.
#include <fmt/format.h>

#include <array>

#include "properties/exchange/onnx/tensor.h"
#include "properties/onnx/graph/each_element.h"
#include "properties/onnx/graph/not_taken.h"

namespace attest {
namespace {

using operands = std::span<const interval>;

// --- Functions ---

interval lesser(operands x) { return min_of(x[0], x[1]); }
interval greater(operands x) { return max_of(x[0], x[1]); }
interval truncated(operands x) { return truncate(x[0]); }

// Booleans: 0, 1 and, where it is open which, [0, 1].
const interval& truth(bool value) {
  static const interval no(0), yes(1);
  return value ? yes : no;
}
interval open_truth() { return interval::between(0, 1); }

interval is_less(operands x) {
  if (certainly_less(x[0], x[1])) return truth(true);
  return mpfr_greaterequal_p(x[0].lower(), x[1].upper()) != 0 ? truth(false) : open_truth();
}
interval is_at_most(operands x) {
  if (mpfr_lessequal_p(x[0].upper(), x[1].lower()) != 0) return truth(true);
  return certainly_less(x[1], x[0]) ? truth(false) : open_truth();
}
interval is_equal(operands x) {
  if (disjoint(x[0], x[1])) return truth(false);
  return is_point(x[0]) && identical(x[0], x[1]) ? truth(true) : open_truth();
}
interval is_not_zero(operands x) {
  const std::array<interval, 2> both{x[0], interval(0)};
  return truth(true) - is_equal(both);
}
interval is_greater(operands x) {
  const std::array<interval, 2> swapped{x[1], x[0]};
  return is_less(swapped);
}
interval is_at_least(operands x) {
  const std::array<interval, 2> swapped{x[1], x[0]};
  return is_at_most(swapped);
}
interval opposite(operands x) { return truth(true) - x[0]; }
interval differs(operands x) {
  return is_point(x[0]) && is_point(x[1]) ? truth(!identical(x[0], x[1])) : open_truth();
}

// --- One number ---

// Whether NaN or an infinity, of either sign.
ranged is_nan(const ranged& x) {
  if (x.is_nan) return ranged::known(1);
  return is_unknown(x) ? ranged{open_truth(), open_truth(), false} : ranged::known(0);
}

interval reaches_infinity(const interval& x) {
  if (is_bounded(x)) return truth(false);
  return is_point(x) ? truth(true) : open_truth();
}
ranged is_infinite(const ranged& x) {
  return x.is_nan ? ranged::known(0)
                  : ranged{reaches_infinity(x.exact), reaches_infinity(x.held), false};
}

// Comparisons with NaN are false.
ranged compared(const operator_call& call, interval_function f, const ranged& a, const ranged& b) {
  if (a.is_nan || b.is_nan) return ranged::known(0);
  if (is_unknown(a) || is_unknown(b)) return {open_truth(), open_truth(), false};
  return applied(call, f, accuracy::exact, a, b, nullptr);
}

// One of two by a condition; their hull where it is open.
interval chosen(const interval& condition, const interval& a, const interval& b) {
  if (!is_point(condition)) return hull_of(a, b);
  return mpfr_zero_p(condition.lower()) != 0 ? b : a;
}

ranged chosen(const ranged& condition, const ranged& a, const ranged& b) {
  if (is_certain(condition)) return mpfr_zero_p(condition.exact.lower()) != 0 ? b : a;
  if (a.is_nan || b.is_nan) return ranged::unknown();
  return {chosen(condition.exact, a.exact, b.exact), chosen(condition.held, a.held, b.held), false};
}

// --- Tensors ---

template <auto F>
ranged_tensor comparison(const operator_call& call) {
  const ranged_tensor &a = call.input(0), &b = call.input(1);
  require_same_type(a, b);
  return with_each_pair(call, a, b, booleans(),
                        [&](const ranged& x, const ranged& y) { return compared(call, F, x, y); });
}

template <auto F>
ranged_tensor logical(const operator_call& call) {
  const ranged_tensor &a = call.input(0), &b = call.input(1);
  require_booleans(call, a);
  require_booleans(call, b);
  return with_each_pair(call, a, b, booleans(), [&](const ranged& x, const ranged& y) {
    return applied(call, F, accuracy::exact, x, y, nullptr);
  });
}

ranged_tensor negation(const operator_call& call) {
  require_booleans(call, call.input(0));
  return with_each(call.input(0), booleans(), [&](const ranged& x) {
    return applied(call, opposite, accuracy::exact, x, nullptr);
  });
}

template <auto F>
ranged_tensor class_test(const operator_call& call) {
  require_floating(call, call.input(0));
  return with_each(call.input(0), booleans(), F);
}

ranged_tensor infinity_test(const operator_call& call) {
  if (call.integer_attribute("detect_negative", 1) != 1 ||
      call.integer_attribute("detect_positive", 1) != 1)
    throw not_taken("IsInf of one sign");
  return class_test<is_infinite>(call);
}

ranged_tensor where(const operator_call& call) {
  const ranged_tensor &condition = call.input(0), &a = call.input(1), &b = call.input(2);
  require_booleans(call, condition);
  require_same_type(a, b);
  ranged_tensor result = of_type(a);
  const std::vector<std::int64_t> branches = common_sizes(call, a, b);
  const auto sizes = broadcast_sizes(branches, condition.sizes);
  if (!sizes)
    call.fail(fmt::format("of a condition of sizes [{}] and branches of [{}]",
                          sizes_text(condition.sizes), sizes_text(branches)),
              "sizes that broadcast");
  result.sizes = *sizes;
  for_each_place(result.sizes, [&](const std::vector<std::int64_t>& i) {
    result.values.push_back(chosen(condition.values[place_in(condition.sizes, i)],
                                   a.values[place_in(a.sizes, i)], b.values[place_in(b.sizes, i)]));
  });
  return result;
}

// --- Types ---

ranged_tensor cast(const operator_call& call, const ranged_tensor& type) {
  const ranged_tensor& x = call.input(0);
  return with_each(x, type, [&](const ranged& value) -> ranged {
    if (type.kind == element_kind::floating) return call.numbers().converted(value, *type.element);
    const bool to_boolean = type.kind == element_kind::boolean;
    if (value.is_nan || is_unknown(value))
      return to_boolean ? ranged{open_truth(), open_truth(), false} : ranged::unknown();
    return applied(call, to_boolean ? is_not_zero : truncated, accuracy::exact, value, nullptr);
  });
}

ranged_tensor cast_to_attribute(const operator_call& call) {
  constexpr int boolean = 9;
  constexpr int integers[] = {6, 7};  // of which no position and no size runs out
  const std::int64_t to = call.integer_attribute("to", 0);
  for (const format* f : {&f32, &f16, &f64, &bf16})
    if (onnx_data_type({f, {}, {}}) == to) return cast(call, {element_kind::floating, f, {}, {}});
  if (to == boolean) return cast(call, booleans());
  for (const int number : integers)
    if (to == number) return cast(call, {element_kind::integer, nullptr, {}, {}});
  throw not_taken(fmt::format("Cast to data_type {}", to));
}

ranged_tensor cast_to_type_of_other(const operator_call& call) {
  return cast(call, of_type(call.input(1)));
}

ranged_tensor identity(const operator_call& call) { return call.input(0); }

struct named_operator {
  std::string_view name;
  graph_operator compute;
};

constexpr named_operator operators[] = {
    {"And", logical<lesser>},
    {"Cast", cast_to_attribute},
    {"CastLike", cast_to_type_of_other},
    {"Equal", comparison<is_equal>},
    {"Greater", comparison<is_greater>},
    {"GreaterOrEqual", comparison<is_at_least>},
    {"Identity", identity},
    {"IsInf", infinity_test},
    {"IsNaN", class_test<is_nan>},
    {"Less", comparison<is_less>},
    {"LessOrEqual", comparison<is_at_most>},
    {"Not", negation},
    {"Or", logical<greater>},
    {"Where", where},
    {"Xor", logical<differs>},
};

}  // namespace

graph_operator find_choice_operator(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
