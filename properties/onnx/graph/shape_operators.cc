// Operators that make tensors, and give elements other sizes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "properties/onnx/graph/moved_elements.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/graph/operator_call.h"

namespace attest {
namespace {

using sizes_list = std::vector<std::int64_t>;

ranged_tensor integers_tensor(const std::vector<std::int64_t>& values, bool is_scalar = false) {
  ranged_tensor t{element_kind::integer, nullptr, {}, {}};
  if (!is_scalar) t.sizes = {static_cast<std::int64_t>(values.size())};
  for (const std::int64_t n : values) t.values.push_back(ranged::known(static_cast<double>(n)));
  return t;
}

ranged_tensor with_sizes(const ranged_tensor& x, sizes_list sizes) {
  count_of(sizes);
  return {x.kind, x.element, std::move(sizes), x.values};
}

// --- What a tensor is ---

ranged_tensor shape_of(const operator_call& call) {
  const sizes_list& sizes = call.input(0).sizes;
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const auto end_of = [&](const char* name, std::int64_t otherwise) {
    const std::int64_t given = call.integer_attribute(name, otherwise);
    return std::clamp(given < 0 ? given + rank : given, std::int64_t{0}, rank);
  };
  const std::int64_t start = end_of("start", 0), end = std::max(start, end_of("end", rank));
  return integers_tensor({sizes.begin() + start, sizes.begin() + end});
}

ranged_tensor size_of(const operator_call& call) {
  return integers_tensor({static_cast<std::int64_t>(call.input(0).values.size())}, true);
}

// --- New tensors ---

ranged_tensor floats(const operator_call& call, const std::vector<double>& values, bool is_scalar) {
  array a{&f32, {}, values};
  if (!is_scalar) a.sizes = {static_cast<std::int64_t>(values.size())};
  return to_ranged(a, call.numbers());
}

ranged_tensor constant(const operator_call& call) {
  if (const array* a = call.tensor_attribute("value")) return to_ranged(*a, call.numbers());
  if (call.has_attribute("value_float"))
    return floats(call, {call.number_attribute("value_float", 0)}, true);
  if (call.has_attribute("value_int"))
    return integers_tensor({call.integer_attribute("value_int", 0)}, true);
  if (const auto all = call.numbers_attribute("value_floats")) return floats(call, *all, false);
  if (const auto all = call.integers_attribute("value_ints")) return integers_tensor(*all);
  throw not_taken("Constant without value, value_float, value_int, value_floats or value_ints");
}

ranged_tensor constant_of_shape(const operator_call& call) {
  const array* given = call.tensor_attribute("value");
  if (given != nullptr && given->values.size() != 1) call.fail("of a value that is no scalar", "1");
  const array fill = given != nullptr ? array{given->element, {}, given->values, given->kind}
                                      : array{&f32, {}, {0}};
  ranged_tensor result = to_ranged(fill, call.numbers());
  result.sizes = call.integers(0);
  for (const std::int64_t size : result.sizes)
    if (size < 0) call.fail(fmt::format("of a size of {}", size), "0 and more");
  result.values.assign(static_cast<std::size_t>(count_of(result.sizes)), result.values.front());
  return result;
}

ranged scalar(const operator_call& call, std::size_t n) {
  const ranged_tensor& t = call.input(n);
  if (t.values.size() != 1)
    call.fail(fmt::format("with {} numbers as input {}", t.values.size(), n), "one");
  if (!is_certain(t.values.front()) || !is_bounded(t.values.front().exact))
    throw not_taken("Range by numbers that depend on the scores");
  return t.values.front();
}

// start + n delta for n below ceil((limit - start) / delta).
ranged_tensor range(const operator_call& call) {
  const ranged start = scalar(call, 0), limit = scalar(call, 1), delta = scalar(call, 2);
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}})
    if (!call.input(n).has_type_of(call.input(0))) throw not_taken("Range of several types");
  if (contains(delta.exact, 0.0)) call.fail("by a step of 0", "another");
  const interval steps = ceil((limit.exact - start.exact) / delta.exact);
  const double count = std::max(0.0, mpfr_get_d(steps.upper(), MPFR_RNDU));
  if (!is_point(steps)) throw not_taken("Range of a number of steps that is open");
  ranged_tensor result{call.input(0).kind, call.input(0).element, {}, {}};
  result.sizes = {static_cast<std::int64_t>(std::min(count, 0x1p40))};
  const std::int64_t all = count_of(result.sizes);
  const auto sum = [](std::span<const interval> x) { return x[0] + x[1] * x[2]; };
  for (std::int64_t n = 0; n < all; ++n) {
    const ranged step = ranged::known(static_cast<double>(n));
    const std::array<const ranged*, 3> terms{&start, &step, &delta};
    result.values.push_back(call.numbers().apply(sum, accuracy::rounded, terms, result.element));
  }
  return result;
}

