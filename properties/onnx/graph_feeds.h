// How the graph of a model is fed with the tensors of a problem, and what its sizes say of
// problems.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "properties/exchange/onnx/model.h"
#include "properties/onnx/call_limits.h"

namespace attest {

// An input of the graph. Role and the names of sizes as in properties/adapters/onnx_model/feeds.h.
struct graph_feed {
  std::string role;
  int data_type = 0;
  std::vector<std::string> sizes;
  std::string name;
};

class graph_feeds {
 public:
  // where: the model's file, for messages. Both are kept by reference.
  graph_feeds(const onnx_model&, const std::string& where);

  [[noreturn]] void fail(const std::string& what, const std::string& allowed) const;

  bool has(std::size_t slot) const;
  // Domain: has(slot). Error: input_error where the graph has no such input, or says no type of it.
  const onnx_value& value(std::size_t slot) const;
  // The number of sizes of an input, or the usual one where the graph does not say it.
  std::size_t rank_of(std::size_t slot, std::size_t usual) const;

  // Feeds the input of a slot of the node. Error: input_error where the graph says other sizes, or
  // another type than is allowed.
  void feed(std::size_t slot, std::string role, std::vector<std::string> sizes,
            const std::vector<int>& data_types);
  // A mask that broadcasts to the scores. Result: the axes along which it may vary.
  unsigned feed_mask(std::size_t slot, std::string role, const std::vector<int>& data_types);

  // Fixes a size. Error: input_error where it is fixed to another number, and for a number beyond
  // 2^31 - 1.
  void fix(const std::string& size, std::int64_t number, const std::string& by);
  std::optional<std::int64_t> fixed(const std::string& size) const;
  // Whether both are called by the same name.
  bool share_symbol(const std::string& one, const std::string& other) const;

  // Computes: the limits that the sizes are. Error: input_error where widths are no multiples of
  // the number of heads.
  call_limits limits() const;

  // Error: input_error where an input of the graph is not fed.
  void require_all_fed() const;
  // Computes: the lines that the adapter reads.
  std::string text(const std::string& past, std::size_t output_rank) const;

 private:
  const onnx_node& node() const { return model_.nodes.front(); }
  void fix_width(call_limits&, const char* product, size_name heads, size_name width) const;
  void equate(call_limits&) const;

  const onnx_model& model_;
  const std::string& where_;
  std::vector<graph_feed> feeds_;
  std::map<std::string, std::int64_t> fixed_;
  std::map<std::string, std::vector<std::string>> sizes_of_symbol_;
};

}  // namespace attest
