// What a call may change of the process around it and should not.
#pragma once

#include <sys/stat.h>

#include <csignal>
#include <cstdint>
#include <string>

namespace attest::host {

class surroundings {
 public:
  surroundings();  // as they are now
  // Result: bits of wire::left_behind; what was changed is put back where that can be done.
  std::uint32_t changes();

 private:
  bool signal_mask_changed() const;
  bool folder_changed() const;
  bool locale_changed() const;

  sigset_t mask_{};
  struct stat folder_ {};
  int folder_line_ = -1;
  std::string locale_;
  bool keeps_processes_ = false;  // it started some when it was loaded, which is its own affair
};

}  // namespace attest::host
