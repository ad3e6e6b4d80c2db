#include "derivation/claims/claim.h"

#include <algorithm>

namespace attest {

claim_verdict claim_result::verdict() const {
  if (about->check == nullptr) return claim_verdict::cited;
  if (!found.holds) return claim_verdict::fails;
  const bool sharp = std::all_of(found.controls.begin(), found.controls.end(),
                                 [](const negative_control& c) { return c.detected; });
  return sharp ? claim_verdict::holds : claim_verdict::blind;
}

bool claim_result::passed() const {
  return verdict() == claim_verdict::holds || verdict() == claim_verdict::cited;
}

std::string_view name_of(evidence_kind kind) {
  switch (kind) {
    case evidence_kind::exact:
      return "exact";
    case evidence_kind::rigorous:
      return "rigorous";
    case evidence_kind::digits:
      return "digits";
    case evidence_kind::statistical:
      return "statistical";
    case evidence_kind::refuted:
      return "refuted";
    case evidence_kind::cited:
      return "cited";
  }
  return "unknown";
}

std::string_view name_of(claim_verdict v) {
  switch (v) {
    case claim_verdict::holds:
      return "holds";
    case claim_verdict::fails:
      return "fails";
    case claim_verdict::blind:
      return "blind";
    case claim_verdict::cited:
      return "cited";
  }
  return "unknown";
}

claim_result check_claim(const claim& c) {
  return {&c, c.check == nullptr ? evidence{} : c.check()};
}

}  // namespace attest
