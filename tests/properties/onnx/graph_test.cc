// Each operator of a modifier's graph against a plain evaluation in double, and what a graph makes
// of numbers that are held less exactly than they are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/onnx/arithmetic.h"
#include "properties/onnx/graph/evaluate_graph.h"
#include "properties/onnx/graph/not_taken.h"
#include "reference/exact/interval_enclosure.h"
#include "reference/random.h"
#include "tests/properties/exchange/file_bytes.h"
#include "tests/properties/onnx/flex_case.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t seed = 20261202;

using sizes_list = std::vector<std::int64_t>;

array floats(sizes_list sizes, std::vector<double> values) {
  return {&f64, std::move(sizes), std::move(values), element_kind::floating};
}
array whole_numbers(sizes_list sizes, std::vector<double> values) {
  return {nullptr, std::move(sizes), std::move(values), element_kind::integer};
}
array booleans(sizes_list sizes, std::vector<double> values) {
  return {nullptr, std::move(sizes), std::move(values), element_kind::boolean};
}

std::size_t count(const sizes_list& sizes) {
  std::size_t n = 1;
  for (const std::int64_t size : sizes) n *= static_cast<std::size_t>(size);
  return n;
}

array drawn(std::uint64_t stream, sizes_list sizes) {
  std::vector<double> values;
  for (std::uint64_t n = 0; n < count(sizes); ++n)
    values.push_back(2 * random_normal(seed, stream, n));
  return floats(std::move(sizes), std::move(values));
}

// One node from tensors a, b, ..., evaluated; x is a scalar that nothing reads.
ranged_tensor evaluated(const char* op_type, const std::vector<array>& inputs,
                        std::vector<onnx_attribute> attributes = {}) {
  std::vector<std::string> names;
  outer_tensors outer;
  for (const array& a : inputs) {
    names.push_back(std::string(1, static_cast<char>('a' + names.size())));
    outer.emplace(names.back(), a);
  }
  const graph_pointer graph = graph_of({node(op_type, names, "y", std::move(attributes))});
  EXPECT_EQ(why_graph_not_taken(*graph), "");
  static const contract kept = in_every_stage(f64);
  const ranged_tensor x{element_kind::floating, &f64, {}, {ranged::known(0)}};
  return evaluate_graph(*graph, x, outer, graph_arithmetic(kept), "graph");
}

// The exact value is within a few roundings of the plain one; what may be held holds both, and not
// much besides.
void expect_near(const ranged& found, double plain) {
  if (std::isnan(plain)) {
    EXPECT_TRUE(found.is_nan);
    return;
  }
  ASSERT_FALSE(found.is_nan);
  if (std::isinf(plain)) {
    EXPECT_TRUE(is_point(found.exact) && contains(found.exact, plain));
    return;
  }
  const double slack = 0x1p-48 * (std::fabs(plain) + 1);
  EXPECT_NEAR(middle(found.exact), plain, slack);
  EXPECT_LE(width(found.exact), 0x1p-180 * (std::fabs(plain) + 1));
  EXPECT_TRUE(contains(found.held, plain));
  EXPECT_TRUE(contains(found.held, middle(found.exact)) || width(found.held) == 0);
  EXPECT_LE(width(found.held), 64 * slack);
}

void expect_tensor(const ranged_tensor& found, const sizes_list& sizes,
                   const std::vector<double>& plain) {
  EXPECT_EQ(found.sizes, sizes);
  ASSERT_EQ(found.values.size(), plain.size());
  for (std::size_t n = 0; n < plain.size(); ++n) expect_near(found.values[n], plain[n]);
}

// --- Operators on each element ---

struct unary_row {
  const char* op_type;
  double (*plain)(double);
  bool of_positive = false;
};

