// Progress of long work on stderr, where that is a terminal, and a polite stop on Ctrl-C.
#pragma once

#include <cstdint>
#include <string>

namespace attest {

// While one is alive, SIGINT asks for a stop instead of ending the program; a second one ends it.
class progress_meter {
 public:
  explicit progress_meter(std::string what);
  progress_meter(const progress_meter&) = delete;
  progress_meter& operator=(const progress_meter&) = delete;
  ~progress_meter();

  // Shows how much is done. Result: whether to go on.
  bool operator()(std::int64_t done, std::int64_t of);

 private:
  std::string what_;
  bool visible_;
  int shown_percent_ = -1;
};

}  // namespace attest
