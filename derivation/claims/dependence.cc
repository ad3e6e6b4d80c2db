#include "derivation/claims/dependence.h"

#include <algorithm>
#include <iterator>

namespace attest {

dependence::dependence(double x) {
  if (x >= static_cast<double>(first_label)) labels_ = {static_cast<std::int64_t>(x)};
}

dependence join(const dependence& x, const dependence& y) {
  std::vector<std::int64_t> both;
  std::set_union(x.labels().begin(), x.labels().end(), y.labels().begin(), y.labels().end(),
                 std::back_inserter(both));
  return dependence(std::move(both));
}

}  // namespace attest
