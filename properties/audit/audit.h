// Is the judge right? Correct evaluations that are as unlucky as their contract allows are put to
// it: none may be violated (soundness), and some must come near the bound (tightness).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "derivation/unlucky/evaluation_plan.h"
#include "properties/judge.h"

namespace attest {

struct audit_options {
  std::uint64_t seed = 0;
  std::int64_t evaluations =
      200;  // at least so many, each of several rows of one problem by one plan
  std::int64_t elements = 20000;  // at least so many decided outputs
};

// The element that came nearest to its bound, or went beyond it.
struct nearest_miss {
  double ratio = 0;  // error / bound
  double share = 0;  // bound / hull
  double observed = 0, expected = 0;
  std::string problem;
  std::string where;
  std::string plan;

  friend bool operator==(const nearest_miss&, const nearest_miss&) = default;
};

// Judged elements of one tensor.
struct audited_elements {
  std::int64_t decided = 0;
  std::int64_t undecided = 0;          // their bound says too little; it was kept all the same
  std::int64_t violated = 0;           // beyond the bound: it is wrong
  std::int64_t improbable = 0;         // beyond the likely bound, where roundings were random
  nearest_miss nearest;                // of decided and violated ones
  std::map<int, std::int64_t> shares;  // elements with bound / hull in [2^(k-1), 2^k)

  // Computes: the power of two below which half of the bounds lie, as shares of the hull.
  double median_share() const;
};

struct audit_result {
  const contract* keeps = nullptr;  // what was evaluated
  std::int64_t problems = 0;
  std::int64_t evaluations = 0;
  bool interrupted = false;        // before there were enough of both
  std::int64_t rows = 0;           // each time that one was evaluated
  std::int64_t out_of_domain = 0;  // of these
  audited_elements output, lse;
  std::map<std::string, std::int64_t> regimes, groups, pressures,
      orders;  // decided outputs of each

  bool sound() const { return output.violated + lse.violated == 0; }
};

// The least ratio that some element must reach for the bound to be called tight.
double least_tightness(const contract&);

// Told how many of how many outputs are decided. Result: whether to go on.
using audit_progress = std::function<bool(std::int64_t done, std::int64_t of)>;

// Computes: evaluations that keep one contract, judged by another: the same, unless the judge
// itself is tried. Result: the same for any number of threads, as far as it was told to go.
audit_result audit_contract(const contract& keeps, const contract& judged_by, const audit_options&,
                            const audit_progress& = {});

}  // namespace attest
