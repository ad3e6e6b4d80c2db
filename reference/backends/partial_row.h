// What is known of a row after some of its keys, and how it grows: the online softmax, in stages.
#pragma once

#include <limits>
#include <vector>

#include "reference/backends/logits.h"

namespace attest {

// One row and what its evaluation reads.
struct staged_row {
  stages& in;
  const problem& p;
  row_index place;
  const row_logits& logits;

  // Computes: v of the n-th logit's key at column d, as output_sum reads it. Domain: the logit has
  // a key.
  double value(std::size_t n, std::size_t d) const;
  // Whether dropout takes the weight of the n-th logit's key from the output. Domain: likewise.
  bool drops(std::size_t n) const;
  // Computes: an output with the scale of dropout, a product rounded in output_sum.
  double scaled(double output) const;
  std::size_t value_width() const { return static_cast<std::size_t>(p.dims.value_width); }
};

// Logits first to last - 1.
struct logit_range {
  std::size_t first;
  std::size_t last;
};

// m = max t, l = w sum exp(t - m) and o = w sum exp(t - m) v, over the keys so far; w =
// weight_of_one.
struct partial_row {
  explicit partial_row(std::size_t value_width) : o(value_width, 0.0) {}
  // Whether no key has been met: the largest one has given l its w.
  bool empty() const { return l == 0; }

  double m = -std::numeric_limits<double>::infinity();
  double l = 0;
  std::vector<double> o;
};

// An answer before it is stored: lse in base e.
struct finished_row {
  std::vector<double> output;
  double lse;
};

// Computes: the part with a block of keys more. m rises to the block's maximum first, so that l and
// o are rescaled at most once a block: by exp(m_before - m_after), rounded in exponent. l adds the
// weights unrounded, o the stored ones, key after key.
void absorb(const staged_row&, logit_range block, partial_row&);

// Computes: whole and part together, each rescaled to the larger of their m. An empty one leaves
// the other as it is.
void merge(stages&, const partial_row& part, partial_row& whole);

// Computes: o / l and its product with the scale of dropout, each rounded in output_sum, and then
// to the output; lse = m + ln(l / w), rounded in exponent. Domain: not empty.
finished_row finish(const staged_row&, const partial_row&);

// Computes: the lse that goes with m and l. Domain: l > 0 or NaN.
double lse_in(stages&, double m, double l);

}  // namespace attest
