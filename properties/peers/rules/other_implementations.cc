// Rules that allow what other implementations needed: an eager one on the same problem, or correct
// ones on problems before it.
#include <algorithm>
#include <cmath>

#include "properties/peers/rules/rules.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

double output_error(const peer_evidence& e) { return largest_error(e.observed, e.expected); }
double competitor_error(const peer_evidence& e) { return largest_error(e.competitor, e.expected); }

bool flash_attention_2_accepts(const peer_evidence& e) {
  return output_error(e) <= 2 * competitor_error(e);
}

// max |((y + 0.3) - 0.3) - y|, both operations rounded to the format of the output.
double arithmetic_noise(const peer_evidence& e) {
  const double shift = *e.stored == f64 ? 0.3 : round_to(f32, {}, 0.3);
  std::vector<double> returned;
  for (double y : e.expected)
    returned.push_back(round_to(*e.stored, {}, round_to(*e.stored, {}, y + shift) - shift));
  return largest_error(returned, e.expected);
}

bool flash_attention_3_accepts(const peer_evidence& e) {
  const double factor = e.soft_capped ? 3 : 2;
  return output_error(e) <= factor * competitor_error(e) + 2 * arithmetic_noise(e);
}

// max |(z - y) / y|; 0 / 0 counts as the default.
double relative_deviation(const peer_evidence& e, double default_deviation) {
  double largest = 0;
  for (std::size_t n = 0; n < e.expected.size(); ++n) {
    const double deviation = std::fabs((e.competitor[n] - e.expected[n]) / e.expected[n]);
    largest = std::max(largest, std::isnan(deviation) ? default_deviation : deviation);
  }
  return largest;
}

bool torch_sdpa_accepts(const peer_evidence& e) {
  constexpr tolerance_table defaults{
      .f64 = {1e-5, 1.3e-6}, .f32 = {1e-5, 1.3e-6}, .f16 = {1e-3, 1e-3}, .bf16 = {1e-3, 1.6e-2}};
  constexpr double most_relative = 1e30;  // beyond it, the suite takes its default
  const tolerance least = defaults.of(*e.stored);
  const double deviation = competitor_error(e);
  if (std::isnan(deviation)) return false;
  const double relative = std::max(relative_deviation(e, least.relative), least.relative);
  return within(e, {std::max(deviation, least.absolute),
                    relative > most_relative ? least.relative : relative});
}

bool gpuemu_calibrated_accepts(const peer_evidence& e) {
  constexpr double safety_margin = 1.5;
  return is_finite(e.observed) && within(e, {safety_margin * e.control_error, 0});
}

}  // namespace

const peer_rule flash_attention_2{
    .name = "flash-attention-2",
    .accepts = "max |x - y| <= 2 max |z - y|, z an eager evaluation in the format of the inputs",
    .nonfinite = nonfinite_error_is_rejected,
    .source = "FlashAttention, tests/test_flash_attn.py",
    .needs = peer_need::competitor,
    .accept = flash_attention_2_accepts,
};

const peer_rule flash_attention_3{
    .name = "flash-attention-3",
    .accepts =
        "max |x - y| <= 2 max |z - y| + 2 max |((y + 0.3) - 0.3) - y|, z as for "
        "flash-attention-2; with a soft cap 3 max |z - y|",
    .nonfinite = nonfinite_error_is_rejected,
    .source = "FlashAttention, hopper/test_flash_attn.py",
    .needs = peer_need::competitor,
    .accept = flash_attention_3_accepts,
};

const peer_rule torch_sdpa{
    .name = "torch-sdpa",
    .accepts =
        "|x - y| <= atol + rtol |y| for every element, atol = max |z - y| and rtol = max "
        "|(z - y) / y|, z an eager evaluation in the format of the inputs; at least: f32 "
        "1e-5, 1.3e-6; f16 1e-3, 1e-3; bf16 1e-3, 1.6e-2",
    .nonfinite = "a difference z - y that is NaN rejects everything, NaN in x is close to nothing",
    .source = "PyTorch, test/test_transformers.py",
    .needs = peer_need::competitor,
    .accept = torch_sdpa_accepts,
};

const peer_rule gpuemu_calibrated{
    .name = "gpuemu-calibrated",
    .accepts =
        "|x - y| <= 1.5 e for every element, e the 95th percentile of the largest errors of "
        "correct implementations in the format of the inputs",
    .nonfinite = nonfinite_output_is_rejected,
    .source = "gpuemu, crates/gpuemu-common/src/calibration.rs",
    .needs = peer_need::control_error,
    .accept = gpuemu_calibrated_accepts,
};

}  // namespace attest
