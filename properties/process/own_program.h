// The programs that attest starts beside itself.
#pragma once

#include <string>
#include <string_view>

namespace attest {

// Result: the path of one, searched in the folder that ATTEST_LIBEXEC names, beside
// the program or module that attest is part of, in ../libexec/attest from there, and where it was
// built. Error: input_error when it is in none of them.
std::string own_program(std::string_view name);

}  // namespace attest
