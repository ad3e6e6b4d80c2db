// A backend of the reference as a subject.
#include <algorithm>

#include "properties/subject.h"
#include "reference/backends/backend.h"
#include "reference/problems/page_pool.h"

namespace attest {
namespace {

class builtin_subject : public subject {
 public:
  explicit builtin_subject(std::string_view name) : backend_(find_backend(name)) {
    info_.address = "builtin:" + std::string(name);
    info_.name = backend_.name;
    info_.version = "built in";
    info_.features = feature_set::all();
    info_.inputs = backend_.inputs;
    info_.lse_is_optional = true;
    if (backend_.keeps != nullptr) info_.contracts.push_back(*backend_.keeps);
  }

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return true; }
  bool computes(const semantics& rules) const override { return backend_.computes(rules); }

  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    if (p.paged.page > 0)
      backend_.evaluate(backend_, read_from_pages(p, lay_in_pages(p)), o, lse);
    else
      backend_.evaluate(backend_, p, o, lse);
    return {};
  }

 private:
  backend backend_;
  subject_info info_;
};

}  // namespace

std::unique_ptr<subject> open_builtin(std::string_view name) {
  return std::make_unique<builtin_subject>(name);
}

}  // namespace attest