// --- Other sizes ---

sizes_list axes_of(const operator_call& call, std::size_t input, std::int64_t rank) {
  sizes_list axes = call.has_input(input) ? call.integers(input)
                                          : call.integers_attribute("axes").value_or(sizes_list{});
  for (std::int64_t& axis : axes) axis = call.axis(axis, rank);
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
    call.fail("with an axis twice", "each once");
  return axes;
}

bool holds(const sizes_list& axes, std::int64_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

ranged_tensor unsqueeze(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  const std::size_t added = call.has_input(1)
                                ? call.input(1).values.size()
                                : call.integers_attribute("axes").value_or(sizes_list{}).size();
  const auto rank = static_cast<std::int64_t>(x.sizes.size() + added);
  const sizes_list axes = axes_of(call, 1, rank);
  sizes_list sizes;
  std::size_t next = 0;
  for (std::int64_t n = 0; n < rank; ++n) sizes.push_back(holds(axes, n) ? 1 : x.sizes[next++]);
  return with_sizes(x, sizes);
}

ranged_tensor squeeze(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  const sizes_list axes = axes_of(call, 1, x.rank());
  sizes_list sizes;
  for (std::int64_t n = 0; n < x.rank(); ++n) {
    const std::int64_t size = x.sizes[static_cast<std::size_t>(n)];
    const bool removed = axes.empty() ? size == 1 : holds(axes, n);
    if (removed && size != 1) call.fail(fmt::format("of an axis of size {}", size), "1");
    if (!removed) sizes.push_back(size);
  }
  return with_sizes(x, sizes);
}

ranged_tensor reshape(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  sizes_list sizes = call.integers(1);
  const bool copies_zeros = call.integer_attribute("allowzero", 0) == 0;
  const auto fails = [&] {
    call.fail(fmt::format("of sizes [{}] to [{}]", sizes_text(x.sizes), sizes_text(sizes)),
              "as many elements");
  };
  std::int64_t* open = nullptr;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    if (sizes[n] == 0 && copies_zeros && n >= x.sizes.size()) fails();
    if (sizes[n] == 0 && copies_zeros) sizes[n] = x.sizes[n];
    if (sizes[n] < -1 || (sizes[n] == -1 && open != nullptr)) fails();
    if (sizes[n] == -1) open = &sizes[n];
  }
  if (open != nullptr) {
    *open = 1;
    const std::int64_t others = count_of(sizes);
    const auto all = static_cast<std::int64_t>(x.values.size());
    if (others == 0 || all % others != 0) fails();
    *open = all / others;
  }
  if (count_of(sizes) != static_cast<std::int64_t>(x.values.size())) fails();
  return with_sizes(x, sizes);
}

ranged_tensor expand(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  const sizes_list given = call.integers(1);
  const auto sizes = broadcast_sizes(x.sizes, given);
  const bool is_negative = std::any_of(given.begin(), given.end(), [](auto n) { return n < 0; });
  if (!sizes || is_negative)
    call.fail(fmt::format("of sizes [{}] to [{}]", sizes_text(x.sizes), sizes_text(given)),
              "sizes that broadcast");
  return moved(x, *sizes, [](const sizes_list& i) { return i; });
}

ranged_tensor tile(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  const sizes_list repeats = call.integers(1);
  if (repeats.size() != x.sizes.size())
    call.fail("by another number of repeats than axes", "as many");
  sizes_list sizes = x.sizes;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    if (repeats[n] < 0) call.fail(fmt::format("{} times", repeats[n]), "0 and more");
    if (repeats[n] > most_elements) count_of({repeats[n]});
    sizes[n] *= repeats[n];
  }
  return moved(x, sizes, [&](sizes_list i) {
    for (std::size_t n = 0; n < i.size(); ++n) i[n] %= x.sizes[n];
    return i;
  });
}

struct named_operator {
  std::string_view name;
  graph_operator compute;
};

constexpr named_operator operators[] = {
    {"Constant", constant}, {"ConstantOfShape", constant_of_shape},
    {"Expand", expand},     {"Range", range},
    {"Reshape", reshape},   {"Shape", shape_of},
    {"Size", size_of},      {"Squeeze", squeeze},
    {"Tile", tile},         {"Unsqueeze", unsqueeze},
};

}  // namespace

graph_operator find_shape_operator(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
