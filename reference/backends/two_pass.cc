#include "reference/backends/orders.h"

namespace attest {
namespace {

double greatest_of(const row_logits& logits) {
  double greatest = logits.t.front();
  for (double t : logits.t)
    if (greatest < t) greatest = t;
  return greatest;
}

std::vector<double> exponentials(stages& in, const row_logits& logits, double greatest) {
  std::vector<double> result;
  for (double t : logits.t) result.push_back(exp_in(in.exponent, in.exponent.sub(t, greatest)));
  return result;
}

double sum_in(arithmetic& unit, const std::vector<double>& terms) {
  double sum = 0;
  for (double x : terms) sum = unit.add(sum, x);
  return sum;
}

// w p / l, as it is stored.
std::vector<double> stored_weights(const staged_row& row, const std::vector<double>& exponentials,
                                   double l) {
  stages& in = row.in;
  std::vector<double> stored;
  for (std::size_t n = 0; n < row.logits.keys.size(); ++n) {
    const double weight = in.exponent.div(exponentials[n], l);
    stored.push_back(in.weight_storage.convert(in.exponent.mul(in.weight_of_one, weight)));
  }
  return stored;
}

double mixed(const staged_row& row, const std::vector<double>& weights, std::size_t d) {
  arithmetic& unit = row.in.output_sum;
  double sum = 0;
  for (std::size_t n = 0; n < weights.size(); ++n)
    if (!row.drops(n)) sum = unit.add(sum, unit.mul(weights[n], row.value(n, d)));
  return row.in.output.convert(row.scaled(unit.div(sum, row.in.weight_of_one)));
}

finished_row normalised_row(const staged_row& row) {
  const double m = greatest_of(row.logits);
  const std::vector<double> p = exponentials(row.in, row.logits, m);
  const double l = sum_in(row.in.weight_sum, p);
  const std::vector<double> weights = stored_weights(row, p, l);
  finished_row result{{}, row.in.exponent.add(m, log_in(row.in.exponent, l))};
  for (std::size_t d = 0; d < row.value_width(); ++d)
    result.output.push_back(mixed(row, weights, d));
  return result;
}

}  // namespace

finished_row two_pass_row(const staged_row& row) {
  if (row.in.normalises_weights) return normalised_row(row);
  return online_row(row, positions(row.p));
}

}  // namespace attest
