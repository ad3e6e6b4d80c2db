#include "reference/contract/fields.h"

#include "reference/text.h"

namespace attest {
namespace {

constexpr contract_field fields[] = {
    {"inputs", "the format of q, k and v", &contract::inputs},
    {"q_conversion", "what q is rounded to on its way into a product", &contract::q_conversion},
    {"k_conversion", "what k is rounded to on its way into a product", &contract::k_conversion},
    {"v_conversion", "what v is rounded to on its way into a product", &contract::v_conversion},
    {"quantised_to", "the format into which q, k and v are quantised", &contract::quantised_to},
    {"quantised_rows", "positions that share a quantisation scale, 0: the whole tensor",
     &contract::quantised_rows},
    {"score_sum", "the accumulator of q.k", &contract::score_sum},
    {"fused_terms", "products that are added at once, aligned and truncated",
     &contract::fused_terms},
    {"score_storage", "the format that holds scores", &contract::score_storage},
    {"bias_sum", "the format that holds score + bias", &contract::bias_sum},
    {"tanh_error", "the relative error of the soft cap's tanh", &contract::tanh_error},
    {"tanh_absolute_error", "the absolute error of the soft cap's tanh, beside it",
     &contract::tanh_absolute_error},
    {"exponent", "the format of t - M and of the exponential", &contract::exponent},
    {"exponent_constants", "rounded constants multiplied into the exponent",
     &contract::exponent_constants},
    {"may_fold_scale", "whether the scale may be folded into the subtraction of the maximum",
     &contract::may_fold_scale},
    {"shift", "what is subtracted before the exponential", &contract::shift},
    {"shift_by", "the constant in it", &contract::shift_by},
    {"exp_ulps", "the error of the exponential in ulps", &contract::exp_ulps},
    {"rescale_ulps", "the error of the exponential of a rescaling in ulps; exp(0) is 1",
     &contract::rescale_ulps},
    {"exp_zero_below", "the argument below which the exponential may return 0",
     &contract::exp_zero_below},
    {"may_rescale", "whether there may be a running maximum", &contract::may_rescale},
    {"block_keys", "consecutive positions in which the running maximum rises at most once",
     &contract::block_keys},
    {"rescale_threshold", "how far a new maximum may be ignored", &contract::rescale_threshold},
    {"merges",
     "the longest chain of merges of parts of a row, and of rescalings by an exp(0) other than 1",
     &contract::merges},
    {"weight_storage", "the format that holds weights", &contract::weight_storage},
    {"weight_of_one", "the stored value of a weight of 1", &contract::weight_of_one},
    {"may_sum_rounded_weights", "whether l may add the stored weights",
     &contract::may_sum_rounded_weights},
    {"may_normalise_weights", "whether p / l may be stored before it meets v",
     &contract::may_normalise_weights},
    {"may_use_lse", "whether parts, or normalised weights, may come from the lse",
     &contract::may_use_lse},
    {"output_sum", "the accumulator of the output", &contract::output_sum},
    {"weight_sum", "the accumulator of the weights", &contract::weight_sum},
    {"partial_storage", "the format that holds the output of a part", &contract::partial_storage},
    {"division_ulps", "the error of the division in ulps", &contract::division_ulps},
    {"output", "the format of the output", &contract::output},
    {"output_mode", "how the output is rounded", &contract::output_mode},
    {"output_subnormals", "whether the output keeps subnormal numbers",
     &contract::output_subnormals},
    {"output_overflow", "what an output beyond the largest number becomes",
     &contract::output_overflow},
    {"lse", "the format of the lse", &contract::lse},
    {"deterministic", "whether a repeated call gives the same bits", &contract::deterministic},
    {"batch_invariant", "whether a row's bits are its own, whatever else the call holds",
     &contract::batch_invariant},
    {"layout_invariant", "whether the bits do not depend on the layout",
     &contract::layout_invariant},
};

std::string text_of(const stage& s) {
  std::string text(s.number->name);
  if (s.mode != rounding_mode::nearest_even) text += ", " + std::string(name_of(s.mode));
  if (s.subnormals != subnormal_mode::kept) text += ", " + std::string(name_of(s.subnormals));
  return text;
}
std::string text_of(const conversion& c) {
  return c.times == 0 ? "none" : text_of(c.to) + ", times " + std::to_string(c.times);
}
std::string text_of(const format* f) { return f == nullptr ? "none" : std::string(f->name); }
std::string text_of(double x) { return to_text(x); }
std::string text_of(int n) { return std::to_string(n); }
std::string text_of(bool b) { return b ? "true" : "false"; }
template <class Enumerator>
std::string text_of(Enumerator e) {
  return std::string(name_of(e));
}

bool same(const format* a, const format* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

}  // namespace

std::span<const contract_field> contract_fields() { return fields; }

std::string value_text(const contract_field& field, const contract& c) {
  return std::visit([&](auto member) { return text_of(c.*member); }, field.member);
}

bool same_value(const contract_field& field, const contract& a, const contract& b) {
  return std::visit([&](auto member) { return same(a.*member, b.*member); }, field.member);
}

std::vector<const contract_field*> differences(const contract& a, const contract& b) {
  std::vector<const contract_field*> found;
  for (const contract_field& field : fields)
    if (!same_value(field, a, b)) found.push_back(&field);
  return found;
}

std::string_view name_of(rounding_mode mode) {
  constexpr std::string_view names[] = {"nearest_even", "up", "down", "to_zero", "stochastic"};
  return names[static_cast<std::size_t>(mode)];
}
std::string_view name_of(subnormal_mode mode) {
  return mode == subnormal_mode::kept ? "kept" : "flushed";
}
std::string_view name_of(overflow_mode mode) {
  return mode == overflow_mode::to_infinity ? "to_infinity" : "saturate";
}
std::string_view name_of(exponent_shift shift) {
  return shift == exponent_shift::maximum ? "maximum" : "constant";
}

}  // namespace attest
