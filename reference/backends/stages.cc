#include "reference/backends/stages.h"

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

// Stochastic stages draw from sequences of their own.
arithmetic unit_of(const stage& s, std::uint64_t seed, std::uint64_t position) {
  return arithmetic(*s.number, {.mode = s.mode, .subnormals = s.subnormals}, seed + position);
}

stage output_stage(const contract& c) { return {c.output, c.output_mode, c.output_subnormals}; }

}  // namespace

stages::stages(const contract& c, std::uint64_t seed)
    : score_sum(unit_of(c.score_sum, seed, 0)),
      score_storage(unit_of(c.score_storage, seed, 1)),
      bias_sum(unit_of(c.bias_sum, seed, 2)),
      exponent(unit_of(c.exponent, seed, 3)),
      weight_storage(unit_of(c.weight_storage, seed, 4)),
      output_sum(unit_of(c.output_sum, seed, 5)),
      weight_sum(unit_of(c.weight_sum, seed, 6)),
      partial_storage(unit_of(c.partial_storage, seed, 7)),
      output(unit_of(output_stage(c), seed, 8)),
      weight_of_one(c.weight_of_one),
      normalises_weights(c.may_normalise_weights) {}

double exp_in(arithmetic& unit, double x) { return unit.convert(exp_double(x)); }
double log_in(arithmetic& unit, double x) { return unit.convert(log_double(x)); }
double tanh_in(arithmetic& unit, double x) { return unit.convert(tanh_double(x)); }

}  // namespace attest
