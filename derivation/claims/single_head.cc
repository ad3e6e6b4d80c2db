#include "derivation/claims/single_head.h"

#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

std::size_t width_of(const matrix& m, const std::string& name) {
  if (m.empty() || m.front().empty()) throw input_error(name + " is empty");
  for (const auto& row : m)
    if (row.size() != m.front().size()) throw input_error(name + " has rows of different widths");
  return m.front().size();
}

void require_equal(std::size_t a, std::size_t b, const std::string& what) {
  if (a != b)
    throw input_error(what + " differ: " + std::to_string(a) + " and " + std::to_string(b));
}

tensor tensor_of(const matrix& m, const index4& sizes) {
  tensor t(f64, place(layout::bhld, sizes), 0);
  for_each_index(sizes, [&](const index4& i) {
    t.set(i, m[static_cast<std::size_t>(i[2])][static_cast<std::size_t>(i[3])]);
  });
  return t;
}

}  // namespace

problem single_head(const matrix& q, const matrix& k, const matrix& v) {
  require_equal(width_of(q, "Q"), width_of(k, "K"), "the widths of Q and K");
  require_equal(k.size(), v.size(), "the lengths of K and V");
  problem p;
  p.dims.queries = static_cast<std::int64_t>(q.size());
  p.dims.keys = static_cast<std::int64_t>(k.size());
  p.dims.width = static_cast<std::int64_t>(q.front().size());
  p.dims.value_width = static_cast<std::int64_t>(width_of(v, "V"));
  p.q = tensor_of(q, p.dims.q_sizes());
  p.k = tensor_of(k, p.dims.k_sizes());
  p.v = tensor_of(v, p.dims.v_sizes());
  return p;
}

}  // namespace attest
