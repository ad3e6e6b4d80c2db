#include "reports/words/markdown_text.h"

#include <algorithm>

namespace attest {

std::string markdown_text(std::string_view words) {
  std::string result;
  for (const char c : words) {
    if (std::string_view("\\`*_[]<>|&~#").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_code(std::string_view code) {
  std::size_t longest = 0, run = 0;
  for (const char c : code) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const char* space = longest > 0 ? " " : "";
  return fence + space + std::string(code) + space + fence;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line.append(" ").append(cell).append(" |");
  return line + "\n";
}

std::string markdown_rule(std::size_t columns) {
  std::string line = "|";
  for (std::size_t c = 0; c < columns; ++c) line += " --- |";
  return line + "\n";
}

}  // namespace attest