TEST(graph_operators, of_one_number_are_evaluated) {
  const unary_row table[] = {
      {"Abs", [](double x) { return std::fabs(x); }},
      {"Ceil", [](double x) { return std::ceil(x); }},
      {"Erf", [](double x) { return std::erf(x); }},
      {"Exp", [](double x) { return std::exp(x); }},
      {"Floor", [](double x) { return std::floor(x); }},
      {"Identity", [](double x) { return x; }},
      {"LeakyRelu", [](double x) { return x < 0 ? double(0.01f) * x : x; }},
      {"Log", [](double x) { return std::log(x); }, true},
      {"Neg", [](double x) { return -x; }},
      {"Reciprocal", [](double x) { return 1 / x; }},
      {"Relu", [](double x) { return x > 0 ? x : 0; }},
      {"Round", [](double x) { return std::nearbyint(x); }},
      {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"Sign", [](double x) { return double((x > 0) - (x < 0)); }},
      {"Sqrt", [](double x) { return std::sqrt(x); }, true},
      {"Tanh", [](double x) { return std::tanh(x); }},
  };
  for (const unary_row& row : table) {
    SCOPED_TRACE(row.op_type);
    array x = drawn(1, {4, 25});
    std::vector<double> plain;
    for (double& value : x.values) {
      if (row.of_positive) value = std::fabs(value);
      plain.push_back(row.plain(value));
    }
    expect_tensor(evaluated(row.op_type, {x}), {4, 25}, plain);
  }
}

struct binary_row {
  const char* op_type;
  double (*plain)(double, double);
  std::vector<onnx_attribute> attributes = {};
};

// Every pair of [3, 1, 4] and [5, 1] is one element of [3, 5, 4].
TEST(graph_operators, of_two_numbers_are_evaluated_with_broadcasting) {
  const binary_row table[] = {
      {"Add", [](double a, double b) { return a + b; }},
      {"Div", [](double a, double b) { return a / b; }},
      {"Equal", [](double a, double b) { return double(a == b); }},
      {"Greater", [](double a, double b) { return double(a > b); }},
      {"GreaterOrEqual", [](double a, double b) { return double(a >= b); }},
      {"Less", [](double a, double b) { return double(a < b); }},
      {"LessOrEqual", [](double a, double b) { return double(a <= b); }},
      {"Max", [](double a, double b) { return std::max(a, b); }},
      {"Min", [](double a, double b) { return std::min(a, b); }},
      {"Mod", [](double a, double b) { return std::fmod(a, b); }, {{"fmod", std::int64_t{1}}}},
      {"Mul", [](double a, double b) { return a * b; }},
      {"Sub", [](double a, double b) { return a - b; }},
      {"Sum", [](double a, double b) { return a + b; }},
  };
  for (const binary_row& row : table) {
    SCOPED_TRACE(row.op_type);
    const array a = drawn(2, {3, 1, 4});
    array b = drawn(3, {5, 1});
    b.values[1] = a.values[1];
    std::vector<double> plain;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        for (std::size_t k = 0; k < 4; ++k)
          plain.push_back(row.plain(a.values[4 * i + k], b.values[j]));
    expect_tensor(evaluated(row.op_type, {a, b}, row.attributes), {3, 5, 4}, plain);
  }
}

TEST(graph_operators, of_integers_are_exact) {
  const array a = whole_numbers({6}, {-7, -6, -1, 0, 6, 7}), b = whole_numbers({}, {3});
  expect_tensor(evaluated("Add", {a, b}), {6}, {-4, -3, 2, 3, 9, 10});
  expect_tensor(evaluated("Sub", {a, b}), {6}, {-10, -9, -4, -3, 3, 4});
  expect_tensor(evaluated("Mul", {a, b}), {6}, {-21, -18, -3, 0, 18, 21});
  expect_tensor(evaluated("Div", {a, b}), {6}, {-2, -2, 0, 0, 2, 2});
  expect_tensor(evaluated("Mod", {a, b}), {6}, {2, 0, 2, 0, 0, 1});
  expect_tensor(evaluated("Mod", {a, b}, {{"fmod", std::int64_t{1}}}), {6}, {-1, 0, -1, 0, 0, 1});
  expect_tensor(evaluated("Max", {a, b}), {6}, {3, 3, 3, 3, 6, 7});
  expect_tensor(evaluated("Abs", {a}), {6}, {7, 6, 1, 0, 6, 7});
  expect_tensor(evaluated("Neg", {a}), {6}, {7, 6, 1, 0, -6, -7});
  expect_tensor(evaluated("Equal", {a, a}), {6}, {1, 1, 1, 1, 1, 1});
}

