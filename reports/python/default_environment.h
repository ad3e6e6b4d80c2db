// The floating-point environment that proofs rest on, whatever the calling program has set.
#pragma once

#include <cfenv>

namespace attest {

// While one is alive: round to nearest, subnormals kept. Afterwards all is as it was.
class default_environment {
 public:
  default_environment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  default_environment(const default_environment&) = delete;
  default_environment& operator=(const default_environment&) = delete;
  ~default_environment() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
};

}  // namespace attest
