// An array of rank 4 of any number, in row-major order: what goes with a tensor, element by
// element.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "reference/tensors/tensor.h"

namespace attest {

template <class T>
class array4 {
 public:
  array4() = default;  // without an element
  explicit array4(const index4& sizes)
      : sizes_(sizes),
        values_(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2] * sizes[3]), zero()) {}

  const index4& sizes() const { return sizes_; }
  const std::vector<T>& values() const { return values_; }
  bool empty() const { return values_.empty(); }

  const T& at(const index4& i) const { return values_[place_of(i)]; }
  const T& at(std::int64_t b, std::int64_t h, std::int64_t l, std::int64_t d) const {
    return at(index4{b, h, l, d});
  }
  void set(const index4& i, const T& x) { values_[place_of(i)] = x; }
  void add(const index4& i, const T& x) {
    T& sum = values_[place_of(i)];
    sum = T(sum + x);
  }

 private:
  static T zero() {
    if constexpr (std::is_aggregate_v<T>)
      return T{};
    else
      return T(0);
  }
  std::size_t place_of(const index4& i) const {
    return static_cast<std::size_t>(((i[0] * sizes_[1] + i[1]) * sizes_[2] + i[2]) * sizes_[3] +
                                    i[3]);
  }

  index4 sizes_{};
  std::vector<T> values_;
};

}  // namespace attest
