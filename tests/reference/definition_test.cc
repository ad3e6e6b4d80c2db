// The definition against cases worked out by hand, and its key set against the plainest loop.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "reference/definition/attention.h"
#include "reference/definition/key_set.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using indices = std::vector<std::int64_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double ln2 = 0.69314718055994531, ln3 = 1.0986122886681098;

// A problem of one coordinate: the score of key j is q_i k_j.
problem plain_problem(const std::vector<double>& q, const std::vector<double>& k,
                      const std::vector<double>& v) {
  const auto column = [](const std::vector<double>& values) {
    tensor t(f64, place(layout::bhld, {1, 1, static_cast<std::int64_t>(values.size()), 1}), 0);
    for (std::size_t l = 0; l < values.size(); ++l)
      t.set({0, 0, static_cast<std::int64_t>(l), 0}, values[l]);
    return t;
  };
  problem p;
  p.dims.queries = static_cast<std::int64_t>(q.size());
  p.dims.keys = static_cast<std::int64_t>(k.size());
  p.q = column(q);
  p.k = column(k);
  p.v = column(v);
  return p;
}

problem problem_of_sizes(std::int64_t queries, std::int64_t keys) {
  return plain_problem(std::vector<double>(static_cast<std::size_t>(queries), 1),
                       std::vector<double>(static_cast<std::size_t>(keys), 1),
                       std::vector<double>(static_cast<std::size_t>(keys), 1));
}

// ---- Key sets ----

struct key_case {
  std::int64_t queries, keys;
  causal_anchor causal;
  window sliding;
  indices lengths;
  std::int64_t query;
  indices kept;
  const char* why;
};

constexpr auto none = causal_anchor::none;
constexpr auto top = causal_anchor::top_left;
constexpr auto bottom = causal_anchor::bottom_right;

const std::vector<key_case>& key_cases() {
  static const std::vector<key_case> cases{
      {2, 4, none, {}, {}, 1, {0, 1, 2, 3}, "nothing removes a key"},
      {2, 4, top, {}, {}, 0, {0}, "top left: j <= i"},
      {2, 4, top, {}, {}, 1, {0, 1}, "top left: j <= i"},
      {2, 4, bottom, {}, {}, 0, {0, 1, 2}, "bottom right: the last query sees every key"},
      {2, 4, bottom, {}, {}, 1, {0, 1, 2, 3}, "bottom right: the last query sees every key"},
      {4, 2, top, {}, {}, 3, {0, 1}, "top left: past the last key"},
      {4, 2, bottom, {}, {}, 0, {}, "bottom right: more queries than keys leave the first empty"},
      {4, 2, bottom, {}, {}, 1, {}, "bottom right: position -1"},
      {4, 2, bottom, {}, {}, 2, {0}, "bottom right: position 0"},
      {4, 2, bottom, {}, {}, 3, {0, 1}, "bottom right: position 1"},
      {3, 3, top, {}, {}, 1, {0, 1}, "square: both anchors are one"},
      {3, 3, bottom, {}, {}, 1, {0, 1}, "square: both anchors are one"},
      {2, 5, none, {}, {3}, 0, {0, 1, 2}, "a length cuts the tail"},
      {2, 5, none, {}, {0}, 0, {}, "a length of 0 leaves nothing"},
      {2, 5, none, {}, {5}, 0, {0, 1, 2, 3, 4}, "a full length"},
      {2, 5, bottom, {}, {3}, 0, {0, 1}, "bottom right counts from the valid keys"},
      {2, 5, bottom, {}, {3}, 1, {0, 1, 2}, "bottom right counts from the valid keys"},
      {2, 5, bottom, {}, {1}, 0, {}, "fewer valid keys than queries"},
      {2, 5, top, {}, {3}, 1, {0, 1}, "top left does not move with the length"},
      {5, 5, none, {1, 1}, {}, 2, {1, 2, 3}, "one on each side"},
      {5, 5, none, {1, -1}, {}, 2, {1, 2, 3, 4}, "open to the right"},
      {5, 5, none, {-1, 0}, {}, 2, {0, 1, 2}, "open to the left"},
      {5, 5, none, {0, 0}, {}, 4, {4}, "itself"},
      {2, 5, none, {1, 0}, {}, 1, {0, 1}, "without a causal mask positions are not shifted"},
      {2, 5, bottom, {1, 0}, {}, 0, {2, 3}, "bottom right shifts the window too"},
      {2, 5, bottom, {1, -1}, {}, 1, {3, 4}, "bottom right shifts the window too"},
      {2, 5, bottom, {1, 0}, {3}, 1, {1, 2}, "and with the length"},
      {2, 5, top, {0, 2}, {}, 1, {1}, "a causal mask closes the window's right side"},
      {5, 2, none, {1, 0}, {}, 4, {}, "a window past the last key"},
      {2, 0, none, {}, {}, 0, {}, "no keys at all"},
  };
  return cases;
}

