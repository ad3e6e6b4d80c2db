// The power of acceptance rules, for people and machines.
#pragma once

#include <iosfwd>

#include "properties/peers/power.h"

namespace attest {

// A table in Markdown, a rule a line, and below it which wrong subjects were missed: five names at
// most, then how many more.
void write_power_text(std::ostream&, const power_table&);
// The same with all names, and what each rule accepts.
void write_power_json(std::ostream&, const power_table&);

}  // namespace attest
