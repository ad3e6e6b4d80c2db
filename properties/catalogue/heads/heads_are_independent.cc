#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"

namespace attest {
namespace {

// With one KV head there is nothing to be independent of.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.dims.kv_heads < 2) return std::nullopt;
  return spec;
}

std::vector<std::int64_t> query_heads_of(const problem& p, std::int64_t g) {
  std::vector<std::int64_t> heads;
  for (std::int64_t h = 0; h < p.dims.query_heads; ++h)
    if (p.kv_head(h) == g) heads.push_back(h);
  return heads;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const answer together = subject.ask(p);
  if (together.refusal) return *together.refusal;
  judgement j;
  for (std::int64_t g = 0; g < p.dims.kv_heads; ++g) {
    selection one = everything(p);
    one.kv_heads = {g};
    one.query_heads = query_heads_of(p, g);
    if (const auto refusal = judge_part_alone(j, subject, {p, together}, one, spec.placed,
                                              "output of a head without the others"))
      return *refusal;
  }
  return j;
}

}  // namespace

const property heads_are_independent{
    .name = "heads_are_independent",
    .theme = "heads",
    .statement = "A head gives the same rows whether it is computed alone or with the others.",
    .method =
        "Each KV head with the query heads it serves, alone, against the same rows of the whole.",
    .bound =
        "the sum of forward_bound of both problems; 0 where the contract declares "
        "batch_invariant. Other bits are an observation",
    .proof = "derivation/bounds/same_rows.md#heads",
    .claim = "loop_vectorised",
    .needs = "two KV heads or more",
    .catches =
        "head strides and offsets, masks, biases and sinks of another head, a softmax or a "
        "maximum over several heads, scratch space that heads share",
    .admits = feature_set::all(),
    .groups = feature_set()
                  .with(feature::grouped_heads)
                  .with(feature::mask)
                  .with(feature::bias)
                  .with(feature::sink)
                  .with(feature::strides),
    .base_problems = 3,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