TEST(graph_operators, of_booleans_are_exact) {
  const array a = booleans({2, 1}, {0, 1}), b = booleans({2}, {0, 1});
  expect_tensor(evaluated("And", {a, b}), {2, 2}, {0, 0, 0, 1});
  expect_tensor(evaluated("Or", {a, b}), {2, 2}, {0, 1, 1, 1});
  expect_tensor(evaluated("Xor", {a, b}), {2, 2}, {0, 1, 1, 0});
  expect_tensor(evaluated("Not", {b}), {2}, {1, 0});
}

TEST(graph_operators, of_powers_are_evaluated) {
  const array x = drawn(4, {20});
  for (const double exponent : {2.0, 3.0, -1.0, 0.5, 0.0}) {
    array a = x;
    std::vector<double> plain;
    for (double& value : a.values) {
      if (exponent == 0.5) value = std::fabs(value);
      plain.push_back(std::pow(value, exponent));
    }
    expect_tensor(evaluated("Pow", {a, floats({}, {exponent})}), {20}, plain);
  }
  expect_tensor(evaluated("Pow", {floats({2}, {3, -2}), whole_numbers({}, {2})}), {2}, {9, 4});
}

TEST(graph_operators, that_choose_are_evaluated) {
  const array x = floats({4}, {-2, -1, 1, 2});
  expect_tensor(evaluated("Where", {booleans({4}, {1, 0, 0, 1}), x, floats({}, {-infinity})}), {4},
                {-2, -infinity, -infinity, 2});
  expect_tensor(evaluated("Clip", {x, floats({}, {-1}), floats({}, {1.5})}), {4}, {-1, -1, 1, 1.5});
  expect_tensor(evaluated("Clip", {x}, {{"min", 0.0}}), {4}, {0, 0, 1, 2});
  expect_tensor(evaluated("Max", {x, floats({}, {0}), floats({}, {1.5})}), {4}, {1.5, 1.5, 1.5, 2});
}

TEST(graph_operators, that_change_types_are_evaluated) {
  const auto to = [](int type) { return std::vector<onnx_attribute>{{"to", std::int64_t{type}}}; };
  const array x = floats({5}, {-1.75, -0.5, 0, 0.5, 1.75});
  expect_tensor(evaluated("Cast", {x}, to(7)), {5}, {-1, 0, 0, 0, 1});
  expect_tensor(evaluated("Cast", {x}, to(9)), {5}, {1, 1, 0, 1, 1});
  expect_tensor(evaluated("Cast", {booleans({2}, {0, 1})}, to(11)), {2}, {0, 1});
  expect_tensor(evaluated("CastLike", {whole_numbers({2}, {3, -4}), x}), {2}, {3, -4});
  // What f16 makes of 0.1 may be held; so may 0.1, where an evaluation keeps more.
  const ranged tenth = evaluated("Cast", {floats({}, {0.1})}, to(10)).values.at(0);
  EXPECT_TRUE(contains(tenth.held, 0x1.998p-4) && contains(tenth.held, 0.1));
  EXPECT_TRUE(identical(tenth.exact, interval(0.1)));
}

TEST(graph_operators, keep_what_is_no_number) {
  const array x = floats({3}, {1, infinity, nan});
  expect_tensor(evaluated("IsNaN", {x}), {3}, {0, 0, 1});
  expect_tensor(evaluated("IsInf", {x}), {3}, {0, 1, 0});
  expect_tensor(evaluated("Sub", {x, floats({}, {infinity})}), {3}, {-infinity, nan, nan});
  expect_tensor(evaluated("Mul", {floats({2}, {0, -1}), floats({}, {infinity})}), {2},
                {nan, -infinity});
  expect_tensor(evaluated("Log", {floats({2}, {0, -1})}), {2}, {-infinity, nan});
  expect_tensor(evaluated("Less", {x, floats({}, {2})}), {3}, {1, 0, 0});
  expect_tensor(evaluated("Div", {floats({}, {0}), floats({}, {0})}), {}, {nan});
  EXPECT_TRUE(is_unknown(evaluated("Div", {floats({}, {1}), floats({}, {0})}).values.at(0)));
}

// --- Operators on sizes and places ---

const array ascending = floats({2, 3}, {0, 1, 2, 3, 4, 5});

