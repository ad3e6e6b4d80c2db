#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (spec.placed == layout::bhld || !subject.features.has(feature::strides)) return std::nullopt;
  return spec;
}

// Of q, k, v and o.
struct arrangement {
  layout q, k, v, o;
};

// All alike, and each in another layout: a stride of one tensor used for another shows there.
std::vector<arrangement> arrangements(const problem_spec& spec) {
  std::vector<layout> how{layout::bhld,     layout::blhd,   layout::fused,
                          layout::reversed, layout::spread, layout::mirrored};
  const bool batch_rows_are_equal = spec.placed == layout::shared || spec.dims.batch == 1;
  if (batch_rows_are_equal) how.push_back(layout::shared);
  std::vector<arrangement> list;
  for (std::size_t n = 0; n < how.size(); ++n) {
    const auto next = [&](std::size_t step) { return how[(n + step) % how.size()]; };
    list.push_back({how[n], how[n], how[n], how[n]});
    list.push_back({how[n], next(1), next(2), next(3)});
  }
  return list;
}

problem arranged(const problem& p, const arrangement& how) {
  problem other = p;
  other.q = laid_out(p.q, how.q);
  other.k = laid_out(p.k, how.k);
  other.v = laid_out(p.v, how.v);
  other.answer_layout = how.o == layout::shared ? layout::bhld : how.o;
  return other;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const terms on = subject.terms_for(p);
  const answer before = subject.ask(p);
  if (before.refusal) return *before.refusal;
  judgement j;
  for (const arrangement& how : arrangements(spec)) {
    const problem other = arranged(p, how);
    const answer after = subject.ask(other);
    if (after.refusal) return *after.refusal;
    row_pairs pairs(j, on, {p, before}, {other, after}, bits_declared(on.kept.layout_invariant),
                    "output of the same problem in another layout");
    for_each_row(p.dims, [&](const row_index& row) { pairs.judge(row); });
  }
  return j;
}

}  // namespace

const property layouts_agree{
    .name = "layouts_agree",
    .theme = "layout",
    .statement = "How q, k, v and o lie in memory does not change what they say.",
    .method =
        "The same numbers in every layout (dense, heads inside the sequence, a slice of a fused "
        "projection, backwards, every second element, one batch row for all), the same for all "
        "tensors and another for each; NaN in the gaps.",
    .bound =
        "the sum of forward_bound of both problems; 0 where the contract declares "
        "layout_invariant. Other bits are an observation",
    .proof = "derivation/bounds/same_rows.md#bits",
    .claim = "shapes",
    .needs = "any strides",
    .catches =
        "strides ignored, swapped or taken from another tensor, gaps read, unsigned or narrow "
        "offsets, outputs written to the dense place",
    .admits = feature_set::all(),
    .groups = feature_set().with(feature::strides),
    .plain_group = false,
    .base_problems = 5,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
