// The socket to attest, at the end of attest-host.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "properties/plugin/host/wire.h"

namespace attest::host {

struct mapped_file {
  wire::map_order order;
  int file = -1;
};

class line {
 public:
  explicit line(int socket) : socket_(socket) {}
  int socket() const { return socket_; }

  // Waits for the next order. Ends the process where attest has closed its end.
  std::variant<mapped_file, wire::call_order> receive() const;
  // Ends the process where nothing can be sent.
  void send(const void* bytes, std::size_t size) const;

 private:
  int socket_;
};

}  // namespace attest::host
