// Why a call that is well-formed can't be judged.
#pragma once

#include <stdexcept>

namespace attest {

// Says what it is that is not taken: "an index that depends on the scores".
class not_taken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace attest