TEST(key_set, is_what_hand_work_gives) {
  for (const key_case& c : key_cases()) {
    problem p = problem_of_sizes(c.queries, c.keys);
    p.causal = c.causal;
    p.sliding = c.sliding;
    p.lengths = c.lengths;
    EXPECT_EQ(key_set(p, {0, 0, c.query}), c.kept)
        << c.why << ": Lq=" << c.queries << " Lk=" << c.keys << " i=" << c.query;
  }
}

constexpr shape scores{2, 3, 1, 5, 7, 1, 1};

// A small dense array over some axes of [B, Hq, Lq, Lk], read with the others at 0.
struct compact_bits {
  unsigned axes;
  std::array<std::int64_t, 4> sizes;

  explicit compact_bits(unsigned kept) : axes(kept) {
    for (unsigned k = 0; k < 4; ++k) sizes[k] = axes >> k & 1 ? scores.score_sizes()[k] : 1;
  }
  std::int64_t count() const { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }
  bool bit(std::int64_t n) const {
    return random_below(17, axes, static_cast<std::uint64_t>(n), 2) == 1;
  }
  bool at(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
    const auto in = [&](unsigned k, std::int64_t x) { return axes >> k & 1 ? x : 0; };
    return bit(((in(0, b) * sizes[1] + in(1, h)) * sizes[2] + in(2, i)) * sizes[3] + in(3, j));
  }
};

problem masked_problem(const compact_bits& bits) {
  problem p;
  p.dims = scores;
  p.mask = boolean_tensor(broadcast(scores.score_sizes(), bits.axes));
  for (std::int64_t n = 0; n < bits.count(); ++n) p.mask->data()[n] = bits.bit(n);
  return p;
}

problem infinitely_biased_problem(const compact_bits& bits) {
  problem p;
  p.dims = scores;
  p.bias = tensor(f32, broadcast(scores.score_sizes(), bits.axes), 0);
  for (std::int64_t n = 0; n < bits.count(); ++n) {
    const float value = bits.bit(n) ? -1e30f : -std::numeric_limits<float>::infinity();
    std::memcpy(p.bias->data() + 4 * n, &value, 4);
  }
  return p;
}

void expect_keys(const problem& p, const compact_bits& bits) {
  for (std::int64_t b = 0; b < scores.batch; ++b)
    for (std::int64_t h = 0; h < scores.query_heads; ++h)
      for (std::int64_t i = 0; i < scores.queries; ++i) {
        indices kept;
        for (std::int64_t j = 0; j < scores.keys; ++j)
          if (bits.at(b, h, i, j)) kept.push_back(j);
        EXPECT_EQ(key_set(p, {b, h, i}), kept) << "axes " << bits.axes;
      }
}

TEST(key_set, follows_a_mask_in_all_16_broadcast_patterns) {
  for (unsigned axes = 0; axes < 16; ++axes)
    expect_keys(masked_problem(compact_bits(axes)), compact_bits(axes));
}

TEST(key_set, loses_keys_to_a_bias_of_minus_infinity_only_in_all_16_broadcast_patterns) {
  for (unsigned axes = 0; axes < 16; ++axes)
    expect_keys(infinitely_biased_problem(compact_bits(axes)), compact_bits(axes));
}

TEST(key_set, loses_the_ends_of_an_exclusive_window) {
  problem p = problem_of_sizes(5, 5);
  p.rules.ends = window_ends::exclusive;
  p.sliding = {2, 2};
  EXPECT_EQ(key_set(p, {0, 0, 2}), (indices{1, 2, 3}));
  p.sliding = {1, -1};
  EXPECT_EQ(key_set(p, {0, 0, 2}), (indices{2, 3, 4})) << "an open side has no end";
  p.sliding = {-1, 0};
  EXPECT_EQ(key_set(p, {0, 0, 2}), (indices{0, 1})) << "its own position is the end";
  p.sliding = {0, 0};
  EXPECT_TRUE(key_set(p, {0, 0, 2}).empty());
}

