// An array of rank 4 of any number, dense and row-major.
#pragma once

#include <cstddef>
#include <vector>

#include "reference/tensors/tensor.h"

namespace attest {

// An axis of size 1 is shared: every index along it names the same element, so that adding to the
// array sums over that axis.
template <class T>
class number_array {
 public:
  number_array() = default;
  explicit number_array(const index4& sizes)
      : sizes_(sizes),
        each_(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2] * sizes[3]), T(0)) {}

  const index4& sizes() const { return sizes_; }
  bool empty() const { return each_.empty(); }
  T& at(const index4& i) { return each_[place_of(i)]; }
  const T& at(const index4& i) const { return each_[place_of(i)]; }
  void add(const index4& i, const T& x) { at(i) = at(i) + x; }

 private:
  std::size_t place_of(const index4& i) const {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < 4; ++axis)
      place = place * sizes_[axis] + (sizes_[axis] == 1 ? 0 : i[axis]);
    return static_cast<std::size_t>(place);
  }

  index4 sizes_{};
  std::vector<T> each_;
};

}  // namespace attest
