#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "properties/subject.h"

namespace attest {

// A plugin in a process of its own, which is started again after it crashed or ran out of time.
// environment: "NAME=VALUE" for its process, beside those of this one.
// Error: as of open_subject; also where loading the plugin crashed or did not end.
std::unique_ptr<subject> open_isolated_plugin(std::string_view address, const isolation&,
                                              std::vector<std::string> environment = {});

}  // namespace attest
