// The conventions found in a subject, written for people and machines.
#pragma once

#include <iosfwd>
#include <string>

#include "properties/identify/identify.h"

namespace attest {

// What `attest identify` prints: a line a convention with the input that settled it, then the
// profiles that agree.
void write_identification_text(std::ostream&, const subject_info&, const identification&);

// JSON: {"subject", "consistent", "conventions": [{"name", "meaning", "state", "values",
// "evidence":
// [{"input", "answer"}], "reason"}], "profiles", "nearest"}.
void write_identification_json(std::ostream&, const subject_info&, const identification&);

// Error: input_error for a path that doesn't end in .json, or can't be written.
void write_identification_file(const std::string& path, const subject_info&, const identification&);

// Computes: a sentence for whom a check has failed under a profile that nobody named, where the
// subject's answers agree with another; empty where they don't.
std::string profile_hint(const identification&);

}  // namespace attest
