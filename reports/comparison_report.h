// A comparison of subjects, for people and machines.
#pragma once

#include <iosfwd>

#include "properties/comparison.h"

namespace attest {

// A table in Markdown, as the README shows it, and where the worst element of each subject is.
void write_comparison_text(std::ostream&, const comparison&);
void write_comparison_json(std::ostream&, const comparison&);

}  // namespace attest
