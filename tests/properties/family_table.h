// The table of docs/family.md, as the code has it.
#pragma once

#include <string>

namespace attest {

std::string family_table();

}  // namespace attest
