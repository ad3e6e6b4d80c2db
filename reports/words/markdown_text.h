// Text on its way into Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

// Computes: the text with every character escaped that Markdown would read as its own.
std::string markdown_text(std::string_view);
// Computes: the text between backticks, as many as it takes, so that it is shown as it is.
std::string markdown_code(std::string_view);
// Computes: a line of a table. The cells are Markdown already.
std::string markdown_row(const std::vector<std::string>& cells);
// Computes: the line below the head of a table of so many columns.
std::string markdown_rule(std::size_t columns);

}  // namespace attest
