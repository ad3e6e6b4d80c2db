// Progress of long work, and a polite stop on Ctrl-C.
#pragma once

#include <cstdint>
#include <string>

#include "reports/progress_bar.h"

namespace attest {

// While one is alive, SIGINT asks for a stop instead of ending the program; a second one ends it.
class progress_meter {
 public:
  // Shown as progress_bar does.
  explicit progress_meter(std::string what, std::string unit = "problems");
  progress_meter(const progress_meter&) = delete;
  progress_meter& operator=(const progress_meter&) = delete;
  ~progress_meter();

  // Shows how much is done. Result: whether to go on.
  bool operator()(std::int64_t done, std::int64_t of);

 private:
  progress_bar bar_;
};

}  // namespace attest
