// The reference: one row of the definition in multiprecision, as enclosures, together with the
// auxiliary quantities from which derivation/bounds computes the error that a contract allows.
#pragma once

#include <vector>

#include "reference/definition/key_set.h"
#include "reference/exact/enclosure.h"

namespace attest {

// What a kept key contributes. Logit, gap and weight are correctly rounded (of another member than
// a softmax of products, within 2^-52 of themselves and 2^-100 of their terms, which of a weight is
// 1); the magnitudes are rounded up.
struct exact_key {
  std::int64_t key = 0;  // sink_key for the sink, which counts as one more key with v = 0
  double logit = 0;      // t
  double gap = 0;        // M - t >= 0
  double capped = 0;     // |p|, the score after the soft cap and before the bias
  double bias = 0;       // |bias|
  double magnitude = 0;  // T = |c| sum |q_t k_t|
  double unscaled = 0;   // sum |q_t k_t|
  double operands = 0;   // sum |q_t| + |k_t|
  double weight = 0;     // a
};

inline constexpr std::int64_t sink_key = -1;

struct exact_row {
  std::vector<exact_key> keys;  // the kept ones, then the sink if there is one
  double greatest = 0;          // M = max t
  double log_mass = 0;          // ln l, l = sum exp(t - M)
  double scale = 0;             // |c|
  enclosure lse;                // in the base that the semantics declares
  std::vector<enclosure> output;

  // Whether the weights have no sum to be divided by (relu_ratio, ratio): then it is as a row
  // without keys.
  bool weightless = false;

  bool empty() const { return keys.empty() || weightless; }
  // Computes: what the weight of the n-th key is multiplied by at column d (met_value): v but for
  // dropout; 0 for the sink.
  double value(const problem&, const row_index&, std::size_t n, std::int64_t d) const;
};

// Computes: the row through attention.h, at the precision that its scores need: 256 bits as a rule,
//   1,300 for scores of 1e300.
// Error: the radius of each enclosure is at most 2^-104 of the value plus 2^-200 of sum a|v|, plus
//   2^-1074; for an lse, 2^-200 in place of the second (row_error.cc).
// Of all but a softmax of products of q and k, the row is computed in intervals (member_row.h).
// Special: an empty row holds what the semantics gives it, exactly. A value beyond the doubles is
//   an infinity.
exact_row compute_exact_row(const problem&, const row_index&);

// Computes: the same at a precision of one's own. Domain: bits >= 64. Error: in the radius, which
// is infinite where the precision decides nothing.
exact_row compute_exact_row(const problem&, const row_index&, int bits);

}  // namespace attest
