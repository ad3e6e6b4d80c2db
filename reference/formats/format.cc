#include "reference/formats/format.h"

namespace attest {

const format* find_format(std::string_view name) {
  for (const format* f : all_formats)
    if (f->name == name) return f;
  return nullptr;
}

double unit_roundoff(const format& f) { return power_of_two(-f.precision); }

double largest_finite(const format& f) {
  const int lost_to_nan = f.kind == specials::nan_only ? 2 : 1;
  const std::int64_t significand = (std::int64_t{1} << f.precision) - lost_to_nan;
  return static_cast<double>(significand) * power_of_two(f.max_exponent - f.precision + 1);
}

double smallest_normal(const format& f) { return power_of_two(f.min_exponent); }

double smallest_subnormal(const format& f) {
  return power_of_two(f.min_exponent - f.precision + 1);
}

}  // namespace attest
