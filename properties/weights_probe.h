// Reading the weights of a black box that only returns o.
#pragma once

#include <optional>
#include <vector>

#include "properties/judge.h"
#include "reference/definition/key_set.h"

namespace attest {

// The weights a subject used: weight(b, h, i, j), and how they were seen (or why not).
class observed_weights {
 public:
  explicit observed_weights(const shape& dims);

  double at(const row_index& row, std::int64_t j) const { return values_[position(row, j)]; }
  void set(const row_index& row, std::int64_t j, double weight) {
    values_[position(row, j)] = weight;
  }

  std::optional<judgement> refusal;

 private:
  std::size_t position(const row_index& row, std::int64_t j) const {
    return static_cast<std::size_t>(
        ((row.b * dims_.query_heads + row.h) * dims_.queries + row.i) * dims_.keys + j);
  }
  shape dims_;
  std::vector<double> values_;
};

// Computes: every weight, by calls whose V has one-hot columns: column d of a call is 1 at one key
// and 0 at all others, so that o_d is the weight of that key. ceil(Lk / Dv) calls; Dv is that of
// the problem.
observed_weights read_weights(const problem&, examiner&);

// Computes: the problem of one of those calls, for the keys from `first` on.
problem one_hot_columns(const problem&, std::int64_t first);

// Computes: all of those calls as one problem, with Dv = Lk. It is for the reference: no subject
// need take so wide a V.
problem one_hot_columns_at_once(const problem&);

// Judges every weight against the definition: the outputs of all those calls at once.
// Source: derivation/bounds/probes.md#weights
void judge_weights(judgement&, const problem&, const observed_weights&, const terms&,
                   const char* what);

}  // namespace attest
