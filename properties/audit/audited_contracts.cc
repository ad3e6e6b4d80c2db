#include "properties/audit/audited_contracts.h"

#include <fnmatch.h>

#include <string>

#include "reference/contract/presets.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// A preset without any of its freedoms: two passes in the order of the definition, every function
// and sum as its stage says. What a case adds is then all that its bound has to cover.
contract strict(std::string_view preset) {
  contract c = find_contract(preset);
  c.q_conversion.times = c.k_conversion.times = c.v_conversion.times = 0;
  c.fused_terms = 0;
  c.tanh_error = 8 * unit_roundoff(*c.score_sum.number);
  c.exponent_constants = 0;
  c.exp_ulps = c.rescale_ulps = 1;
  c.division_ulps = 0.5;
  c.merges = 0;
  c.may_fold_scale = c.may_rescale = c.may_sum_rounded_weights = false;
  c.may_normalise_weights = c.may_use_lse = false;
  return c;
}

struct audited_case {
  const char* name;
  const char* about;
  const char* preset;  // made strict
  void (*change)(contract&);
};

stage truncated(const format& f) { return {&f, rounding_mode::to_zero, subnormal_mode::flushed}; }

void round_all(contract& c, rounding_mode mode) {
  for (stage contract::*s :
       {&contract::score_sum, &contract::score_storage, &contract::bias_sum, &contract::exponent,
        &contract::weight_storage, &contract::output_sum, &contract::weight_sum})
    (c.*s).mode = mode;
  c.output_mode = mode;
}

constexpr double natural_log_of_2 = 0.6931471805599453;

