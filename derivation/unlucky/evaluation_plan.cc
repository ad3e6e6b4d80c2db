#include "derivation/unlucky/evaluation_plan.h"

#include <algorithm>
#include <string>
#include <vector>

namespace attest {
namespace {

constexpr std::int64_t most_parts = 64;

template <class T>
T one_of(const std::vector<T>& values, luck& draws) {
  return values[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(values.size())))];
}

// Half of the evaluations aim away from the truth: they come nearest to the bound.
rounding_habit draw_habit(luck& draws) {
  using enum pressure;
  const pressure push =
      draws.among(std::array<pressure, 8>{away, away, away, away, nearest, random, up, down});
  return {push, draws.one_in(2)};
}

summation draw_summation(int fused_terms, luck& draws) {
  using enum sum_shape;
  std::vector<sum_shape> shapes{in_order, reversed, tree};
  if (fused_terms > 0) shapes.push_back(fused);
  summation how{one_of(shapes, draws), draws.one_in(2), 4};
  std::vector<std::size_t> groups;
  for (std::size_t g = 4; g <= static_cast<std::size_t>(fused_terms); g *= 2) groups.push_back(g);
  if (!groups.empty()) how.group = one_of(groups, draws);
  return how;
}

scale_place draw_scale(const contract& c, luck& draws) {
  using enum scale_place;
  std::vector<scale_place> places{on_score};
  if (c.q_conversion.times > 0) places.push_back(on_q);
  if (c.q_conversion.times > 0 && c.k_conversion.times > 0) places.push_back(on_both);
  if (c.may_fold_scale) places.push_back(in_shift);
  return one_of(places, draws);
}

exponent_path draw_path(const contract& c, scale_place scale, luck& draws) {
  using enum exponent_path;
  std::vector<exponent_path> paths{base_e};
  if (c.exponent_constants > 0 && scale != scale_place::in_shift) paths.push_back(base_2_after);
  if (c.exponent_constants > 0 && c.may_fold_scale) paths.push_back(base_2_before);
  return one_of(paths, draws);
}

// A matrix unit is given whole groups.
std::int64_t draw_block(const contract& c, const summation& output_sum, luck& draws) {
  const std::int64_t size =
      c.block_keys * draws.among(std::array<std::int64_t, 6>{1, 1, 2, 5, 16, 64});
  const auto group = static_cast<std::int64_t>(output_sum.group);
  return output_sum.shape == sum_shape::fused ? (size + group - 1) / group * group : size;
}

weight_form draw_form(const contract& c, luck& draws) {
  using enum weight_form;
  std::vector<weight_form> forms{quotient};
  if (c.may_normalise_weights) forms.push_back(normalised);
  if (c.may_normalise_weights && c.may_use_lse) forms.push_back(from_lse);
  return one_of(forms, draws);
}

merging draw_merging(const contract& c, weight_form form, luck& draws) {
  using enum merging;
  std::vector<merging> kinds{none};
  if (c.merges > 0) kinds.insert(kinds.end(), {chain, tree});
  if (c.merges > 0 && c.may_use_lse && form == weight_form::quotient)
    kinds.insert(kinds.end(), {lse_chain, lse_tree, lse_quotient, lse_total});
  return one_of(kinds, draws);
}

// A chain of m merges takes m + 1 parts, a tree of as many levels 2^m.
std::int64_t draw_parts(const contract& c, merging merged, luck& draws) {
  if (merged == merging::none) return 1;
  const bool in_pairs = merged == merging::tree || merged == merging::lse_tree;
  const std::int64_t most = in_pairs ? std::int64_t{1} << std::min(c.merges, 6) : c.merges + 1;
  return 2 + draws.below(std::max<std::int64_t>(1, std::min(most, most_parts) - 1));
}

