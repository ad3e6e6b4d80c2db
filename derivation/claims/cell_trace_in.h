// The trace of a cell in any number. A header for the files that each hold one multiprecision
// number.
#pragma once

#include "derivation/claims/cell_trace.h"
#include "reference/definition/attention.h"

namespace attest {

template <Number T>
T dot(const problem& p, const row_index& row, std::int64_t j) {
  T sum(0);
  for (std::int64_t t = 0; t < p.dims.width; ++t)
    sum = sum + T(p.q.at(row.b, row.h, row.i, t)) * T(p.k.at(row.b, p.kv_head(row.h), j, t));
  return sum;
}

template <Number T>
void trace_key(cell_trace<T>& trace, const T& sum, const T& divisor) {
  trace.sums.push_back(sum);
  trace.scores.push_back(T(sum / divisor));
  trace.exponentials.push_back(exp_of(trace.scores.back()));
  trace.denominator = trace.denominator + trace.exponentials.back();
}

template <Number T>
void trace_mix(cell_trace<T>& trace, const T& exponential, const T& value) {
  trace.weights.push_back(T(exponential / trace.denominator));
  trace.terms.push_back(T(trace.weights.back() * value));
  trace.output = trace.output + trace.terms.back();
}

// Written apart from attention.h, and without its shift by the maximum: a second way to the same
// number.
template <Number T>
cell_trace<T> trace_in(const problem& p, const output_cell& cell, score_divisor divisor) {
  const T width(static_cast<double>(p.dims.width));
  const T by = divisor == score_divisor::width ? width : sqrt_of(width);
  cell_trace<T> trace;
  for (std::int64_t j = 0; j < p.dims.keys; ++j) trace_key(trace, dot<T>(p, cell.row, j), by);
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    trace_mix(trace, trace.exponentials[static_cast<std::size_t>(j)],
              T(p.v.at(cell.row.b, p.kv_head(cell.row.h), j, cell.column)));
  trace.defined = attention<T>(p, cell.row).output[static_cast<std::size_t>(cell.column)];
  return trace;
}

template <Number T, class Text>
std::vector<std::string> texts_of(const std::vector<T>& xs, Text text) {
  std::vector<std::string> texts;
  for (const T& x : xs) texts.push_back(text(x));
  return texts;
}

// text: a number's decimal text.
template <Number T, class Text>
cell_trace<std::string> texts_of(const cell_trace<T>& t, Text text) {
  return {texts_of(t.sums, text),
          texts_of(t.scores, text),
          texts_of(t.exponentials, text),
          text(t.denominator),
          texts_of(t.weights, text),
          texts_of(t.terms, text),
          text(t.output),
          text(t.defined)};
}

}  // namespace attest
