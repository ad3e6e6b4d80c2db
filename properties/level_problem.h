// Problems whose answer can be written down: every score that counts is exactly 0, so an output is
// the mean of small integers and an lse the logarithm of a count.
#pragma once

#include "derivation/bounds/exact_sums.h"
#include "properties/examiner.h"
#include "reference/definition/key_set.h"
#include "reference/problems/problem_spec.h"

namespace attest {

// Where the scores of 0 come from, and what becomes of the keys that are not to count.
struct level_problem {
  problem posed;
  bool faint_by_k = false;  // K puts some keys at least 1,000 below the others; else the bias may

  // Whether the row gives the key a weight that underflows, or 0.
  bool is_faint(const row_index&, std::int64_t key) const;
};

// Computes: the problem with q, k, v, mask, bias, lengths and sink of its own; sizes, layout and
// features are those of the spec. Scores are 0 as q is, as k is, or as no coordinate is in both.
// Masks and lengths keep 2^n keys of those there are, sinks are 0, finite biases are 0 or make keys
// faint. Columns of V hold +-1 and +-2 at keys of their own, such that sums over neighbours stay
// small; the last of several is all ones.
level_problem make_level_problem(const problem_spec&);

// What a row of it comes to.
struct level_answer {
  level_row row;
  std::vector<integer_column> columns;
  std::vector<double> hull;  // max |v - o| over the keys that count
};

// Computes: the row, by counting. Special: no keys that count: row.keys is 0.
level_answer count_level_row(const level_problem&, const row_index&);

// Computes: S / n, and ln n or log2 n for an n that is a power of two, as enclosures.
enclosure level_output(const level_answer&, std::size_t column);
enclosure level_lse(const level_row&, lse_base);

}  // namespace attest
