// A problem in the form of the plugin ABI.
#pragma once

#include <array>
#include <optional>

#include "properties/attest_plugin.h"
#include "properties/plugin/call_tensor.h"
#include "properties/plugin/plugin_tensors.h"
#include "reference/problems/page_pool.h"
#include "reference/problems/problem.h"

namespace attest {

// Points into the problem and the buffers, which must outlive it.
class plugin_call {
 public:
  // Error: input_error when the inputs have a format that no plugin can be given.
  plugin_call(problem&, tensor& o, tensor* lse);
  plugin_call(const plugin_call&) = delete;
  plugin_call& operator=(const plugin_call&) = delete;

  const attest_forward& forward() const { return forward_; }
  const std::array<call_tensor, tensor_roles>& tensors() const { return tensors_; }

  // A plugin that is called on forward() has copies of sink and slopes, of a mask of the other
  // polarity, and pages in place of k and v: what it wrote there goes back, to be noticed.
  void return_copies();

 private:
  void show(tensor_role, tensor&);
  void show_mask();
  void show(tensor_role, boolean_tensor&);
  void show(tensor_role, std::vector<std::int64_t>&, const index4& sizes);
  void show_keys();
  void show_head_numbers(tensor_role, const std::vector<double>&, tensor& copy);

  problem& problem_;
  std::array<call_tensor, tensor_roles> tensors_;
  tensor sink_values_, slope_values_;
  std::optional<boolean_tensor> inverted_mask_;
  std::optional<page_pool> pages_;
  std::array<placement, tensor_roles> lists_at_;  // of lists of whole numbers
  attest_forward forward_{};
};

}  // namespace attest
