// One number of the output followed from the inputs, every intermediate kept.
#pragma once

#include <string>
#include <vector>

#include "reference/definition/key_set.h"

namespace attest {

// Number is a number, or its decimal text. The vectors go with the keys.
template <class Number>
struct cell_trace {
  std::vector<Number> sums;          // sum_t q_t k_jt
  std::vector<Number> scores;        // s_j = sums_j / divisor
  std::vector<Number> exponentials;  // e_j = exp(s_j), without a shift
  Number denominator{};              // sum e_j
  std::vector<Number> weights;       // a_j = e_j / denominator
  std::vector<Number> terms;         // a_j v_jd
  Number output{};                   // sum of the terms
  Number defined{};                  // the same cell by attention.h
};

// What the sums are divided by. The width itself is wrong, for negative controls.
enum class score_divisor { root_of_width, width };

// Which number of the output: its row and its column.
struct output_cell {
  row_index row;
  std::int64_t column = 0;
};

// Computes: the trace in 50 (Boost's own arithmetic) and in 100 digits (MPFR's), written to more
// digits than that. Domain: no mask, bias, sink, cap or scale.
cell_trace<std::string> trace_in_50_digits(const problem&, const output_cell&, score_divisor);
cell_trace<std::string> trace_in_100_digits(const problem&, const output_cell&, score_divisor);

}  // namespace attest
