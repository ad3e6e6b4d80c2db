#include "properties/onnx/ulp_histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/formats/ordinal.h"

namespace attest {
namespace {

constexpr std::string_view names[ulp_histogram::classes] = {"0",   "1",    "2",   "3-4",
                                                            "5-8", "9-16", ">16", "other class"};
constexpr std::size_t other_class = ulp_histogram::classes - 1;
constexpr std::int64_t largest_distances[] = {0, 1, 2, 4, 8, 16};

}  // namespace

std::span<const std::string_view, ulp_histogram::classes> ulp_histogram::class_names() {
  return names;
}

void ulp_histogram::add(const format& f, double stored, double correctly_rounded) {
  if (!std::isfinite(stored) || !std::isfinite(correctly_rounded)) {
    const bool same =
        std::isnan(stored) ? std::isnan(correctly_rounded) : stored == correctly_rounded;
    ++counts_[same ? 0 : other_class];
    return;
  }
  const std::int64_t distance = std::abs(ordinal(f, stored) - ordinal(f, correctly_rounded));
  const auto* within =
      std::lower_bound(std::begin(largest_distances), std::end(largest_distances), distance);
  ++counts_[static_cast<std::size_t>(within - std::begin(largest_distances))];
  worst_ = std::max(worst_, distance);
}

void ulp_histogram::add(const ulp_histogram& other) {
  for (std::size_t n = 0; n < classes; ++n) counts_[n] += other.counts_[n];
  worst_ = std::max(worst_, other.worst_);
}

std::int64_t ulp_histogram::elements() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

}  // namespace attest
