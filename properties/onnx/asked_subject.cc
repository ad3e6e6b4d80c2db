#include "properties/onnx/asked_subject.h"

#include <algorithm>

#include "properties/onnx/call_problem.h"
#include "properties/onnx/score_stage.h"
#include "properties/onnx/stored_answers.h"
#include "properties/weights_probe.h"
#include "reference/backends/answer.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

bool takes(const subject_info& info, const format& type) {
  return std::any_of(info.inputs.begin(), info.inputs.end(),
                     [&](const format* f) { return *f == type; });
}

// The features that the problem asks and the subject does not declare.
feature_set missing(const problem& p, const subject_info& info) {
  return feature_set(p.asks().bits() & ~info.features.bits());
}

// Which convention makes the problem another one under `rules`; empty: none.
std::string difference(const problem& p, const problem& other) {
  std::string found;
  for_each_row(p.dims, [&](const row_index& row) {
    if (!found.empty()) return;
    const std::vector<std::int64_t> keys = key_set(p, row);
    if (p.kv_head(row.h) != other.kv_head(row.h))
      found = "heads";
    else if (keys != key_set(other, row))
      found = "which keys a mask leaves";
    else if (keys.empty() && rule_of_empty_row(p, row) != rule_of_empty_row(other, row))
      found = "what an empty row is";
  });
  if (found.empty() && p.soft_cap > 0 && p.bias && p.rules.caps_bias() != other.rules.caps_bias())
    found = "where the soft cap acts";
  return found;
}

bool asks_weights(const attention_call& c, const onnx_conventions& o) {
  return c.qk_matmul_output && stage_of(c, o) == score_stage::weight;
}

// The plugin ABI has no place for them.
std::vector<std::string> outputs_not_asked(const attention_call& c, const onnx_conventions& o) {
  std::vector<std::string> names;
  if (c.present_key) names.emplace_back("present_key");
  if (c.present_value) names.emplace_back("present_value");
  if (c.qk_matmul_output && !asks_weights(c, o))
    names.push_back("qk_matmul_output of mode " + std::to_string(c.given.qk_matmul_output_mode));
  return names;
}

judgement judge_outputs(examiner& subject, const problem& asked, bool with_weights) {
  const answer a = subject.ask(asked);
  if (a.refusal) return *a.refusal;
  judgement j = judge_output(asked, a.o, subject.terms_for(asked), "Y");
  if (!with_weights) return j;
  const observed_weights weights = read_weights(asked, subject);
  if (weights.refusal) return *weights.refusal;
  judge_weights(j, asked, weights, subject.terms_for(asked), "qk_matmul_output");
  return j;
}

judgement ask_outputs(examiner& subject, const attention_call& c, const onnx_conventions& o) {
  const subject_info& info = subject.info();
  const problem meant = to_problem(c, o);
  if (!takes(info, meant.q.element()))
    return unsupported("takes no " + std::string(meant.q.element().name));
  if (const feature_set lacks = missing(meant, info); !lacks.empty())
    return unsupported("does not declare " + to_string(lacks));
  problem asked = meant;
  asked.rules = find_profile(info.profile);
  if (const std::string what = difference(meant, asked); !what.empty())
    return unsupported("its profile " + info.profile + " differs in " + what);
  return judge_outputs(subject, asked, asks_weights(c, o));
}

}  // namespace

asked_call ask_call(examiner& subject, const attention_call& c, const onnx_conventions& o) {
  return {ask_outputs(subject, c, o), outputs_not_asked(c, o)};
}

}  // namespace attest
