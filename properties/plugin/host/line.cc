#include "properties/plugin/host/line.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace attest::host {
namespace {

// A plugin that closed what it did not open ends here.
[[noreturn]] void leave() {
  _exit(errno == EBADF || errno == ENOTSOCK ? wire::closed_descriptors : 0);
}

int descriptor_in(msghdr& message) {
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(head), sizeof file);
  return file;
}

}  // namespace

std::variant<mapped_file, wire::call_order> line::receive() const {
  union {
    wire::kind what;
    wire::map_order map;
    wire::call_order call;
  } order{};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  iovec bytes{&order, sizeof order};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t size = 0;
  errno = 0;
  while ((size = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (size <= 0) leave();
  if (order.what == wire::kind::map) return mapped_file{order.map, descriptor_in(message)};
  return order.call;
}

void line::send(const void* bytes, std::size_t size) const {
  ssize_t sent = 0;
  errno = 0;
  while ((sent = ::send(socket_, bytes, size, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  if (sent != static_cast<ssize_t>(size)) leave();
}

}  // namespace attest::host
