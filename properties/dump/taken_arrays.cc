#include "properties/dump/taken_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference/input_error.h"

namespace attest {
namespace {

using sizes = std::vector<std::int64_t>;

// Computes: the array with the axes `first` and `first + 1` exchanged.
void exchange_axes(array& a, std::size_t first) {
  const auto size = [&](std::size_t axis) { return static_cast<std::size_t>(a.sizes[axis]); };
  std::size_t before = 1, after = 1;
  for (std::size_t axis = 0; axis < first; ++axis) before *= size(axis);
  for (std::size_t axis = first + 2; axis < a.sizes.size(); ++axis) after *= size(axis);
  const std::size_t rows = size(first), columns = size(first + 1);
  std::vector<double> values(a.values.size());
  for (std::size_t n = 0; n < before; ++n)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        std::copy_n(
            a.values.begin() + static_cast<std::ptrdiff_t>(((n * rows + r) * columns + c) * after),
            after,
            values.begin() + static_cast<std::ptrdiff_t>(((n * columns + c) * rows + r) * after));
  a.values = std::move(values);
  std::swap(a.sizes[first], a.sizes[first + 1]);
}

// Without the axes in front that q lacks.
sizes of_rank(const index4& full, std::size_t rank, std::size_t end) {
  return {full.begin() + static_cast<std::ptrdiff_t>(4 - rank),
          full.begin() + static_cast<std::ptrdiff_t>(end)};
}

[[noreturn]] void refuse_sizes(const found_array& a, const sizes& due) {
  throw input_error(fmt::format("{} has sizes [{}] (allowed: [{}])", a.where,
                                sizes_text(a.held.sizes), sizes_text(due)));
}

}  // namespace

std::map<std::string, const format*> formats_of(const found_arrays& found) {
  std::map<std::string, const format*> formats;
  for (const auto& [name, a] : found)
    if (a.held.kind == element_kind::floating) formats[name] = a.held.element;
  return formats;
}

void to_bhld(found_arrays& found, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto place = found.find(name);
    if (place == found.end()) continue;
    array& a = place->second.held;
    const std::size_t rank = a.sizes.size();
    if (rank == 3 || rank == 4) exchange_axes(a, rank - 3);
  }
}

tensor take(const found_array& a, const sizes& due, const index4& full) {
  if (a.held.kind != element_kind::floating)
    throw input_error(a.where + " holds booleans or integers (allowed: numbers)");
  if (a.held.sizes != due) refuse_sizes(a, due);
  tensor t(f64, place(layout::bhld, full), 0);
  std::size_t n = 0;
  for_each_index(full, [&](const index4& i) { t.set(i, a.held.values[n++]); });
  return t;
}

tensor take(const found_array& a, const index4& full, std::size_t rank) {
  return take(a, of_rank(full, rank, 4), full);
}

tensor take_lse(found_array a, const shape& dims, std::size_t rank, axis_order order) {
  const sizes due = of_rank(dims.lse_sizes(), rank, 3);
  const bool other = order == axis_order::blhd && due.size() >= 2 && a.held.sizes != due;
  if (other && a.held.sizes.size() == due.size()) exchange_axes(a.held, due.size() - 2);
  return take(a, due, dims.lse_sizes());
}

}  // namespace attest
