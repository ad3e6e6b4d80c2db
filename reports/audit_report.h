// What an audit of the judge found.
#pragma once

#include <iosfwd>
#include <span>

#include "properties/audit/audit.h"

namespace attest {

void write_audit_text(std::ostream&, std::span<const audit_result>, const audit_options&);
void write_audit_json(std::ostream&, std::span<const audit_result>, const audit_options&);

}  // namespace attest
