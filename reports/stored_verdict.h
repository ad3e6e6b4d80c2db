// What is said of tensors that a program stored, for people: a line each, and the exit code.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "properties/verdict.h"
#include "reference/contract/contract.h"
#include "reports/exit_code.h"

namespace attest {

// "name        text"
void write_stored_line(std::ostream&, std::string_view name, const std::string& text);

// The contract, the verdict with its counts, and the element nearest to its bound or beyond it.
// of: the tensor whose type the default contract goes by.
void write_stored_verdict(std::ostream&, const judgement&, const contract&, bool is_default,
                          std::string_view of);

// 3 where nothing is wrong but something, or everything, is undecided.
exit_code exit_code_of(const judgement&);

}  // namespace attest
