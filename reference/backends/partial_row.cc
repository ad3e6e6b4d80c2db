#include "reference/backends/partial_row.h"

#include "reference/definition/dropout.h"

namespace attest {
namespace {

double greatest_of(const row_logits& logits, logit_range block, double greatest) {
  for (std::size_t n = block.first; n < block.last; ++n)
    if (greatest < logits.t[n]) greatest = logits.t[n];
  return greatest;
}

void rescale(stages& in, double factor, partial_row& part) {
  part.l = in.weight_sum.mul(part.l, factor);
  for (double& o : part.o) o = in.output_sum.mul(o, factor);
}

// A part that has met no key has nothing to rescale; its m is not a logit.
void raise_to(stages& in, double greatest, partial_row& part) {
  const bool moves = !part.empty() && part.m != greatest;
  if (moves) rescale(in, exp_in(in.exponent, in.exponent.sub(part.m, greatest)), part);
  part.m = greatest;
}

// Multiplied by a power of two: exact, but where it meets the end of the range.
double weight_in(stages& in, double t, double greatest) {
  return in.exponent.mul(in.weight_of_one, exp_in(in.exponent, in.exponent.sub(t, greatest)));
}

void mix(const staged_row& row, std::size_t n, double weight, partial_row& part) {
  if (row.drops(n)) return;
  arithmetic& unit = row.in.output_sum;
  const double p = row.in.weight_storage.convert(weight);
  for (std::size_t d = 0; d < part.o.size(); ++d)
    part.o[d] = unit.add(part.o[d], unit.mul(p, row.value(n, d)));
}

}  // namespace

double staged_row::value(std::size_t n, std::size_t d) const {
  return in.output_sum.convert(
      p.v.at(place.b, p.kv_head(place.h), logits.keys[n], static_cast<std::int64_t>(d)));
}

bool staged_row::drops(std::size_t n) const { return attest::drops(p, place, logits.keys[n]); }

double staged_row::scaled(double output) const {
  if (!p.dropout_mask) return output;
  return in.output_sum.mul(output, in.output_sum.convert(p.dropout_scale));
}

void absorb(const staged_row& row, logit_range block, partial_row& part) {
  if (block.first == block.last) return;
  raise_to(row.in,
           greatest_of(row.logits, block, part.empty() ? row.logits.t[block.first] : part.m), part);
  for (std::size_t n = block.first; n < block.last; ++n) {
    const double weight = weight_in(row.in, row.logits.t[n], part.m);
    part.l = row.in.weight_sum.add(part.l, weight);
    if (n < row.logits.keys.size()) mix(row, n, weight, part);
  }
}

void merge(stages& in, const partial_row& part, partial_row& whole) {
  if (part.empty()) return;
  if (whole.empty()) {
    whole = part;
    return;
  }
  partial_row other = part;
  const double greatest = whole.m < part.m ? part.m : whole.m;
  raise_to(in, greatest, whole);
  raise_to(in, greatest, other);
  whole.l = in.weight_sum.add(whole.l, other.l);
  for (std::size_t d = 0; d < whole.o.size(); ++d)
    whole.o[d] = in.output_sum.add(whole.o[d], other.o[d]);
}

double lse_in(stages& in, double m, double l) {
  return in.exponent.add(m, log_in(in.exponent, l / in.weight_of_one));
}

finished_row finish(const staged_row& of, const partial_row& part) {
  stages& in = of.in;
  finished_row row{{}, lse_in(in, part.m, part.l)};
  for (double o : part.o)
    row.output.push_back(in.output.convert(of.scaled(in.output_sum.div(o, part.l))));
  return row;
}

}  // namespace attest
