// The conventions that legitimate implementations choose differently.
#pragma once

#include <cstdint>

namespace attest {

// What the output of a row is when no key is kept (and there is no sink).
enum class empty_row : std::uint8_t {
  zero,
  nan,
  mean_of_values,  // the mean of v over all Lk keys, as a finite sentinel leaves it
  unspecified,     // any value; no other row may change
};

enum class lse_base : std::uint8_t { e, two };
// What the lse is when no key is kept and no sink counts in it.
enum class empty_lse : std::uint8_t { minus_infinity, plus_infinity, unspecified };
// Whether exp(sink) is part of the sum whose log the lse is. It always is part of the denominator.
enum class lse_sink : std::uint8_t { included, left_out };
// Which KV head serves query head h: h / R, or h mod Hkv.
enum class head_map : std::uint8_t { repeat, tile };
// Where the soft cap acts: on the score alone, on score + bias, or on what the mask has made of
// that, too. Then a key that the mask or a bias of -inf excludes has the logit -cap, and is in the
// key set.
enum class cap_order : std::uint8_t { before_bias, after_bias, after_mask };
// What `true` means in a boolean mask where it is handed over. Inside attest it always keeps.
enum class mask_polarity : std::uint8_t { true_keeps, true_masks };
// Whether a bias of -inf takes the key out of the key set, or leaves it there with weight 0. That
// differs where a row has no other key: then 0 / 0 makes the output NaN.
enum class infinite_bias : std::uint8_t { removes_key, weighs_0 };
// Whether the lowest finite number of the bias's format is a bias like any other, or read as -inf.
enum class lowest_bias : std::uint8_t { ordinary, masks };
// What may lie in K and V outside the key set: anything, as nothing of it is read; or finite
// numbers only, which weigh 0. Beyond the length of a batch row nothing is ever read.
enum class masked_slots : std::uint8_t { finite_only, never_read };
// Whether NaN in q, k or v of a kept pair makes the outputs NaN that depend on it, or anything.
enum class non_finite_inputs : std::uint8_t { unspecified, propagate };
// Whether a window (left, right) keeps the keys exactly left before and right after the query's
// position too.
enum class window_ends : std::uint8_t { inclusive, exclusive };
// What a slope is multiplied by: minus the distance of key and query, or j - position. They differ
// beyond the query's position only.
enum class alibi_distance : std::uint8_t { absolute, signed_distance };

// What scores a key against a query, before the scale (reference/definition/scorer.h).
enum class scorer : std::uint8_t {
  scaled_dot,
  dot,
  general,
  additive,
  concat,
  cosine,
  mlp,
  rotary_halves,
  rotary_pairs,
  elu_features,
  relu_features,
  exp_features,
};
// What makes weights of the logits of the key set (reference/definition/normalizer.h).
enum class normalizer : std::uint8_t {
  softmax,
  sparsemax,
  entmax_1_5,
  alpha_entmax,
  relu_ratio,
  ratio,
  uniform,
  identity,
};

// One choice of each (fields.h names fields and values). A named choice is a profile (profiles.h).
struct semantics {
  empty_row on_empty_row = empty_row::zero;
  lse_base base = lse_base::e;
  empty_lse on_empty_lse = empty_lse::minus_infinity;
  lse_sink sink = lse_sink::included;
  head_map heads = head_map::repeat;
  cap_order cap = cap_order::before_bias;
  mask_polarity polarity = mask_polarity::true_keeps;
  infinite_bias on_infinite_bias = infinite_bias::removes_key;
  lowest_bias on_lowest_bias = lowest_bias::ordinary;
  masked_slots slots = masked_slots::finite_only;
  non_finite_inputs on_non_finite = non_finite_inputs::unspecified;
  window_ends ends = window_ends::inclusive;
  alibi_distance distance = alibi_distance::absolute;
  // Which member of the family is computed: no convention, but the function itself.
  scorer scored_by = scorer::scaled_dot;
  normalizer normalised_by = normalizer::softmax;

  // Whether a score is a product of q and k, at most scaled.
  bool scores_by_products() const {
    return scored_by == scorer::scaled_dot || scored_by == scorer::dot;
  }
  // Whether q and k are turned by their positions first.
  bool is_rotary() const {
    return scored_by == scorer::rotary_halves || scored_by == scorer::rotary_pairs;
  }
  // Whether c is 1 / sqrt(D) unless it is given.
  bool divides_by_root_of_width() const { return scored_by == scorer::scaled_dot || is_rotary(); }
  // Whether a score is a product of something of q and something of k, so that sums over keys may
  // be formed before q is looked at, as linear attention does.
  bool scores_factor() const { return scores_by_products() || scored_by >= scorer::elu_features; }
  // Whether there are exponentials: without them no sink and no lse is defined.
  bool is_softmax() const { return normalised_by == normalizer::softmax; }
  // Whether a row with keys may have no weights, as their sum is 0.
  bool may_weigh_nothing() const {
    return normalised_by == normalizer::relu_ratio || normalised_by == normalizer::ratio;
  }
  // Whether the bias is added before the soft cap acts.
  bool caps_bias() const { return cap != cap_order::before_bias; }

  friend bool operator==(const semantics&, const semantics&) = default;
};

}  // namespace attest
