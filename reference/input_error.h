// The one exception type for bad input from outside.
#pragma once

#include <stdexcept>

namespace attest {

// Says what was given, what is allowed and where. Caught in main only: one line on stderr, exit
// code 2.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace attest
