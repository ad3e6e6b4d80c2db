// Which logits of a row are exactly equal, by exact arithmetic. Proof:
// derivation/bounds/exact_ties.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "reference/definition/key_set.h"
#include "reference/formats/ordinal.h"

namespace attest {

// Keys of one logit; the sink is sink_key.
using score_group = std::vector<std::int64_t>;

class equal_scores {
 public:
  // Domain: finite q, k, bias and sink; keys with others are left out. Cost: a dot product of 8192
  // bits a key.
  equal_scores(const problem&, const row_index&);

  // The kept keys, and the sink, as the classes of exactly equal logits.
  const std::vector<score_group>& groups() const { return groups_; }
  // Computes: the group whose logit is that rational number, if any.
  std::optional<std::size_t> group_of(const dyadic& logit) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
  std::vector<score_group> groups_;
};

}  // namespace attest
