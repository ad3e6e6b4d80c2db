#include "properties/selection.h"

#include <numeric>

namespace attest {
namespace {

constexpr std::uint64_t gap_fill = ~std::uint64_t{0};  // a NaN in every format

using positions = std::vector<std::int64_t>;

std::int64_t count(const positions& chosen) { return static_cast<std::int64_t>(chosen.size()); }

// Where an element of the selection comes from; an axis without positions is taken whole.
struct origin {
  const positions* axes[4];

  index4 of(index4 i) const {
    for (std::size_t axis = 0; axis < 4; ++axis)
      if (axes[axis]) i[axis] = (*axes[axis])[static_cast<std::size_t>(i[axis])];
    return i;
  }
};

tensor gathered(const tensor& t, const placement& where, const origin& from) {
  tensor result(t.element(), where, gap_fill);
  for_each_index(where.sizes, [&](const index4& i) { result.set_bits(i, t.bits(from.of(i))); });
  return result;
}

boolean_tensor gathered(const boolean_tensor& t, const placement& where, const origin& from) {
  boolean_tensor result(where);
  for_each_index(where.sizes, [&](const index4& i) { result.set(i, t.at(from.of(i))); });
  return result;
}

template <class T>
std::vector<T> gathered(const std::vector<T>& values, const positions& chosen) {
  std::vector<T> result;
  for (std::int64_t n : chosen)
    if (!values.empty()) result.push_back(values[static_cast<std::size_t>(n)]);
  return result;
}

// Of a list of `length` numbers a batch row.
std::vector<std::int64_t> gathered(const std::vector<std::int64_t>& values, std::int64_t length,
                                   const positions& batch, const positions& chosen) {
  std::vector<std::int64_t> result;
  for (const std::int64_t b : batch)
    for (const std::int64_t n : chosen)
      if (!values.empty()) result.push_back(values[static_cast<std::size_t>(b * length + n)]);
  return result;
}

// Each block keeps what the block of its first query and key has: queries and keys are to stay in
// their places, and may only be fewer, or more keys that nothing sees.
boolean_tensor gathered_blocks(const problem& p, const selection& s, const shape& dims) {
  const key_pattern& by = p.pattern;
  boolean_tensor result(broadcast(dims.block_sizes(by.block_queries, by.block_keys),
                                  varying_axes(p.block_mask->where())));
  const auto at = [](const positions& axis, std::int64_t n) {
    return axis[static_cast<std::size_t>(n)];
  };
  for_each_index(result.where().sizes, [&](const index4& i) {
    result.set(i, p.block_mask->at({at(s.batch, i[0]), at(s.query_heads, i[1]),
                                    at(s.queries, i[2] * by.block_queries) / by.block_queries,
                                    at(s.keys, i[3] * by.block_keys) / by.block_keys}));
  });
  return result;
}

shape shape_of(const problem& p, const selection& s) {
  shape dims = p.dims;
  dims.batch = count(s.batch);
  dims.query_heads = count(s.query_heads);
  dims.kv_heads = count(s.kv_heads);
  dims.queries = count(s.queries);
  dims.keys = count(s.keys);
  return dims;
}

}  // namespace

std::vector<std::int64_t> interval(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(last - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

selection everything(const problem& p) {
  return {interval(0, p.dims.batch), interval(0, p.dims.query_heads), interval(0, p.dims.kv_heads),
          interval(0, p.dims.queries), interval(0, p.dims.keys)};
}

unsigned varying_axes(const placement& where) {
  unsigned axes = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (where.strides[k] != 0) axes |= 1u << k;
  return axes;
}

tensor laid_out(const tensor& t, layout how) {
  return gathered(t, place(how, t.sizes()), {{nullptr, nullptr, nullptr, nullptr}});
}

problem select(const problem& p, const selection& s, layout placed) {
  const origin of_keys{{&s.batch, &s.kv_heads, &s.keys, nullptr}};
  const origin of_scores{{&s.batch, &s.query_heads, &s.queries, &s.keys}};
  problem result = p;
  result.dims = shape_of(p, s);
  result.q = gathered(p.q, place(placed, result.dims.q_sizes()),
                      {{&s.batch, &s.query_heads, &s.queries, nullptr}});
  result.k = gathered(p.k, place(placed, result.dims.k_sizes()), of_keys);
  result.v = gathered(p.v, place(placed, result.dims.v_sizes()), of_keys);
  const auto spread = [&](const placement& where) {
    return broadcast(result.dims.score_sizes(), varying_axes(where));
  };
  if (p.mask) result.mask = gathered(*p.mask, spread(p.mask->where()), of_scores);
  if (p.bias) result.bias = gathered(*p.bias, spread(p.bias->where()), of_scores);
  if (p.dropout_mask)
    result.dropout_mask = gathered(*p.dropout_mask, spread(p.dropout_mask->where()), of_scores);
  if (p.block_mask) result.block_mask = gathered_blocks(p, s, result.dims);
  result.query_segments = gathered(p.query_segments, p.dims.queries, s.batch, s.queries);
  result.key_segments = gathered(p.key_segments, p.dims.keys, s.batch, s.keys);
  result.slopes = gathered(p.slopes, s.query_heads);
  result.lengths = gathered(p.lengths, s.batch);
  result.sink = gathered(p.sink, s.query_heads);
  for (tensor& each : result.parameters) {
    const index4 sizes{1, result.dims.query_heads, each.sizes()[2], each.sizes()[3]};
    each = gathered(each, broadcast(sizes, varying_axes(each.where())),
                    {{nullptr, &s.query_heads, nullptr, nullptr}});
  }
  return result;
}

}  // namespace attest
