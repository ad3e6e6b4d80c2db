// Rules that compare every element with a tolerance of fixed size.
#include <cmath>

#include "properties/peers/rules/rules.h"

namespace attest {
namespace {

bool assert_close_accepts(const peer_evidence& e) {
  constexpr tolerance_table t{
      .f64 = {1e-7, 1e-7}, .f32 = {1e-5, 1.3e-6}, .f16 = {1e-5, 1e-3}, .bf16 = {1e-5, 1.6e-2}};
  return within(e, t.of(*e.stored));
}

// numpy.testing.assert_allclose(reference, output): its relative part is taken of the output, and
// pairs of NaN agree by default.
bool onnx_accepts(const peer_evidence& e) {
  return all_close(e.expected, e.observed, {1e-7, 1e-3}, nan_pairs::agree);
}

bool xformers_accepts(const peer_evidence& e) {
  constexpr tolerance_table t{
      .f64 = {3e-4, 2e-5}, .f32 = {3e-4, 2e-5}, .f16 = {4e-3, 4e-4}, .bf16 = {2e-2, 5e-3}};
  return within(e, t.of(*e.stored));
}

bool flashinfer_accepts(const peer_evidence& e) {
  if (has_8_bit_inputs(e)) return mean_square_error(e.observed, e.expected) < 1;
  return within(e, e.one_query ? tolerance{1e-3, 1e-3} : tolerance{1e-2, 1e-2});
}

bool kernelbench_accepts(const peer_evidence& e) {
  constexpr tolerance_table t{
      .f64 = {1e-4, 1e-4}, .f32 = {1e-4, 1e-4}, .f16 = {1e-2, 1e-2}, .bf16 = {1e-2, 1e-2}};
  return within(e, t.of(*e.stored));
}

bool cudnn_frontend_accepts(const peer_evidence& e) { return within(e, {2e-2, 2e-2}); }

bool triton_tutorial_accepts(const peer_evidence& e) { return within(e, {1e-2, 0}); }

// An element is wrong only if it is too far off in both senses.
bool is_wrong_to_cutlass_41(double x, double y) {
  const double error = std::fabs(x - y);
  const double relative = error / std::fabs(y + 1e-5);
  return !std::isfinite(error) || (error > 5e-2 && relative > 1e-1);
}

bool cutlass_41_accepts(const peer_evidence& e) {
  for (std::size_t n = 0; n < e.observed.size(); ++n)
    if (is_wrong_to_cutlass_41(e.observed[n], e.expected[n])) return false;
  return true;
}

bool gpuemu_recommended_accepts(const peer_evidence& e) {
  constexpr tolerance_table base{
      .f64 = {1e-10, 1e-9}, .f32 = {1e-5, 1e-4}, .f16 = {1e-3, 1e-2}, .bf16 = {1e-2, 1e-1}};
  constexpr double factor_of_attention = 2.5;
  const tolerance t = base.of(*e.stored);
  return is_finite(e.observed) &&
         within(e, {factor_of_attention * t.absolute, factor_of_attention * t.relative});
}

bool gpuemu_corpus_accepts(const peer_evidence& e) {
  constexpr tolerance_table t{
      .f64 = {1e-3, 0}, .f32 = {1e-3, 0}, .f16 = {5e-2, 0}, .bf16 = {5e-2, 0}};
  return is_finite(e.observed) && within(e, t.of(*e.stored));
}

}  // namespace

const peer_rule assert_close{
    .name = "assert-close",
    .accepts =
        "|x - y| <= atol + rtol |y| for every element; atol and rtol: f64 1e-7, 1e-7; f32 "
        "1e-5, 1.3e-6; f16 1e-5, 1e-3; bf16 1e-5, 1.6e-2",
    .nonfinite = nan_is_close_to_nothing,
    .source = "PyTorch, torch/testing/_comparison.py",
    .accept = assert_close_accepts,
};

const peer_rule onnx{
    .name = "onnx",
    .accepts = "|x - y| <= 1e-7 + 1e-3 |x| for every element",
    .nonfinite = "NaN is close to NaN only, equal infinities are close",
    .source = "ONNX, onnx/backend/test/runner/__init__.py",
    .accept = onnx_accepts,
};

const peer_rule xformers{
    .name = "xformers",
    .accepts =
        "|x - y| <= atol + rtol |y| for every element; atol and rtol: f32 3e-4, 2e-5; f16 "
        "4e-3, 4e-4; bf16 2e-2, 5e-3",
    .nonfinite = nan_is_close_to_nothing,
    .source = "xFormers, xformers/ops/fmha/common.py",
    .accept = xformers_accepts,
};

const peer_rule flashinfer{
    .name = "flashinfer",
    .accepts =
        "|x - y| <= t + t |y| for every element, t = 1e-3 for one query and 1e-2 for more; "
        "with 8-bit inputs mean (x - y)^2 < 1",
    .nonfinite = "NaN is close to nothing; equal infinities are close, but not with 8-bit inputs",
    .source = "FlashInfer, its tests of decode, prefill and fp8 kernels",
    .accept = flashinfer_accepts,
};

const peer_rule kernelbench{
    .name = "kernelbench",
    .accepts = "|x - y| <= t + t |y| for every element, t = 1e-4 for f32, 1e-2 for f16 and bf16",
    .nonfinite = nan_is_close_to_nothing,
    .source = "KernelBench, src/kernelbench/eval.py",
    .accept = kernelbench_accepts,
};

const peer_rule cudnn_frontend{
    .name = "cudnn-frontend",
    .accepts = "|x - y| <= 2e-2 + 2e-2 |y| for every element",
    .nonfinite = nan_is_close_to_nothing,
    .source = "cuDNN frontend, test/python",
    .accept = cudnn_frontend_accepts,
};

const peer_rule triton_tutorial{
    .name = "triton-tutorial",
    .accepts = "|x - y| <= 1e-2 for every element",
    .nonfinite = nan_is_close_to_nothing,
    .source = "Triton, python/tutorials/06-fused-attention.py",
    .accept = triton_tutorial_accepts,
};

const peer_rule cutlass_41{
    .name = "cutlass-41",
    .accepts = "|x - y| <= 5e-2 or |x - y| / |y + 1e-5| <= 1e-1 for every element",
    .nonfinite = nonfinite_error_is_rejected,
    .source = "CUTLASS, examples/41_fused_multi_head_attention",
    .accept = cutlass_41_accepts,
};

const peer_rule gpuemu_recommended{
    .name = "gpuemu-recommended",
    .accepts =
        "|x - y| <= 2.5 (atol + rtol |y|) for every element; atol and rtol: f64 1e-10, "
        "1e-9; f32 1e-5, 1e-4; f16 1e-3, 1e-2; bf16 1e-2, 1e-1",
    .nonfinite = nonfinite_output_is_rejected,
    .source = "gpuemu, gpuemu_py.tolerances (arXiv 2606.20128)",
    .accept = gpuemu_recommended_accepts,
};

const peer_rule gpuemu_corpus{
    .name = "gpuemu-corpus",
    .accepts = "|x - y| <= atol for every element, 1e-3 for f32 and 5e-2 for f16",
    .nonfinite = nonfinite_output_is_rejected,
    .source = "gpuemu-corpus (arXiv 2606.20128)",
    .accept = gpuemu_corpus_accepts,
};

}  // namespace attest
