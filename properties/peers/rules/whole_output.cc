// Rules that make one number, or two, of the whole output.
#include <cmath>

#include "properties/peers/rules/rules.h"

namespace attest {
namespace {

// The largest float counts as an infinity.
bool is_infinite_to_ggml(double x) { return std::fabs(x) >= largest_finite(f32); }

bool agree_in_class_to_ggml(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return false;
  if (is_infinite_to_ggml(x) != is_infinite_to_ggml(y)) return false;
  return !is_infinite_to_ggml(x) || std::signbit(x) == std::signbit(y);
}

// sum (x - y)^2 / sum x^2. As there, squares are floats, and their sums are doubles.
double share_of_squares(const peer_evidence& e) {
  double errors = 0, outputs = 0;
  for (std::size_t n = 0; n < e.observed.size(); ++n) {
    const auto x = static_cast<float>(e.observed[n]), y = static_cast<float>(e.expected[n]);
    errors += (x - y) * (x - y);
    outputs += x * x;
  }
  return errors / outputs;
}

// Negated as it is there: an error of 0 / 0 is not greater than the limit.
bool ggml_accepts(const peer_evidence& e) {
  for (std::size_t n = 0; n < e.observed.size(); ++n)
    if (!agree_in_class_to_ggml(e.observed[n], e.expected[n])) return false;
  return !(share_of_squares(e) > 5e-4);
}

bool cutlass_77_accepts(const peer_evidence& e) {
  const double largest = has_8_bit_inputs(e) ? 1e-1 : 1e-2;
  const double mean = has_8_bit_inputs(e) ? 1e-1 : 1e-3;
  return largest_error(e.observed, e.expected) < largest &&
         mean_error(e.observed, e.expected) < mean;
}

bool cosine_accepts(const peer_evidence& e) {
  return cosine_similarity(e.observed, e.expected) >= 0.99;
}

}  // namespace

const peer_rule ggml{
    .name = "ggml",
    .accepts = "sum (x - y)^2 / sum x^2 <= 5e-4",
    .nonfinite =
        "NaN is rejected; an infinity, or the largest float, must meet one of its sign, "
        "and then anything passes",
    .source = "ggml, tests/test-backend-ops.cpp",
    .accept = ggml_accepts,
};

const peer_rule cutlass_77{
    .name = "cutlass-77",
    .accepts = "max |x - y| < 1e-2 and mean |x - y| < 1e-3; with 8-bit inputs both < 1e-1",
    .nonfinite = nonfinite_error_is_rejected,
    .source = "CUTLASS, examples/77_blackwell_fmha",
    .accept = cutlass_77_accepts,
};

const peer_rule cosine{
    .name = "cosine",
    .accepts = "sum x y / (|x| |y|) >= 0.99, with the Euclidean norms of the whole output",
    .nonfinite = "NaN and infinities are rejected, and so is an output of zeros",
    .source = "cosine similarity, as tests of quantised kernels use it",
    .accept = cosine_accepts,
};

}  // namespace attest
