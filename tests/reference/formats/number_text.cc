#include "tests/reference/formats/number_text.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace attest {

bool is_same_number(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::string number_text(double x) {
  char text[80];
  std::snprintf(text, sizeof text, "%a (%.9g)", x, x);
  return text;
}

std::string rounding_text(rounding how) {
  const char* const modes[] = {"nearest_even", "up", "down", "to_zero", "stochastic"};
  std::string text = modes[static_cast<int>(how.mode)];
  if (how.subnormals == subnormal_mode::flushed) text += ", flushed";
  if (how.overflow == overflow_mode::saturate) text += ", saturate";
  return text;
}

const std::vector<rounding_mode>& deterministic_modes() {
  static const std::vector<rounding_mode> modes{rounding_mode::nearest_even, rounding_mode::up,
                                                rounding_mode::down, rounding_mode::to_zero};
  return modes;
}

static std::vector<rounding> every_combination() {
  std::vector<rounding> all;
  for (const rounding_mode mode : deterministic_modes())
    for (const auto subnormals : {subnormal_mode::kept, subnormal_mode::flushed})
      for (const auto overflow : {overflow_mode::to_infinity, overflow_mode::saturate})
        all.push_back({mode, subnormals, overflow});
  return all;
}

const std::vector<rounding>& deterministic_roundings() {
  static const std::vector<rounding> all = every_combination();
  return all;
}

}  // namespace attest
