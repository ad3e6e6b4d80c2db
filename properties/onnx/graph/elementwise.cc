// Operators that act on each element by itself.
#include <fmt/format.h>

#include <array>
#include <functional>

#include "properties/exchange/onnx/tensor.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/graph/operator_call.h"

namespace attest {
namespace {

using operands = std::span<const interval>;

// --- Functions ---

interval sum(operands x) { return x[0] + x[1]; }
interval difference(operands x) { return x[0] - x[1]; }
interval product(operands x) { return x[0] * x[1]; }
interval quotient(operands x) { return x[0] / x[1]; }
interval truncated_quotient(operands x) { return truncate(x[0] / x[1]); }
interval negative(operands x) { return -x[0]; }
interval size(operands x) { return abs(x[0]); }
interval lesser(operands x) { return min_of(x[0], x[1]); }
interval greater(operands x) { return max_of(x[0], x[1]); }
interval positive_part(operands x) { return max_of(x[0], interval(0)); }
interval reciprocal(operands x) { return interval(1) / x[0]; }
interval exponential(operands x) { return exp(x[0]); }
interval logarithm(operands x) { return log(x[0]); }
interval root(operands x) { return sqrt(x[0]); }
interval tangent(operands x) { return tanh(x[0]); }
interval logistic(operands x) { return sigmoid(x[0]); }
interval error_function(operands x) { return erf(x[0]); }
interval to_the_power(operands x) { return power(x[0], x[1]); }
interval rounded_down(operands x) { return floor(x[0]); }
interval rounded_up(operands x) { return ceil(x[0]); }
interval rounded_to_even(operands x) { return round_to_even(x[0]); }
interval sign_of(operands x) { return sign(x[0]); }
interval truncated(operands x) { return truncate(x[0]); }

// x - n y. A multiple that is open leaves the remainder open.
interval less_multiple(operands x, const interval& n) {
  return is_point(n) ? x[0] - n * x[1] : interval::whole_line();
}
interval remainder_of_floor(operands x) { return less_multiple(x, floor(x[0] / x[1])); }
interval remainder_of_truncation(operands x) { return less_multiple(x, truncate(x[0] / x[1])); }

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
  const std::array<const ranged*, 2> both{&a, &b};
  if (is_unknown(a) || is_unknown(b)) return {open_truth(), open_truth(), false};
  return call.numbers().apply(f, accuracy::exact, both, nullptr);
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

using pairwise = std::function<ranged(const ranged&, const ranged&)>;

std::vector<std::int64_t> common_sizes(const operator_call& call, const ranged_tensor& a,
                                       const ranged_tensor& b) {
  const auto sizes = broadcast_sizes(a.sizes, b.sizes);
  if (!sizes)
    call.fail(fmt::format("of sizes [{}] and [{}]", sizes_text(a.sizes), sizes_text(b.sizes)),
              "sizes that broadcast");
  return *sizes;
}

ranged_tensor with_each_pair(const operator_call& call, const ranged_tensor& a,
                             const ranged_tensor& b, ranged_tensor result, const pairwise& f) {
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
               const ranged& y, const format* element) {
  const std::array<const ranged*, 2> both{&x, &y};
  return call.numbers().apply(f, a, both, element);
}

ranged_tensor binary(const operator_call& call, const ranged_tensor& a, const ranged_tensor& b,
                     interval_function f, accuracy how) {
  require_numbers(call, a);
  require_same_type(a, b);
  return with_each_pair(call, a, b, of_type(a), [&](const ranged& x, const ranged& y) {
    return applied(call, f, how, x, y, a.element);
  });
}

template <auto F, accuracy How>
ranged_tensor binary_operator(const operator_call& call) {
  return binary(call, call.input(0), call.input(1), F, How);
}

// Sum, Min and Max, of one tensor or more.
template <auto F, accuracy How>
ranged_tensor variadic_operator(const operator_call& call) {
  ranged_tensor result = call.input(0);
  require_numbers(call, result);
  for (std::size_t n = 1; n < call.inputs(); ++n)
    result = binary(call, result, call.input(n), F, How);
  return result;
}

ranged_tensor unary(const operator_call& call, interval_function f, accuracy how) {
  const ranged_tensor& x = call.input(0);
  return with_each(x, of_type(x), [&](const ranged& value) {
    const std::array<const ranged*, 1> one{&value};
    return call.numbers().apply(f, how, one, x.element);
  });
}

template <auto F, accuracy How>
ranged_tensor floating_operator(const operator_call& call) {
  require_floating(call, call.input(0));
  return unary(call, F, How);
}

template <auto F>
ranged_tensor number_operator(const operator_call& call) {
  require_numbers(call, call.input(0));
  return unary(call, F, accuracy::exact);
}

ranged_tensor divide(const operator_call& call) {
  const bool integers = call.input(0).kind == element_kind::integer;
  return integers ? binary_operator<truncated_quotient, accuracy::exact>(call)
                  : binary_operator<quotient, accuracy::quotient>(call);
}

ranged_tensor remainder(const operator_call& call) {
  if (call.integer_attribute("fmod", 0) != 0)
    return binary_operator<remainder_of_truncation, accuracy::rounded>(call);
  if (call.input(0).kind == element_kind::floating)
    call.fail("of floating numbers without fmod", "integers, or fmod = 1");
  return binary_operator<remainder_of_floor, accuracy::exact>(call);
}

// Its exponent may be of another type.
ranged_tensor raise_to_power(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  require_floating(call, x);
  require_numbers(call, call.input(1));
  return with_each_pair(call, x, call.input(1), of_type(x), [&](const ranged& a, const ranged& b) {
    return applied(call, to_the_power, accuracy::power, a, b, x.element);
  });
}

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
  return unary(call, opposite, accuracy::exact);
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

// Bounds are inputs or, before opset 11, attributes.
ranged_tensor clip(const operator_call& call) {
  ranged_tensor result = call.input(0);
  require_numbers(call, result);
  const auto bounded_by = [&](const ranged_tensor& bound, interval_function f) {
    if (bound.values.size() != 1) call.fail("by a bound that is no scalar", "one number");
    const ranged_tensor scalar{bound.kind, bound.element, {}, bound.values};
    result = binary(call, result, scalar, f, accuracy::exact);
  };
  const auto bound = [&](std::size_t n, const char* name, interval_function f) {
    if (call.has_input(n)) bounded_by(call.input(n), f);
    if (call.has_attribute(name))
      bounded_by({result.kind, result.element, {}, {ranged::known(call.number_attribute(name, 0))}},
                 f);
  };
  bound(1, "min", greater);
  bound(2, "max", lesser);
  return result;
}

// x, or alpha x below 0.
ranged_tensor leaky(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  require_floating(call, x);
  const ranged alpha = ranged::known(call.number_attribute("alpha", 0.01f));
  return with_each(x, of_type(x), [&](const ranged& value) {
    const ranged below = compared(call, is_less, value, ranged::known(0));
    return chosen(below, applied(call, product, accuracy::rounded, value, alpha, x.element), value);
  });
}

// --- Types ---

ranged_tensor cast(const operator_call& call, const ranged_tensor& type) {
  const ranged_tensor& x = call.input(0);
  return with_each(x, type, [&](const ranged& value) -> ranged {
    if (type.kind == element_kind::floating) return call.numbers().converted(value, *type.element);
    const bool to_boolean = type.kind == element_kind::boolean;
    if (value.is_nan || is_unknown(value))
      return to_boolean ? ranged{open_truth(), open_truth(), false} : ranged::unknown();
    const std::array<const ranged*, 1> one{&value};
    return call.numbers().apply(to_boolean ? is_not_zero : truncated, accuracy::exact, one,
                                nullptr);
  });
}

ranged_tensor cast_to_attribute(const operator_call& call) {
  constexpr int boolean = 9;
  constexpr int integers[] = {2, 3, 4, 5, 6, 7, 12, 13};
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
    {"Abs", number_operator<size>},
    {"Add", binary_operator<sum, accuracy::rounded>},
    {"And", logical<lesser>},
    {"Cast", cast_to_attribute},
    {"CastLike", cast_to_type_of_other},
    {"Ceil", floating_operator<rounded_up, accuracy::exact>},
    {"Clip", clip},
    {"Div", divide},
    {"Equal", comparison<is_equal>},
    {"Erf", floating_operator<error_function, accuracy::erf>},
    {"Exp", floating_operator<exponential, accuracy::exponential>},
    {"Floor", floating_operator<rounded_down, accuracy::exact>},
    {"Greater", comparison<is_greater>},
    {"GreaterOrEqual", comparison<is_at_least>},
    {"Identity", identity},
    {"IsInf", infinity_test},
    {"IsNaN", class_test<is_nan>},
    {"LeakyRelu", leaky},
    {"Less", comparison<is_less>},
    {"LessOrEqual", comparison<is_at_most>},
    {"Log", floating_operator<logarithm, accuracy::logarithm>},
    {"Max", variadic_operator<greater, accuracy::exact>},
    {"Min", variadic_operator<lesser, accuracy::exact>},
    {"Mod", remainder},
    {"Mul", binary_operator<product, accuracy::rounded>},
    {"Neg", number_operator<negative>},
    {"Not", negation},
    {"Or", logical<greater>},
    {"Pow", raise_to_power},
    {"Reciprocal", floating_operator<reciprocal, accuracy::quotient>},
    {"Relu", number_operator<positive_part>},
    {"Round", floating_operator<rounded_to_even, accuracy::exact>},
    {"Sigmoid", floating_operator<logistic, accuracy::sigmoid>},
    {"Sign", number_operator<sign_of>},
    {"Sqrt", floating_operator<root, accuracy::quotient>},
    {"Sub", binary_operator<difference, accuracy::rounded>},
    {"Sum", variadic_operator<sum, accuracy::rounded>},
    {"Tanh", floating_operator<tangent, accuracy::tangent>},
    {"Where", where},
    {"Xor", logical<differs>},
};

}  // namespace

graph_operator find_elementwise_operator(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
