// The intermediate results that qk_matmul_output can hold.
#pragma once

#include "properties/onnx/attention_call.h"
#include "properties/onnx/conventions.h"
#include "reference/definition/key_set.h"
#include "reference/exact/exact_row.h"

namespace attest {

enum class score_stage : std::uint8_t {
  raw,     // c q.k
  capped,  // after the soft cap: of it or, where the cap acts on masked scores, of biased
  biased,  // after mask and bias: of capped, or of it
  weight,  // after the softmax
};

// Computes: the stage that qk_matmul_output_mode names. The score after a soft cap that is not
// there is the raw one in every edition, as the standard's reference code has it.
score_stage stage_of(const attention_call&, const onnx_conventions&);

// The scores of one stage before the softmax: all keys of a problem that has no mask, which then
// tells what each holds.
class staged_scores {
 public:
  // Domain: no weights.
  staged_scores(const attention_call&, const onnx_conventions&, score_stage);

  // The problem whose logits are the scores where nothing is masked.
  const problem& unmasked() const { return unmasked_; }
  // Computes: the row of it; key n is key n.
  exact_row row(const row_index& place) const { return compute_exact_row(unmasked_, place); }
  // Whether the stage holds no score for the key, as mask or positions took it out.
  bool is_masked(const row_index&, std::int64_t key) const;
  // What it holds instead: -inf, or -cap.
  double masked_score() const;

 private:
  score_stage stage_;
  problem masked_;  // says what is masked; its soft cap keeps nothing
  problem unmasked_;
  bool caps_masked_;
};

}  // namespace attest
