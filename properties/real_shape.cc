#include "properties/real_shape.h"

#include <algorithm>
#include <string>

#include "reference/input_error.h"
#include "reference/random.h"
#include "reference/text.h"

namespace attest {
namespace {

enum stream : std::uint64_t { seeds_of_problems = 304 };

constexpr std::string_view words[] = {"B", "Hq", "Hkv", "Lq", "Lk", "D", "Dv"};
constexpr int problems_of_a_shape = 4;
constexpr std::int64_t page_of_a_cache = 16;

feature_set needed_by(const shape& s) {
  feature_set needed;
  if (s.query_heads != s.kv_heads) needed = needed.with(feature::grouped_heads);
  if (s.queries != s.keys) needed = needed.with(feature::cross_lengths);
  if (s.width != s.value_width) needed = needed.with(feature::value_width);
  return needed;
}

void require_declared(const shape& s, const subject_info& subject) {
  const feature_set missing(needed_by(s).bits() & ~subject.features.bits());
  if (!missing.empty())
    throw input_error("the shape needs " + to_string(missing) + ", but " + subject.name +
                      " declares " + to_string(subject.features));
}

causal_anchor declared_anchor(const subject_info& subject) {
  if (subject.features.has(feature::causal_bottom_right)) return causal_anchor::bottom_right;
  return subject.features.has(feature::causal_top_left) ? causal_anchor::top_left
                                                        : causal_anchor::none;
}

problem_spec draw_one(const shape& dims, const subject_info& subject, const format& inputs, int n) {
  constexpr value_regime regimes[problems_of_a_shape] = {
      value_regime::normal, value_regime::outliers, value_regime::ascending,
      value_regime::large_scores};
  constexpr window half_open{1024, -1};
  problem_spec spec;
  spec.dims = dims;
  spec.inputs = &inputs;
  spec.profile = subject.profile;
  spec.regime = regimes[n % problems_of_a_shape];
  const auto asks = [&](int turn, feature f) {
    return n % problems_of_a_shape == turn && subject.features.has(f);
  };
  if (n % problems_of_a_shape == 1) spec.causal = declared_anchor(subject);
  if (asks(2, feature::window)) spec.sliding = half_open;
  spec.ragged = asks(2, feature::lengths);
  if (asks(2, feature::pages)) spec.page = page_of_a_cache;
  spec.sink = asks(3, feature::sink);
  if (asks(3, feature::soft_cap)) spec.soft_cap = 50;
  return spec;
}

}  // namespace

shape parse_shape(std::string_view text) {
  std::string line;
  for (std::string_view word : split(text, ',')) {
    const std::string_view key = word.substr(0, word.find('='));
    const bool is_one = word.find(' ') == std::string_view::npos;
    if (!is_one || std::find(std::begin(words), std::end(words), key) == std::end(words))
      throw input_error("'" + std::string(word) +
                        "' in a shape (allowed: B=, Hq=, Hkv=, Lq=, Lk=, D=, Dv=)");
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  return parse_problem_line(line).dims;
}

std::vector<problem_spec> draw_problems_of(const shape& dims, const subject_info& subject,
                                           std::uint64_t seed, int effort) {
  require_declared(dims, subject);
  std::vector<problem_spec> problems;
  for (int n = 0; n < problems_of_a_shape * effort; ++n)
    for (const format* inputs : subject.inputs) {
      problems.push_back(draw_one(dims, subject, *inputs, n));
      problems.back().seed = random_bits(seed, seeds_of_problems, problems.size()) >> 32;
    }
  return problems;
}

}  // namespace attest
