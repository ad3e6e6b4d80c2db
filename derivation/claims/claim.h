// A claim: one step of the derivation, about the definition, as data and a check; and what checking
// it found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// Strongest first.
enum class evidence_kind : std::uint8_t {
  exact,        // integers, rationals, enumeration, identities, counts
  rigorous,     // an enclosure contains or excludes a value
  digits,       // two multiprecision evaluations agree to n digits
  statistical,  // sampled, with a stated false-alarm probability
  refuted,      // a common belief, shown false by a counterexample
  cited,        // the empirical statement of a paper; not checkable
};

struct evidence_table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as columns
  bool heatmap = false;  // the cells after the first are numbers in [0, 1], to be shaded
  std::optional<std::size_t> marked;  // a row to point at
};

// An assumption broken on purpose, which the check must notice.
struct negative_control {
  std::string broken;     // what was changed, as a clause
  std::string seen;       // what the check then saw
  bool detected = false;  // whether the check failed, as it must
};

struct evidence {
  bool holds = false;
  std::vector<std::string> lines;
  std::vector<evidence_table> tables;
  std::vector<negative_control> controls;
};

struct claim {
  std::string_view id;           // as its file
  std::string_view section;      // the subfolder of claims/ it lives in
  std::string_view statement;    // one sentence; of a refuted claim, the belief
  std::string_view assumptions;  // empty: none
  evidence_kind kind;
  std::string_view source;  // the steps of the definition it is about, and who says so
  evidence (*check)();      // nullptr: cited
};

enum class claim_verdict : std::uint8_t {
  holds,
  fails,
  blind,  // holds, but so it does with an assumption broken: the check proves nothing
  cited,
};

struct claim_result {
  const claim* about = nullptr;
  evidence found;

  claim_verdict verdict() const;
  // Whether nothing is wrong: it holds, or is only cited.
  bool passed() const;
};

std::string_view name_of(evidence_kind);
std::string_view name_of(claim_verdict);

claim_result check_claim(const claim&);

}  // namespace attest
