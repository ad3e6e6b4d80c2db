#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

enum stream : std::uint64_t { doubled_keys = 576 };

constexpr double log_2 = 0.6931471805599453;
constexpr unsigned key_axis = 0b1000;

// Positions would tell a key from its copy; a bias inside the cap does not add to the score; sums
// of twice as many values may overflow.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!subject.features.has(feature::cross_lengths)) return std::nullopt;
  if (spec.bias_axes) *spec.bias_axes |= key_axis;
  if (find_profile(subject.profile).caps_bias()) spec.soft_cap = 0;
  if (spec.regime == value_regime::near_overflow) spec.regime = value_regime::normal;
  return spec;
}

using key_list = std::vector<std::int64_t>;

// Every key, some of them twice in a row: half of them where a bias can make up for it, else all.
key_list with_copies(const problem& p, std::uint64_t seed) {
  key_list keys;
  for (std::int64_t key = 0; key < p.dims.keys; ++key) {
    keys.push_back(key);
    if (!p.bias || random_below(seed, doubled_keys, static_cast<std::uint64_t>(key), 2) == 0)
      keys.push_back(key);
  }
  return keys;
}

tensor taken(const tensor& t, const key_list& keys, layout placed) {
  index4 sizes = t.sizes();
  sizes[2] = static_cast<std::int64_t>(keys.size());
  tensor result(t.element(), place(placed, sizes), 0);
  for_each_index(sizes, [&](const index4& i) {
    result.set(i, t.at({i[0], i[1], keys[static_cast<std::size_t>(i[2])], i[3]}));
  });
  return result;
}

// The problem with these keys in place of its own.
problem taken(const problem& p, const key_list& keys, layout placed) {
  problem other = p;
  other.dims.keys = static_cast<std::int64_t>(keys.size());
  other.k = taken(p.k, keys, placed);
  other.v = taken(p.v, keys, placed);
  const placement dense = broadcast(other.dims.score_sizes(), every_axis);
  if (p.mask) other.mask = boolean_tensor(dense);
  if (p.bias) other.bias = tensor(p.bias->element(), dense, 0);
  for_each_index(other.dims.score_sizes(), [&](const index4& i) {
    const index4 origin{i[0], i[1], i[2], keys[static_cast<std::size_t>(i[3])]};
    if (p.mask) other.mask->set(i, p.mask->at(origin));
    if (p.bias) other.bias->set(i, p.bias->at(origin));
  });
  other.key_segments.clear();
  for (std::int64_t b = 0; b < p.dims.batch && !p.key_segments.empty(); ++b)
    for (const std::int64_t key : keys)
      other.key_segments.push_back(p.key_segments[static_cast<std::size_t>(b * p.dims.keys + key)]);
  for (std::int64_t& length : other.lengths)
    length = std::lower_bound(keys.begin(), keys.end(), length) - keys.begin();
  return other;
}

// A logit with log 2 added to it, and how far rounding leaves it from there.
struct raised {
  double value, error;

  raised(const format& f, double x) : value(round_to(f, {}, x + log_2)) {
    error = std::fabs((value - x) - log_2) + 0x1p-51 * (std::fabs(x) + 1);
  }
};

// log 2 on the bias of every key that comes twice. Result: the largest error of a logit.
double raise_biases(problem& p, const key_list& keys) {
  double error = 0;
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    const auto copies = std::count(keys.begin(), keys.end(), i[3]);
    if (copies == 1 || !std::isfinite(p.bias->at(i))) return;
    const raised bias(p.bias->element(), p.bias->at(i));
    p.bias->set(i, bias.value);
    error = std::max(error, bias.error);
  });
  return error;
}

double raise_sinks(problem& p) {
  double error = 0;
  for (double& sink : p.sink) {
    const raised moved(side_format(p.q.element()), sink);
    sink = moved.value;
    error = std::max(error, moved.error);
  }
  return error;
}

// Some keys twice, against log 2 on their bias.
judgement judge_some(const problem& p, const key_list& keys, layout placed, examiner& subject) {
  problem biased = p;
  const placement dense = broadcast(p.dims.score_sizes(), every_axis);
  biased.bias = tensor(p.bias->element(), dense, 0);
  for_each_index(p.dims.score_sizes(),
                 [&](const index4& i) { biased.bias->set(i, p.bias->at(i)); });
  const double error = raise_biases(biased, keys);
  return judge_pair(biased, taken(p, keys, placed), subject,
                    "answer with keys doubled in place of log 2 on their bias",
                    [&](const row_index&) {
                      return known_change{0, error};
                    });
}

// All keys twice: lse moves by log 2, and a sink has to move along.
judgement judge_all(const problem& p, const key_list& keys, layout placed, examiner& subject) {
  problem doubled = taken(p, keys, placed);
  const double error = std::max(raise_sinks(doubled), 0x1p-53);
  return judge_pair(p, doubled, subject, "answer with every key doubled", [&](const row_index&) {
    return known_change{log_2, error};
  });
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = materialise(spec);
  const key_list keys = with_copies(p, spec.seed);
  return p.bias ? judge_some(p, keys, spec.placed, subject)
                : judge_all(p, keys, spec.placed, subject);
}

constexpr feature_set admitted =
    feature_set::all().without(positional_features).without(feature::dropout);

}  // namespace

const property duplicated_key_adds_log_2{
    .name = "duplicated_key_adds_log_2",
    .theme = "weights",
    .statement =
        "A key that comes twice counts as once with log 2 on its score; all keys twice "
        "leave the output and add log 2 to lse.",
    .method =
        "Half of the keys are copied, against log 2 on their bias; without a bias all keys are, "
        "against the problem itself.",
    .bound =
        "the sum of forward_bound of both problems, and what the rounding of log 2 in the bias "
        "or the sink moves",
    .proof = "derivation/bounds/probes.md#pairs",
    .claim = "exp_law",
    .needs = "no positions; any number of keys",
    .catches =
        "equal keys taken for one, dropped remainders, a normaliser that counts distinct keys, "
        "lse in another base, a bias that is scaled",
    .admits = admitted,
    .groups = admitted.without(feature::lse),
    .base_problems = 4,
    .scorers = scorers_without_positions,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
