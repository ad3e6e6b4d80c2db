#include "reference/problems/parameters.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"
#include "reference/input_error.h"
#include "reference/positions/rotary.h"
#include "reference/problems/problem_spec.h"
#include "reference/random.h"
#include "reference/semantics/fields.h"
#include "reference/text.h"

namespace attest {
namespace {

using extent = parameter_shape::extent;

// Streams of random numbers, beside those of problem_spec.cc; one for the elements of each matrix.
enum stream : std::uint64_t { hidden_units = 96, alphas, elements, angles = elements + 4 };

constexpr parameter_shape of_general[] = {{"W", extent::width, extent::width}};
constexpr parameter_shape of_additive[] = {{"W_q", extent::hidden, extent::width},
                                           {"W_k", extent::hidden, extent::width},
                                           {"w", extent::one, extent::hidden}};
constexpr parameter_shape of_concat[] = {{"W", extent::hidden, extent::two_widths},
                                         {"w", extent::one, extent::hidden}};
constexpr parameter_shape of_rotary[] = {{"cos", extent::positions, extent::hidden},
                                         {"sin", extent::positions, extent::hidden}};
constexpr parameter_shape of_exp_features[] = {{"w", extent::hidden, extent::width}};
constexpr parameter_shape of_mlp[] = {{"W", extent::hidden, extent::two_widths},
                                      {"b", extent::one, extent::hidden},
                                      {"w", extent::one, extent::hidden},
                                      {"d", extent::one, extent::one}};

constexpr unsigned every_axis_but_heads = 0b1101;

std::int64_t size_of(extent e, const shape& s, std::int64_t hidden) {
  switch (e) {
    case extent::one:
      return 1;
    case extent::width:
      return s.width;
    case extent::two_widths:
      return 2 * s.width;
    case extent::positions:
      return std::max(s.queries, s.keys);
    case extent::hidden:
      break;
  }
  return hidden;
}

std::uint64_t element_number(const index4& i) {
  return (static_cast<std::uint64_t>(i[1]) << 42) ^ (static_cast<std::uint64_t>(i[2]) << 20) ^
         static_cast<std::uint64_t>(i[3]);
}

// Of rows of matrices of the width, N(0, 1 / D): an entry of the product is of the size of one of
// q. Weights of hidden units are N(0, 1).
tensor draw_matrix(const format& element, const parameter_shape& what, const index4& sizes,
                   std::int64_t width, std::uint64_t seed, std::uint64_t stream_number) {
  const bool sums_inputs = what.columns == extent::width || what.columns == extent::two_widths;
  const double size = sums_inputs ? 1 / std::sqrt(static_cast<double>(width)) : 1;
  tensor t(element, place(layout::bhld, sizes), 0);
  for_each_index(sizes, [&](const index4& i) {
    t.set(i, round_to(element, {}, size * random_normal(seed, stream_number, element_number(i))));
  });
  return t;
}

// All pairs or some; the usual base or one that turns fast; scaled in one way or another.
rotary_angles draw_angles(std::uint64_t seed) {
  constexpr double bases[] = {10000, 10000, 500000, 10};
  constexpr rotary_scaling scalings[] = {rotary_scaling::none, rotary_scaling::none,
                                         rotary_scaling::linear, rotary_scaling::ntk_aware,
                                         rotary_scaling::by_wavelength};
  rotary_angles a;
  a.base = bases[random_below(seed, angles, 0, std::size(bases))];
  a.scaling = scalings[random_below(seed, angles, 1, std::size(scalings))];
  a.factor = a.scaling == rotary_scaling::none ? 1 : 4;
  return a;
}

std::int64_t draw_pairs(std::int64_t width, std::uint64_t seed) {
  const std::int64_t most = width / 2;
  const bool all = random_below(seed, angles, 2, 4) != 0;
  return all ? most : (most + 1) / 2;
}

// cos and sin of position * theta_t, one table for all heads.
void draw_tables(problem& p, const format& element, std::uint64_t seed) {
  const std::int64_t pairs = draw_pairs(p.dims.width, seed);
  const std::vector<double> theta = rotary_frequencies(draw_angles(seed), pairs);
  const index4 sizes = parameter_sizes(p.rules.scored_by, p.dims, pairs)[0];
  for (double (*function)(double) : {cos_double, sin_double}) {
    tensor t(element, broadcast(sizes, every_axis_but_heads), 0);
    for_each_index({1, 1, sizes[2], sizes[3]}, [&](const index4& i) {
      const double angle = static_cast<double>(i[2]) * theta[static_cast<std::size_t>(i[3])];
      t.set(i, round_to(element, {}, function(angle)));
    });
    p.parameters.push_back(std::move(t));
  }
}

[[noreturn]] void reject(const std::string& what, const std::string& allowed) {
  throw input_error(what + " (allowed: " + allowed + ")");
}

std::string text_of(const index4& sizes) {
  std::string text;
  for (std::int64_t size : sizes) text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text + "]";
}

void require_sizes(const problem& p, std::size_t n, const parameter_shape& what,
                   const index4& due) {
  index4 given = p.parameters[n].sizes();
  const bool may_be_longer = what.rows == extent::positions && given[2] > due[2];
  if (given == due || (may_be_longer && given == index4{due[0], due[1], given[2], due[3]})) return;
  reject("parameter_" + std::to_string(n) + " (" + std::string(what.name) + ") has sizes " +
             text_of(given),
         text_of(due) + ", one a query head");
}

// Keys are turned once for all the query heads that share them.
void require_tables(const problem& p, std::int64_t pairs) {
  if (2 * pairs > p.dims.width)
    reject("tables of " + std::to_string(pairs) + " pairs for a width of " +
               std::to_string(p.dims.width),
           "half of the width at most");
  for (const tensor& t : p.parameters)
    for_each_index(t.sizes(), [&](const index4& i) {
      if (t.at(i) != t.at(0, 0, i[2], i[3]))
        reject("tables of cos and sin that differ between heads", "the same for all");
    });
}

}  // namespace

std::span<const parameter_shape> parameters_of(scorer s) {
  switch (s) {
    case scorer::general:
      return of_general;
    case scorer::additive:
      return of_additive;
    case scorer::concat:
      return of_concat;
    case scorer::mlp:
      return of_mlp;
    case scorer::rotary_halves:
    case scorer::rotary_pairs:
      return of_rotary;
    case scorer::exp_features:
      return of_exp_features;
    default:
      return {};
  }
}

std::vector<index4> parameter_sizes(scorer s, const shape& dims, std::int64_t hidden) {
  std::vector<index4> sizes;
  for (const parameter_shape& each : parameters_of(s))
    sizes.push_back({1, dims.query_heads, size_of(each.rows, dims, hidden),
                     size_of(each.columns, dims, hidden)});
  return sizes;
}

void draw_parameters(problem& p, const format& inputs, std::uint64_t seed) {
  constexpr std::int64_t hidden_choices[] = {1, 2, 3, 4, 6};
  constexpr double alpha_choices[] = {1.25, 1.5, 1.75, 2, 2.5, 3};
  const std::int64_t hidden =
      hidden_choices[random_below(seed, hidden_units, 0, std::size(hidden_choices))];
  const auto sizes = parameter_sizes(p.rules.scored_by, p.dims, hidden);
  if (p.rules.is_rotary()) draw_tables(p, side_format(inputs), seed);
  for (std::size_t n = 0; n < sizes.size() && !p.rules.is_rotary(); ++n)
    p.parameters.push_back(draw_matrix(side_format(inputs), parameters_of(p.rules.scored_by)[n],
                                       sizes[n], p.dims.width, seed, elements + n));
  if (p.rules.normalised_by == normalizer::alpha_entmax)
    p.alpha = alpha_choices[random_below(seed, alphas, 0, std::size(alpha_choices))];
}

void require_parameters(const problem& p) {
  const scorer s = p.rules.scored_by;
  const auto shapes = parameters_of(s);
  if (p.parameters.size() != shapes.size())
    reject(std::to_string(p.parameters.size()) + " parameters for the scorer " +
               std::string(find_field("scorer").value_of(p.rules)),
           std::to_string(shapes.size()));
  const std::int64_t hidden =
      shapes.empty() ? 0 : p.parameters[0].sizes()[p.rules.is_rotary() ? 3 : 2];
  if (p.rules.is_rotary()) require_tables(p, hidden);
  const auto sizes = parameter_sizes(s, p.dims, hidden);
  for (std::size_t n = 0; n < sizes.size(); ++n) require_sizes(p, n, shapes[n], sizes[n]);
  if (p.rules.normalised_by == normalizer::alpha_entmax && (!(p.alpha > 1) || std::isinf(p.alpha)))
    reject("alpha=" + to_text(p.alpha), "a finite number above 1");
  if (!p.sink.empty() && !p.rules.is_softmax())
    reject("a sink beside normalizer=" + std::string(find_field("normalizer").value_of(p.rules)),
           "one beside softmax");
}

}  // namespace attest
