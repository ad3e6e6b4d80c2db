#include "properties/exchange/array_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/definition/dropout.h"
#include "reference/input_error.h"
#include "reference/problems/page_pool.h"

namespace attest {
namespace {

[[noreturn]] void fail(const found_array& a, std::string_view given, std::string_view allowed) {
  throw input_error(fmt::format("{} {} (allowed: {})", a.where, given, allowed));
}

std::string bracketed(const std::vector<std::int64_t>& sizes) {
  return "[" + sizes_text(sizes) + "]";
}

std::string bracketed(const index4& sizes) { return bracketed({sizes.begin(), sizes.end()}); }

// The sizes with ones in front, to rank 4.
index4 as_rank_4(const found_array& a) {
  const std::vector<std::int64_t>& given = a.held.sizes;
  if (given.size() > 4) fail(a, fmt::format("has rank {}", given.size()), "up to 4");
  index4 sizes{1, 1, 1, 1};
  std::copy_backward(given.begin(), given.end(), sizes.end());
  return sizes;
}

void require_floating(const found_array& a) {
  if (a.held.kind != element_kind::floating)
    fail(a, "holds booleans or integers", "f2, f4, f8; in .safetensors BF16 and F8 too");
}

index4 operand_sizes(const found_array& a, std::size_t q_rank) {
  const std::size_t rank = a.held.sizes.size();
  if (rank < 2 || rank > 4)
    fail(a, fmt::format("has rank {}", rank), "2 [L, D], 3 [H, L, D], 4 [B, H, L, D]");
  if (rank != q_rank)
    fail(a, fmt::format("has rank {}, but q has rank {}", rank, q_rank), "the same for q, k and v");
  require_floating(a);
  return as_rank_4(a);
}

// f64 holds the values of every format.
tensor to_tensor(const found_array& a) {
  const index4 sizes = as_rank_4(a);
  tensor t(f64, place(layout::bhld, sizes), 0);
  std::size_t n = 0;
  for_each_index(sizes, [&](const index4& i) { t.set(i, a.held.values[n++]); });
  return t;
}

void require_equal(const found_array& a, const char* what, std::int64_t given, std::int64_t due) {
  if (given != due)
    throw input_error(fmt::format("{}: {} is {} (allowed: {})", a.where, what, given, due));
}

void require_integers(const found_array& a) {
  if (a.held.kind != element_kind::integer) fail(a, "holds no integers", "integers");
}

struct operands {
  const found_array& q;
  const found_array& k;
  const found_array& v;
};

shape shape_of(const operands& in) {
  const std::size_t rank = in.q.held.sizes.size();
  const index4 q = operand_sizes(in.q, rank), k = operand_sizes(in.k, rank),
               v = operand_sizes(in.v, rank);
  require_equal(in.k, "batch", k[0], q[0]);
  require_equal(in.v, "batch", v[0], q[0]);
  require_equal(in.k, "width D", k[3], q[3]);
  require_equal(in.v, "heads", v[1], k[1]);
  require_equal(in.v, "length Lk", v[2], k[2]);
  if (k[1] == 0 || q[1] % k[1] != 0 || q[1] == 0)
    fail(in.q, fmt::format("has {} heads and {} {}", q[1], in.k.where, k[1]),
         "the first a multiple of the second");
  if (q[3] == 0) fail(in.q, "has a width of 0", "1 or more");
  if (v[3] == 0) fail(in.v, "has a width of 0", "1 or more");
  return {q[0], q[1], k[1], q[2], k[2], q[3], v[3]};
}

// Axes along which the array varies; the others are broadcast.
unsigned broadcast_axes(const found_array& a, const index4& full) {
  const index4 given = as_rank_4(a);
  unsigned axes = 0;
  for (unsigned k = 0; k < 4; ++k) {
    if (given[k] != 1 && given[k] != full[k])
      fail(a, "has sizes " + bracketed(given), "sizes that broadcast to " + bracketed(full));
    if (given[k] == full[k]) axes |= 1u << k;
  }
  return axes;
}

// Calls set(index, value) for every cell that the array holds.
template <class Set>
void fill_broadcast(const found_array& a, Set set) {
  std::size_t n = 0;
  for_each_index(as_rank_4(a), [&](const index4& i) { set(i, a.held.values[n++]); });
}

boolean_tensor to_mask(const found_array& a, const index4& full) {
  if (a.held.kind != element_kind::boolean)
    fail(a, "is no boolean array", "b1, in .safetensors BOOL");
  boolean_tensor mask(broadcast(full, broadcast_axes(a, full)));
  fill_broadcast(a, [&](const index4& i, double value) { mask.set(i, value != 0); });
  return mask;
}

tensor to_bias(const found_array& a, const index4& full) {
  require_floating(a);
  tensor bias(*a.held.element, broadcast(full, broadcast_axes(a, full)), 0);
  fill_broadcast(a, [&](const index4& i, double value) { bias.set(i, value); });
  return bias;
}

// A list of that many numbers; a single one may have rank 0.
void require_list(const found_array& a, std::int64_t due, const char* axis) {
  const bool single = a.held.sizes.empty() && due == 1;
  if (!single && a.held.sizes != std::vector<std::int64_t>{due})
    fail(a, "has sizes " + bracketed(a.held.sizes), fmt::format("[{}], {}", due, axis));
}

std::vector<double> to_head_numbers(const found_array& a, std::int64_t query_heads) {
  require_floating(a);
  require_list(a, query_heads, "one a query head");
  for (const double x : a.held.values)
    if (!std::isfinite(x)) fail(a, fmt::format("holds {}", x), "finite numbers");
  return a.held.values;
}

// Multiples of 2^-24 of their size, so that slope times distance is exact.
std::vector<double> to_slopes(const found_array& a, const found_arrays& found,
                              std::int64_t query_heads) {
  if (found.contains("bias")) fail(a, "stands beside a bias", "one of them");
  std::vector<double> slopes = to_head_numbers(a, query_heads);
  for (const double x : slopes)
    if (x != static_cast<double>(static_cast<float>(x)))
      fail(a, fmt::format("holds {}", x), "numbers of float32");
  return slopes;
}

std::vector<std::int64_t> to_segments(const found_array& a, std::int64_t batch,
                                      std::int64_t positions) {
  require_integers(a);
  if (a.held.sizes != std::vector<std::int64_t>{batch, positions})
    fail(a, "has sizes " + bracketed(a.held.sizes),
         fmt::format("[{}, {}], one a position of each batch row", batch, positions));
  return {a.held.values.begin(), a.held.values.end()};
}

// Over batch rows and heads as a mask; how many blocks there are is the caller's to check.
boolean_tensor to_block_mask(const found_array& a, const shape& dims) {
  const index4 given = as_rank_4(a);
  return to_mask(a, {dims.batch, dims.query_heads, given[2], given[3]});
}

std::vector<std::int64_t> to_lengths(const found_array& a, const shape& dims) {
  require_integers(a);
  require_list(a, dims.batch, "one a batch row");
  for (const double x : a.held.values)
    if (x < 0 || x > static_cast<double>(dims.keys))
      fail(a, fmt::format("holds {}", x), fmt::format("0 to Lk = {}", dims.keys));
  return {a.held.values.begin(), a.held.values.end()};
}

// A matrix for all query heads or one for each, the same for all batch rows.
tensor to_parameter(const found_array& a, std::int64_t query_heads) {
  require_floating(a);
  index4 full = as_rank_4(a);
  if (full[0] != 1 || (full[1] != 1 && full[1] != query_heads))
    fail(a, "has sizes " + bracketed(full),
         fmt::format("[rows, columns], or {} of them, one a query head", query_heads));
  full[1] = query_heads;
  tensor t(*a.held.element, broadcast(full, broadcast_axes(a, full)), 0);
  fill_broadcast(a, [&](const index4& i, double value) { t.set(i, value); });
  return t;
}

}  // namespace

// --- Pages ---

// A pool, and the page table and lengths by which k or v is read from it.
struct paged_array {
  const found_array& pool;
  const found_array& table;
  const found_array& lengths;

