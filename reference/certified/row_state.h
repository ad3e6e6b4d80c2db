// A row on its way through the blocks, and what is asked of its single keys at the end.
#pragma once

#include <vector>

#include "reference/certified/row_end.h"
#include "reference/definition/key_set.h"
#include "reference/exact/exact_row.h"

namespace attest {

// One row in one block, kept for what is asked of single keys.
struct kept_block {
  std::size_t block = 0;
  bool any = false;  // as in row_weights
  int power = 0;
  double error = 0;
  alignas(64) double high[block_keys];
  alignas(64) double low[block_keys];
  alignas(64) double logit_high[block_keys];
  alignas(64) double logit_low[block_keys];
  alignas(64) double products[block_keys];   // sum |q_t k_t|, rounded up
  alignas(64) double key_sizes[block_keys];  // sum |k_t|, rounded up
};

struct row_state {
  row_index place;
  key_span visible;
  bool outside = false;
  bool dropped = false;
  bool meets_values = false;  // whether dropout leaves a weight
  double query_size = 0;      // sum |q_t|, rounded up
  row_mass mass;
  std::vector<kept_block> kept;
};

// Computes: 1 / l.
enclosure inverse_mass(const row_mass&);

// Computes: the weight of every key; exactly 0 outside the key set.
std::vector<enclosure> weights_of(const problem&, const row_state&);

// Sets keys, greatest, log_mass and scale. scale: |c|; log_mass: ln of the sum over keys and sink.
void describe_keys(const problem&, const row_state&, double scale, const enclosure& log_mass,
                   exact_row&);

}  // namespace attest
