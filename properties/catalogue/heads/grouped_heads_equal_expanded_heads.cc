#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.dims.query_heads == spec.dims.kv_heads) return std::nullopt;
  return spec;
}

// Every query head gets a copy of the KV head that serves it.
problem expanded(const problem& p, layout placed) {
  selection with_copies = everything(p);
  with_copies.kv_heads.clear();
  for (std::int64_t h = 0; h < p.dims.query_heads; ++h)
    with_copies.kv_heads.push_back(p.kv_head(h));
  return select(p, with_copies, placed);
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem grouped = materialise(spec);
  return judge_same_rows(subject, grouped, expanded(grouped, spec.placed), same_bits::not_expected,
                         "output after each query head got a KV head of its own");
}

}  // namespace

const property grouped_heads_equal_expanded_heads{
    .name = "grouped_heads_equal_expanded_heads",
    .theme = "heads",
    .statement =
        "Grouped heads are multi-head attention in which the KV heads are repeated: both give "
        "the same rows.",
    .method =
        "A problem with fewer KV heads than query heads, and the one in which every query head "
        "has a copy of its KV head.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#heads",
    .claim = "gqa_mqa",
    .needs = "grouped heads, and the head map of the profile",
    .catches =
        "query heads served by the wrong KV head, KV strides of the wrong number of heads, "
        "grouped queries that leave their group",
    .admits = feature_set::all(),
    .groups = feature_set().with(feature::grouped_heads),
    .plain_group = false,
    .base_problems = 6,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
