// Any page table and lengths beside any pools either read as a problem or are refused with
// input_error; what was read is what lies in the pages that the table names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "properties/exchange/array_problem.h"
#include "tests/fuzz/byte_supply.h"
#include "tests/fuzz/unless_refused.h"

namespace {

using namespace attest;

// Small, but for one in 128.
double integer_from(byte_supply& from) {
  const auto x = static_cast<std::int8_t>(from.next());
  return x == 127 ? 0x1p63 : x == -128 ? -0x1p63 : x;
}

// Numbered elements, so that each shows where it comes from.
found_array numbered(const std::string& name, std::vector<std::int64_t> sizes) {
  std::size_t count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<std::size_t>(size);
  array a{&f64, std::move(sizes), {}, element_kind::floating};
  for (std::size_t n = 0; n < count; ++n) a.values.push_back(static_cast<double>(n + 1));
  return {a, name};
}

found_array integers(const std::string& name, std::vector<std::int64_t> sizes, byte_supply& from) {
  found_array a = numbered(name, std::move(sizes));
  a.held.kind = element_kind::integer;
  a.held.element = nullptr;
  for (double& x : a.held.values) x = integer_from(from);
  return a;
}

found_arrays arrays_from(byte_supply& from) {
  const std::int64_t batch = from.below(4), entries = from.below(4), heads = from.below(3),
                     width = from.below(3);
  const std::vector<std::int64_t> k{from.below(5), heads, from.below(5), width};
  std::vector<std::int64_t> v = k;
  if (const std::int64_t change = from.below(16); change < 4)
    v[static_cast<std::size_t>(change)] = from.below(5);
  found_arrays found{{"q", numbered("q", {batch, heads, 1, width})},
                     {"k", numbered("k", k)},
                     {"v", numbered("v", v)}};
  found["page_table"] = integers("page_table", {batch, entries}, from);
  found["lengths"] = integers("lengths", {batch}, from);
  if (from.below(4) == 0) found["bias"] = numbered("bias", {1, from.below(7)});
  return found;
}

bool finds_its_pages(const found_arrays& found, const char* name, const problem& p,
                     const tensor& read) {
  const array& pool = found.at(name).held;
  const array& table = found.at("page_table").held;
  bool same = true;
  for_each_index(read.sizes(), [&](const index4& i) {
    if (i[2] >= p.valid_keys(i[0])) return;
    const auto entry = static_cast<std::size_t>(i[0] * table.sizes[1] + i[2] / pool.sizes[2]);
    const auto page = static_cast<std::int64_t>(table.values[entry]);
    const std::int64_t place =
        ((page * pool.sizes[1] + i[1]) * pool.sizes[2] + i[2] % pool.sizes[2]) * pool.sizes[3] +
        i[3];
    same = same && read.at(i) == static_cast<double>(place + 1);
  });
  return same;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_supply from(data, size);
  const found_arrays found = arrays_from(from);
  const auto read = unless_refused([&] { return to_problem(found); });
  if (!read) return 0;
  const problem& p = read->posed;
  if (!finds_its_pages(found, "k", p, p.k) || !finds_its_pages(found, "v", p, p.v)) std::abort();
  return 0;
}