// Formats of 8 bits have no room for products with the scale.
dropout_place draw_dropout(const contract& c, luck& draws) {
  using enum dropout_place;
  if (c.weight_storage.number->storage_bits <= 8) return on_output;
  return draws.among(std::array<dropout_place, 3>{on_output, on_weight, on_value});
}

template <class Enumerator, std::size_t N>
std::string_view name_in(const std::string_view (&names)[N], Enumerator e) {
  return names[static_cast<std::size_t>(e)];
}

std::string words_of(const summation& how) {
  std::string words(name_of(how.shape));
  if (how.shape == sum_shape::fused) return words + " of " + std::to_string(how.group);
  return how.multiply_add ? words + " with FMA" : words;
}

}  // namespace

std::string_view name_of(scale_place p) {
  return name_in({"on the score", "on q", "on q and k", "folded"}, p);
}
std::string_view name_of(exponent_path p) {
  return name_in({"base e", "base 2", "base 2 throughout"}, p);
}
std::string_view name_of(key_order o) {
  return name_in({"forward", "backward", "shuffled", "rising", "falling"}, o);
}
std::string_view name_of(weight_form f) { return name_in({"quotient", "normalised", "lse"}, f); }
std::string_view name_of(merging m) {
  return name_in({"one part", "chain", "tree", "chain by lse", "tree by lse", "all by lse",
                  "all by total lse"},
                 m);
}
std::string_view name_of(dropout_place p) {
  return name_in({"on the output", "on weights", "on values"}, p);
}

evaluation_plan draw_plan(const contract& c, std::uint64_t seed) {
  luck draws(seed);
  evaluation_plan plan;
  plan.seed = seed;
  plan.rounding = draw_habit(draws);
  plan.aims_at_lse = draws.one_in(6);
  plan.aim = draws.one_in(2) ? 1 : -1;
  plan.column = draws.bits();
  plan.scale = draw_scale(c, draws);
  plan.quantised_from = draws.below(std::max(1, c.quantised_rows));
  plan.score_sum = draw_summation(c.fused_terms, draws);
  plan.weight_sum = draw_summation(0, draws);
  plan.output_sum = draw_summation(c.fused_terms, draws);
  plan.path = draw_path(c, plan.scale, draws);
  plan.cuts = draws.one_in(2);
  plan.order = static_cast<key_order>(draws.below(5));
  plan.block = draw_block(c, plan.output_sum, draws);
  const bool running = draws.perhaps(c.may_rescale);
  plan.final_maximum = !running;
  plan.lazy = draws.perhaps(c.rescale_threshold > 0);
  plan.form = draw_form(c, draws);
  plan.merged = draw_merging(c, plan.form, draws);
  plan.parts = draw_parts(c, plan.merged, draws);
  plan.sums_stored = draws.perhaps(c.may_sum_rounded_weights);
  plan.by_reciprocal = draws.one_in(2);
  plan.dropout = draw_dropout(c, draws);
  return plan;
}

std::string order_words(const evaluation_plan& plan) {
  const std::string maximum = plan.final_maximum ? "final maximum" : "running maximum";
  return maximum + ", " + std::string(name_of(plan.merged)) + ", " +
         std::string(name_of(plan.form));
}

std::string plan_words(const evaluation_plan& plan) {
  const auto text = [](std::string_view words) { return ", " + std::string(words); };
  return "roundings " + std::string(name_of(plan.rounding.push)) +
         (plan.rounding.flushes ? ", flushing" : "") + ", scale " +
         std::string(name_of(plan.scale)) + ", scores " + words_of(plan.score_sum) +
         text(name_of(plan.path)) + ", keys " + std::string(name_of(plan.order)) + " by " +
         std::to_string(plan.block) + ", " + order_words(plan) + ", parts " +
         std::to_string(plan.parts) + ", l " + words_of(plan.weight_sum) +
         (plan.sums_stored ? " of stored weights" : "") + ", o " + words_of(plan.output_sum) +
         ", dropout " + std::string(name_of(plan.dropout));
}

}  // namespace attest
