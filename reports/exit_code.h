// What the program's exit status says.
#pragma once

namespace attest {

enum exit_code : int {
  all_hold = 0,
  something_failed = 1,  // violated, improbable, crashed, timed out or misbehaved
  bad_usage = 2,         // usage or input
  not_judged = 3,        // nothing failed, but something required was not judged
};

}  // namespace attest