// ---- Heads ----

// Ten keys and a query of that index among ten.
indices seen_by(problem p, std::int64_t query) {
  p.dims.queries = p.dims.keys = 10;
  return key_set(p, {0, 0, query});
}

TEST(key_set, keeps_keys_at_multiples_of_a_dilation) {
  problem p;
  p.pattern.dilation = 3;
  EXPECT_EQ(seen_by(p, 4), (indices{1, 4, 7}));
  p.sliding = {3, 0};
  EXPECT_EQ(seen_by(p, 4), (indices{1, 4})) << "the window counts keys, not steps";
  p.causal = causal_anchor::top_left;
  p.sliding = {};
  EXPECT_EQ(seen_by(p, 7), (indices{1, 4, 7}));
}

TEST(key_set, keeps_the_chunk_of_the_position) {
  problem p;
  p.pattern.chunk = 4;
  EXPECT_EQ(seen_by(p, 5), (indices{4, 5, 6, 7}));
  EXPECT_EQ(seen_by(p, 9), (indices{8, 9})) << "the last chunk is short";
  p.causal = causal_anchor::bottom_right;
  p.lengths = {7};
  EXPECT_EQ(seen_by(p, 8), (indices{4, 5})) << "query 8 stands at 5";
  EXPECT_TRUE(seen_by(p, 2).empty()) << "at -1, in the chunk before the first";
}

TEST(key_set, keeps_global_keys_beside_what_is_near) {
  problem p;
  p.sliding = {1, 0};
  p.pattern.global_keys = 2;
  EXPECT_EQ(seen_by(p, 5), (indices{0, 1, 4, 5}));
  EXPECT_EQ(seen_by(p, 1), (indices{0, 1}));
  p.causal = causal_anchor::top_left;
  EXPECT_EQ(seen_by(p, 0), (indices{0})) << "never beyond the triangle";
  p.lengths = {1};
  EXPECT_EQ(seen_by(p, 5), (indices{0})) << "nor beyond the length";
}

TEST(key_set, follows_a_mask_of_blocks) {
  problem p;
  p.pattern.block_queries = 4;
  p.pattern.block_keys = 3;
  p.block_mask = boolean_tensor(place(layout::bhld, {1, 1, 3, 4}));
  p.block_mask->set({0, 0, 1, 0}, true);
  p.block_mask->set({0, 0, 1, 3}, true);
  EXPECT_EQ(seen_by(p, 4), (indices{0, 1, 2, 9}));
  EXPECT_EQ(seen_by(p, 7), (indices{0, 1, 2, 9}));
  EXPECT_TRUE(seen_by(p, 3).empty());
}

TEST(key_set, stays_in_the_segment_of_the_query) {
  problem p;
  p.query_segments = p.key_segments = {0, 0, 0, 1, 1, 1, 1, 7, 7, 0};
  EXPECT_EQ(seen_by(p, 4), (indices{3, 4, 5, 6}));
  EXPECT_EQ(seen_by(p, 9), (indices{0, 1, 2, 9}));
  p.pattern.global_keys = 1;
  p.sliding = {0, 0};
  EXPECT_EQ(seen_by(p, 4), (indices{4})) << "a global key of another segment is not seen";
}

TEST(definition, slopes_lower_keys_by_their_distance) {
  problem p = plain_problem({0, 0, 0}, {0, 0, 0}, {1, 2, 4});
  p.slopes = {0.5};
  EXPECT_EQ(attention<double>(p, {0, 0, 1}).scores, (std::vector<double>{-0.5, 0, -0.5}));
  p.rules.distance = alibi_distance::signed_distance;
  EXPECT_EQ(attention<double>(p, {0, 0, 1}).scores, (std::vector<double>{-0.5, 0, 0.5}));
  p.causal = causal_anchor::bottom_right;
  p.dims.queries = 2;
  EXPECT_EQ(attention<double>(p, {0, 0, 0}).scores, (std::vector<double>{-0.5, 0}));
}

