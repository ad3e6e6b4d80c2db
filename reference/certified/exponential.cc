#include "reference/certified/exponential.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/certified/exponential.cc"
#include <hwy/foreach_target.h>  // before highway.h

#include <algorithm>

#include "reference/certified/exponential-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

// Lanes for the last numbers, which may not fill a vector. (MaskedLoad may want an aligned
// address.)
struct part_of_vector {
  alignas(64) double lane[hn::MaxLanes(lanes())] = {};
};

// The numbers from `first` on, 0 beyond the last.
HWY_INLINE vector load(const double* x, std::size_t first, std::size_t n) {
  const lanes d;
  if (first + hn::Lanes(d) <= n) return hn::LoadU(d, x + first);
  part_of_vector part;
  std::copy(x + first, x + n, part.lane);
  return hn::Load(d, part.lane);
}

HWY_INLINE void store(vector v, double* x, std::size_t first, std::size_t n) {
  const lanes d;
  if (first + hn::Lanes(d) <= n) return hn::StoreU(v, d, x + first);
  part_of_vector part;
  hn::Store(v, d, part.lane);
  std::copy(part.lane, part.lane + (n - first), x + first);
}

void exponentials_of(const double* hi, const double* lo, std::size_t n, double* fraction_hi,
                     double* fraction_lo, double* power) {
  for (std::size_t i = 0; i < n; i += hn::Lanes(lanes())) {
    const exponentials e = exponential({load(hi, i, n), load(lo, i, n)});
    store(e.fraction.hi, fraction_hi, i, n);
    store(e.fraction.lo, fraction_lo, i, n);
    store(e.power, power, i, n);
  }
}

void tanhs_of(const double* hi, const double* lo, std::size_t n, double* tanh_hi, double* tanh_lo) {
  for (std::size_t i = 0; i < n; i += hn::Lanes(lanes())) {
    const double_doubles y = tanh_of({load(hi, i, n), load(lo, i, n)});
    store(y.hi, tanh_hi, i, n);
    store(y.lo, tanh_lo, i, n);
  }
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attest {

HWY_EXPORT(exponentials_of);
HWY_EXPORT(tanhs_of);

void exponentials_of(const double* hi, const double* lo, std::size_t n, double* fraction_hi,
                     double* fraction_lo, double* power) {
  HWY_DYNAMIC_DISPATCH(exponentials_of)(hi, lo, n, fraction_hi, fraction_lo, power);
}

void tanhs_of(const double* hi, const double* lo, std::size_t n, double* tanh_hi, double* tanh_lo) {
  HWY_DYNAMIC_DISPATCH(tanhs_of)(hi, lo, n, tanh_hi, tanh_lo);
}

}  // namespace attest
#endif
