// A single number among the inputs of a problem: what a gradient is by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/definition/gradient.h"

namespace attest {

struct input_element {
  enum class input : std::uint8_t { q, k, v, bias, parameter, sink, slope, scale };
  input of{};
  std::size_t n = 0;  // which parameter, sink or slope
  index4 at{};
};

// Computes: every number that a problem depends on smoothly. Its scale counts where it is given.
std::vector<input_element> inputs_of(const problem&);

std::string_view name_of(input_element::input);
std::string to_text(const input_element&);

// Adds a step to it, exactly. Domain: the sum is a double, and the problem one of doubles
// (widened).
void shift(problem&, const input_element&, double step);

// Computes: the same problem in doubles that are multiples of 2^-10.
problem with_coarse_numbers(const problem&);

// Computes: cotangents of halves, for o and, where there is one, lse.
cotangents drawn_cotangents(const problem&, std::uint64_t seed);

template <class T>
T gradient_by(const attention_gradient<T>& g, const input_element& x) {
  using input = input_element::input;
  switch (x.of) {
    case input::q:
      return g.scored.q.at(x.at);
    case input::k:
      return g.scored.k.at(x.at);
    case input::v:
      return g.v.at(x.at);
    case input::bias:
      return g.bias.at(x.at);
    case input::parameter:
      return g.scored.parameters[x.n].at(x.at);
    case input::sink:
      return g.sink[x.n];
    case input::slope:
      return g.slopes[x.n];
    case input::scale:
      break;
  }
  return g.scale;
}

// Computes: the number whose gradient it is, sum do o + sum dlse lse, without the rows that have
// no number.
template <Number T>
T loss_of(const problem& p, const cotangents& given) {
  T sum(0);
  row_index place;
  for (place.b = 0; place.b < p.dims.batch; ++place.b)
    for (place.h = 0; place.h < p.dims.query_heads; ++place.h)
      for (place.i = 0; place.i < p.dims.queries; ++place.i) {
        const attention_row<T> row = attention<T>(p, place);
        const bool empty = row.keys.empty() && p.sink.empty();
        if (empty && rule_of_empty_row(p, place) == empty_row::nan) continue;
        for (std::size_t d = 0; d < row.output.size(); ++d)
          sum = sum + T(given.o.at(place.b, place.h, place.i, static_cast<std::int64_t>(d))) *
                          row.output[d];
        const bool without_lse =
            row.keys.empty() && (p.sink.empty() || p.rules.sink == lse_sink::left_out);
        if (given.lse && !without_lse)
          sum =
              sum + T(given.lse->at(place.b, place.h, place.i, 0)) * as_declared(p.rules, row.lse);
      }
  return sum;
}

}  // namespace attest
