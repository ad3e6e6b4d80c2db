#include "reports/words/foreign_text.h"

#include <fmt/format.h>

namespace attest {
namespace {

constexpr char32_t stray = 0xFFFFFFFF;

// The character at the start of a text, or one stray byte.
struct character {
  char32_t code = stray;
  std::size_t bytes = 1;
};

unsigned byte_at(std::string_view text, std::size_t n) {
  return static_cast<unsigned char>(text[n]);
}

// 0 for a byte that starts no character.
std::size_t bytes_announced(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

// Shortest form only, no surrogates.
bool is_valid(char32_t code, std::size_t bytes) {
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= least[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

character first_of(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  const std::size_t bytes = bytes_announced(lead);
  if (bytes == 0 || bytes > text.size()) return {};
  if (bytes == 1) return {lead, 1};
  char32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t n = 1; n < bytes; ++n) {
    if ((byte_at(text, n) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte_at(text, n) & 0x3Fu);
  }
  return is_valid(code, bytes) ? character{code, bytes} : character{};
}

bool within(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

bool is_invisible(char32_t code) {
  return code < 0x20 || within(code, 0x7F, 0x9F) || code == 0xAD || code == 0x61C;
}

// Zero width, separators of lines, marks and overrides of direction, byte order marks,
// noncharacters, tags.
bool disturbs(char32_t code) {
  return within(code, 0x200B, 0x200F) || within(code, 0x2028, 0x202E) ||
         within(code, 0x2060, 0x206F) || code == 0xFEFF || within(code, 0xFFF9, 0xFFFB) ||
         within(code, 0xFDD0, 0xFDEF) || (code & 0xFFFE) == 0xFFFE || code >= 0xE0000;
}

bool shows(char32_t code) { return code != stray && !is_invisible(code) && !disturbs(code); }

std::string escaped(const character& c, std::string_view bytes) {
  if (c.code != stray && c.code >= 0x80) return fmt::format("\\u{{{:04X}}}", std::uint32_t{c.code});
  return fmt::format("\\x{:02X}", byte_at(bytes, 0));
}

std::string escaped_bytes(std::string_view bytes) {
  std::string result;
  for (std::size_t n = 0; n < bytes.size(); ++n)
    result += fmt::format("\\x{:02X}", byte_at(bytes, n));
  return result;
}

// Puts together what `write` makes of each character and its bytes.
template <class Write>
std::string rewritten(std::string_view text, const Write& write) {
  std::string result;
  while (!text.empty()) {
    const character c = first_of(text);
    result += write(c, text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::string dollar_quoted_piece(const character& c, std::string_view bytes) {
  if (!shows(c.code)) return escaped_bytes(bytes);
  return std::string(c.code == '\'' || c.code == '\\' ? "\\" : "").append(bytes);
}

std::string quoted_piece(const character& c, std::string_view bytes) {
  return std::string(c.code == '\'' ? "'\\''" : bytes);
}

}  // namespace

std::string well_formed(std::string_view text) {
  return rewritten(text, [](const character& c, std::string_view bytes) {
    return c.code == stray ? std::string("\xEF\xBF\xBD") : std::string(bytes);
  });
}

std::string printable(std::string_view text) {
  return rewritten(text, [](const character& c, std::string_view bytes) {
    return shows(c.code) ? std::string(bytes) : escaped(c, bytes);
  });
}

std::string shell_quoted(std::string_view text) {
  if (printable(text) == text) return fmt::format("'{}'", rewritten(text, quoted_piece));
  return fmt::format("$'{}'", rewritten(text, dollar_quoted_piece));
}

}  // namespace attest
