// An implementation of linear attention under test. It has one operation: answer a problem into
// buffers that the runner owns.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "properties/recurrence/recurrence_problem.h"
#include "properties/subject.h"

namespace attest {

struct recurrence_info {
  subject_info about;  // its own features and profile are left empty: they are attention's
  recurrence_features features;
};

class recurrence_subject {
 public:
  recurrence_subject() = default;
  recurrence_subject(const recurrence_subject&) = delete;
  recurrence_subject& operator=(const recurrence_subject&) = delete;
  virtual ~recurrence_subject() = default;

  virtual const recurrence_info& info() const = 0;
  // Writes every element of o, and of state where it is given.
  virtual answer_outcome answer(recurrence_problem&, tensor& o, tensor* state) = 0;
};

// What a caller says in place of the subject: a contract's name or file, and how it is run. A
// plugin is always run in a process of its own.
struct recurrence_declarations {
  std::string contract;
  isolation run;
};

// Opens "exec:COMMAND LINE" or "PATH.so[:NAME]".
// Error: input_error when there is no such subject, or it keeps neither attest_recurrence.h nor the
// protocol of commands, for a contract that is not known, or one that is about other inputs.
std::unique_ptr<recurrence_subject> open_recurrence(std::string_view address,
                                                    const recurrence_declarations& = {});

std::unique_ptr<recurrence_subject> open_recurrence_plugin(std::string_view address,
                                                           const isolation&);
std::unique_ptr<recurrence_subject> open_recurrence_command(std::string_view command,
                                                            const isolation&);

}  // namespace attest
