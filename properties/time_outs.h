// When a subject that gives no answer in time is given up.
#pragma once

#include <string>

#include "properties/subject.h"
#include "reference/input_error.h"

namespace attest {

// Thrown in place of a call: the subject is not asked any more.
class not_asked : public input_error {
 public:
  using input_error::input_error;
};

// Each costs the whole time limit, and there may be thousands of problems.
inline constexpr int most_time_outs_in_a_row = 3;

class time_outs {
 public:
  void count(answer_status status) {
    in_a_row_ = status == answer_status::timed_out ? in_a_row_ + 1 : 0;
  }
  // Error: not_asked after most_time_outs_in_a_row.
  void require_fewer() const {
    if (in_a_row_ >= most_time_outs_in_a_row)
      throw not_asked("the subject was not asked any more, as " +
                      std::to_string(most_time_outs_in_a_row) +
                      " calls in a row ran out of time (--timeout)");
  }

 private:
  int in_a_row_ = 0;
};

}  // namespace attest
