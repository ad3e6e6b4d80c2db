// Which problems a model takes that fixes sizes and attributes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"

namespace attest {

// A size of a problem.
enum class size_name : std::uint8_t {
  batch,
  query_heads,
  kv_heads,
  queries,
  keys,
  width,
  value_width
};
inline constexpr std::size_t size_names = 7;

std::string_view name_of(size_name);  // "B", "Hq", ..., as in a problem's line
std::int64_t& size_of(shape&, size_name);
std::int64_t size_of(const shape&, size_name);

struct call_limits {
  std::array<std::optional<std::int64_t>, size_names> sizes;  // fixed ones
  std::vector<std::pair<size_name, size_name>> equal;
  std::int64_t width_multiple = 1;
  std::int64_t least_keys = 0;
  std::optional<std::int64_t> keys_beyond_queries;  // Lk - Lq
  bool no_more_queries_than_keys = false;

  causal_anchor causal = causal_anchor::none;
  window sliding;
  std::optional<double> scale;
  double soft_cap = 0;
  bool sink = false;  // one is always given
  // Bit k: a mask, or a bias, may vary along axis k of [B, Hq, Lq, Lk].
  unsigned mask_axes = every_axis, bias_axes = every_axis;

  std::optional<std::int64_t> fixed(size_name n) const {
    return sizes[static_cast<std::size_t>(n)];
  }
  bool are_equal(size_name, size_name) const;
};

// Result: why the problem is none that is taken; empty: it is.
std::string why_not_taken(const call_limits&, const problem&);

// Computes: the problem with what is fixed in place of what was drawn; nothing where the sizes
// can't be brought together. It may still not be taken.
std::optional<problem_spec> fitted(problem_spec, const call_limits&);

// Says of a problem that was put to a subject that it is none that the subject takes.
class problem_not_taken : public input_error {
 public:
  using input_error::input_error;
};

}  // namespace attest