TEST(problem, query_heads_share_a_kv_head_as_the_profile_says) {
  problem p;
  p.dims.query_heads = 6;
  p.dims.kv_heads = 2;
  for (std::int64_t h = 0; h < 6; ++h) EXPECT_EQ(p.kv_head(h), h / 3) << "neighbours share";
  p.rules = find_profile("tiled-heads");
  for (std::int64_t h = 0; h < 6; ++h) EXPECT_EQ(p.kv_head(h), h % 2) << "every second shares";
}

// ---- One row ----

// Scores 0 and ln 3, so weights 1/4 and 3/4.
problem quarter_problem() {
  problem p = plain_problem({1}, {0, ln3}, {1, 5});
  p.scale = 1;
  return p;
}

attention_row<double> row_of(const problem& p) { return attention<double>(p, {0, 0, 0}); }

constexpr double tolerance = 1e-14;

TEST(definition, weights_are_shares_of_exponentials) {
  const auto row = row_of(quarter_problem());
  EXPECT_NEAR(row.weights[0], 0.25, tolerance);
  EXPECT_NEAR(row.weights[1], 0.75, tolerance);
  EXPECT_NEAR(row.output[0], 4, tolerance);
  EXPECT_NEAR(row.lse, 2 * ln2, tolerance) << "ln(1 + 3)";
}

boolean_tensor kept_by_dropout(std::initializer_list<bool> kept) {
  const auto keys = static_cast<std::int64_t>(kept.size());
  boolean_tensor mask(place(layout::bhld, {1, 1, 1, keys}));
  std::int64_t j = 0;
  for (const bool keeps : kept) mask.set({0, 0, 0, j++}, keeps);
  return mask;
}

TEST(definition, dropout_scales_what_it_keeps_and_leaves_the_sum) {
  problem p = quarter_problem();
  p.dropout_mask = kept_by_dropout({true, false});
  p.dropout_scale = 2;
  const auto row = row_of(p);
  EXPECT_NEAR(row.output[0], 2 * 0.25 * 1, tolerance);
  EXPECT_NEAR(row.weights[1], 0.75, tolerance) << "a dropped key counts";
  EXPECT_NEAR(row.lse, 2 * ln2, tolerance);
  EXPECT_EQ(met_value(p, {0, 0, 0}, 0, 0), 2);
  EXPECT_EQ(met_value(p, {0, 0, 0}, 1, 0), 0);
}

TEST(definition, a_row_that_is_all_dropped_is_0_and_not_empty) {
  problem p = quarter_problem();
  p.dropout_mask = kept_by_dropout({false, false});
  p.dropout_scale = 10;
  p.rules.on_empty_row = empty_row::nan;
  EXPECT_EQ(row_of(p).output[0], 0);
  EXPECT_NEAR(row_of(p).lse, 2 * ln2, tolerance);
}

TEST(definition, dropout_takes_its_part_of_the_mean_of_an_empty_row) {
  problem p = quarter_problem();
  p.mask = kept_by_dropout({false, false});
  p.dropout_mask = kept_by_dropout({true, false});
  p.dropout_scale = 2;
  p.rules.on_empty_row = empty_row::mean_of_values;
  EXPECT_NEAR(row_of(p).output[0], 2 * 0.5 * 1, tolerance);
}

TEST(definition, default_scale_is_one_over_the_root_of_the_width) {
  problem p;
  p.dims = {1, 1, 1, 1, 2, 4, 1};
  p.q = tensor(f64, place(layout::bhld, p.dims.q_sizes()), 0);
  p.k = tensor(f64, place(layout::bhld, p.dims.k_sizes()), 0);
  p.v = tensor(f64, place(layout::bhld, p.dims.v_sizes()), 0);
  for (std::int64_t t = 0; t < 4; ++t) {
    p.q.set({0, 0, 0, t}, 1);
    p.k.set({0, 0, 1, t}, ln3 / 2);  // q.k = 2 ln 3, over sqrt(4)
  }
  p.v.set({0, 0, 1, 0}, 1);
  EXPECT_NEAR(row_of(p).output[0], 0.75, tolerance);
  p.scale = 0.5;
  EXPECT_NEAR(row_of(p).output[0], 0.75, tolerance) << "the same one, given";
  p.scale = 0;
  EXPECT_NEAR(row_of(p).output[0], 0.5, tolerance) << "all scores are 0";
  p.scale = -0.5;
  EXPECT_NEAR(row_of(p).output[0], 0.25, tolerance) << "negative";
}

