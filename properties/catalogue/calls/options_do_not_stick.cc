#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"

namespace attest {
namespace {

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) { return spec; }

// Another problem of the same sizes; what does not apply leaves it as it is.
struct alteration {
  const char* what;
  void (*apply)(problem_spec&);
};

constexpr alteration alterations[] = {
    {"other values", [](problem_spec& s) { s.seed += 1; }},
    {"another window",
     [](problem_spec& s) {
       if (!s.sliding.open()) ++(s.sliding.left < 0 ? s.sliding.right : s.sliding.left);
     }},
    {"no window", [](problem_spec& s) { s.sliding = {}; }},
    {"another soft cap", [](problem_spec& s) { s.soft_cap *= 3; }},
    {"no soft cap", [](problem_spec& s) { s.soft_cap = 0; }},
    {"another scale",
     [](problem_spec& s) {
       if (s.scale) s.scale = *s.scale == 0.5 ? 0.25 : 0.5;
     }},
    {"the usual scale", [](problem_spec& s) { s.scale.reset(); }},
    {"no triangle", [](problem_spec& s) { s.causal = causal_anchor::none; }},
    {"another dilation",
     [](problem_spec& s) {
       if (s.pattern.dilation > 1) ++s.pattern.dilation;
     }},
    {"another chunk",
     [](problem_spec& s) {
       if (s.pattern.chunk > 0) ++s.pattern.chunk;
     }},
    {"another number of global keys",
     [](problem_spec& s) {
       if (s.pattern.global_keys > 0) ++s.pattern.global_keys;
     }},
    {"no mask", [](problem_spec& s) { s.mask_axes.reset(); }},
    {"no bias", [](problem_spec& s) { s.bias_axes.reset(), s.infinite_bias = false; }},
    {"no lengths", [](problem_spec& s) { s.ragged = false; }},
    {"no sink", [](problem_spec& s) { s.sink = false; }},
    {"no segments", [](problem_spec& s) { s.packed = false; }},
    {"no slopes", [](problem_spec& s) { s.alibi = false; }},
    {"another scale of dropout",
     [](problem_spec& s) {
       if (s.dropout_axes) s.dropout_scale = s.dropout_scale == 1 ? 2 : 1;
     }},
    {"no dropout", [](problem_spec& s) { s.dropout_axes.reset(), s.dropout_scale = 1; }},
};

// One call. Result: what is wrong with its answer, which is said to come after `what`.
judgement judge_call(const problem_spec& spec, const char* what, examiner& subject) {
  const problem p = materialise(spec);
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  judgement j = judge_answer(p, a, subject.terms_for(p));
  if (j.worst) j.worst->what += std::string(" of a call of the same sizes, with ") + what;
  return j;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  judgement all = judge_call(spec, "what it began with", subject);
  for (const alteration& each : alterations) {
    problem_spec other = spec;
    each.apply(other);
    if (is_failure(all.outcome) || all.outcome == verdict::unsupported) return all;
    if (other == spec) continue;
    all.add(judge_call(other, each.what, subject));
    all.add(judge_call(spec, "what it began with again", subject));
  }
  return all;
}

}  // namespace

const property options_do_not_stick{
    .name = "options_do_not_stick",
    .theme = "calls",
    .statement =
        "A call is answered by its own options and values, whatever calls of the same sizes had "
        "before.",
    .method =
        "Calls of the same sizes one after the other, each with another window, soft cap, scale, "
        "pattern or scale of dropout than the first, without one of its parts, or with other "
        "values; between them the first again. Each is compared with the definition.",
    .bound = "forward_bound of each call",
    .proof = "derivation/bounds/forward.md",
    .claim = "one_cell",
    .needs = "nothing",
    .catches =
        "plans, kernels and workspaces that are kept by the sizes of a call, or by which options "
        "it has, and hold their values",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature_set()
                                             .with(feature::strides)
                                             .with(feature::lse)
                                             .with(feature::cross_lengths)
                                             .with(feature::value_width)
                                             .with(feature::grouped_heads)),
    .plain_group = false,
    .base_problems = 1,
    .scorers = every_scorer,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
