// Arithmetic on each element.
#include "properties/onnx/graph/each_element.h"

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

// x, or alpha x below 0.
interval leaky_part(operands x) {
  return max_of(x[0], interval(0)) + x[1] * min_of(x[0], interval(0));
}

// x - n y. A multiple that is open leaves the remainder open.
interval less_multiple(operands x, const interval& n) {
  return is_point(n) ? x[0] - n * x[1] : interval::whole_line();
}
interval remainder_of_floor(operands x) { return less_multiple(x, floor(x[0] / x[1])); }
interval remainder_of_truncation(operands x) { return less_multiple(x, truncate(x[0] / x[1])); }

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
  return with_each(x, of_type(x),
                   [&](const ranged& value) { return applied(call, f, how, value, x.element); });
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

ranged_tensor leaky(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  require_floating(call, x);
  const ranged alpha = ranged::known(call.number_attribute("alpha", 0.01f));
  return with_each(x, of_type(x), [&](const ranged& value) {
    return applied(call, leaky_part, accuracy::rounded, value, alpha, x.element);
  });
}

struct named_operator {
  std::string_view name;
  graph_operator compute;
};

constexpr named_operator operators[] = {
    {"Abs", number_operator<size>},
    {"Add", binary_operator<sum, accuracy::rounded>},
    {"Ceil", floating_operator<rounded_up, accuracy::exact>},
    {"Clip", clip},
    {"Div", divide},
    {"Erf", floating_operator<error_function, accuracy::erf>},
    {"Exp", floating_operator<exponential, accuracy::exponential>},
    {"Floor", floating_operator<rounded_down, accuracy::exact>},
    {"LeakyRelu", leaky},
    {"Log", floating_operator<logarithm, accuracy::logarithm>},
    {"Max", variadic_operator<greater, accuracy::exact>},
    {"Min", variadic_operator<lesser, accuracy::exact>},
    {"Mod", remainder},
    {"Mul", binary_operator<product, accuracy::rounded>},
    {"Neg", number_operator<negative>},
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
};

}  // namespace

graph_operator find_number_operator(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
