#include "tests/reports/sample_reports.h"

#include <limits>

#include "reference/contract/presets.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr property law(std::string_view name, std::string_view theme, std::string_view statement) {
  property p{};
  p.name = name;
  p.theme = theme;
  p.statement = statement;
  p.method = "Shown by a method.";
  p.bound = "forward_bound";
  p.proof = "derivation/bounds/forward.md";
  p.claim = "row-sum";
  p.needs = "nothing";
  p.catches = "defects";
  return p;
}

constexpr property definition = law(
    "matches_definition", "definition",
    "Every output, and every lse returned, is what the definition gives, as far as the declared "
    "arithmetic allows.");
constexpr property masked = law("masked_keys_weigh_0", "mask",
                                "A key outside the key set has a weight of exactly 0, and nothing "
                                "in its K or V changes a bit.");
constexpr property equivariance =
    law("permutation_equivariance", "order",
        "Without positions attention is blind to order: permuted keys leave the output as it is.");
constexpr property variance =
    law("score_variance_is_width", "scores",
        "Var(q.k) = D for independent components of variance 1, so scaled scores have variance 1.");
constexpr property shift = law("shift_invariance", "scores",
                               "Adding a constant to every score of a row leaves the output as it "
                               "is & moves lse by the <constant>.");
constexpr property sum =
    law("rows_sum_to_1", "weights", "The weights of a row with at least one key sum to 1.");

group_result group(const property& p, std::string name, verdict outcome, double worst_ratio) {
  group_result g;
  g.law = &p;
  g.group = std::move(name);
  g.outcome = outcome;
  g.problems = 14;
  g.judged_problems = 14;
  g.judged = 4321;
  g.rows = 210;
  g.worst_ratio = worst_ratio;
  return g;
}

group_result unjudged(group_result g, std::string reason) {
  g.judged_problems = g.judged = 0;
  g.undecided = 4321;
  g.reason = std::move(reason);
  return g;
}

group_result failing(group_result g, const judgement& found, const char* problem,
                     const char* drawn) {
  g.reason = found.reason;
  counterexample c;
  c.property = g.law->name;
  c.problem = parse_problem_line(problem);
  c.drawn = parse_problem_line(drawn);
  c.found = found;
  c.replay = "it's \"x\" & <b>.so:\x1b[2J\xff " + c.property + " " + to_line(c.problem);
  g.failure = std::move(c);
  return g;
}

judgement seen(verdict outcome, const observation& worst) {
  judgement j;
  j.outcome = outcome;
  j.judged = 4;
  j.rows = 1;
  j.worst_ratio = worst.ratio;
  j.worst = worst;
  return j;
}

subject_info hostile_subject() {
  subject_info s;
  s.address = "it's \"x\" & <b>.so:\x1b[2J\xff";
  s.name = "<script>alert('name')</script> & \"co\"";
  s.version = "1.0\r\n\xC0\xAF\xE2\x80\xAE \xC3\xA9\x07";
  s.features = feature_set()
                   .with(feature::mask)
                   .with(feature::causal_top_left)
                   .with(feature::window)
                   .with(feature::soft_cap)
                   .with(feature::lse)
                   .with(feature::cross_lengths);
  s.inputs = {&f32, &f16};
  s.contracts = {find_contract("fp16-eager")};
  return s;
}

feature_coverage coverage_of(const run_result& result, feature f) {
  const bool declared = result.subject.features.has(f);
  feature_coverage c{f, declared, result.options.required.has(f), 0, 0, 0, 0, 0, 0};
  if (!declared) return c;
  c.problems = 56;
  c.judged = f == feature::soft_cap ? 2 : 54;
  c.undecided = c.problems - c.judged;
  c.rows = 12345;
  c.out_of_domain = 7;
  return c;
}

void add_coverage(run_result& result) {
  result.shares = {{&f32, 4096, 12, 1.0}, {&f16, 1024, 256, 96.0}};
  for (feature f : members(feature_set::all())) result.coverage.push_back(coverage_of(result, f));
}

