// What came of judging a subject by another suite's rule.
#pragma once

#include <iosfwd>
#include <optional>

#include "properties/peers/ruling.h"

namespace attest {

// Problems of one kind: how many, and the first.
struct rule_finding {
  std::int64_t problems = 0;
  std::optional<problem_spec> first;

  void add(const problem_spec&);
};

struct rule_report {
  subject_info subject;
  const peer_rule& rule;
  std::uint64_t seed = 0;
  int effort = 1;
  rule_finding accepted{};
  rule_finding rejected{};
  rule_finding accepted_wrongly{};  // of the accepted: those that the derived bound proves wrong

  // Domain: the ruling is that of the rule alone.
  void add(const problem_spec&, const ruling&);
};

// Says which rule was used, what it accepts, and how many problems it accepted and rejected.
void write_rule_text(std::ostream&, const rule_report&);

}  // namespace attest
