// The program that answers a corpus where the implementation runs: properties/corpus/run.py, built
// in.
#pragma once

#include <string_view>

namespace attest {

inline constexpr std::string_view runner_name = "run.py";

std::string_view runner_text();

}  // namespace attest