TEST(definition, a_sink_takes_weight_and_has_no_value) {
  problem p = quarter_problem();
  p.sink = {2 * ln2};
  const auto row = row_of(p);
  EXPECT_NEAR(row.weights[0], 1.0 / 8, tolerance) << "1 / (1 + 3 + 4)";
  EXPECT_NEAR(row.output[0], 2, tolerance);
  EXPECT_NEAR(row.lse, 3 * ln2, tolerance);
}

TEST(definition, a_sink_alone_leaves_zeros_and_its_own_lse) {
  problem p = quarter_problem();
  p.sink = {0.5};
  p.lengths = {0};
  p.rules = find_profile("torch-sdpa");
  const auto row = row_of(p);
  EXPECT_EQ(row.output[0], 0) << "a row with a sink is not empty, whatever the profile";
  EXPECT_EQ(row.lse, 0.5);
}

TEST(definition, the_lse_leaves_the_sink_out_where_the_semantics_says_so) {
  problem p = quarter_problem();
  p.sink = {2 * ln2};
  p.rules.sink = lse_sink::left_out;
  EXPECT_NEAR(row_of(p).output[0], 2, tolerance) << "it still takes weight";
  EXPECT_NEAR(row_of(p).lse, 2 * ln2, tolerance) << "ln(1 + 3)";
  p.sink = {1000};
  EXPECT_NEAR(row_of(p).lse, 2 * ln2, tolerance) << "however much larger the sink is";
  p.lengths = {0};
  p.rules.on_empty_lse = empty_lse::plus_infinity;
  EXPECT_EQ(row_of(p).output[0], 0);
  EXPECT_EQ(row_of(p).lse, infinity) << "no key is in the sum";
}

TEST(definition, a_bias_is_neither_scaled_nor_capped) {
  problem p = plain_problem({1}, {0, 0}, {1, 5});
  p.scale = 100;
  p.soft_cap = 0.001;
  p.bias = tensor(f64, broadcast(p.dims.score_sizes(), 0b1000), 0);
  p.bias->set({0, 0, 0, 1}, ln3);
  EXPECT_NEAR(row_of(p).output[0], 4, tolerance);
}

TEST(definition, the_cap_acts_before_the_bias_or_after_it_as_the_semantics_says) {
  problem p = quarter_problem();
  p.soft_cap = 0.5;
  p.bias = tensor(f64, broadcast(p.dims.score_sizes(), 0b0000), 0);
  p.bias->set({0, 0, 0, 0}, 0.25);
  EXPECT_NEAR(row_of(p).scores[1], 0.5 * std::tanh(ln3 / 0.5) + 0.25, tolerance);
  p.rules.cap = cap_order::after_bias;
  EXPECT_NEAR(row_of(p).scores[1], 0.5 * std::tanh((ln3 + 0.25) / 0.5), tolerance);
}

problem masked_problem(const std::vector<bool>& kept) {
  problem p = quarter_problem();
  p.mask = boolean_tensor(broadcast(p.dims.score_sizes(), 0b1000));
  for (std::size_t j = 0; j < kept.size(); ++j)
    p.mask->set({0, 0, 0, static_cast<std::int64_t>(j)}, kept[j]);
  return p;
}

TEST(definition, a_cap_after_the_mask_brings_masked_keys_back) {
  problem p = masked_problem({true, false});
  p.rules.cap = cap_order::after_mask;
  EXPECT_EQ(row_of(p).keys, (indices{0})) << "there is no cap";
  p.soft_cap = ln3;
  EXPECT_EQ(row_of(p).keys, (indices{0, 1}));
  EXPECT_NEAR(row_of(p).scores[1], -ln3, tolerance) << "cap tanh(-inf)";
  EXPECT_NEAR(row_of(p).output[0], 2, tolerance) << "(3 x 1 + 1 x 5) / 4";
  p.causal = causal_anchor::top_left;
  EXPECT_EQ(row_of(p).keys, (indices{0})) << "only mask and bias stand before the cap";
}

problem biased_problem(double first, double second) {
  problem p = quarter_problem();
  p.bias = tensor(f32, broadcast(p.dims.score_sizes(), 0b1000), 0);
  p.bias->set({0, 0, 0, 0}, first);
  p.bias->set({0, 0, 0, 1}, second);
  return p;
}

