// The list of peer rules. Every constant in this folder is read from the file that its rule names
// as the source; what a suite leaves open for a format is taken from the nearest format it knows.
#pragma once

#include "properties/peers/closeness.h"
#include "properties/peers/rule.h"

namespace attest {

// every_element.cc: a fixed tolerance for each element
extern const peer_rule assert_close;
extern const peer_rule onnx;
extern const peer_rule xformers;
extern const peer_rule flashinfer;
extern const peer_rule kernelbench;
extern const peer_rule cudnn_frontend;
extern const peer_rule triton_tutorial;
extern const peer_rule cutlass_41;
extern const peer_rule gpuemu_recommended;
extern const peer_rule gpuemu_corpus;
// other_implementations.cc: as far off as others were
extern const peer_rule flash_attention_2;
extern const peer_rule flash_attention_3;
extern const peer_rule torch_sdpa;
extern const peer_rule gpuemu_calibrated;
// whole_output.cc: a number or two for the whole output
extern const peer_rule ggml;
extern const peer_rule cutlass_77;
extern const peer_rule cosine;

// One tolerance for each format that outputs are stored in.
struct tolerance_table {
  tolerance f64, f32, f16, bf16;

  tolerance of(const format& stored) const;
};

inline constexpr std::string_view nan_is_close_to_nothing =
    "NaN is close to nothing, equal infinities are close";
inline constexpr std::string_view nonfinite_error_is_rejected =
    "a difference that is NaN or infinite is rejected";
inline constexpr std::string_view nonfinite_output_is_rejected =
    "NaN and infinities in the output are rejected";

// Whether the output is close to the reference, as all_close.
bool within(const peer_evidence&, const tolerance&);

bool is_finite(numbers);
bool has_8_bit_inputs(const peer_evidence&);

}  // namespace attest