void add_violations(run_result& result) {
  const observation far{"o[b=0,h=1,i=2,d=3]", "output", 0.73105857863000490, 0.5,
                        1.1920929e-7,         1938249.7};
  const observation near{"lse[b=0,h=0,i=0]", "lse", 0.33333337, 0.33333334, 1e-8, 3.0000000001};
  const observation leak{"o[b=0,h=0,i=0,d=1]", "weight of a masked key <b>", 1e-30, 0, 0, infinity};
  const observation hole{"o[b=1,h=0,i=0,d=0]", "output", -nan, 0.25, 1e-7, infinity};
  result.groups.push_back(group(definition, "plain", verdict::holds, 0.4375));
  result.groups.push_back(failing(group(definition, "causal_top_left", verdict::violated, 0.61),
                                  seen(verdict::violated, far), "Lk=3 Lq=2 causal=top_left seed=5",
                                  "B=2 Hq=4 Hkv=2 Lq=7 Lk=13 D=4 Dv=5 dtype=f16 regime=ties "
                                  "mask=bk causal=top_left window=2,-1 soft_cap=5 "
                                  "layout=fused seed=3405691582"));
  result.groups.push_back(failing(group(definition, "lse", verdict::violated, 0.2),
                                  seen(verdict::violated, near), "B=2 Lk=2 seed=1",
                                  "B=2 Lk=2 seed=1"));
  result.groups.push_back(failing(group(definition, "mixed", verdict::violated, 0.9),
                                  seen(verdict::violated, hole),
                                  "Hq=4 Hkv=2 Lk=2 D=2 dtype=f16 scale=-0.75 regime=exact seed=1",
                                  "Hq=4 Hkv=2 Lk=5 D=2 dtype=f16 scale=-0.75 regime=exact seed=1"));
  result.groups.push_back(failing(group(masked, "mask", verdict::violated, 0),
                                  seen(verdict::violated, leak), "Lk=2 Dv=2 mask=- seed=0",
                                  "Lk=5 Dv=5 mask=hq seed=77"));
}

void add_other_verdicts(run_result& result) {
  const observation rare{"all rows", "variance of the scaled scores", 1.25, 1, 0.125, 2};
  result.groups.push_back(failing(
      group(equivariance, "plain", verdict::misbehaved, 0),
      misbehaved("threw an exception: </pre><img src=x onerror=alert(1)>\n]]> \x01\xF0\x9F"),
      "Lk=1 seed=0", "Lk=7 bias=bhqk infinite_bias=1 lengths=1 sink=1 seed=9"));
  result.groups.push_back(group(equivariance, "mixed", verdict::crashed, 0.5));
  result.groups.push_back(failing(group(variance, "plain", verdict::improbable, 0.7),
                                  seen(verdict::improbable, rare), "Lk=2 Lq=4096 D=8 seed=3",
                                  "Lk=2 Lq=4096 D=8 seed=3"));
  result.groups.push_back(
      unjudged(group(shift, "window", verdict::unsupported, 0), "window <above> 4\n"));
  result.groups.push_back(unjudged(group(shift, "mixed", verdict::undecided, 0), ""));
}

void add_passes(run_result& result) {
  result.groups.push_back(group(sum, "long_row", verdict::holds, 0.03125));
  result.groups.back().differences = 42;
  result.groups.push_back(group(sum, "plain", verdict::holds, 0.999));
}

std::vector<const property*> laws_of(const run_result& result) {
  std::vector<const property*> laws;
  for (const group_result& g : result.groups)
    if (laws.empty() || laws.back() != g.law) laws.push_back(g.law);
  return laws;
}

subject_info plain_subject() {
  subject_info s;
  s.address = "builtin:float32";
  s.name = "builtin:float32";
  s.features = feature_set::all();
  s.inputs = {&f32};
  return s;
}

}  // namespace

report failing_report() {
  report r;
  r.result.subject = hostile_subject();
  r.result.options.required = feature_set().with(feature::mask).with(feature::sink);
  add_violations(r.result);
  add_other_verdicts(r.result);
  add_passes(r.result);
  r.result.options.properties = laws_of(r.result);
  add_coverage(r.result);
  r.result.not_judged = {"feature soft_cap: 2 problems judged (needed: 4)",
                         "required feature sink is not declared by the subject",
                         "property shift_invariance, group window <&>: no problem could be judged"};
  return r;
}

report passing_report() {
  report r;
  r.result.subject = plain_subject();
  r.result.options.effort = 3;
  r.result.options.seed = 18446744073709551615u;
  r.result.groups = {group(definition, "plain", verdict::holds, 0.5),
                     group(definition, "mixed", verdict::holds, 0.7)};
  add_passes(r.result);
  r.result.options.properties = laws_of(r.result);
  for (feature f : members(feature_set::all()))
    r.result.coverage.push_back({f, true, false, 56, 56, 0, 0, 12345, 0});
  r.run = run_block{"0.1.0", "2026-11-29T10:20:30Z", 12.3456, "machine <1>", 2};
  return r;
}

report open_report() {
  report r = passing_report();
  r.run.reset();
  r.result.groups.pop_back();
  r.result.groups.back().judged_problems = 0;
  r.result.options.properties.push_back(&masked);
  r.result.not_judged = {"property rows_sum_to_1, group long_row: no problem could be judged"};
  r.result.interrupted = true;
  return r;
}

}  // namespace attest
