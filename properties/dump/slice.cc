#include "properties/dump/slice.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "properties/exchange/problem_arrays.h"
#include "reference/definition/bias.h"

namespace attest {
namespace {

// Whether keys that a mask takes out count all the same.
bool mask_speaks_of_kept_keys(const problem& p, const row_index& row) {
  return (p.soft_cap > 0 && p.rules.cap == cap_order::after_mask) ||
         p.rules.on_infinite_bias == infinite_bias::weighs_0 || key_set(p, row).empty();
}

// A row that sees nothing may hold the mean of all values: it keeps all keys.
std::vector<std::int64_t> keys_to_keep(const problem& p, const row_index& row) {
  if (!mask_speaks_of_kept_keys(p, row)) return key_set(p, row);
  std::vector<std::int64_t> all(static_cast<std::size_t>(p.dims.keys)), visible;
  std::iota(all.begin(), all.end(), 0);
  std::copy_if(all.begin(), all.end(), std::back_inserter(visible),
               [&](std::int64_t j) { return is_visible(p, row, j); });
  return visible.empty() ? all : visible;
}

tensor copy_rows(const tensor& t, std::int64_t b, std::int64_t h,
                 const std::vector<std::int64_t>& positions) {
  const std::int64_t width = t.sizes()[3];
  tensor copy(t.element(),
              place(layout::bhld, {1, 1, static_cast<std::int64_t>(positions.size()), width}), 0);
  for (std::size_t n = 0; n < positions.size(); ++n)
    for (std::int64_t d = 0; d < width; ++d)
      copy.set({0, 0, static_cast<std::int64_t>(n), d}, t.at(b, h, positions[n], d));
  return copy;
}

// Calls set(place in the slice, place in the dump) for each key.
template <class Set>
void for_each_cell(const row_index& row, const std::vector<std::int64_t>& keys, Set set) {
  for (std::size_t n = 0; n < keys.size(); ++n)
    set(index4{0, 0, 0, static_cast<std::int64_t>(n)}, index4{row.b, row.h, row.i, keys[n]});
}

void copy_mask(const problem& p, problem& to, const row_index& row,
               const std::vector<std::int64_t>& keys) {
  const bool invisible = !keys.empty() && !is_visible(p, row, keys.front());
  if (!mask_speaks_of_kept_keys(p, row) || (!p.mask && !invisible)) return;
  to.mask = boolean_tensor(place(layout::bhld, to.dims.score_sizes()));
  for_each_cell(row, keys, [&](const index4& here, const index4& there) {
    to.mask->set(here, !invisible && p.mask->at(there));
  });
}

// Slopes as the bias that they are: the keys of the slice no longer stand where they did.
void copy_bias(const problem& p, problem& to, const row_index& row,
               const std::vector<std::int64_t>& keys) {
  if (!has_bias(p)) return;
  const format& element = p.bias ? p.bias->element() : f64;
  to.bias = tensor(element, place(layout::bhld, to.dims.score_sizes()), 0);
  for_each_cell(row, keys, [&](const index4& here, const index4& there) {
    to.bias->set(here, bias_of(p, row, there[3]));
  });
}

void copy_dropout(const problem& p, problem& to, const row_index& row,
                  const std::vector<std::int64_t>& keys) {
  if (!p.dropout_mask) return;
  to.dropout_scale = p.dropout_scale;
  to.dropout_mask = boolean_tensor(place(layout::bhld, to.dims.score_sizes()));
  for_each_cell(row, keys, [&](const index4& here, const index4& there) {
    to.dropout_mask->set(here, p.dropout_mask->at(there));
  });
}

std::vector<tensor> parameters_of_head(const problem& p, std::int64_t h) {
  std::vector<tensor> all;
  for (const tensor& each : p.parameters) {
    const index4 sizes{1, 1, each.sizes()[2], each.sizes()[3]};
    all.emplace_back(each.element(), place(layout::bhld, sizes), 0);
    for_each_index(sizes, [&](const index4& i) { all.back().set(i, each.at(0, h, i[2], i[3])); });
  }
  return all;
}

}  // namespace

dump cut_row(const dump& d, const row_index& row) {
  const problem& p = d.posed;
  const std::vector<std::int64_t> keys = keys_to_keep(p, row), query{row.i};
  dump cut;
  cut.stored = d.stored;
  problem& to = cut.posed;
  to.dims = {1, 1, 1, 1, static_cast<std::int64_t>(keys.size()), p.dims.width, p.dims.value_width};
  to.rules = p.rules;
  to.scale = p.scale;
  to.soft_cap = p.soft_cap;
  to.q = copy_rows(p.q, row.b, row.h, query);
  to.k = copy_rows(p.k, row.b, p.kv_head(row.h), keys);
  to.v = copy_rows(p.v, row.b, p.kv_head(row.h), keys);
  to.alpha = p.alpha;
  to.parameters = parameters_of_head(p, row.h);
  if (!p.sink.empty()) to.sink = {p.sink[static_cast<std::size_t>(row.h)]};
  copy_mask(p, to, row, keys);
  copy_bias(p, to, row, keys);
  copy_dropout(p, to, row, keys);
  cut.o = copy_rows(d.o, row.b, row.h, query);
  if (d.lse) cut.lse = copy_rows(*d.lse, row.b, row.h, query);
  return cut;
}

named_arrays to_arrays(const dump& d) {
  named_arrays all = to_arrays(d.posed);
  all["o"] = to_array(d.o);
  if (d.lse) {
    all["lse"] = to_array(*d.lse);
    all["lse"].sizes.pop_back();
  }
  for (auto& [name, a] : all)
    if (a.kind == element_kind::floating) a.element = d.stored.at(name);
  return all;
}

}  // namespace attest