  std::int64_t page() const { return pool.held.sizes[2]; }
  std::int64_t batch() const { return table.held.sizes[0]; }
  std::int64_t entries() const { return table.held.sizes[1]; }
};

const found_array& lengths_beside(const found_array& table, const found_arrays& found) {
  const auto lengths = found.find("lengths");
  if (lengths == found.end()) fail(table, "stands without lengths", "both");
  return lengths->second;
}

void require_pool(const paged_array& in) {
  const found_array& pool = in.pool;
  if (pool.held.sizes.size() != 4)
    fail(pool, fmt::format("has rank {}", pool.held.sizes.size()),
         "4 beside a page table, [pages, H, page, D]");
  require_floating(pool);
  if (pool.held.values.empty())
    fail(pool, "has sizes " + bracketed(pool.held.sizes), "1 or more of each");
}

void require_table(const paged_array& in, const found_array& q) {
  if (q.held.sizes.size() != 4)
    fail(q, fmt::format("has rank {}", q.held.sizes.size()), "4 beside a page table");
  const std::int64_t batch = q.held.sizes[0];
  require_integers(in.table);
  require_integers(in.lengths);
  require_list(in.lengths, batch, "one a batch row");
  if (in.table.held.sizes.size() != 2 || in.batch() != batch)
    fail(in.table, "has sizes " + bracketed(in.table.held.sizes),
         fmt::format("[{}, pages of a row]", batch));
}

// Each entry names a page; where its page would hold no valid key, it may name none.
void require_entries(const paged_array& in, std::int64_t b) {
  const double page = static_cast<double>(in.page()),
               room = page * static_cast<double>(in.entries()),
               last = static_cast<double>(in.pool.held.sizes[0] - 1),
               length = in.lengths.held.values[static_cast<std::size_t>(b)];
  if (!(length >= 0 && length <= room))
    fail(in.lengths, fmt::format("holds {}", length),
         fmt::format("0 to {}, {} pages of {}", room, in.entries(), page));
  for (std::int64_t n = 0; n < in.entries(); ++n) {
    const double entry = in.table.held.values[static_cast<std::size_t>(b * in.entries() + n)];
    const double least = static_cast<double>(n) * page < length ? 0 : no_page;
    if (!(entry >= least && entry <= last))
      fail(in.table, fmt::format("holds {} at [{}, {}]", entry, b, n),
           fmt::format("{} to {}, pages of the pool", least, last));
  }
}

// What a mask or bias says of Lk, otherwise as many keys as the longest batch row has.
std::int64_t keys_of_pages(const paged_array& in, const found_arrays& found) {
  for (const char* name : {"mask", "bias", "key_segments"})
    if (const auto a = found.find(name);
        a != found.end() && a->second.held.values.size() > 1 && a->second.held.sizes.back() != 1)
      return a->second.held.sizes.back();
  double keys = 0;
  for (const double length : in.lengths.held.values) keys = std::max(keys, length);
  return static_cast<std::int64_t>(keys);
}

index4 dense_sizes(const paged_array& in, std::int64_t keys) {
  const std::vector<std::int64_t>& pool = in.pool.held.sizes;
  constexpr double most = 8589934592.0;  // 2^33
  const double elements = static_cast<double>(in.batch()) * static_cast<double>(pool[1]) *
                          static_cast<double>(keys) * static_cast<double>(pool[3]);
  if (elements > most)
    fail(in.table, fmt::format("finds {} elements in {}", elements, in.pool.where), "up to 2^33");
  return {in.batch(), pool[1], keys, pool[3]};
}

// [B, H, Lk, D] of the elements that the table finds; 0 beyond the lengths, where nothing is read.
found_array read_from_pool(const paged_array& in, std::int64_t keys) {
  const std::vector<std::int64_t>& pool = in.pool.held.sizes;
  const index4 sizes = dense_sizes(in, keys);
  array dense{in.pool.held.element, {sizes.begin(), sizes.end()}, {}, element_kind::floating};
  for_each_index(sizes, [&](const index4& i) {
    const std::int64_t entry = i[0] * in.entries() + i[2] / in.page();
    const bool is_valid =
        static_cast<double>(i[2]) < in.lengths.held.values[static_cast<std::size_t>(i[0])];
    if (!is_valid) return dense.values.push_back(0);
    const auto page =
        static_cast<std::int64_t>(in.table.held.values[static_cast<std::size_t>(entry)]);
    const std::int64_t slot = (page * pool[1] + i[1]) * in.page() + i[2] % in.page();
    dense.values.push_back(in.pool.held.values[static_cast<std::size_t>(slot * pool[3] + i[3])]);
  });
  return {std::move(dense), in.pool.where};
}

void require_like(const paged_array& v, const paged_array& k) {
  require_equal(v.pool, "number of pages", v.pool.held.sizes[0], k.pool.held.sizes[0]);
  require_equal(v.pool, "size of a page", v.page(), k.page());
}

// The arrays with k and v in place of their pools.
found_arrays without_pages(const found_arrays& found) {
  const found_array &table = found.at("page_table"), &lengths = lengths_beside(table, found);
  const paged_array k{found.at("k"), table, lengths}, v{found.at("v"), table, lengths};
  require_pool(k);
  require_pool(v);
  require_like(v, k);
  require_table(k, found.at("q"));
  for (std::int64_t b = 0; b < k.batch(); ++b) require_entries(k, b);
  const std::int64_t keys = keys_of_pages(k, found);
  found_arrays dense = found;
  dense.erase("page_table");
  dense.insert_or_assign("k", read_from_pool(k, keys));
  dense.insert_or_assign("v", read_from_pool(v, keys));
  return dense;
}

array_problem to_dense_problem(const found_arrays& found) {
  const operands in{found.at("q"), found.at("k"), found.at("v")};
  problem p;
  p.dims = shape_of(in);
  p.q = to_tensor(in.q);
  p.k = to_tensor(in.k);
  p.v = to_tensor(in.v);
  const auto where_given = [&](const char* name, auto use) {
    if (const auto a = found.find(name); a != found.end()) use(a->second);
  };
  where_given("mask", [&](const auto& a) { p.mask = to_mask(a, p.dims.score_sizes()); });
  where_given("dropout_mask",
              [&](const auto& a) { p.dropout_mask = to_mask(a, p.dims.score_sizes()); });
  where_given("bias", [&](const auto& a) { p.bias = to_bias(a, p.dims.score_sizes()); });
  where_given("sink", [&](const auto& a) { p.sink = to_head_numbers(a, p.dims.query_heads); });
  where_given("slopes", [&](const auto& a) { p.slopes = to_slopes(a, found, p.dims.query_heads); });
  where_given("query_segments", [&](const auto& a) {
    p.query_segments = to_segments(a, p.dims.batch, p.dims.queries);
  });
  where_given("key_segments",
              [&](const auto& a) { p.key_segments = to_segments(a, p.dims.batch, p.dims.keys); });
  if (p.query_segments.empty() != p.key_segments.empty() && p.dims.queries * p.dims.keys > 0)
    fail(found.at(p.query_segments.empty() ? "key_segments" : "query_segments"), "stands alone",
         "query_segments and key_segments together");
  where_given("block_mask", [&](const auto& a) { p.block_mask = to_block_mask(a, p.dims); });
  where_given("lengths", [&](const auto& a) { p.lengths = to_lengths(a, p.dims); });
  for (const auto& [name, a] : found)
    if (name.starts_with("parameter_")) p.parameters.push_back(to_parameter(a, p.dims.query_heads));
  return {std::move(p), in.q.held.sizes.size()};
}

array_problem to_problem(const found_arrays& found) {
  return to_dense_problem(found.contains("page_table") ? without_pages(found) : found);
}

void require_blocks(const problem& p) {
  const key_pattern& by = p.pattern;
  if (!p.block_mask && by.block_queries + by.block_keys > 0)
    throw input_error(fmt::format("blocks of {} x {} without a block_mask (allowed: with one)",
                                  by.block_queries, by.block_keys));
  if (!p.block_mask) return;
  if (by.block_queries < 1 || by.block_keys < 1)
    throw input_error(
        fmt::format("block_mask with blocks of {} x {} (allowed: 1 or more queries "
                    "and keys)",
                    by.block_queries, by.block_keys));
  const index4 due = p.dims.block_sizes(by.block_queries, by.block_keys);
  const index4 given = p.block_mask->where().sizes;
  if (given != due)
    throw input_error(
        fmt::format("block_mask has {} x {} blocks (allowed: {} x {}, for blocks of "
                    "{} x {})",
                    given[2], given[3], due[2], due[3], by.block_queries, by.block_keys));
}

void require_dropout(const problem& p, std::string_view scale, std::string_view mask) {
  if (!is_dropout_scale(p.dropout_scale))
    throw input_error(fmt::format("{} is {} (allowed: 1 to 2^40)", scale, p.dropout_scale));
  if (!p.dropout_mask && p.dropout_scale != 1)
    throw input_error(
        fmt::format("{} is {} without {} (allowed: with both)", scale, p.dropout_scale, mask));
}

array_problem read_problem(const problem_files& files) { return to_problem(find_arrays(files)); }

array to_array(std::vector<double> values, const std::vector<std::int64_t>& full_sizes,
               std::size_t q_rank, const format& element) {
  const auto left_out = static_cast<std::ptrdiff_t>(4 - q_rank);
  return {&element, {full_sizes.begin() + left_out, full_sizes.end()}, std::move(values)};
}

}  // namespace attest
