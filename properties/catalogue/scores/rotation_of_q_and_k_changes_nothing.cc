#include <array>
#include <numeric>
#include <vector>

#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { permuted_coordinates = 448, signs };

std::optional<problem_spec> adapt(problem_spec spec, const subject_info&) {
  if (spec.regime == value_regime::near_overflow || spec.regime == value_regime::subnormal)
    spec.regime = value_regime::exact;
  return spec;
}

// An orthogonal map that is exact in every format.
using rotation = std::vector<double> (*)(const std::vector<double>&, std::uint64_t seed);

// Coordinates change places and signs (Fisher and Yates).
std::vector<double> permute_with_signs(const std::vector<double>& x, std::uint64_t seed) {
  std::vector<double> y = x;
  for (std::uint64_t n = y.size(); n > 1; --n)
    std::swap(y[n - 1], y[random_below(seed, permuted_coordinates, n, n)]);
  for (std::uint64_t n = 0; n < y.size(); ++n)
    if (random_below(seed, signs, n, 2) == 0) y[n] = -y[n];
  return y;
}

// Half the Hadamard matrix on each four coordinates: exact on -1, 0 and 1.
std::vector<double> mix_by_fours(const std::vector<double>& x, std::uint64_t) {
  std::vector<double> y;
  for (std::size_t n = 0; n < x.size(); n += 4) {
    const double a = x[n] + x[n + 1], b = x[n] - x[n + 1];
    const double c = x[n + 2] + x[n + 3], d = x[n + 2] - x[n + 3];
    for (double sum : {a + c, b + d, a - c, b - d}) y.push_back(sum / 2);
  }
  return y;
}

rotation rotation_of(const problem_spec& spec) {
  const bool small_integers = spec.regime == value_regime::exact;
  return small_integers && spec.dims.width % 4 == 0 ? mix_by_fours : permute_with_signs;
}

tensor rotated(const tensor& t, rotation rotate, std::uint64_t seed) {
  tensor result = t;
  const auto& [batch, heads, positions, width] = t.sizes();
  std::vector<double> x(static_cast<std::size_t>(width));
  for_each_index({batch, heads, positions, 1}, [&](const index4& i) {
    t.read(i[0], i[1], i[2], x);
    const std::vector<double> y = rotate(x, seed);
    for (std::size_t n = 0; n < y.size(); ++n)
      result.set({i[0], i[1], i[2], static_cast<std::int64_t>(n)}, y[n]);
  });
  return result;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  problem other = p;
  other.q = rotated(p.q, rotation_of(spec), spec.seed);
  other.k = rotated(p.k, rotation_of(spec), spec.seed);
  return judge_pair(p, other, subject, "answer after q and k were rotated together",
                    [](const row_index&) { return known_change{}; });
}

}  // namespace

const property rotation_of_q_and_k_changes_nothing{
    .name = "rotation_of_q_and_k_changes_nothing",
    .theme = "scores",
    .statement =
        "Q and K enter through their products only: the same orthogonal map on both changes "
        "nothing.",
    .method =
        "Coordinates of q and k change places and signs together; on small integers fours of "
        "them are mixed by half a Hadamard matrix. Both are exact in every format.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/probes.md#pairs",
    .claim = "bilinear",
    .needs = "nothing",
    .catches =
        "coordinates dropped, read twice or paired wrongly, tails of the width, a norm or an "
        "absolute value in place of the product, q and k that disagree in layout",
    .admits = feature_set::all(),
    .groups = feature_set::all().without(feature::lse),
    .base_problems = 4,
    .scorers = {scorer::scaled_dot, scorer::dot, scorer::cosine},
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
