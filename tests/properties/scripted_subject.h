// A subject that does what a test tells it to.
#pragma once

#include <functional>

#include "properties/subject.h"
#include "reference/backends/backend.h"

namespace attest {

class scripted_subject : public subject {
 public:
  using script = std::function<answer_outcome(problem&, tensor& o, tensor* lse)>;

  // The script starts as the right answer, by the backend "float32".
  explicit scripted_subject(feature_set features = feature_set::all(), bool concurrent = true)
      : concurrent_(concurrent) {
    info_.features = features;
  }

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return concurrent_; }
  answer_outcome answer(problem& p, tensor& o, tensor* lse) override { return script_(p, o, lse); }

  // What it does from now on.
  void does(script s) { script_ = std::move(s); }
  subject_info& declares() { return info_; }

  static answer_outcome answer_rightly(problem& p, tensor& o, tensor* lse) {
    static const backend right = find_backend("float32");
    right.evaluate(right, p, o, lse);
    return {};
  }

 private:
  bool concurrent_;
  subject_info info_{"scripted", "scripted", "1", {}, {&f32}, "attest", {}};
  script script_ = answer_rightly;
};

}  // namespace attest