TEST(graph_operators, of_sizes_are_evaluated) {
  expect_tensor(evaluated("Shape", {ascending}), {2}, {2, 3});
  expect_tensor(evaluated("Shape", {ascending}, {{"start", std::int64_t{-1}}}), {1}, {3});
  expect_tensor(evaluated("Size", {ascending}), {}, {6});
  const std::vector<double> same = ascending.values;
  expect_tensor(evaluated("Reshape", {ascending, whole_numbers({3}, {-1, 1, 2})}), {3, 1, 2}, same);
  expect_tensor(evaluated("Reshape", {ascending, whole_numbers({2}, {0, -1})}), {2, 3}, same);
  expect_tensor(evaluated("Unsqueeze", {ascending, whole_numbers({2}, {0, -1})}), {1, 2, 3, 1},
                same);
  expect_tensor(evaluated("Unsqueeze", {ascending}, {{"axes", sizes_list{1}}}), {2, 1, 3}, same);
  expect_tensor(evaluated("Squeeze", {floats({1, 2, 1}, {7, 8})}), {2}, {7, 8});
  expect_tensor(evaluated("Squeeze", {floats({1, 2, 1}, {7, 8}), whole_numbers({1}, {0})}), {2, 1},
                {7, 8});
  expect_tensor(evaluated("Expand", {floats({2, 1}, {7, 8}), whole_numbers({2}, {1, 3})}), {2, 3},
                {7, 7, 7, 8, 8, 8});
  expect_tensor(evaluated("Tile", {floats({2}, {7, 8}), whole_numbers({1}, {2})}), {4},
                {7, 8, 7, 8});
}

