// Where the fetched libraries lie (properties/adapters/fetch) and what they are.
#pragma once

#include <string>

namespace attest_adapter {

// Result: the folder of that library's files, with a '/' at its end: below ATTEST_THIRD_PARTY if
// that is set in the environment, otherwise below the folder of the build.
std::string folder_of(const std::string& library);

bool exists(const std::string& path);

// Result: of the line that properties/adapters/fetch left there, "PACKAGE VERSION, sha512 HASH",
// all but most of the hash; empty: it is not there.
std::string version_of(const std::string& library);

// Whether the processor has every one of these, space-separated, as Linux names them.
bool processor_has(const std::string& flags);

}  // namespace attest_adapter
