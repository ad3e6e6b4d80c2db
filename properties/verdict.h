// What can be said of a subject after looking.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

enum class verdict : std::uint8_t {
  holds,
  undecided,    // no element could be judged: every bound was too wide, or every row out of domain
  unsupported,  // the subject declined
  improbable,   // beyond the probabilistic bound or a stated false-alarm probability
  violated,     // proved wrong
  misbehaved,   // broke the rules of the call: threw, wrote nothing, wrote where it must not,
                // declined what it declares
  crashed,
  timed_out,
};

std::string_view name_of(verdict);
// Whether the verdict fails a gate (exit code 1).
bool is_failure(verdict);
// The one that decides for both: a failure over anything, then holds over undecided and
// unsupported.
verdict worse(verdict, verdict);

// One comparison: where, what was seen, what was due and how far apart they may be.
struct observation {
  std::string where;  // "o[b=0,h=1,i=2,d=3]"
  std::string what;   // "weight of a masked key", "output"
  double observed = 0;
  double expected = 0;
  double bound = 0;
  double ratio = 0;  // error / bound; infinite for a wrong class or any error over a bound of 0
  bool improbable = false;  // over 1 it is not proved wrong, but next to impossible
};

struct judgement {
  verdict outcome = verdict::undecided;
  std::int64_t judged = 0;  // comparisons that were decided
  std::int64_t undecided =
      0;  // comparisons whose bound accepts too much, or that the reference cannot decide
  std::int64_t out_of_domain = 0;  // rows in which a stage of the contract overflows
  std::int64_t differences = 0;    // bits that differ within the bound, where the contract could
                                   // promise that they do not: worth knowing, never a failure
  std::int64_t rows = 0;           // rows looked at
  // Of comparisons whose bound has a scale (the hull of v; 1 for a log or a sum of weights): how
  // many, and the sum of bound / scale, at most 1 each: what the contract forgives.
  std::int64_t scaled = 0;
  double share_sum = 0;
  double worst_ratio = 0;
  std::optional<observation> worst;  // the comparison with the largest ratio
  std::string reason;                // for unsupported, misbehaved and skipped

  // Takes one decided comparison into account.
  void add(const observation&);
  // Takes all that another looked at into account.
  void add(const judgement&);
};

// Undecided: the machine can't pose the problem, which is nothing against the subject.
judgement skipped(std::string reason);
judgement unsupported(std::string reason);
judgement misbehaved(std::string reason);
judgement crashed(std::string reason);
judgement timed_out(std::string reason);

}  // namespace attest
