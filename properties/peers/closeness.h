// How near an output is to a reference, in the ways that test suites measure it.
// Shapes: both arrays have the same length. Differences, sums and products are those of double, in
// the order of the elements. NaN and infinities go through them as IEEE 754 says.
#pragma once

#include <span>

namespace attest {

using numbers = std::span<const double>;

struct tolerance {
  double absolute = 0;
  double relative = 0;
};

enum class nan_pairs : bool { differ, agree };

// Computes: whether |x - y| <= absolute + relative |y| for every element.
// Special: equal infinities are close; NaN is close to nothing, unless pairs of NaN agree.
bool all_close(numbers x, numbers y, const tolerance&, nan_pairs = nan_pairs::differ);

// Computes: max |x - y|; 0 of nothing. Special: NaN where any difference is NaN.
double largest_error(numbers x, numbers y);

// Computes: sum |x - y| / n. Domain: n > 0.
double mean_error(numbers x, numbers y);

// Computes: sum (x - y)^2 / n. Domain: n > 0.
double mean_square_error(numbers x, numbers y);

// Computes: sum x y / max(|x| |y|, 1e-8), with the Euclidean norms.
double cosine_similarity(numbers x, numbers y);

}  // namespace attest
