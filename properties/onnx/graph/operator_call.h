// One node of a graph with the values that it reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/exchange/onnx/model.h"
#include "properties/onnx/graph/graph_arithmetic.h"
#include "properties/onnx/graph/ranged.h"

namespace attest {

class operator_call {
 public:
  // inputs: nullptr for those that are left out. All outlive it. where: "CASE: score_mod".
  operator_call(const onnx_node& node, std::vector<const ranged_tensor*> inputs,
                const graph_arithmetic& numbers, const std::string& where)
      : node_(node), inputs_(std::move(inputs)), numbers_(numbers), where_(where) {}

  const graph_arithmetic& numbers() const { return numbers_; }
  std::size_t inputs() const { return inputs_.size(); }
  bool has_input(std::size_t n) const { return n < inputs_.size() && inputs_[n] != nullptr; }

  // Error: input_error where it is left out.
  const ranged_tensor& input(std::size_t n) const;
  // Result: the integers of an input of rank 0 or 1. Error: input_error for another type or rank,
  // not_taken where they depend on the scores.
  std::vector<std::int64_t> integers(std::size_t n) const;
  std::int64_t integer(std::size_t n) const;  // of one element

  // Attributes. Error: input_error for another type.
  bool has_attribute(std::string_view name) const { return find(name) != nullptr; }
  std::int64_t integer_attribute(std::string_view name, std::int64_t otherwise) const;
  double number_attribute(std::string_view name, double otherwise) const;
  std::optional<std::vector<std::int64_t>> integers_attribute(std::string_view name) const;
  std::optional<std::vector<double>> numbers_attribute(std::string_view name) const;
  // Error: not_taken for a tensor of a type that is not read.
  const array* tensor_attribute(std::string_view name) const;

  // Computes: an axis counted from the first. Error: input_error beyond -rank to rank - 1.
  std::int64_t axis(std::int64_t given, std::int64_t rank) const;

  // Error: input_error, "CASE: score_mod: Reshape GIVEN; allowed: ALLOWED".
  [[noreturn]] void fail(const std::string& given, const std::string& allowed) const;

 private:
  const onnx_attribute* find(std::string_view name) const;
  template <class Value>
  const Value* attribute(std::string_view name, const char* allowed) const;

  const onnx_node& node_;
  std::vector<const ranged_tensor*> inputs_;
  const graph_arithmetic& numbers_;
  const std::string& where_;
};

using graph_operator = ranged_tensor (*)(const operator_call&);

// Result: nullptr for an operator that is not taken.
graph_operator find_number_operator(std::string_view name);
graph_operator find_choice_operator(std::string_view name);
graph_operator find_shape_operator(std::string_view name);
graph_operator find_place_operator(std::string_view name);
graph_operator find_reduction(std::string_view name);

// Computes: the tensor of an array, known exactly but for its rounding to its own format's
// subnormals.
ranged_tensor to_ranged(const array&, const graph_arithmetic&);

}  // namespace attest
