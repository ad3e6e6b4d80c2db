#include "reports/words/labelled.h"

#include <fmt/format.h>

#include "reference/text.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t text_column = 12;

}  // namespace

std::string label_text(std::string_view label, std::size_t indent) {
  return fmt::format("{:{}}{:<{}}", "", indent, label, text_column - indent);
}

std::string labelled(std::string_view label, std::string_view text, std::size_t indent) {
  std::string page, line = label_text(label, indent);
  bool fresh = true;
  for (std::string_view word : split(text, ' ')) {
    if (!fresh && line.size() + 1 + word.size() > page_width) {
      page += line + '\n';
      line.assign(text_column, ' ');
      fresh = true;
    }
    line += fresh ? "" : " ";
    line += word;
    fresh = false;
  }
  return page + line + '\n';
}

std::string observation_text(const observation& seen) {
  const auto [observed, expected] = telling_apart(seen.observed, seen.expected);
  return labelled("at", printable(seen.where) + ": " + printable(seen.what), 2) +
         labelled("observed", observed, 2) + labelled("expected", expected, 2) +
         labelled("error", error_words(seen), 2);
}

}  // namespace attest