TEST(definition, a_bias_of_minus_infinity_removes_or_weighs_0) {
  for (const infinite_bias rule : {infinite_bias::removes_key, infinite_bias::weighs_0}) {
    problem p = biased_problem(0, -infinity);
    p.rules.on_infinite_bias = rule;
    EXPECT_EQ(row_of(p).output[0], 1) << "the other key takes all";
    p = biased_problem(-infinity, -infinity);
    p.rules.on_infinite_bias = rule;
    EXPECT_EQ(std::isnan(row_of(p).output[0]), rule == infinite_bias::weighs_0) << "0 / 0";
    p.lengths = {0};
    EXPECT_EQ(row_of(p).output[0], 0) << "no key is there to weigh 0";
  }
}

TEST(definition, the_lowest_bias_is_ordinary_or_masks) {
  const double lowest = -largest_finite(f32);
  problem p = biased_problem(lowest, lowest);
  EXPECT_NEAR(row_of(p).output[0], 3, tolerance) << "a shift by so much leaves no score";
  p.rules.on_lowest_bias = lowest_bias::masks;
  EXPECT_TRUE(row_of(p).keys.empty());
  p.bias->set({0, 0, 0, 1}, -0x1p127);
  EXPECT_EQ(row_of(p).keys, (indices{1})) << "not the lowest";
}

TEST(definition, lse_is_in_the_base_of_the_semantics) {
  const double lse = row_of(quarter_problem()).lse;
  EXPECT_NEAR(as_declared(find_profile("attest"), lse), 2 * ln2, tolerance);
  EXPECT_NEAR(as_declared(find_profile("base-2-lse"), lse), 2, tolerance) << "log2(4)";
}

TEST(definition, the_maximum_is_taken_away_before_exponentials) {
  for (const double level : {-1e5, 1e5}) {
    problem p = plain_problem({1}, {level, level + ln3}, {1, 5});
    p.scale = 1;
    EXPECT_NEAR(row_of(p).output[0], 4, 1e-10) << level;
    EXPECT_NEAR(row_of(p).lse, level + 2 * ln2, 1e-10) << level;
  }
}

struct empty_case {
  std::string_view profile;
  double output, lse;
  const char* why;
};

TEST(definition, an_empty_row_holds_what_the_profile_says) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const empty_case cases[] = {
      {"attest", 0, -infinity, "0, and the log of nothing"},
      {"torch-sdpa", nan, -infinity, "NaN; its lse is not looked at"},
      {"flash-attention-2", 0, infinity, "+inf marks it"},
      {"base-2-lse", 0, -infinity, "-inf in any base"},
      {"tiled-heads", 0, -infinity, "as attest"},
      {"finite-sentinel", 3, -infinity, "the mean of all of V, 1 and 5"},
      {"unspecified-empty", 0, -infinity, "not looked at"},
      {"torch-sdpa-2.5", 0, -infinity, "0; it returns no lse"},
      {"torch-multi-head-attention", nan, -infinity, "NaN; likewise"},
      {"ggml", 0, -infinity, "0; likewise"},
      {"onnx-attention-23-1.18", nan, -infinity, "NaN; likewise"},
      {"onnx-attention-23-1.21", nan, -infinity, "NaN; likewise"},
      {"onnx-attention-23-1.22", 0, -infinity, "0; likewise"},
      {"onnx-attention-24", 0, -infinity, "0; likewise"},
      {"onnx-attention-25", 0, -infinity, "0; likewise"},
  };
  EXPECT_EQ(std::size(cases), all_profiles().size());
  for (const empty_case& c : cases) {
    problem p = quarter_problem();
    p.mask = boolean_tensor(broadcast(p.dims.score_sizes(), 0));
    p.rules = find_profile(c.profile);
    const auto row = row_of(p);
    EXPECT_TRUE(row.keys.empty());
    EXPECT_TRUE(row.output[0] == c.output || (std::isnan(c.output) && std::isnan(row.output[0])))
        << c.profile << ": " << c.why;
    EXPECT_EQ(as_declared(p.rules, row.lse), c.lse) << c.profile << ": " << c.why;
  }
}

TEST(definition, keys_outside_the_set_are_never_read) {
  problem p = plain_problem({1}, {0, ln3, std::nan("")}, {1, 5, std::nan("")});
  p.scale = 1;
  p.lengths = {2};
  EXPECT_NEAR(row_of(p).output[0], 4, tolerance);
}

}  // namespace
}  // namespace attest
