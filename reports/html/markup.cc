#include "reports/html/markup.h"

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

markup element(tag t, const markup& content) {
  return element(t, {}, content);
}

markup element(tag t, const markup& attribute, const markup& content) {
  const std::string opening(t.opening);
  const std::string name = opening.substr(0, opening.find(' '));
  return {"<" + opening + attribute.html + ">" + content.html + "</" + name + ">"};
}

}  // namespace attest
