// The forward bound where another normalizer than softmax makes the weights.
// Statement and proof: derivation/bounds/members.md#outputs.
#pragma once

#include <span>
#include <vector>

#include "derivation/bounds/sums_over_keys.h"
#include "derivation/bounds/weight_error.h"
#include "reference/contract/contract.h"
#include "reference/exact/exact_row.h"

namespace attest {

// What the row of a forward bound hands on.
struct bounded_row {
  const contract& kept;
  const problem& posed;
  row_index place;
  const exact_row& exact;
  std::span<const double> scores;  // the error of each logit
  std::span<const double> quanta;  // what quantisation moves the value of each key by; or empty
};

class member_bound {
 public:
  explicit member_bound(const bounded_row&);

  double output(std::int64_t d) const { return columns_[static_cast<std::size_t>(d)].bound; }
  double hull(std::int64_t d) const { return columns_[static_cast<std::size_t>(d)].hull; }
  bool in_domain() const { return in_domain_; }

 private:
  struct column {
    double bound = 0;
    double hull = 0;
  };
  column column_of(const bounded_row&, const std::vector<weight_error>&, const factors&,
                   std::int64_t d) const;
  bool stages_hold(const bounded_row&, const factors&) const;

  std::vector<column> columns_;
  bool in_domain_ = true;
};

}  // namespace attest
