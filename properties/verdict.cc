#include "properties/verdict.h"

#include <algorithm>

namespace attest {

std::string_view name_of(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::undecided:
      return "undecided";
    case verdict::unsupported:
      return "unsupported";
    case verdict::improbable:
      return "improbable";
    case verdict::violated:
      return "violated";
    case verdict::misbehaved:
      return "misbehaved";
    case verdict::crashed:
      return "crashed";
    case verdict::timed_out:
      return "timed out";
  }
  return "unknown";
}

bool is_failure(verdict v) { return v >= verdict::improbable; }

verdict worse(verdict a, verdict b) {
  if (is_failure(a) || is_failure(b)) return std::max(a, b);
  return std::min(a, b);
}

void judgement::add(const observation& seen) {
  ++judged;
  if (!(seen.ratio <= 1))
    outcome = worse(outcome, seen.improbable ? verdict::improbable : verdict::violated);
  else if (outcome == verdict::undecided)
    outcome = verdict::holds;
  const bool proves_less = worst && seen.improbable && !worst->improbable && worst_ratio > 1;
  const bool proves_more = worst && worst->improbable && !seen.improbable && seen.ratio > 1;
  if (worst && (proves_less || (!proves_more && !(seen.ratio > worst_ratio)))) return;
  worst_ratio = seen.ratio;
  worst = seen;
}

namespace {

judgement without_comparisons(verdict outcome, std::string reason) {
  judgement j;
  j.outcome = outcome;
  j.reason = std::move(reason);
  return j;
}

}  // namespace

judgement skipped(std::string reason) {
  return without_comparisons(verdict::undecided, std::move(reason));
}

judgement unsupported(std::string reason) {
  return without_comparisons(verdict::unsupported, std::move(reason));
}

judgement misbehaved(std::string reason) {
  return without_comparisons(verdict::misbehaved, std::move(reason));
}

judgement crashed(std::string reason) {
  return without_comparisons(verdict::crashed, std::move(reason));
}

judgement timed_out(std::string reason) {
  return without_comparisons(verdict::timed_out, std::move(reason));
}

}  // namespace attest
