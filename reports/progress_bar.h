// Progress of long work on stderr, where that is a terminal.
#pragma once

#include <cstdint>
#include <string>

namespace attest {

class progress_bar {
 public:
  // Shown as "WHAT [####......] 104 of 260 UNIT".
  progress_bar(std::string what, std::string unit);
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  // Wipes the line.
  ~progress_bar();

  // Shows how much is done. One thread at a time.
  void operator()(std::int64_t done, std::int64_t of);

 private:
  std::string what_, unit_;
  bool visible_;
  int shown_percent_ = -1;
};

}  // namespace attest
