// The floating-point environment around foreign code.
#pragma once

#include <cfenv>
#include <cstdint>

namespace attest {

// What a call may leave behind: bits of a set.
enum environment_change : std::uint32_t {
  other_rounding = 1,
  flushed_subnormals = 2,
  other_precision = 4,  // of the x87 unit
  trapping = 8,
};

// Puts back, when it goes, the environment that was there when it came: foreign code may leave
// flush-to-zero or another rounding mode behind, at load time too.
class float_environment {
 public:
  float_environment() { std::fegetenv(&kept_); }
  float_environment(const float_environment&) = delete;
  float_environment& operator=(const float_environment&) = delete;
  ~float_environment() { std::fesetenv(&kept_); }

 private:
  std::fenv_t kept_;
};

// Result: in what the environment differs from the one that a program starts with, seen by
// computing in it. The calling conventions of x86-64 and AArch64 have a function leave it as it
// was.
std::uint32_t environment_changes();

}  // namespace attest
