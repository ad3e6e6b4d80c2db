#include "reference/backends/staged.h"

#include "reference/backends/answer.h"
#include "reference/backends/orders.h"
#include "reference/definition/attention.h"

namespace attest {
namespace {

finished_row ordered_row(const staged_row& row, const schedule& visits) {
  switch (visits.order) {
    case evaluation_order::two_pass:
      return two_pass_row(row);
    case evaluation_order::online:
      return online_row(row, visits.size);
    case evaluation_order::split_kv:
      return split_kv_row(row, visits.size);
    case evaluation_order::merge_tree:
      return merge_tree_row(row, visits.size);
    case evaluation_order::ring:
      return ring_row(row, visits.size);
    case evaluation_order::chunked_prefill:
      return chunked_prefill_row(row, visits.size);
  }
  return two_pass_row(row);
}

// All keys alike, as a finite sentinel in place of every score leaves them.
row_logits uniform_logits(std::int64_t keys) {
  row_logits logits;
  for (std::int64_t j = 0; j < keys; ++j) logits.keys.push_back(j);
  logits.t.assign(logits.keys.size(), 0.0);
  return logits;
}

finished_row empty_result(const staged_row& row, const schedule& visits) {
  const double lse = empty_row_lse<double>(row.p.rules);
  const empty_row rule = rule_of_empty_row(row.p, row.place);
  if (rule != empty_row::mean_of_values || row.p.dims.keys == 0)
    return {empty_row_output<double>(row.p, row.place), lse};
  const row_logits uniform = uniform_logits(row.p.dims.keys);
  return {ordered_row({row.in, row.p, row.place, uniform}, visits).output, lse};
}

// The lse of the keys alone, where the sink is not to count.
double lse_without_sink(const staged_row& row, const schedule& visits) {
  row_logits keys = row.logits;
  keys.t.resize(keys.keys.size());
  if (keys.t.empty()) return empty_row_lse<double>(row.p.rules);
  return ordered_row({row.in, row.p, row.place, keys}, visits).lse;
}

double lse_as_declared(stages& in, const semantics& rules, double lse) {
  if (rules.base == lse_base::e) return lse;
  return in.exponent.div(lse, log_in(in.exponent, 2));
}

void store_row(const staged_row& row, const schedule& visits, tensor& o, tensor* lse) {
  const finished_row result =
      row.logits.t.empty() ? empty_result(row, visits) : ordered_row(row, visits);
  for (std::size_t d = 0; d < result.output.size(); ++d) store(o, row.place, d, result.output[d]);
  if (lse == nullptr) return;
  const bool apart = !row.p.sink.empty() && row.p.rules.sink == lse_sink::left_out;
  const double natural = apart ? lse_without_sink(row, visits) : result.lse;
  store(*lse, row.place, 0, lse_as_declared(row.in, row.p.rules, natural));
}

}  // namespace

void evaluate_staged(const contract& c, const schedule& visits, const problem& p, tensor& o,
                     tensor* lse) {
  stages in(c);
  const double scale = scale_in(in, p);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_logits logits = logits_in(in, p, place, scale);
    store_row({in, p, place, logits}, visits, o, lse);
  });
}

}  // namespace attest
