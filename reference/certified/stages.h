// The stages of the fast engine, each compiled for every instruction set: scores, weights, values.
// They work on a tile of query rows and a block of keys. A stage gives the same bits whatever the
// instruction set: sums are exact, or their order is fixed. Proof: derivation/bounds/certified.md.
#pragma once

#include <cstddef>
#include <span>

namespace attest {

// Keys that are weighed against one power of two and summed together. Part of what defines the
// result, unlike tile_rows.
inline constexpr std::size_t block_keys = 64;
inline constexpr std::size_t key_group = 8;      // keys that lie side by side in a packed block
inline constexpr std::size_t column_group = 16;  // columns of V are padded to a multiple
inline constexpr std::size_t tile_rows = 30;     // scheduling only

// Logits beyond it leave the fast engine; keys below its negative weigh nothing.
inline constexpr double most_logit = 0x1p14;

// Computes: how many bits the two factors of a dot product of this length may span together, so
// that two accumulators hold it exactly.
int most_score_bits(std::size_t length);
// The bits that a column of V may span within a block.
inline constexpr int most_value_bits = 47;
// A score that spans no more is exact in a single accumulator.
inline constexpr int single_score_bits = 53;

// Numbers high + low, [tile_rows, block_keys].
struct score_tile {
  alignas(64) double high[tile_rows][block_keys];
  alignas(64) double low[tile_rows][block_keys];
};

// One slice of the rows and one of the keys.
struct score_operands {
  std::size_t rows = 0;
  std::size_t width = 0;
  const double* q = nullptr;          // [rows, width]
  const double* q_anchors = nullptr;  // [rows]
  const double* k = nullptr;          // [block_keys / key_group, width, key_group]
  const double* k_anchors = nullptr;  // [block_keys]
  const int* q_bits = nullptr;        // [rows], what each spans
  const int* k_bits = nullptr;        // [block_keys]
  bool further = false;               // add to what the tile holds: a further slice
};

// From scores to logits: t = cap tanh(c s / cap) + bias, in the order that the semantics gives.
struct logit_rule {
  double scale_high = 1, scale_low = 0;  // c
  double scale_error = 0;                // of c s, relative; 0 where it is exact
  double cap = 0;                        // 0: none
  double inverse_cap_high = 0, inverse_cap_low = 0;
  bool cap_last = false;
  double weight_error = 0;  // of every weight, relative
};

// What one row adds to its logits in a block; a null pointer adds nothing.
struct logit_terms {
  const double* bias = nullptr;     // [block_keys]
  const double* removed = nullptr;  // [block_keys]: 0, or -inf for a key outside the key set
};

// One row's weights in a block: key j weighs (high[j] + low[j]) 2^power, of which the greatest is
// between 1/2 and 1.01. high is a multiple of 2^-51; |low| <= 1.3 2^-52; both are 0 for a key that
// weighs nothing.
struct row_weights {
  double* high = nullptr;        // [block_keys], aligned to a cache line
  double* low = nullptr;         // [block_keys], likewise
  double* logit_high = nullptr;  // [block_keys], or null: not wanted
  double* logit_low = nullptr;   // [block_keys]
  double* errors = nullptr;  // [block_keys], or null: of each key, over 2^power, fixed point too
  bool any = false;          // whether a key weighs anything; the rest is only set where one does
  bool outside = false;      // a logit is above most_logit or not finite
  bool dropped = false;      // a kept key is below -most_logit
  int power = 0;
  double mass[4] = {};  // the sum of the weights over 2^power, as an unevaluated sum
  double error = 0;     // sum of weight times relative error, over 2^power, rounded up
};

// A row's running sums over blocks: column d is (part[0] + part[1] + part[2])[d] 2^power within
// radius[d] 2^power.
struct value_sums {
  double* part[3] = {};  // [columns] each
  double* radius = nullptr;
};

// One row's part in the values of a block.
struct value_row {
  const double* high = nullptr;  // row_weights
  const double* low = nullptr;
  value_sums sums;
  double keep = 1;  // the factor of what the sums hold
  double add = 1;   // the factor of the block's sum: powers of two
  // The radius that the block adds: the errors of the keys times their |v|; where errors is null,
  // bounded by weight_error max |v| + fixed_error sum |v| over all keys, seen or not.
  const double* errors = nullptr;
  double weight_error = 0;  // times the block's factor
  double fixed_error = 0;
};

// One slice of V in a block.
struct value_operands {
  std::size_t columns = 0;
  const double* v = nullptr;        // [columns / column_group, block_keys, column_group]
  const double* anchors = nullptr;  // [columns]
  const double* largest = nullptr;  // max |v| of each column, rounded up
  const double* total = nullptr;    // sum |v| of each column, rounded up
  bool further = false;             // a further slice: largest and total are counted already
};

// Computes: q k for every row and key, exactly up to one double-double addition for each further
// slice (addition_error of either).
void score_block(const score_operands&, score_tile&);

// Computes: the weights of one row from its scores, [block_keys] high + low.
void weigh_block(const logit_rule&, const logit_terms&, const double* high, const double* low,
                 row_weights&);

// Computes: the weighted sums of a block's values, added to what the rows hold.
void sum_block(const value_operands&, std::span<value_row> rows);

// The same in double, for a first pass.
void quick_score_block(const score_operands&, score_tile&);
void quick_weigh_block(const logit_rule&, const logit_terms&, const double* high, const double* low,
                       row_weights&);
void quick_sum_block(const value_operands&, std::span<value_row> rows);

// What the engine runs. Another choice plants an error, to see it found.
struct stages {
  decltype(&score_block) scores = score_block;
  decltype(&weigh_block) weights = weigh_block;
  decltype(&sum_block) values = sum_block;
  bool quick = false;  // the errors are those of double arithmetic
};

inline constexpr stages quick_stages{quick_score_block, quick_weigh_block, quick_sum_block, true};

}  // namespace attest
