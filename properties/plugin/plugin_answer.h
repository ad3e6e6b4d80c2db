// What a plugin gave back, in whatever process it ran.
#pragma once

#include <array>
#include <cstdint>

#include "properties/attest_plugin.h"
#include "properties/subject.h"

namespace attest {

struct plugin_answer {
  std::int32_t status = ATTEST_OK;
  std::uint32_t environment = 0;    // bits of environment_change
  std::array<char, 512> message{};  // ends with 0
};

answer_outcome outcome_of(const plugin_answer&);

}  // namespace attest
