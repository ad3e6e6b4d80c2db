// Operators that make tensors, and move elements without changing them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/graph/operator_call.h"

namespace attest {
namespace {

using sizes_list = std::vector<std::int64_t>;
using index_list = std::vector<std::int64_t>;

ranged_tensor integers_tensor(const std::vector<std::int64_t>& values, bool is_scalar = false) {
  ranged_tensor t{element_kind::integer, nullptr, {}, {}};
  if (!is_scalar) t.sizes = {static_cast<std::int64_t>(values.size())};
  for (const std::int64_t n : values) t.values.push_back(ranged::known(static_cast<double>(n)));
  return t;
}

// The tensor of these sizes whose element at an index is that of x at from(index).
template <class From>
ranged_tensor moved(const ranged_tensor& x, sizes_list sizes, From from) {
  ranged_tensor result{x.kind, x.element, std::move(sizes), {}};
  for_each_place(result.sizes, [&](const index_list& i) {
    result.values.push_back(x.values[place_in(x.sizes, from(i))]);
  });
  return result;
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
  return moved(x, *sizes, [](const index_list& i) { return i; });
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
  return moved(x, sizes, [&](index_list i) {
    for (std::size_t n = 0; n < i.size(); ++n) i[n] %= x.sizes[n];
    return i;
  });
}

// --- Other places ---

ranged_tensor transpose(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  sizes_list order(x.sizes.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (const auto given = call.integers_attribute("perm")) {
    sizes_list sorted = *given, all = order;
    std::sort(sorted.begin(), sorted.end());
    std::reverse(all.begin(), all.end());
    if (sorted != all) call.fail("by [" + sizes_text(*given) + "]", "every axis once");
    order = *given;
  }
  sizes_list sizes;
  for (const std::int64_t axis : order) sizes.push_back(x.sizes[static_cast<std::size_t>(axis)]);
  return moved(x, sizes, [&](const index_list& i) {
    index_list from(i.size());
    for (std::size_t n = 0; n < i.size(); ++n) from[static_cast<std::size_t>(order[n])] = i[n];
    return from;
  });
}

ranged_tensor concat(const operator_call& call) {
  ranged_tensor result = call.input(0);
  const auto axis =
      static_cast<std::size_t>(call.axis(call.integer_attribute("axis", 0), result.rank()));
  result.sizes[axis] = 0;
  for (std::size_t n = 0; n < call.inputs(); ++n) {
    sizes_list sizes = call.input(n).sizes;
    if (!call.input(n).has_type_of(result)) throw not_taken("Concat of several types");
    if (sizes.size() != result.sizes.size()) call.fail("of several ranks", "one");
    const std::int64_t added = std::exchange(sizes[axis], result.sizes[axis]);
    if (sizes != result.sizes) call.fail("of sizes that do not fit", "all but the axis alike");
    result.sizes[axis] += added;
  }
  count_of(result.sizes);
  result.values.clear();
  const std::int64_t outer = std::accumulate(
      result.sizes.begin(), result.sizes.begin() + static_cast<std::ptrdiff_t>(axis),
      std::int64_t{1}, std::multiplies<>());
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::size_t n = 0; n < call.inputs(); ++n) {
      const std::vector<ranged>& values = call.input(n).values;
      const auto block = static_cast<std::ptrdiff_t>(values.size()) / outer;
      result.values.insert(result.values.end(), values.begin() + o * block,
                           values.begin() + (o + 1) * block);
    }
  return result;
}

ranged_tensor gather(const operator_call& call) {
  const ranged_tensor &x = call.input(0), &indices = call.input(1);
  const auto axis =
      static_cast<std::size_t>(call.axis(call.integer_attribute("axis", 0), x.rank()));
  const std::int64_t end = x.sizes[axis];
  std::vector<std::int64_t> chosen;
  for (const ranged& n : indices.values) {
    if (indices.kind != element_kind::integer)
      call.fail("by indices that are no integers", "integers");
    if (!is_certain(n)) throw not_taken("Gather by indices that depend on the scores");
    const std::int64_t given = mpfr_get_si(n.exact.lower(), MPFR_RNDZ);
    if (given < -end || given >= end)
      call.fail(fmt::format("of element {} of {}", given, end), "one that is there");
    chosen.push_back(given < 0 ? given + end : given);
  }
  const auto at = static_cast<std::ptrdiff_t>(axis);
  sizes_list sizes(x.sizes.begin(), x.sizes.begin() + at);
  sizes.insert(sizes.end(), indices.sizes.begin(), indices.sizes.end());
  sizes.insert(sizes.end(), x.sizes.begin() + at + 1, x.sizes.end());
  const auto rank = static_cast<std::ptrdiff_t>(indices.sizes.size());
  return moved(x, sizes, [&](const index_list& i) {
    const index_list of_index(i.begin() + at, i.begin() + at + rank);
    index_list from(i.begin(), i.begin() + at);
    from.push_back(chosen[place_in(indices.sizes, of_index)]);
    from.insert(from.end(), i.begin() + at + rank, i.end());
    return from;
  });
}

// One axis of a slice: its first element, its step and how many it takes.
struct strided {
  std::int64_t first = 0, step = 1, count = 0;
};

strided strided_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  const auto within = [&](std::int64_t n, std::int64_t least, std::int64_t most) {
    return std::clamp(n < 0 ? n + size : n, least, most);
  };
  if (step > 0) {
    start = within(start, 0, size);
    end = within(end, 0, size);
    return {start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = within(start, -1, size - 1);
  end = within(end, -1, size - 1);
  return {start, step, start > end ? (end - start + 1) / step + 1 : 0};
}

// Starts, ends, axes and steps are inputs or, before opset 10, attributes.
ranged_tensor slice(const operator_call& call) {
  const ranged_tensor& x = call.input(0);
  const auto given = [&](std::size_t n, const char* name) -> std::optional<sizes_list> {
    return call.has_input(n) ? std::optional(call.integers(n)) : call.integers_attribute(name);
  };
  const sizes_list starts = given(1, "starts").value_or(sizes_list{});
  const sizes_list ends = given(2, "ends").value_or(sizes_list{});
  sizes_list all(starts.size());
  std::iota(all.begin(), all.end(), 0);
  const sizes_list axes = given(3, "axes").value_or(all);
  const sizes_list steps = given(4, "steps").value_or(sizes_list(starts.size(), 1));
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    call.fail("with starts, ends, axes and steps of several lengths", "one");
  std::vector<strided> along;
  for (const std::int64_t size : x.sizes) along.push_back({0, 1, size});
  for (std::size_t n = 0; n < starts.size(); ++n) {
    const auto axis = static_cast<std::size_t>(call.axis(axes[n], x.rank()));
    if (steps[n] == 0) call.fail("by a step of 0", "another");
    along[axis] = strided_of(starts[n], ends[n], steps[n], x.sizes[axis]);
  }
  sizes_list sizes;
  for (const strided& each : along) sizes.push_back(each.count);
  return moved(x, sizes, [&](index_list i) {
    for (std::size_t n = 0; n < i.size(); ++n) i[n] = along[n].first + i[n] * along[n].step;
    return i;
  });
}

// The triangle of the last two axes; the rest is 0.
ranged_tensor triangle(const operator_call& call) {
  ranged_tensor result = call.input(0);
  if (result.rank() < 2) call.fail(fmt::format("of rank {}", result.rank()), "2 and more");
  const bool upper = call.integer_attribute("upper", 1) != 0;
  const std::int64_t shift =
      call.has_input(1) ? std::clamp(call.integer(1), -most_elements, most_elements) : 0;
  std::size_t place = 0;
  for_each_place(result.sizes, [&](const index_list& i) {
    const std::int64_t above = i.back() - i[i.size() - 2] - shift;
    if (upper ? above < 0 : above > 0) result.values[place] = ranged::known(0);
    ++place;
  });
  return result;
}

struct named_operator {
  std::string_view name;
  graph_operator compute;
};

constexpr named_operator operators[] = {
    {"Concat", concat},       {"Constant", constant}, {"ConstantOfShape", constant_of_shape},
    {"Expand", expand},       {"Gather", gather},     {"Range", range},
    {"Reshape", reshape},     {"Shape", shape_of},    {"Size", size_of},
    {"Slice", slice},         {"Squeeze", squeeze},   {"Tile", tile},
    {"Transpose", transpose}, {"Trilu", triangle},    {"Unsqueeze", unsqueeze},
};

}  // namespace

graph_operator find_shape_operator(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
