// A floating-point format as data: what a number can be, not how it is computed with.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace attest {

// Which bit patterns are not finite numbers.
enum class specials : std::uint8_t {
  ieee,      // all-ones exponent: infinities and NaNs (f16, bf16, f32, f64, e5m2, IEEE-like e4m3)
  nan_only,  // "fn": no infinities, only the all-ones pattern of either sign is NaN (e4m3fn)
};

// A binary format: values are +-m 2^(e - precision + 1) with 0 <= m < 2^precision and
// min_exponent <= e <= max_exponent.
struct format {
  std::string_view name;
  int precision;     // significand bits, the hidden one included
  int min_exponent;  // of the smallest normal number, 2^min_exponent
  int max_exponent;  // of the largest finite binade
  specials kind;
  int storage_bits;  // of the encoding: 1 sign, then exponent, then precision - 1 fraction bits

  constexpr bool operator==(const format& other) const { return name == other.name; }
};

// Every format is a subset of f64, so a double carries any value of any of them exactly.
inline constexpr format f64{"f64", 53, -1022, 1023, specials::ieee, 64};
inline constexpr format f32{"f32", 24, -126, 127, specials::ieee, 32};
// Ten fraction bits in a 32-bit word (the low 13 bits are zero): storage is that of f32.
inline constexpr format tf32{"tf32", 11, -126, 127, specials::ieee, 32};
inline constexpr format f16{"f16", 11, -14, 15, specials::ieee, 16};
inline constexpr format bf16{"bf16", 8, -126, 127, specials::ieee, 16};
inline constexpr format f8_e4m3fn{"f8_e4m3fn", 4, -6, 8, specials::nan_only, 8};
inline constexpr format f8_e4m3{"f8_e4m3", 4, -6, 7, specials::ieee, 8};
inline constexpr format f8_e5m2{"f8_e5m2", 3, -14, 15, specials::ieee, 8};

inline constexpr const format* all_formats[] = {&f64,  &f32,       &tf32,    &f16,
                                                &bf16, &f8_e4m3fn, &f8_e4m3, &f8_e5m2};

// Computes: 2^exponent, exactly. Domain: -1074 <= exponent <= 1023.
constexpr double power_of_two(int exponent) {
  const bool normal = exponent >= -1022;
  return std::bit_cast<double>(normal ? static_cast<std::uint64_t>(exponent + 1023) << 52
                                      : std::uint64_t{1} << (exponent + 1074));
}

// Result: the format of that name, or nullptr.
const format* find_format(std::string_view name);

// Computes: half the distance from 1 to the next number, 2^-precision.
double unit_roundoff(const format&);
// Computes: the largest finite value. (e4m3fn: 448, as its all-ones significand is the NaN.)
double largest_finite(const format&);
double smallest_normal(const format&);
double smallest_subnormal(const format&);

}  // namespace attest
