// A private folder for the files of a run, which does not outlive it.
#pragma once

#include <string>

#include "properties/process/child_process.h"

namespace attest {

// Named attest-XXXXXX, in the folder that TMPDIR names or in /tmp; only its owner can enter it. It
// goes with this object, or when SIGINT, SIGTERM or SIGHUP ends the program where these were left
// as they are by default. A run that is killed leaves its folder, with a lock that nobody holds:
// the next one removes it.
class temporary_folder {
 public:
  // Error: input_error where it can't be made.
  temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder();

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  descriptor lock_;  // of the file "lock" in it
};

}  // namespace attest
