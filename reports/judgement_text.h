// What was found on one problem, for people.
#pragma once

#include <iosfwd>

#include "properties/property.h"

namespace attest {

void write_judgement(std::ostream&, const property&, const problem_spec&, const judgement&);

}  // namespace attest
