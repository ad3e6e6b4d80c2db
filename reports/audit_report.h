// What an audit of the judge found.
#pragma once

#include <iosfwd>
#include <span>

#include "properties/audit/audit.h"

namespace attest {

// The text in three parts, so that a long audit shows what it has: a table line by line, then where
// each contract came nearest to its bound.
void write_audit_heading(std::ostream&, const audit_options&);
void write_audit_line(std::ostream&, const audit_result&);
void write_audit_end(std::ostream&, std::span<const audit_result>);
void write_audit_json(std::ostream&, std::span<const audit_result>, const audit_options&);

}  // namespace attest
