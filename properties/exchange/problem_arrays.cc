#include "properties/exchange/problem_arrays.h"

#include <optional>

#include "reference/problems/page_pool.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

// The sizes of what is stored: 1 along axes that are broadcast.
index4 stored_sizes(const placement& where) {
  index4 sizes = where.sizes;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    if (where.strides[axis] == 0 && sizes[axis] > 1) sizes[axis] = 1;
  return sizes;
}

// The array of at(index) for every index below the sizes.
template <class At>
array fill(const format* element, element_kind kind, const index4& sizes, At at) {
  array a{element, {sizes.begin(), sizes.end()}, {}, kind};
  for_each_index(sizes, [&](const index4& i) { a.values.push_back(at(i)); });
  return a;
}

array to_array(const tensor& t, const index4& sizes) {
  return fill(&t.element(), element_kind::floating, sizes,
              [&](const index4& i) { return t.at(i); });
}

array to_array(const boolean_tensor& mask, mask_polarity polarity) {
  const bool keeps = polarity == mask_polarity::true_keeps;
  return fill(nullptr, element_kind::boolean, stored_sizes(mask.where()),
              [&](const index4& i) { return mask.at(i) == keeps ? 1.0 : 0.0; });
}

}  // namespace

array to_array(const tensor& t) { return to_array(t, t.sizes()); }

void copy_to(tensor& t, const array& a) {
  std::size_t n = 0;
  for_each_index(t.sizes(), [&](const index4& i) { t.set(i, a.values[n++]); });
}

named_arrays to_arrays(const problem& p) {
  std::optional<page_pool> pages;
  if (p.paged.page > 0) pages = lay_in_pages(p);
  named_arrays all{{"q", to_array(p.q)},
                   {"k", to_array(pages ? pages->k : p.k)},
                   {"v", to_array(pages ? pages->v : p.v)}};
  if (p.mask) all["mask"] = to_array(*p.mask, p.rules.polarity);
  if (p.bias) all["bias"] = to_array(*p.bias, stored_sizes(p.bias->where()));
  if (p.block_mask) all["block_mask"] = to_array(*p.block_mask, mask_polarity::true_keeps);
  if (p.dropout_mask) all["dropout_mask"] = to_array(*p.dropout_mask, mask_polarity::true_keeps);
  for (std::size_t n = 0; n < p.parameters.size(); ++n)
    all["parameter_" + std::to_string(n)] =
        to_array(p.parameters[n], stored_sizes(p.parameters[n].where()));
  const auto add_numbers = [&](const char* name, const std::vector<double>& of_heads) {
    if (!of_heads.empty())
      all[name] = {&side_format(p.q.element()), {p.dims.query_heads}, of_heads};
  };
  add_numbers("sink", p.sink);
  add_numbers("slopes", p.slopes);
  const auto add_integers = [&](const char* name, const std::vector<std::int64_t>& list,
                                std::vector<std::int64_t> sizes) {
    if (!list.empty())
      all[name] = {nullptr, std::move(sizes), {list.begin(), list.end()}, element_kind::integer};
  };
  add_integers("lengths", pages ? pages->lengths : p.lengths, {p.dims.batch});
  if (pages) add_integers("page_table", pages->table, {p.dims.batch, pages->entries});
  add_integers("query_segments", p.query_segments, {p.dims.batch, p.dims.queries});
  add_integers("key_segments", p.key_segments, {p.dims.batch, p.dims.keys});
  return all;
}

}  // namespace attest
