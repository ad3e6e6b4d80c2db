// A Python callable as a subject.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "properties/subject.h"
#include "reports/python/caller_thread.h"

namespace attest {

// What a caller says of a callable.
struct callable_declaration {
  std::string name;      // "kernel:attention"
  std::string features;  // as parse_feature_set reads it
  std::string inputs;    // formats, comma-separated; empty: that of the contract, or f32
  std::string contract;  // a preset, a .json file, JSON text; empty: the default of each format
  std::string profile;   // empty: the default one
};

// Error: input_error for what is not known or does not fit together.
subject_info describe(const callable_declaration&);

// The handler takes a dict of one call (attest/call.py) and returns (status, message): "answered",
// "unsupported" or "misbehaved".
class callable_subject : public subject {
 public:
  // Domain: the handler outlives the subject, which may end on a thread without the GIL.
  callable_subject(pybind11::handle handler, subject_info, caller_thread&);

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return false; }
  answer_outcome answer(problem&, tensor& o, tensor* lse) override;

 private:
  answer_outcome answer_with_gil(problem&, tensor& o, tensor* lse) const;

  pybind11::handle handler_;
  subject_info info_;
  caller_thread& caller_;
};

}  // namespace attest
