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

namespace {

// A proof is worth more than what is improbable; of two, the larger ratio.
void keep_worse(judgement& j, const observation& seen) {
  const bool proves_less = j.worst && seen.improbable && !j.worst->improbable && j.worst_ratio > 1;
  const bool proves_more = j.worst && j.worst->improbable && !seen.improbable && seen.ratio > 1;
  if (j.worst && (proves_less || (!proves_more && !(seen.ratio > j.worst_ratio)))) return;
  j.worst_ratio = seen.ratio;
  j.worst = seen;
}

bool is_new(const judgement& j) {
  return j.outcome == verdict::undecided && j.reason.empty() &&
         j.judged + j.undecided + j.out_of_domain == 0;
}

}  // namespace

void judgement::add(const observation& seen) {
  ++judged;
  if (!(seen.ratio <= 1))
    outcome = worse(outcome, seen.improbable ? verdict::improbable : verdict::violated);
  else if (outcome == verdict::undecided)
    outcome = verdict::holds;
  keep_worse(*this, seen);
}

void judgement::add(const judgement& part) {
  outcome = is_new(*this) ? part.outcome : worse(outcome, part.outcome);
  if (outcome == part.outcome && reason.empty()) reason = part.reason;
  judged += part.judged;
  undecided += part.undecided;
  out_of_domain += part.out_of_domain;
  differences += part.differences;
  rows += part.rows;
  scaled += part.scaled;
  share_sum += part.share_sum;
  if (part.worst) keep_worse(*this, *part.worst);
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
