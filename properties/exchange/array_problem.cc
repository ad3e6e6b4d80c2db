#include "properties/exchange/array_problem.h"

#include "reference/input_error.h"

namespace attest {
namespace {

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (std::int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

std::string sizes_text(const index4& sizes) { return sizes_text({sizes.begin(), sizes.end()}); }

// The sizes with ones in front, to rank 4.
index4 as_rank_4(const array& a, const std::string& where) {
  if (a.sizes.size() > 4)
    throw input_error(where + " has rank " + std::to_string(a.sizes.size()) +
                      " (allowed: up to 4)");
  index4 sizes{1, 1, 1, 1};
  std::copy_backward(a.sizes.begin(), a.sizes.end(), sizes.end());
  return sizes;
}

array read_operand(const std::string& path, std::size_t rank) {
  array a = read_npy_file(path);
  if (a.sizes.size() < 2 || a.sizes.size() > 4)
    throw input_error(path + " has rank " + std::to_string(a.sizes.size()) +
                      " (allowed: 2 [L, D], 3 [H, L, D], 4 [B, H, L, D])");
  if (rank != 0 && a.sizes.size() != rank)
    throw input_error(path + " has rank " + std::to_string(a.sizes.size()) + ", but q has rank " +
                      std::to_string(rank) + " (allowed: the same for q, k and v)");
  if (a.kind != element_kind::floating)
    throw input_error(path + " holds booleans or integers (allowed: f2, f4, f8)");
  return a;
}

// f64 holds the values of every format.
tensor to_tensor(const array& a, const index4& sizes) {
  tensor t(f64, place(layout::bhld, sizes), 0);
  std::size_t n = 0;
  for_each_index(sizes, [&](const index4& i) { t.set(i, a.values[n++]); });
  return t;
}

void require_equal(std::int64_t given, std::int64_t due, const std::string& what) {
  if (given != due)
    throw input_error(what + " is " + std::to_string(given) + " (allowed: " + std::to_string(due) +
                      ")");
}

shape shape_of(const index4& q, const index4& k, const index4& v, const problem_files& files) {
  require_equal(k[0], q[0], files.k + ": batch");
  require_equal(v[0], q[0], files.v + ": batch");
  require_equal(k[3], q[3], files.k + ": width D");
  require_equal(v[1], k[1], files.v + ": heads");
  require_equal(v[2], k[2], files.v + ": length Lk");
  if (k[1] == 0 || q[1] % k[1] != 0 || q[1] == 0)
    throw input_error(files.q + " has " + std::to_string(q[1]) + " heads and " + files.k + " " +
                      std::to_string(k[1]) + " (allowed: the first a multiple of the second)");
  if (q[3] == 0 || v[3] == 0)
    throw input_error(files.q + ", " + files.v + ": a width of 0 (allowed: 1 or more)");
  return {q[0], q[1], k[1], q[2], k[2], q[3], v[3]};
}

// Axes along which the array varies; the others are broadcast. Error: sizes that are neither 1 nor
// full.
unsigned broadcast_axes(const index4& given, const index4& full, const std::string& where) {
  unsigned axes = 0;
  for (unsigned k = 0; k < 4; ++k) {
    if (given[k] != 1 && given[k] != full[k])
      throw input_error(where + " has sizes " + sizes_text(given) +
                        " (allowed: sizes that broadcast to " + sizes_text(full) + ")");
    if (given[k] == full[k]) axes |= 1u << k;
  }
  return axes;
}

// Calls set(index, value) for every cell that the array holds.
template <class Set>
void fill_broadcast(const array& a, const index4& given, Set set) {
  std::size_t n = 0;
  for_each_index(given, [&](const index4& i) { set(i, a.values[n++]); });
}

boolean_tensor read_mask(const std::string& path, const index4& full) {
  const array a = read_npy_file(path);
  if (a.kind != element_kind::boolean)
    throw input_error(path + " is no boolean array (allowed: b1 or u1, true keeps)");
  const index4 given = as_rank_4(a, path);
  boolean_tensor mask(broadcast(full, broadcast_axes(given, full, path)));
  fill_broadcast(a, given, [&](const index4& i, double value) { mask.set(i, value != 0); });
  return mask;
}

tensor read_bias(const std::string& path, const index4& full) {
  const array a = read_npy_file(path);
  if (a.kind != element_kind::floating)
    throw input_error(path + " is no floating array (allowed: f2, f4, f8)");
  const index4 given = as_rank_4(a, path);
  tensor bias(f64, broadcast(full, broadcast_axes(given, full, path)), 0);
  fill_broadcast(a, given, [&](const index4& i, double value) { bias.set(i, value); });
  return bias;
}

}  // namespace

array_problem read_problem(const problem_files& files) {
  const array q = read_operand(files.q, 0);
  const array k = read_operand(files.k, q.sizes.size());
  const array v = read_operand(files.v, q.sizes.size());
  const index4 q_sizes = as_rank_4(q, files.q), k_sizes = as_rank_4(k, files.k),
               v_sizes = as_rank_4(v, files.v);
  problem p;
  p.dims = shape_of(q_sizes, k_sizes, v_sizes, files);
  p.q = to_tensor(q, q_sizes);
  p.k = to_tensor(k, k_sizes);
  p.v = to_tensor(v, v_sizes);
  if (!files.mask.empty()) p.mask = read_mask(files.mask, p.dims.score_sizes());
  if (!files.bias.empty()) p.bias = read_bias(files.bias, p.dims.score_sizes());
  return {std::move(p), q.sizes.size()};
}

array to_array(const tensor& t, std::size_t rank) {
  array a;
  a.element = &t.element();
  a.sizes.assign(t.sizes().end() - static_cast<std::ptrdiff_t>(rank), t.sizes().end());
  for_each_index(t.sizes(), [&](const index4& i) { a.values.push_back(t.at(i)); });
  return a;
}

}  // namespace attest
