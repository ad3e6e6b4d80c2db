// Which arithmetic a subject's answers are consistent with: the tightest preset that it satisfies,
// what speaks against tighter ones, and which fields could be declared more tightly still. It
// explains; it changes no verdict, and a person decides what is declared.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "properties/subject.h"

namespace attest {

// How a contract fares against the answers.
struct contract_trial {
  contract tried;
  double worst_ratio = 0;   // error / bound; over 1 it is refuted
  std::string problem;      // where that was met, as a problem line
  std::string place;        // "o[b=0,h=1,i=2,d=3]"
  double mean_share = 0;    // of bound / hull over all elements: how loose it is
  std::int64_t judged = 0;  // elements

  bool holds() const { return worst_ratio <= 1; }
};

// A field with two values, and the worst ratio of the contract that was tried.
struct field_trial {
  std::string field;  // as in reference/contract/fields.h
  std::string from, to;
  double worst_ratio = 0;
};

// What was found for one format of inputs.
struct inference {
  const format* inputs = nullptr;
  std::vector<contract_trial> presets;  // the tightest first
  std::optional<std::size_t> tightest;  // the first that holds
  // The fields of it without which it fails, each with the value of the next tighter preset and the
  // worst ratio that this value gives.
  std::vector<field_trial> explanation;
  std::vector<field_trial> tightened;  // fields that can be declared more tightly than in it
  contract proposal;                   // the preset with those fields
};

struct infer_settings {
  std::uint64_t seed = 0;
  int problems = 84;  // a format, each regime equally often
};

// Told how many of how many steps are done; returns false to stop.
using infer_progress = std::function<bool(std::int64_t done, std::int64_t of)>;

// A tightened field keeps a margin: the worst ratio stays below this, or, where the preset's is
// larger already, in the lower half of what is left.
inline constexpr double inferred_margin = 0.5;

// Result: one entry for each format of inputs that the subject declares; fewer where it was
// stopped. Error: input_error when the subject misbehaves.
std::vector<inference> infer_contracts(subject&, const infer_settings&, const infer_progress&);

}  // namespace attest
