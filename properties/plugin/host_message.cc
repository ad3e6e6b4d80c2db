#include "properties/plugin/host_message.h"

#include <cstring>

namespace attest {
namespace {

template <class Struct>
std::optional<Struct> whole(std::string_view bytes) {
  if (bytes.size() != sizeof(Struct)) return std::nullopt;
  Struct s;
  std::memcpy(static_cast<void*>(&s), bytes.data(), sizeof s);
  return s;
}

template <class Struct>
std::optional<Struct> begins_with(std::string_view bytes) {
  return whole<Struct>(bytes.substr(0, sizeof(Struct)));
}

// Takes one text off the front. Result: whether it was there.
bool take(std::string_view& rest, std::uint64_t length, std::optional<std::string>& text) {
  text.reset();
  if (length == wire::absent) return true;
  if (length > rest.size()) return false;
  text = rest.substr(0, length);
  rest.remove_prefix(length);
  return true;
}

std::optional<host_message> read_description(std::string_view bytes) {
  const auto head = begins_with<wire::description>(bytes);
  if (!head) return std::nullopt;
  std::string_view rest = bytes.substr(sizeof *head);
  std::optional<std::string> texts[4];
  for (int n = 0; n < 4; ++n)
    if (!take(rest, head->lengths[n], texts[n])) return std::nullopt;
  if (!rest.empty() || !texts[0]) return std::nullopt;
  return plugin_description{
      *texts[0], texts[1].value_or(""), head->features, head->dtypes, texts[2], texts[3]};
}

std::optional<host_message> read_reply(std::string_view bytes) {
  auto r = whole<wire::reply>(bytes);
  if (!r || r->threw > wire::thrown::something) return std::nullopt;
  r->message[sizeof r->message - 1] = '\0';
  return *r;
}

std::optional<host_message> read_fault(std::string_view bytes) {
  const auto f = whole<wire::fault>(bytes);
  const auto most = static_cast<std::int64_t>(wire::most_bytes);
  if (!f || f->slot >= wire::slots || f->where > wire::place::elsewhere ||
      f->how > wire::access::write || f->offset > most || f->offset < -most)
    return std::nullopt;
  return *f;
}

}  // namespace

std::optional<host_message> read_host_message(std::string_view bytes) {
  wire::kind what{};
  if (bytes.size() < sizeof what) return std::nullopt;
  std::memcpy(&what, bytes.data(), sizeof what);
  switch (what) {
    case wire::kind::described:
      return read_description(bytes);
    case wire::kind::refused:
      return host_refusal{std::string(bytes.substr(sizeof(wire::refusal)))};
    case wire::kind::answered:
      return read_reply(bytes);
    case wire::kind::faulted:
      return read_fault(bytes);
    default:
      return std::nullopt;
  }
}

}  // namespace attest