constexpr audited_case cases[] = {
    {"strict-fp64", "two passes in fp64", "float64", [](contract&) {}},
    {"strict-fp32", "two passes in fp32", "float32", [](contract&) {}},
    {"strict-fp16", "two passes in fp32, fp16 weights", "fp16-flash", [](contract&) {}},
    {"strict-bf16", "two passes in fp32, bf16 weights", "bf16-flash", [](contract&) {}},
    {"strict-fp16-accumulate", "two passes in fp16", "fp16-accumulate", [](contract&) {}},
    {"lse-form", "weights exp(t - lse)", "float32",
     [](contract& c) { c.may_normalise_weights = c.may_use_lse = true; }},
    {"lse-form-fp16", "weights exp(t - lse), in fp16", "fp16-accumulate",
     [](contract& c) { c.may_normalise_weights = c.may_use_lse = true; }},
    {"merges-1", "two parts, merged", "fp16-flash", [](contract& c) { c.merges = 1; }},
    {"merges-4", "parts in a chain or tree of 4 merges", "float32",
     [](contract& c) { c.merges = 4; }},
    {"merges-16", "parts in a chain or tree of 16 merges", "float32",
     [](contract& c) { c.merges = 16; }},
    {"lse-merges-2", "2 parts weighted by their lse, divisions off by 4 ulps", "fp16-accumulate",
     [](contract& c) { c.merges = 1, c.may_use_lse = true, c.division_ulps = 4; }},
    {"lse-merges-16", "16 parts weighted by their lse", "float32",
     [](contract& c) { c.merges = 15, c.may_use_lse = true; }},
    {"fp16-partials", "parts stored in fp16 between merges", "fp16-flash",
     [](contract& c) {
       c.merges = 4;
       c.partial_storage = {&f16};
     }},
    {"hardware-tanh", "tanh off by 2^-11 of itself", "float32",
     [](contract& c) { c.tanh_error = 0x1p-11; }},
    {"tf32-rounded", "q, k and v rounded to tf32", "float32",
     [](contract& c) {
       c.q_conversion = c.k_conversion = c.v_conversion = {{&tf32}, 1};
     }},
    {"tf32-truncated", "q, k and v truncated to tf32", "float32",
     [](contract& c) {
       c.q_conversion = c.k_conversion = c.v_conversion = {truncated(tf32), 1};
     }},
    {"v-rounded-once", "v rounded to bf16", "float32",
     [](contract& c) {
       c.v_conversion = {{&bf16}, 1};
     }},
    {"scale-on-q", "c or sqrt(c) put on fp16 operands", "fp16-flash",
     [](contract& c) {
       c.q_conversion = c.k_conversion = {{&f16}, 1};
     }},
    {"scale-folded", "c q.k - m by FMA, in base 2", "float32",
     [](contract& c) { c.may_fold_scale = true, c.exponent_constants = 1; }},
    {"base-2", "exp2((t - m) log2 e)", "float32", [](contract& c) { c.exponent_constants = 1; }},
    {"normalised-flushed", "p / l stored in fp16, flushed to zero", "fp16-flash",
     [](contract& c) {
       c.may_normalise_weights = true;
       c.weight_storage.subnormals = subnormal_mode::flushed;
     }},
    {"online-normaliser", "l by a running maximum, then p / l", "float32",
     [](contract& c) { c.may_rescale = c.may_normalise_weights = true; }},
    {"stored-weights-summed", "l adds fp16 weights", "fp16-flash",
     [](contract& c) { c.may_sum_rounded_weights = true; }},
    {"running-maximum", "rescaled in any order of the keys", "float32",
     [](contract& c) { c.may_rescale = true; }},
    {"running-maximum-by-16", "rescaled once a block of 16 positions", "fp16-flash",
     [](contract& c) { c.may_rescale = true, c.block_keys = 16; }},
    {"rescale-threshold", "maxima up to 2^8 above are ignored", "bf16-flash",
     [](contract& c) { c.may_rescale = true, c.rescale_threshold = 8 * natural_log_of_2; }},
    {"exp-zero-below-20", "exp(x) is 0 for x < -20", "float32",
     [](contract& c) { c.exp_zero_below = -20; }},
    {"exp-zero-below-88", "exp(x) is 0 for x < -88", "float32",
     [](contract& c) { c.exp_zero_below = -88; }},
    {"exp-8-ulps", "exp off by 8 ulps", "float32", [](contract& c) { c.exp_ulps = 8; }},
    {"no-shift", "exp(t), whatever the row holds", "float32",
     [](contract& c) { c.shift = exponent_shift::constant; }},
    {"constant-shift", "exp(t - 6)", "float32",
     [](contract& c) { c.shift = exponent_shift::constant, c.shift_by = 6; }},
    {"offset-maximum", "exp(t - m + 8 ln 2)", "fp16-flash",
     [](contract& c) { c.shift_by = -8 * natural_log_of_2; }},
    {"weight-of-one-448", "weights from 0 to 448, in fp8", "fp8-flash",
     [](contract& c) { c.weight_of_one = 448; }},
    {"fused-4", "4 products at once, aligned and truncated", "fp16-flash",
     [](contract& c) { c.fused_terms = 4; }},
    {"fused-8", "8 products at once, aligned and truncated", "fp16-flash",
     [](contract& c) { c.fused_terms = 8; }},
    {"fused-16", "16 products at once, aligned and truncated", "bf16-flash",
     [](contract& c) { c.fused_terms = 16; }},
    {"approximate-division", "a reciprocal off by 4 ulps", "float32",
     [](contract& c) { c.division_ulps = 4; }},
    {"saturated", "an fp16 output that stops at 65504", "fp16-flash",
     [](contract& c) { c.output_overflow = overflow_mode::saturate; }},
    {"truncated", "every rounding towards zero", "float32",
     [](contract& c) { round_all(c, rounding_mode::to_zero); }},
    {"rounded-up", "every rounding upwards", "fp16-flash",
     [](contract& c) { round_all(c, rounding_mode::up); }},
    {"rounded-down", "every rounding downwards", "fp16-accumulate",
     [](contract& c) { round_all(c, rounding_mode::down); }},
    {"stochastic", "every rounding to a random neighbour", "bf16-flash",
     [](contract& c) { round_all(c, rounding_mode::stochastic); }},
};

std::vector<contract> make_audited() {
  std::vector<contract> list(all_contracts().begin(), all_contracts().end());
  for (const audited_case& each : cases) {
    contract c = strict(each.preset);
    each.change(c);
    c.name = each.name;
    c.about = each.about;
    list.push_back(std::move(c));
  }
  return list;
}

}  // namespace

std::span<const contract> audited_contracts() {
  static const std::vector<contract> list = make_audited();
  return list;
}

std::vector<const contract*> matching_audited_contracts(std::string_view glob) {
  std::vector<const contract*> found;
  std::string allowed;
  for (const contract& c : audited_contracts()) {
    if (glob == "all" || fnmatch(std::string(glob).c_str(), c.name.c_str(), 0) == 0)
      found.push_back(&c);
    allowed += (allowed.empty() ? "" : ", ") + c.name;
  }
  if (found.empty())
    throw input_error("no audited contract matches '" + std::string(glob) +
                      "' (allowed: all, a glob or one of " + allowed + ")");
  return found;
}

}  // namespace attest
