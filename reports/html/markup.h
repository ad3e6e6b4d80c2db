// HTML that is escaped by construction: foreign text becomes markup only through text() and
// attribute().
#pragma once

#include <string>
#include <string_view>

namespace attest {

struct markup {
  std::string html;

  markup& operator+=(const markup& more) {
    html += more.html;
    return *this;
  }
};

inline markup operator+(markup first, const markup& second) { return first += second; }

// Computes: the text in characters that show (foreign_text.h), with & < > " ' escaped.
markup text(std::string_view);
// Computes: ' name="value"', escaped likewise. name: one of ours.
markup attribute(std::string_view name, std::string_view value);

// An element's name and attributes as we wrote them: a literal, never foreign text.
struct tag {
  consteval tag(const char* literal) : opening(literal) {}
  std::string_view opening;  // "td class=number"
};

// Computes: "<td class=number>...</td>", with a line end after blocks.
markup element(tag, const markup& content);
// As above with one more attribute.
markup element(tag, const markup& attribute, const markup& content);

}  // namespace attest
