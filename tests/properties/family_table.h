// The tables of docs/family.md, as the code has them.
#pragma once

#include <string>

namespace attest {

// Scorers and normalizers.
std::string family_table();
// Features: key sets, what joins the scores, what is asked beside o.
std::string feature_table();

}  // namespace attest
