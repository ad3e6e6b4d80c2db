// Running the program as a user does: words in, two texts and a status out.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace attest {

struct finished_program {
  int status = -1;  // of exit; 128 + the signal that ended it
  std::string out;
  std::string err;
};

// Runs `attest WORDS...` to its end. The words are passed as they are: no shell reads them.
finished_program run_attest(const std::vector<std::string>& words);

// The same, begun and not yet waited for. One at a time.
class running_program {
 public:
  explicit running_program(const std::vector<std::string>& words);
  pid_t id() const { return id_; }
  finished_program finish();

 private:
  pid_t id_ = 0;
};

// A folder of this process, removed at its end. Result: a path in it.
std::string scratch_file(const std::string& name);

std::string contents_of(const std::string& path);
void write_contents(const std::string& path, const std::string& bytes);

}  // namespace attest
