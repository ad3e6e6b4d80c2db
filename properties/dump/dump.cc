#include "properties/dump/dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "properties/exchange/array_problem.h"
#include "properties/exchange/contract_json.h"
#include "reference/contract/presets.h"
#include "reference/formats/rounding.h"
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

// Rank 2 has no heads to stand elsewhere.
void to_bhld(found_arrays& found) {
  for (const char* name : {"q", "k", "v", "o"}) {
    array& a = found.at(name).held;
    const std::size_t rank = a.sizes.size();
    if (rank == 3 || rank == 4) exchange_axes(a, rank - 3);
  }
}

[[noreturn]] void refuse_sizes(const found_array& a, const sizes& due) {
  throw input_error(fmt::format("{} has sizes [{}] (allowed: [{}])", a.where,
                                sizes_text(a.held.sizes), sizes_text(due)));
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

// Without the axes in front that q lacks.
sizes of_rank(const index4& full, std::size_t rank, std::size_t end) {
  return {full.begin() + static_cast<std::ptrdiff_t>(4 - rank),
          full.begin() + static_cast<std::ptrdiff_t>(end)};
}

tensor take_lse(found_array a, const sizes& due, const index4& full, axis_order order) {
  const bool other = order == axis_order::blhd && due.size() >= 2 && a.held.sizes != due;
  if (other && a.held.sizes.size() == due.size()) exchange_axes(a.held, due.size() - 2);
  return take(a, due, full);
}

bool holds_only(const tensor& t, const format& f) {
  bool all = true;
  for_each_index(t.sizes(), [&](const index4& i) {
    const double x = t.at(i);
    all = all && (std::isnan(x) || round_to(f, {}, x) == x);
  });
  return all;
}

void require_inputs(const tensor& t, const char* name, const contract& c) {
  if (!holds_only(t, *c.inputs))
    throw input_error(
        fmt::format("{} holds numbers that are none of {}, and contract {} is about {} "
                    "inputs (allowed: a contract for what is stored)",
                    name, c.inputs->name, c.name, c.inputs->name));
}

}  // namespace

dump to_dump(found_arrays found, axis_order order) {
  dump d;
  if (order == axis_order::blhd) to_bhld(found);
  for (const auto& [name, a] : found)
    if (a.held.kind == element_kind::floating) d.stored[name] = a.held.element;
  array_problem read = to_problem(found);
  d.posed = std::move(read.posed);
  const shape& dims = d.posed.dims;
  d.o = take(found.at("o"), of_rank(dims.o_sizes(), read.rank, 4), dims.o_sizes());
  if (found.contains("lse"))
    d.lse =
        take_lse(found.at("lse"), of_rank(dims.lse_sizes(), read.rank, 3), dims.lse_sizes(), order);
  return d;
}

contract contract_of(const dump& d, const std::string& name_or_path) {
  const format& stored = *d.stored.at("q");
  const contract c =
      name_or_path.empty() ? default_contract(stored) : find_or_read_contract(name_or_path);
  require_inputs(d.posed.q, "q", c);
  require_inputs(d.posed.k, "k", c);
  require_inputs(d.posed.v, "v", c);
  return c;
}

}  // namespace attest
