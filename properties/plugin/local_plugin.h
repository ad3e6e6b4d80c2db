#pragma once

#include <memory>
#include <string_view>

#include "properties/subject.h"

namespace attest {

// Error: as of open_subject.
std::unique_ptr<subject> open_local_plugin(std::string_view address);

}  // namespace attest
