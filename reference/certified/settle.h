// Ziv's strategy for any question about the elements of an answer: each is asked again with ever
// narrower enclosures, until it is settled.
#pragma once

#include <functional>
#include <vector>

#include "reference/certified/certified.h"

namespace attest {

// Where an element is. column -1: the lse.
struct element_place {
  row_index row;
  std::int64_t column = -1;

  friend auto operator<=>(const element_place&, const element_place&) = default;
};

// Whether the enclosure settles the question about an element. Called from several threads at once
// where there are several, and again for an element whose row has others left to settle.
using question = std::function<bool(const element_place&, const enclosure&)>;

struct settlement {
  std::int64_t in_double = 0;  // rows that the first pass settled
  std::int64_t in_double_double = 0;
  std::int64_t in_multiprecision = 0;
  std::vector<element_place> open;  // that no precision settled: at a tie, none can
};

// Computes: the outputs, and the lse, of every row: in double, with radii of about 2^-45; where
// that leaves one open, the row as certify() computes it; then at 512 bits and more, up to 16,384.
// Cost: one or two matrix products of doubles, where the first pass settles most. options: threads
// and progress.
settlement settle(const problem&, const question&, const certified_options& = {});

}  // namespace attest
