#include "reports/html/markup.h"

#include <algorithm>
#include <iterator>

#include "reports/words/foreign_text.h"

namespace attest {
namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

// Blocks end a line, so that pages can be read and compared as text. White space between them shows
// nowhere.
bool ends_line(std::string_view name) {
  constexpr std::string_view blocks[] = {"article", "details", "dl",      "h1", "h2",
                                         "h3",      "header",  "li",      "p",  "pre",
                                         "tr",      "ul",      "section", "div"};
  return std::find(std::begin(blocks), std::end(blocks), name) != std::end(blocks);
}

}  // namespace

markup text(std::string_view foreign) {
  markup result;
  for (char c : printable(foreign)) {
    const std::string_view entity = entity_of(c);
    if (entity.empty())
      result.html += c;
    else
      result.html += entity;
  }
  return result;
}

markup attribute(std::string_view name, std::string_view value) {
  markup result{" "};
  result.html.append(name).append("=\"").append(text(value).html).append("\"");
  return result;
}

markup element(tag t, const markup& content) { return element(t, {}, content); }

markup element(tag t, const markup& attribute, const markup& content) {
  const std::string opening(t.opening);
  const std::string name = opening.substr(0, opening.find(' '));
  markup result{"<"};
  result.html.append(opening).append(attribute.html).append(">").append(content.html);
  result.html.append("</").append(name).append(ends_line(name) ? ">\n" : ">");
  return result;
}

}  // namespace attest
