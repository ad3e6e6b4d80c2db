#include "properties/peers/evidence.h"

#include "reference/backends/answer.h"
#include "reference/backends/backend.h"
#include "reference/certified/rounded.h"

namespace attest {
namespace {

// Softmax and both products one after the other, with every intermediate result stored.
backend eager_backend(const format& inputs) {
  if (inputs == f64) return find_backend("float64");
  if (inputs == f16) return find_backend("fp16-eager");
  if (inputs == bf16) return find_backend("bf16-eager");
  return find_backend(inputs.storage_bits == 8 ? "fp8" : "float32");
}

tensor competing_output(const problem& p) {
  const backend eager = eager_backend(p.q.element());
  tensor o(*eager.keeps->output, place(layout::bhld, p.dims.o_sizes()), 0);
  eager.evaluate(eager, p, o, nullptr);
  return o;
}

bool is_specified(const problem& p, const row_index& row) {
  return !p.sink.empty() || !key_set(p, row).empty() ||
         rule_of_empty_row(p, row) != empty_row::unspecified;
}

void append_row(std::vector<double>& list, const tensor& o, const row_index& row) {
  for (std::int64_t d = 0; d < o.sizes()[3]; ++d) list.push_back(o.at(row.b, row.h, row.i, d));
}

}  // namespace

peer_evidence gather_evidence(const problem& p, const answer& a, bool with_competitor) {
  peer_evidence e;
  e.inputs = &p.q.element();
  e.stored = &a.o.element();
  e.one_query = p.dims.queries == 1;
  e.soft_capped = p.soft_cap > 0;
  const rounded_answer exact = round_correctly(p, *e.stored);
  const tensor competing = with_competitor ? competing_output(p) : tensor();
  auto next = exact.output.begin();
  for_each_row(p.dims, [&](const row_index& row) {
    const auto first = next;
    next += p.dims.value_width;
    if (!is_specified(p, row)) return;
    append_row(e.observed, a.o, row);
    e.expected.insert(e.expected.end(), first, next);
    if (with_competitor) append_row(e.competitor, competing, row);
  });
  return e;
}

}  // namespace attest
