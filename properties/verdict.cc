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
    outcome = verdict::violated;
  else if (outcome == verdict::undecided)
    outcome = verdict::holds;
  if (worst && !(seen.ratio > worst_ratio)) return;
  worst_ratio = seen.ratio;
  worst = seen;
}

judgement unsupported(std::string reason) {
  judgement j;
  j.outcome = verdict::unsupported;
  j.reason = std::move(reason);
  return j;
}

judgement misbehaved(std::string reason) {
  judgement j;
  j.outcome = verdict::misbehaved;
  j.reason = std::move(reason);
  return j;
}

}  // namespace attest
