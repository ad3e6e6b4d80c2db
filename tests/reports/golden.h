// Outputs that are accepted deliberately: tests/golden/NAME holds what was last accepted.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace attest {

// Result: success when the text is that of tests/golden/NAME. With ATTEST_ACCEPT_GOLDEN=1 in the
// environment the text is written there instead.
testing::AssertionResult is_golden(const std::string& name, const std::string& text);

}  // namespace attest
