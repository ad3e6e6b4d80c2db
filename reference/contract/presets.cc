#include "reference/contract/presets.h"

#include <array>
#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr stage nearest(const format& f) { return {&f}; }
constexpr stage flushing(const format& f) {
  return {&f, rounding_mode::nearest_even, subnormal_mode::flushed};
}

// Halves are stored with their subnormals; wider formats may flush them, as GPUs do by default.
constexpr stage storage(const format& f) { return f.precision == 11 ? nearest(f) : flushing(f); }

// What a kernel that says no more than its formats may do: any order of evaluation, scale on q or
// split over q and k, folded into an FMA or a log2 domain, any form of the weights, up to 16
// merges, exp within 4 ulps.
constexpr contract undeclared(std::string_view name, std::string_view about, const format& inputs,
                              const format& arithmetic) {
  contract c;
  c.name = name;
  c.about = about;
  c.inputs = &inputs;
  c.input_roundings = 1;
  c.input_storage = storage(arithmetic);
  c.score_sum = c.score_storage = c.bias_sum = c.exponent = storage(arithmetic);
  c.weight_storage = c.output_sum = c.weight_sum = c.partial_storage = storage(arithmetic);
  c.tanh_error = arithmetic.precision >= 24
                     ? 8 / static_cast<double>(std::uint64_t{1} << arithmetic.precision)
                     : 1.0 / 1024;
  c.exponent_constants = 2;
  c.exp_ulps = 4;
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

constexpr contract flash(std::string_view name, std::string_view about, const format& inputs) {
  contract c = undeclared(name, about, inputs, f32);
  c.weight_storage = storage(inputs);
  c.may_normalise_weights = false;
  c.tanh_error = 1.0 / 2048;  // the hardware tanh of current GPUs
  return c;
}

constexpr contract fp8_flash() {
  contract c =
      flash("fp8-flash", "fp8 inputs and weights, fp32 accumulation, bf16 output", f8_e4m3fn);
  c.weight_of_one = 256;
  c.output = &bf16;
  return c;
}

constexpr contract half_scores(std::string_view name, std::string_view about,
                               const format& inputs) {
  contract c = flash(name, about, inputs);
  c.input_storage = c.score_storage = c.bias_sum = storage(inputs);
  c.may_normalise_weights = true;
  return c;
}

constexpr contract all_half() {
  contract c = undeclared("fp16-accumulate", "every stage in fp16", f16, f16);
  c.exp_ulps = 2;
  return c;
}

constexpr contract float64() {
  contract c = undeclared("float64", "every stage in fp64", f64, f64);
  c.lse = &f64;
  return c;
}

constexpr std::array<contract, 8> presets{
    float64(),
    undeclared("float32", "every stage in fp32", f32, f32),
    flash("fp16-flash", "fp16 inputs, weights and output, fp32 accumulation", f16),
    half_scores("fp16-eager",
                "as fp16-flash, with scaled q and k, scores and weights stored in fp16", f16),
    all_half(),
    flash("bf16-flash", "bf16 inputs, weights and output, fp32 accumulation", bf16),
    half_scores("bf16-eager",
                "as bf16-flash, with scaled q and k, scores and weights stored in bf16", bf16),
    fp8_flash(),
};

}  // namespace

std::span<const contract> all_contracts() { return presets; }

const contract& find_contract(std::string_view name) {
  std::string allowed;
  for (const contract& c : presets) {
    if (c.name == name) return c;
    allowed += (allowed.empty() ? "" : ", ") + std::string(c.name);
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
