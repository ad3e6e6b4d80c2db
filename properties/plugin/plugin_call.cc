#include "properties/plugin/plugin_call.h"

#include "reference/problems/problem_spec.h"

namespace attest {

plugin_call::plugin_call(problem& p, tensor& o, tensor* lse) : problem_(p) {
  forward_.size = sizeof forward_;
  forward_.causal = static_cast<std::uint32_t>(p.causal);
  forward_.scale = p.scale_or_usual();
  forward_.soft_cap = p.soft_cap;
  forward_.window_left = p.sliding.left;
  forward_.window_right = p.sliding.right;
  if (p.rules.normalised_by == normalizer::alpha_entmax) forward_.alpha = p.alpha;
  forward_.dilation = p.pattern.dilation;
  forward_.chunk = p.pattern.chunk;
  forward_.global_keys = p.pattern.global_keys;
  forward_.block_queries = p.pattern.block_queries;
  forward_.block_keys = p.pattern.block_keys;
  forward_.dropout_scale = p.dropout_scale;
  show(tensor_role::q, p.q);
  show_keys();
  show(tensor_role::o, o);
  if (p.mask) show_mask();
  if (p.bias) show(tensor_role::bias, *p.bias);
  for (std::size_t n = 0; n < p.parameters.size(); ++n)
    show(static_cast<tensor_role>(index_of(tensor_role::parameter_0) + n), p.parameters[n]);
  if (p.block_mask) show(tensor_role::block_mask, *p.block_mask);
  if (p.dropout_mask) show(tensor_role::dropout_mask, *p.dropout_mask);
  show(tensor_role::query_segments, p.query_segments, {p.dims.batch, 1, 1, p.dims.queries});
  show(tensor_role::key_segments, p.key_segments, {p.dims.batch, 1, 1, p.dims.keys});
  show_head_numbers(tensor_role::sink, p.sink, sink_values_);
  show_head_numbers(tensor_role::slopes, p.slopes, slope_values_);
  if (lse != nullptr) show(tensor_role::lse, *lse);
  for (std::size_t n = 0; n < tensor_roles; ++n)
    if (tensors_[n].present()) field_of(forward_, static_cast<tensor_role>(n)) = &tensors_[n].shown;
}

void plugin_call::show(tensor_role role, tensor& t) { tensors_[index_of(role)] = describe(t); }

void plugin_call::show(tensor_role role, boolean_tensor& t) {
  tensors_[index_of(role)] = describe(ATTEST_BOOL, t.data(), 1, t.where());
}

// k, v and lengths, or pages of them with a table, beside which there are always lengths.
void plugin_call::show_keys() {
  problem& p = problem_;
  if (p.paged.page > 0) pages_ = lay_in_pages(p);
  show(tensor_role::k, pages_ ? pages_->k : p.k);
  show(tensor_role::v, pages_ ? pages_->v : p.v);
  show(tensor_role::lengths, pages_ ? pages_->lengths : p.lengths, {p.dims.batch, 1, 1, 1});
  if (pages_) show(tensor_role::page_table, pages_->table, {p.dims.batch, 1, 1, pages_->entries});
}

void plugin_call::show_mask() {
  boolean_tensor* shown = &*problem_.mask;
  if (problem_.rules.polarity != mask_polarity::true_keeps) {
    inverted_mask_ = problem_.mask;
    inverted_mask_->invert();
    shown = &*inverted_mask_;
  }
  show(tensor_role::mask, *shown);
}

void plugin_call::show(tensor_role role, std::vector<std::int64_t>& list, const index4& sizes) {
  if (list.empty()) return;
  placement& where = lists_at_[index_of(role)];
  where = place(layout::bhld, sizes);
  tensors_[index_of(role)] = describe(ATTEST_I64, list.data(), sizeof(std::int64_t), where);
}

void plugin_call::show_head_numbers(tensor_role role, const std::vector<double>& numbers,
                                    tensor& copy) {
  if (numbers.empty()) return;
  copy = tensor(side_format(problem_.q.element()),
                place(layout::bhld, {1, problem_.dims.query_heads, 1, 1}), 0);
  for (std::int64_t h = 0; h < problem_.dims.query_heads; ++h)
    copy.set({0, h, 0, 0}, numbers[static_cast<std::size_t>(h)]);
  show(role, copy);
}

void plugin_call::return_copies() {
  const auto return_numbers = [](const tensor& copy, std::vector<double>& numbers) {
    for (std::size_t h = 0; h < numbers.size(); ++h)
      numbers[h] = copy.at({0, static_cast<std::int64_t>(h), 0, 0});
  };
  return_numbers(sink_values_, problem_.sink);
  return_numbers(slope_values_, problem_.slopes);
  if (pages_) return_writes(*pages_, problem_);
  if (!inverted_mask_) return;
  inverted_mask_->invert();
  problem_.mask = inverted_mask_;
}

}  // namespace attest
