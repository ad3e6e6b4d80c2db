// Everything that a contract leaves open, decided for one evaluation.
#pragma once

#include "derivation/unlucky/unlucky_sum.h"
#include "reference/contract/contract.h"

namespace attest {

// Where c meets the scores.
enum class scale_place : std::uint8_t {
  on_score,
  on_q,
  on_both,   // sqrt(c) on q and on k
  in_shift,  // folded: exact c q.k minus the rounded maximum
};

// How the exponential is taken.
enum class exponent_path : std::uint8_t {
  base_e,
  base_2_after,   // (t - m) log2 e
  base_2_before,  // t log2 e - m, where the scale is folded by a constant of its own
};

enum class key_order : std::uint8_t { forward, backward, shuffled, rising, falling };

enum class weight_form : std::uint8_t {
  quotient,    // sum p v / sum p
  normalised,  // p / l stored, then times v
  from_lse,    // sum exp(t - lse) v
};

// What the scale of dropout is multiplied with.
enum class dropout_place : std::uint8_t {
  on_output,
  on_weight,  // as stored, and stored again
  on_value,   // stored as weights are
};

// How parts of a row become one.
enum class merging : std::uint8_t {
  none,
  chain,         // sums rescaled to the larger maximum, one part after the other
  tree,          // likewise, in pairs
  lse_chain,     // finished parts, weighted by exp(lse of the part - lse of both)
  lse_tree,      // likewise, in pairs
  lse_quotient,  // all finished parts at once, by exp(lse of the part - the largest), divided
  lse_total,     // likewise by exp(lse of the part - lse of the row), not divided
};

constexpr bool merges_by_lse(merging m) { return m >= merging::lse_chain; }

std::string_view name_of(scale_place);
std::string_view name_of(exponent_path);
std::string_view name_of(key_order);
std::string_view name_of(weight_form);
std::string_view name_of(merging);
std::string_view name_of(dropout_place);

struct evaluation_plan {
  std::uint64_t seed = 0;
  rounding_habit rounding;
  bool aims_at_lse = false;  // of pressure `away`; else at one column of the output
  double aim = 1;            // +1: to come out too large, -1: too small
  std::uint64_t column = 0;  // which, modulo the width

  scale_place scale = scale_place::on_score;
  std::int64_t quantised_from = 0;  // the first position of a whole block
  summation score_sum, weight_sum, output_sum;
  exponent_path path = exponent_path::base_e;
  bool cuts = false;  // the exponential returns 0 as early as it may

  key_order order = key_order::forward;
  std::int64_t block = 1;      // keys, or positions where the maximum rises once in so many
  bool final_maximum = false;  // known from the start: nothing is ever rescaled
  bool lazy = false;           // a new maximum is ignored as long as it may be
  merging merged = merging::none;
  std::int64_t parts = 1;

  weight_form form = weight_form::quotient;
  bool sums_stored = false;    // l adds the stored weights
  bool by_reciprocal = false;  // times 1 / l, instead of divided by l
  dropout_place dropout = dropout_place::on_output;
};

// Computes: a plan that the contract allows, in which each choice is as likely as any other.
evaluation_plan draw_plan(const contract&, std::uint64_t seed);

// Computes: the plan in a few words, without its numbers: "two-pass, quotient".
std::string order_words(const evaluation_plan&);
// Computes: the whole plan, for people.
std::string plan_words(const evaluation_plan&);

}  // namespace attest