TEST(graph_operators, of_places_are_evaluated) {
  expect_tensor(evaluated("Transpose", {ascending}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_tensor(evaluated("Transpose", {floats({1, 2, 3}, ascending.values)},
                          {{"perm", sizes_list{2, 0, 1}}}),
                {3, 1, 2}, {0, 3, 1, 4, 2, 5});
  expect_tensor(evaluated("Gather", {ascending, whole_numbers({2}, {1, -2})}), {2, 3},
                {3, 4, 5, 0, 1, 2});
  expect_tensor(
      evaluated("Gather", {ascending, whole_numbers({}, {2})}, {{"axis", std::int64_t{1}}}), {2},
      {2, 5});
  expect_tensor(
      evaluated("Concat", {ascending, floats({2, 1}, {8, 9})}, {{"axis", std::int64_t{-1}}}),
      {2, 4}, {0, 1, 2, 8, 3, 4, 5, 9});
  const auto one = [](double n) { return whole_numbers({1}, {n}); };
  expect_tensor(evaluated("Slice", {ascending, one(1), one(0x1p53), one(1)}), {2, 2}, {1, 2, 4, 5});
  expect_tensor(evaluated("Slice", {ascending, one(-1), one(-4), one(1), one(-2)}), {2, 2},
                {2, 0, 5, 3});
  expect_tensor(evaluated("Trilu", {ascending}), {2, 3}, {0, 1, 2, 0, 4, 5});
  expect_tensor(
      evaluated("Trilu", {ascending, whole_numbers({}, {1})}, {{"upper", std::int64_t{0}}}), {2, 3},
      {0, 1, 0, 3, 4, 5});
}

TEST(graph_operators, that_make_tensors_are_evaluated) {
  expect_tensor(
      evaluated("Range", {whole_numbers({}, {1}), whole_numbers({}, {8}), whole_numbers({}, {3})}),
      {3}, {1, 4, 7});
  expect_tensor(evaluated("Range", {floats({}, {1}), floats({}, {0}), floats({}, {-0.25})}), {4},
                {1, 0.75, 0.5, 0.25});
  expect_tensor(evaluated("ConstantOfShape", {whole_numbers({2}, {1, 2})}), {1, 2}, {0, 0});
  expect_tensor(evaluated("Constant", {}, {{"value_int", std::int64_t{5}}}), {}, {5});
  expect_tensor(evaluated("Constant", {}, {{"value_floats", std::vector<double>{1, 2}}}), {2},
                {1, 2});
  expect_tensor(
      evaluated(
          "Constant", {},
          {{"value", std::make_shared<const onnx_constant>(onnx_constant{{"", ascending}, ""})}}),
      {2, 3}, ascending.values);
}

TEST(graph_operators, along_axes_are_evaluated) {
  const array axis = whole_numbers({1}, {1});
  expect_tensor(evaluated("ReduceSum", {ascending, axis}), {2, 1}, {3, 12});
  expect_tensor(evaluated("ReduceMean", {ascending, axis}, {{"keepdims", std::int64_t{0}}}), {2},
                {1, 4});
  expect_tensor(evaluated("ReduceMax", {ascending}), {1, 1}, {5});
  expect_tensor(evaluated("ReduceMin", {ascending}, {{"axes", sizes_list{0}}}), {1, 3}, {0, 1, 2});
  expect_tensor(evaluated("ReduceSum", {ascending}, {{"noop_with_empty_axes", std::int64_t{1}}}),
                {2, 3}, ascending.values);
}

// --- Errors ---

// x is 1, and held as any number from 0.5 to 1.5.
ranged of_open_number(std::vector<onnx_node> nodes, std::vector<onnx_constant> constants) {
  static const contract kept = in_every_stage(f64);
  const ranged_tensor x{
      element_kind::floating, &f64, {}, {{interval(1), interval::between(0.5, 1.5)}}};
  return evaluate_graph(*graph_of(std::move(nodes), std::move(constants)), x, {},
                        graph_arithmetic(kept), "graph")
      .values.at(0);
}

void expect_ends(const interval& x, double lower, double upper) {
  EXPECT_TRUE(identical(x, interval::between(lower, upper)))
      << mpfr_get_d(x.lower(), MPFR_RNDN) << " to " << mpfr_get_d(x.upper(), MPFR_RNDN);
}

TEST(graph_conditions, that_are_open_hold_both_branches) {
  const auto constants = [] {
    return std::vector{number("one", 1, f64), number("ten", 10, f64), number("twenty", 20, f64)};
  };
  const ranged chosen = of_open_number(
      {node("Greater", {"x", "one"}, "above"), node("Where", {"above", "ten", "twenty"}, "y")},
      constants());
  expect_ends(chosen.exact, 20, 20);
  expect_ends(chosen.held, 10, 20);
  const ranged certain = of_open_number(
      {node("Less", {"x", "ten"}, "below"), node("Where", {"below", "ten", "twenty"}, "y")},
      constants());
  expect_ends(certain.held, 10, 10);
  const ranged steps = of_open_number({node("Round", {"x"}, "y")}, {});
  expect_ends(steps.exact, 1, 1);
  expect_ends(steps.held, 0, 2);
  const ranged greatest = of_open_number({node("Max", {"x", "one"}, "y")}, constants());
  expect_ends(greatest.held, 1, 1.5);
}

TEST(graph_sums, hold_every_order) {
  const array x = floats({3}, {1, 0x1p60, -0x1p60});
  const ranged sum = evaluated("ReduceSum", {x}).values.at(0);
  EXPECT_TRUE(identical(sum.exact, interval(1)));
  EXPECT_TRUE(contains(sum.held, 0.0) && contains(sum.held, 1.0));
}

// A rounding is to a neighbour; a number of the format stays what it is.
TEST(graph_roundings, are_those_of_the_format) {
  const ranged third = evaluated("Div", {floats({}, {1}), floats({}, {3})}).values.at(0);
  EXPECT_TRUE(contains(third.held, 1.0 / 3));
  EXPECT_GT(width(third.held), 0);
  EXPECT_LE(width(third.held), 0x1p-50);
  EXPECT_EQ(width(evaluated("Mul", {floats({}, {1.5}), floats({}, {3})}).values.at(0).held), 0);
  // The lowest number of f64 less a little rounds to itself, not to -inf.
  const ranged lowest =
      evaluated("Sub", {floats({}, {-largest_finite(f64)}), floats({}, {5})}).values.at(0);
  EXPECT_TRUE(is_bounded(lowest.held));
  const ranged beyond =
      evaluated("Mul", {floats({}, {largest_finite(f64)}), floats({}, {2})}).values.at(0);
  EXPECT_TRUE(contains(beyond.held, infinity));
}

}  // namespace
}  // namespace attest
