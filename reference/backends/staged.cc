#include "reference/backends/staged.h"

#include "reference/backends/answer.h"
#include "reference/backends/orders.h"
#include "reference/definition/attention.h"

namespace attest {
namespace {

finished_row empty_result(stages& in, const problem& p, const row_index& place) {
  finished_row row{empty_row_output<double>(p, place), empty_row_lse<double>(p.rules)};
  for (double& o : row.output) o = in.output.convert(o);
  return row;
}

finished_row ordered_row(const staged_row& row, const schedule& visits) {
  switch (visits.order) {
    case evaluation_order::two_pass: return two_pass_row(row);
    case evaluation_order::online: return online_row(row, visits.size);
    case evaluation_order::split_kv: return split_kv_row(row, visits.size);
  }
  return two_pass_row(row);
}

double lse_as_declared(stages& in, const semantics& rules, double lse) {
  if (rules.base == lse_base::e) return lse;
  return in.exponent.div(lse, log_in(in.exponent, 2));
}

}  // namespace

void evaluate_staged(const contract& c, const schedule& visits, const problem& p, tensor& o, tensor* lse) {
  stages in(c);
  const double scale = scale_in(in, p);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_logits logits = logits_in(in, p, place, scale);
    const finished_row row = logits.t.empty() ? empty_result(in, p, place)
                                              : ordered_row({in, p, place, logits}, visits);
    for (std::size_t d = 0; d < row.output.size(); ++d) store(o, place, d, row.output[d]);
    if (lse != nullptr) store(*lse, place, 0, lse_as_declared(in, p.rules, row.lse));
  });
}

}  // namespace attest
