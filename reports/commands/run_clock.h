// When a run started, how long it took, and where.
#pragma once

#include <chrono>
#include <string>

#include "reports/report.h"

namespace attest {

// Runs from its construction.
class run_clock {
 public:
  run_clock();

  // Computes: what a report says of the run up to now.
  run_block block() const;

 private:
  std::string started_;  // UTC, ISO 8601
  std::chrono::steady_clock::time_point start_;
};

}  // namespace attest
