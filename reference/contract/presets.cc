#include "reference/contract/presets.h"

#include <string>
#include <vector>

#include "reference/input_error.h"

namespace attest {
namespace {

stage nearest(const format& f) { return {&f}; }
stage flushing(const format& f) {
  return {&f, rounding_mode::nearest_even, subnormal_mode::flushed};
}

// Formats of a short range are stored with their subnormals; the others may flush them, as GPUs do
// by default.
stage storage(const format& f) {
  return f.min_exponent > f32.min_exponent ? nearest(f) : flushing(f);
}

// What a kernel that says no more than its formats may do: any order of evaluation, scale on q or
// split over q and k, folded into an FMA or a log2 domain, any form of the weights, up to 16
// merges, exp within 4 ulps.
contract undeclared(std::string name, std::string about, const format& inputs,
                    const format& arithmetic) {
  contract c;
  c.name = std::move(name);
  c.about = std::move(about);
  c.inputs = &inputs;
  c.q_conversion = c.k_conversion = {storage(arithmetic), 1};
  c.score_sum = c.score_storage = c.bias_sum = c.exponent = storage(arithmetic);
  c.weight_storage = c.output_sum = c.weight_sum = c.partial_storage = storage(arithmetic);
  c.tanh_error = arithmetic.precision >= 24
                     ? 8 / static_cast<double>(std::uint64_t{1} << arithmetic.precision)
                     : 1.0 / 1024;
  c.tanh_absolute_error = arithmetic.precision >= 24 ? 4 * unit_roundoff(arithmetic) : 0;
  c.exponent_constants = 1;
  c.exp_ulps = c.rescale_ulps = 4;
  c.may_fold_scale = true;
  c.may_rescale = true;
  c.merges = 16;
  c.may_sum_rounded_weights = true;
  c.may_normalise_weights = true;
  c.may_use_lse = true;
  c.division_ulps = 2;
  c.output = &inputs;
  c.output_subnormals = storage(inputs).subnormals;
  return c;
}

// Matrix units add up to 16 products at once and truncate.
constexpr int matrix_unit = 16;

// exp of a weight may be off by a quarter of what its storage loses: polynomials of a low degree
// are made for that.
contract flash(std::string name, std::string about, const format& inputs, const format& weights) {
  contract c = undeclared(std::move(name), std::move(about), inputs, f32);
  c.fused_terms = matrix_unit;
  c.weight_storage = storage(weights);
  c.exp_ulps = unit_roundoff(weights) / unit_roundoff(f32) / 8;
  c.may_normalise_weights = false;
  c.tanh_error = 1.0 / 2048;  // the hardware tanh of current GPUs
  return c;
}

contract fp8(std::string name, std::string about, const format& inputs) {
  contract c = flash(std::move(name), std::move(about), inputs, f8_e4m3fn);
  c.weight_of_one = 256;
  c.output = &bf16;
  return c;
}

// Inputs of 16 bits that the kernel quantises by itself, with a scale for so many rows.
contract fp8_quantised(std::string name, std::string about, int rows) {
  contract c = fp8(std::move(name), std::move(about), bf16);
  c.quantised_to = &f8_e4m3fn;
  c.quantised_rows = rows;
  return c;
}

contract tf32_units() {
  contract c = flash("tf32", "fp32 throughout, but matrix units read tf32", f32, tf32);
  c.q_conversion = c.k_conversion = {{&tf32, rounding_mode::to_zero, subnormal_mode::flushed}, 1};
  c.v_conversion = c.q_conversion;
  c.weight_storage.mode = rounding_mode::to_zero;
  c.may_normalise_weights = true;
  return c;
}

contract half_scores(std::string name, std::string about, const format& inputs) {
  contract c = flash(std::move(name), std::move(about), inputs, inputs);
  c.q_conversion = c.k_conversion = {storage(inputs), 1};
  c.score_storage = c.bias_sum = storage(inputs);
  c.may_normalise_weights = true;
  return c;
}

contract all_half() {
  contract c = undeclared("fp16-accumulate", "every stage in fp16", f16, f16);
  c.exp_ulps = c.rescale_ulps = 2;
  return c;
}

contract float64() {
  contract c = undeclared("float64", "every stage in fp64", f64, f64);
  c.lse = &f64;
  return c;
}

std::vector<contract> make_presets() {
  return {
      float64(),
      undeclared("float32", "every stage in fp32", f32, f32),
      tf32_units(),
      flash("fp16-flash", "fp16 inputs, weights and output, fp32 accumulation", f16, f16),
      half_scores("fp16-eager",
                  "as fp16-flash, with scaled q and k, scores and weights stored in fp16", f16),
      all_half(),
      flash("bf16-flash", "bf16 inputs, weights and output, fp32 accumulation", bf16, bf16),
      half_scores("bf16-eager",
                  "as bf16-flash, with scaled q and k, scores and weights stored in bf16", bf16),
      fp8("fp8-flash", "fp8 inputs and weights, fp32 accumulation, bf16 output", f8_e4m3fn),
      fp8_quantised("fp8-tensor-scale",
                    "bf16 inputs that are quantised to fp8, one scale a tensor; else as fp8-flash",
                    0),
      fp8_quantised("fp8-block-scale",
                    "bf16 inputs that are quantised to fp8, one scale for up to 128 rows; else as "
                    "fp8-flash",
                    128),
  };
}

const std::vector<contract>& presets() {
  static const std::vector<contract> list = make_presets();
  return list;
}

}  // namespace

std::span<const contract> all_contracts() { return presets(); }

const contract& find_contract(std::string_view name) {
  std::string allowed;
  for (const contract& c : presets()) {
    if (c.name == name) return c;
    allowed += (allowed.empty() ? "" : ", ") + c.name;
  }
  throw input_error("unknown contract '" + std::string(name) + "' (allowed: " + allowed + ")");
}

const contract& default_contract(const format& inputs) {
  if (inputs == f64) return find_contract("float64");
  if (inputs == f16) return find_contract("fp16-flash");
  if (inputs == bf16) return find_contract("bf16-flash");
  return find_contract(inputs.storage_bits == 8 ? "fp8-flash" : "float32");
}

}  // namespace attest
