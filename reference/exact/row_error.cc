#include "reference/exact/row_error.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/definition/bias.h"

namespace attest {
namespace {

constexpr int below_all = -10000;

// |x| <= 2^this. What is not finite has no error, nor has 0.
int exponent_above(double x) { return x == 0 || !std::isfinite(x) ? below_all : std::ilogb(x) + 1; }

int log2_above(std::int64_t n) { return std::bit_width(static_cast<std::uint64_t>(n)); }

int exponent_of_vector(const tensor& x, const index4& start) {
  index4 i = start;
  int exponent = below_all;
  for (i[3] = 0; i[3] < x.sizes()[3]; ++i[3])
    exponent = std::max(exponent, exponent_above(x.at(i)));
  return exponent;
}

int exponent_of_products(const problem& p, const row_index& row,
                         const std::vector<std::int64_t>& keys) {
  int largest_key = below_all;
  for (std::int64_t j : keys)
    largest_key = std::max(largest_key, exponent_of_vector(p.k, {row.b, p.kv_head(row.h), j, 0}));
  const int scale = p.scale ? exponent_above(*p.scale) : 0;
  return exponent_of_vector(p.q, {row.b, row.h, row.i, 0}) + largest_key + scale +
         log2_above(p.dims.width);
}

int exponent_of_biases(const problem& p, const row_index& row,
                       const std::vector<std::int64_t>& keys) {
  int exponent = below_all;
  if (!has_bias(p)) return exponent;
  for (std::int64_t j : keys) exponent = std::max(exponent, exponent_above(bias_of(p, row, j)));
  return exponent;
}

// A masked key's logit may be -cap, whatever its score.
int exponent_of_capped_masks(const problem& p) {
  return p.rules.cap == cap_order::after_mask ? exponent_above(p.soft_cap) : below_all;
}

}  // namespace

row_size size_of_row(const problem& p, const row_index& row,
                     const std::vector<std::int64_t>& keys) {
  const double sink = p.sink.empty() ? 0 : p.sink[static_cast<std::size_t>(row.h)];
  const int largest =
      std::max({0, exponent_of_products(p, row, keys), exponent_of_biases(p, row, keys),
                exponent_above(sink), exponent_of_capped_masks(p)});
  // The sum of three such is below four times the largest.
  return {largest + 2, p.dims.width + static_cast<std::int64_t>(keys.size()) + 1};
}

// Error budget. u = 2^-bits: MPFR rounds every operation and function to nearest. D: width; n: keys
// and sink; s = max (T_j + |bias_j| + 1, |sink| + 1), T_j = |c| sum |q_t k_jt|. Each |r_j|, |p_j|,
// |t_j| is at most s, since |cap tanh(x / cap)| <= |x|.
//   t_j            (D + 4) u T_j     the product, its sum; root, reciprocal and product of c
//                  + u s             the sum with the bias, where it comes first
//                  + 3 u s           quotient, tanh and product of the cap: tanh has slope <= 1,
//                  and
//                                    x tanh'(x) <= tanh x carries the quotient's relative error
//                                    over
//                  + u s             the sum with the bias, where it comes last
//   t_j - M~       2 u s             a rounding; M~, any number, cancels from what follows
//   exponent       lambda = 2 u (D + 12) s is twice their sum, for the terms in u^2
//   exp(t_j - M~)  relative: exp(lambda) (1 + u) - 1
//   l, its sum     (1 + u)^n: all terms are positive
//   a_j            two of these and a quotient
//   sum a_j |x_j|  a product and n sums more, and a product with the scale of dropout
// All of them together are at most exp(z) - 1 with z = 2 lambda + 8 (n + 2) u, and at most 2 z when
// z <= 1/2:
//   2 z <= 16 u (D + n + 14) s
//   lse            lambda + 2 (n + 2) u + 2 u (s + ln n + 1), and in base 2 times 1.45 and two more
//                  roundings of at most 1.45 (s + ln n): less than 2 z
// An argument below -2^60 is taken there (mpfr_real.h): see `vanishing` where it matters.
int error_exponent(const row_size& size, int bits) {
  return 4 + log2_above(size.summands + 13) + size.score_exponent - bits;
}

int settling_bits(const row_size& size) {
  const int least = error_exponent(size, -202);
  return std::max(256, (least + 63) / 64 * 64);
}

}  // namespace attest
