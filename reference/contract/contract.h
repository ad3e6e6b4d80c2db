// The arithmetic that an implementation declares, stage by stage. derivation/bounds/forward.md
// derives from it the largest error that an implementation which keeps it can make.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "reference/formats/rounding.h"

namespace attest {

// A format and how results are brought into it.
struct stage {
  const format* number = &f32;
  rounding_mode mode = rounding_mode::nearest_even;
  subnormal_mode subnormals = subnormal_mode::kept;
};

struct contract {
  std::string_view name;
  std::string_view about;

  const format* inputs = &f32;
  int input_roundings =
      0;  // of each of q and k on the way into the product (scale on one, its root on both)
  stage input_storage;         // what they are rounded to
  stage score_sum;             // accumulates c q.k
  stage score_storage;         // holds the score
  stage bias_sum;              // holds score + bias
  double tanh_error = 0;       // of the soft cap's tanh, relative
  stage exponent;              // t - M, and the exponential itself
  int exponent_constants = 0;  // rounded constants multiplied into the exponent (log2 e)
  double exp_ulps = 1;         // error of the exponential, in ulps of the exponent's format
  double exp_zero_below =
      -std::numeric_limits<double>::infinity();  // exp may return 0 for arguments below
  bool may_fold_scale =
      false;  // exact product minus rounded maximum, or a log2 domain before the subtraction
  bool may_rescale = false;              // a running maximum, in any order of the keys
  int merges = 0;                        // the longest chain of merges of parts of a row
  stage weight_storage;                  // of p on its way into p v
  double weight_of_one = 1;              // the stored value of a weight of 1
  bool may_sum_rounded_weights = false;  // l may add the stored weights
  bool may_normalise_weights = false;    // p / l may be stored, then multiplied by v
  bool may_use_lse = false;              // weights may be exp(t - lse), or parts weighted by it
  stage output_sum;                      // accumulates p v
  stage weight_sum;                      // accumulates l
  stage partial_storage;                 // of the output of a part, where there are merges
  double division_ulps = 0.5;
  const format* output = &f32;
  rounding_mode output_mode = rounding_mode::nearest_even;
  subnormal_mode output_subnormals = subnormal_mode::kept;
  const format* lse = &f32;
};

}  // namespace attest
