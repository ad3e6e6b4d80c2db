// What a mask and a scale of dropout add to what an output may be off by.
// Statement and proof: derivation/bounds/forward.md#dropout.
#pragma once

#include "reference/contract/contract.h"
#include "reference/exact/exact_row.h"

namespace attest {

// Of one contract and problem; without dropout, of a factor of 1.
class dropout_error {
 public:
  dropout_error(const contract&, const problem&);

  // s: what sums of unscaled terms lose counts so often.
  double scale() const { return scale_; }
  // Computes: the relative error of every term of an output: of s, its product and its store.
  double rounded() const { return rounded_; }
  // Computes: what products and stores that underflow may move an output by, over the sum of the
  // weights.
  double underflow() const { return underflow_; }
  // Computes: how many products more a weight meets, and stores.
  double products() const { return applies_ ? 1 : 0; }

  // Whether the stages hold scaled weights and values, those of dropped keys too. weight: the
  // largest that may be held.
  bool fits(double weight, const row_index&, const exact_row&) const;

 private:
  const contract& contract_;
  const problem& problem_;
  bool applies_;
  double scale_ = 1;
  double rounded_ = 0;
  double underflow_ = 0;
};

}  // namespace attest
