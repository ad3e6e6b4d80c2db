// What attest-host says, read with care: a plugin may have damaged or imitated it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "properties/plugin/host/wire.h"
#include "properties/plugin/plugin_info.h"

namespace attest {

struct host_refusal {
  std::string why;
};

using host_message = std::variant<plugin_description, host_refusal, wire::reply, wire::fault>;

// Result: nothing where the bytes are no message of attest-host.
std::optional<host_message> read_host_message(std::string_view bytes);

}  // namespace attest
