// Running the program as a user does: words in, two texts and a status out.
#pragma once

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

// A folder of this process, removed at its end. Result: a path in it.
std::string scratch_file(const std::string& name);

std::string contents_of(const std::string& path);
void write_contents(const std::string& path, const std::string& bytes);

}  // namespace attest
