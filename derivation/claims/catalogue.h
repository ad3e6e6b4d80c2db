// The list of claims: one file each, in the subfolder of its section.
// tests/derivation/claims_test.cc holds the list to the folder. What stands in claims/ itself
// serves several of them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "derivation/claims/claim.h"

namespace attest {

namespace claims {

// shape_and_formula/
extern const claim one_cell;
extern const claim shapes;
extern const claim six_words;

}  // namespace claims

// All claims, in the order in which the derivation makes them.
std::span<const claim* const> all_claims();

// Error: input_error for an id not in the list.
const claim& find_claim(std::string_view id);

// Computes: the claims whose id, or section/id, matches a glob (* and ?). Error: input_error when
// none does.
std::vector<const claim*> matching_claims(std::string_view glob);

// Computes: what checking each matching claim finds. Error: as matching_claims.
std::vector<claim_result> check_claims(std::string_view glob);

}  // namespace attest
