// Operators that move elements to other places.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "properties/onnx/graph/moved_elements.h"
#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/graph/operator_call.h"

namespace attest {
namespace {

using sizes_list = std::vector<std::int64_t>;
using index_list = std::vector<std::int64_t>;

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
    {"Concat", concat},       {"Gather", gather},  {"Slice", slice},
    {"Transpose", transpose}, {"Trilu", triangle},
};

}  // namespace

graph_operator find_place_operator(std::string_view name) {
  for (const named_operator& each : operators)
    if (each.name == name) return each.compute;
  return nullptr;
}

}  // namespace attest
