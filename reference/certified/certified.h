// The certified reference: the definition as enclosures, at about the speed of double arithmetic.
// Proof of every radius: derivation/bounds/certified.md.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reference/definition/key_set.h"
#include "reference/exact/enclosure.h"

namespace attest {

struct certified_options {
  int threads = 1;  // scheduling only: any number gives the same bits; 0: one a core, which is most
  bool weights = false;     // the one answer that takes Lq x Lk memory
  bool magnitudes = false;  // sum a |v|
  // Called with rows done and rows in all, from one thread at a time; empty: not called.
  std::function<void(std::int64_t, std::int64_t)> progress = {};
};

struct certified_answer {
  std::vector<enclosure> output;   // [B, Hq, Lq, Dv]
  std::vector<enclosure> lse;      // [B, Hq, Lq], in the base that the semantics declares
  std::vector<enclosure> weights;  // [B, Hq, Lq, Lk] where asked for; exactly 0 outside the key set
  std::vector<double> magnitudes;  // [B, Hq, Lq, Dv] where asked for: sum a |v|, rounded up
  std::int64_t multiprecision_rows = 0;  // rows outside the domain of the fast engine
};

// Computes: every row of the problem; an empty row holds what the semantics gives it.
// Result: |exact - (high + low)| <= radius; the same bits for any thread count, instruction set and
// compiler. Special: rows with non-finite operands or scores beyond the fast engine's domain are
// computed in multiprecision (compute_exact_row). Cost: linear memory but for weights.
certified_answer certify(const problem&, const certified_options& = {});

}  // namespace attest
