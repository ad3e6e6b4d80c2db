// The arithmetic that an implementation declares, stage by stage. derivation/bounds/forward.md
// derives from it the largest error that an implementation which keeps it can make.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "reference/formats/rounding.h"

namespace attest {

// A format and how results are brought into it.
struct stage {
  const format* number = &f32;
  rounding_mode mode = rounding_mode::nearest_even;
  subnormal_mode subnormals = subnormal_mode::kept;

  friend bool operator==(const stage& a, const stage& b) {
    return *a.number == *b.number && a.mode == b.mode && a.subnormals == b.subnormals;
  }
};

// How often, and into what, an operand is rounded on its way into a product: once where a scale is
// put on it or a unit reads it in a narrower format.
struct conversion {
  stage to;
  int times = 0;

  friend bool operator==(const conversion&, const conversion&) = default;
};

// What is subtracted from t before the exponential.
enum class exponent_shift : std::uint8_t {
  maximum,   // the maximum of the row or, while it is not known, of the keys so far; plus shift_by
  constant,  // shift_by, whatever the row holds; 0 is no shift at all
};

struct contract {
  std::string name;
  std::string about;

  const format* inputs = &f32;
  conversion q_conversion, k_conversion, v_conversion;
  // A format into which the implementation itself quantises q, k and v: x is held as s round(x / s)
  // with s such that the largest |x| of a block becomes the largest number. nullptr: it does not.
  const format* quantised_to = nullptr;
  int quantised_rows = 0;  // positions of the sequence that share s; 0: all of a tensor do

  stage score_sum;      // accumulates c q.k
  int fused_terms = 0;  // products that a matrix unit adds at once, aligned and truncated; 0: none
  stage score_storage;  // holds the score
  stage bias_sum;       // holds score + bias
  double tanh_error = 0;           // of the soft cap's tanh, relative
  double tanh_absolute_error = 0;  // and beside it, as of 2 / (1 + exp(-2 y)) - 1

  stage exponent;               // t - M, and the exponential itself
  int exponent_constants = 0;   // constants that the exponent is multiplied by (log2 e), rounded
  bool may_fold_scale = false;  // exact product minus rounded maximum, or a log2 domain before it
  exponent_shift shift = exponent_shift::maximum;
  double shift_by = 0;
  double exp_ulps = 1;  // error of the exponential of a weight, in ulps of the exponent's format
  double rescale_ulps = 1;  // likewise of the exponential by which earlier keys are rescaled
  double exp_zero_below =
      -std::numeric_limits<double>::infinity();  // exp may return 0 for arguments below

  bool may_rescale = false;      // a running maximum, in any order of the keys
  int block_keys = 1;            // it rises at most once in so many consecutive positions
  double rescale_threshold = 0;  // a maximum this far above the one in force may be ignored
  int merges = 0;                // the longest chain of merges of parts of a row

  stage weight_storage;                  // of p on its way into p v
  double weight_of_one = 1;              // the stored value of a weight of 1
  bool may_sum_rounded_weights = false;  // l may add the stored weights
  bool may_normalise_weights = false;    // p / l may be stored, then multiplied by v
  bool may_use_lse = false;  // parts may be weighted by their lse; p / l may be exp(t - lse)

  stage output_sum;       // accumulates p v
  stage weight_sum;       // accumulates l
  stage partial_storage;  // of the output of a part, where there are merges
  double division_ulps = 0.5;
  const format* output = &f32;
  rounding_mode output_mode = rounding_mode::nearest_even;
  subnormal_mode output_subnormals = subnormal_mode::kept;
  overflow_mode output_overflow = overflow_mode::to_infinity;
  const format* lse = &f32;

  // What it promises beyond closeness to the definition; undeclared ones are not held against it.
  bool deterministic = false;     // a repeated call gives the same bits
  bool batch_invariant = false;   // a row's bits do not depend on the other rows of the call
  bool layout_invariant = false;  // nor on how the tensors lie in memory
};

}  // namespace attest
