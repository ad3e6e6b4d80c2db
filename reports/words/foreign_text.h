// Text from outside (names, messages, paths) on its way into a report.
#pragma once

#include <string>
#include <string_view>

namespace attest {

// Computes: the text as valid UTF-8. Each byte that belongs to no character becomes U+FFFD; all
// else stays.
std::string well_formed(std::string_view);

// Computes: the text on one line, in characters that show. Stray bytes, control characters and
// characters that have no width or turn the direction of what follows are written \xNN or \u{NNNN}:
// no text can move a terminal's cursor, end a row of a table or break an XML file.
std::string printable(std::string_view);

// Computes: one word for a POSIX shell that stands for exactly these bytes, in characters that
// show. Where a byte does not show, the word is of the form $'...', which bash and zsh read.
std::string shell_quoted(std::string_view);

}  // namespace attest
