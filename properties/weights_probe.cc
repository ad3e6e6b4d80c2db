#include "properties/weights_probe.h"

#include <algorithm>

#include "properties/judged_rows.h"

namespace attest {

observed_weights::observed_weights(const shape& dims)
    : dims_(dims),
      values_(static_cast<std::size_t>(dims.batch * dims.query_heads * dims.queries * dims.keys)) {}

problem one_hot_columns(const problem& p, std::int64_t first) {
  problem probe = p;
  for_each_index(p.v.sizes(),
                 [&](const index4& i) { probe.v.set(i, i[2] == first + i[3] ? 1 : 0); });
  return probe;
}

observed_weights read_weights(const problem& p, examiner& subject) {
  observed_weights weights(p.dims);
  for (std::int64_t first = 0; first < p.dims.keys && !weights.refusal;
       first += p.dims.value_width) {
    const answer a = subject.ask(one_hot_columns(p, first));
    weights.refusal = a.refusal;
    const std::int64_t count = std::min(p.dims.value_width, p.dims.keys - first);
    for_each_row(p.dims, [&](const row_index& row) {
      for (std::int64_t d = 0; d < count && !a.refusal; ++d)
        weights.set(row, first + d, a.o.at(row.b, row.h, row.i, d));
    });
  }
  return weights;
}

problem one_hot_columns_at_once(const problem& p) {
  problem probe = p;
  probe.dims.value_width = p.dims.keys;
  probe.v = tensor(p.v.element(), place(layout::bhld, probe.dims.v_sizes()), 0);
  return one_hot_columns(probe, 0);
}

namespace {

std::string place_of_weight(const row_index& row, std::int64_t key) {
  return place_of("weight", row, -1) + " of key " + std::to_string(key);
}

}  // namespace

void judge_weights(judgement& j, const problem& p, const observed_weights& weights, const terms& on,
                   const char* what) {
  if (p.dims.keys == 0) return;
  const problem probe = one_hot_columns_at_once(p);
  for_each_judged_row(j, probe, on, [&](const row_index& place, const row_reference& row) {
    if (output_is_specified(p, row.exact()))
      for (std::int64_t key = 0; key < p.dims.keys; ++key)
        judge_element(j, row.output(key), weights.at(place, key), place_of_weight(place, key),
                      what);
  });
}

}  // namespace attest
