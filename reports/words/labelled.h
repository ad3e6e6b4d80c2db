// Lines of a text report: a label, and words beside it.
#pragma once

#include <string>
#include <string_view>

#include "properties/verdict.h"

namespace attest {

// Computes: the label and the blanks up to where words begin.
std::string label_text(std::string_view label, std::size_t indent = 0);

// Computes: a label and a text beside it, broken between words where the page ends. A longer word
// stays whole.
std::string labelled(std::string_view label, std::string_view text, std::size_t indent = 0);

// Computes: where it was, what was seen and due, and how far apart they are; indented.
std::string observation_text(const observation&);

}  // namespace attest
