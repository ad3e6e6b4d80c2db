// What people are told: numbers, counts and the sentences that every report shares.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/report.h"
#include "reports/summary.h"

namespace attest {

// Computes: four significant digits, "inf", "-inf" or "nan".
std::string number_text(double);
// Computes: three significant digits, likewise.
std::string ratio_text(double);
// Computes: two numbers with as many digits, at least four, as tell them apart with two to spare.
std::pair<std::string, std::string> telling_apart(double, double);
// Computes: "35,210".
std::string count_text(std::int64_t);
// Computes: "1 problem", "2 problems".
std::string counted(std::int64_t, std::string_view one, std::string_view many);

// Computes: "all 6 properties hold", "violated: 3 of 6 properties", "failed: 2 of 6 properties (1
// violated, 1 crashed)", or what kept a run without failures from being judged.
std::string headline(const run_result&);
// Computes: "pass", "failure", "neither pass nor failure" for 0, 1 and 3.
std::string_view meaning_of_exit_code(int);

// Computes: all that was asked for and not judged, a sentence each: the run's own sentences, the
// properties that did not run, the interruption.
std::vector<std::string> unjudged_sentences(const run_result&);

// Computes: the subject as "name version".
std::string subject_words(const subject_info&);
// Computes: "float32 for f32 inputs (the default), fp16-flash for f16 inputs (declared)".
std::string contract_words(const subject_info&);

// Computes: "attest", "flash-attention-2 (identified)": how it was come by is said where it
// matters.
std::string profile_words(const subject_info&);

// Computes: the error that the ratio was formed of, or "–" where classes differ and there is none.
std::string error_text(const observation&);
// "f32: on average 0.02 % of the hull of v, ...": what an average bound lets pass, so that a lax
// contract shows.
std::string share_words(const forgiven_share&);
// Computes: "2.5e-05, 41 times the bound of 6e-07", or what is wrong where numbers cannot tell.
std::string error_words(const observation&);
// Computes: "attest replay '...'".
std::string replay_command(const counterexample&);

// A verdict at a glance: "✓", "✗", "?" or "–".
std::string_view symbol_of(verdict);

}  // namespace attest
