// What the three files of digits.h share.
#pragma once

#include <string>
#include <vector>

#include "reference/definition/attention.h"

namespace attest {

// text: writes a number in scientific notation.
template <Number T, class Text>
std::vector<std::string> written_row(const problem& p, const row_index& place, Text text) {
  const attention_row<T> row = attention<T>(p, place);
  std::vector<std::string> texts;
  for (const T& o : row.output) texts.push_back(text(o));
  texts.push_back(text(row.lse));
  return texts;
}

}  // namespace attest
