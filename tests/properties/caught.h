// Whether a run finds a subject wrong, told without the rest of the run.
#pragma once

#include <string>
#include <string_view>

#include "properties/examiner.h"
#include "properties/run.h"

namespace attest {

// Result: whether a law fails on a problem that a run at effort 1 puts to the subject, `first`
// before the others. A run judges each problem for itself, so it would end with exit code 1.
inline bool is_caught(const std::string& address, std::string_view first, std::uint64_t seed) {
  const auto opened = open_subject(address);
  examiner subject(*opened);
  const auto fails = [&](const property* law) {
    for (const problem_spec& spec : draw_specs(*law, subject.info(), seed, 1))
      if (is_failure(law->judge(spec, subject).outcome)) return true;
    return false;
  };
  for (std::string_view laws : {first, std::string_view("*")})
    for (const property* law : matching_properties(laws))
      if (fails(law)) return true;
  return false;
}

}  // namespace attest
