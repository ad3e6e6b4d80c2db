// Compiled for F16C, alone: no other file's inline functions may be built with instructions a
// machine may lack.
#include "tests/reference/formats/f16c.h"

#include <cpuid.h>
#include <immintrin.h>

namespace attest {
namespace {

template <int Mode>
void convert(const float* from, std::uint16_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), Mode));
}

}  // namespace

// The avx test asks the operating system too, whether it keeps the wide registers.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 &&
         (c & bit_F16C) != 0;
}

void f16c_convert(const float* from, std::uint16_t* to, std::size_t count, rounding_mode mode) {
  if (mode == rounding_mode::nearest_even) convert<_MM_FROUND_TO_NEAREST_INT>(from, to, count);
  if (mode == rounding_mode::up) convert<_MM_FROUND_TO_POS_INF>(from, to, count);
  if (mode == rounding_mode::down) convert<_MM_FROUND_TO_NEG_INF>(from, to, count);
  if (mode == rounding_mode::to_zero) convert<_MM_FROUND_TO_ZERO>(from, to, count);
}

}  // namespace attest
