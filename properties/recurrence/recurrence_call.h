// A problem of linear attention in the form of its plugin ABI.
#pragma once

#include <array>

#include "properties/plugin/call_tensor.h"
#include "properties/plugin/recurrence_tensors.h"
#include "properties/recurrence/recurrence_problem.h"

namespace attest {

// Points into the problem and the buffers, which must outlive it.
class recurrence_call {
 public:
  recurrence_call(recurrence_problem&, tensor& o, tensor* state);
  recurrence_call(const recurrence_call&) = delete;
  recurrence_call& operator=(const recurrence_call&) = delete;

  const attest_recurrence& numbers() const { return numbers_; }
  const std::array<call_tensor, recurrence_roles>& tensors() const { return tensors_; }

 private:
  void show(recurrence_role, tensor&);
  void show(recurrence_role, std::optional<tensor>&);

  std::array<call_tensor, recurrence_roles> tensors_;
  attest_recurrence numbers_{};
};

}  // namespace attest
