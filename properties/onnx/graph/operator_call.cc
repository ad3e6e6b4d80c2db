#include "properties/onnx/graph/operator_call.h"

#include <fmt/format.h>

#include <cmath>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/graph/not_taken.h"

namespace attest {

const ranged_tensor& operator_call::input(std::size_t n) const {
  if (!has_input(n)) fail(fmt::format("without input {}", n), "all that the operator needs");
  return *inputs_[n];
}

std::vector<std::int64_t> operator_call::integers(std::size_t n) const {
  const ranged_tensor& t = input(n);
  if (t.kind != element_kind::integer || t.rank() > 1)
    fail(fmt::format("with {} numbers of rank {} as input {}", type_text(t), t.rank(), n),
         "integers of rank 0 or 1");
  std::vector<std::int64_t> result;
  for (const ranged& x : t.values) {
    if (!is_certain(x)) throw not_taken(node_.op_type + " by integers that depend on the scores");
    result.push_back(mpfr_get_si(x.exact.lower(), MPFR_RNDZ));
  }
  return result;
}

std::int64_t operator_call::integer(std::size_t n) const {
  const std::vector<std::int64_t> all = integers(n);
  if (all.size() != 1) fail(fmt::format("with {} numbers as input {}", all.size(), n), "one");
  return all.front();
}

const onnx_attribute* operator_call::find(std::string_view name) const {
  for (const onnx_attribute& a : node_.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

template <class Value>
const Value* operator_call::attribute(std::string_view name, const char* allowed) const {
  const onnx_attribute* given = find(name);
  if (given == nullptr) return nullptr;
  const auto* value = std::get_if<Value>(&given->value);
  if (value == nullptr) fail(fmt::format("with an attribute {} of another type", name), allowed);
  return value;
}

std::int64_t operator_call::integer_attribute(std::string_view name, std::int64_t otherwise) const {
  const auto* value = attribute<std::int64_t>(name, "an integer");
  return value == nullptr ? otherwise : *value;
}

double operator_call::number_attribute(std::string_view name, double otherwise) const {
  const auto* value = attribute<double>(name, "a float");
  return value == nullptr ? otherwise : *value;
}

std::optional<std::vector<std::int64_t>> operator_call::integers_attribute(
    std::string_view name) const {
  const auto* value = attribute<std::vector<std::int64_t>>(name, "integers");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::vector<double>> operator_call::numbers_attribute(std::string_view name) const {
  const auto* value = attribute<std::vector<double>>(name, "floats");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

const array* operator_call::tensor_attribute(std::string_view name) const {
  const auto* value = attribute<std::shared_ptr<const onnx_constant>>(name, "a tensor");
  if (value == nullptr) return nullptr;
  if (!(*value)->unread.empty()) throw not_taken((*value)->unread);
  return &(*value)->tensor.held;
}

std::int64_t operator_call::axis(std::int64_t given, std::int64_t rank) const {
  if (given < -rank || given >= rank)
    fail(fmt::format("with axis {} of rank {}", given, rank), "-rank to rank - 1");
  return given < 0 ? given + rank : given;
}

void operator_call::fail(const std::string& given, const std::string& allowed) const {
  refuse(where_, fmt::format("{} {}", shown(node_.op_type), given), allowed);
}

ranged_tensor to_ranged(const array& a, const graph_arithmetic& numbers) {
  ranged_tensor t{a.kind, a.element, a.sizes, {}};
  count_of(a.sizes);
  t.values.reserve(a.values.size());
  for (const double x : a.values) {
    const ranged value = std::isnan(x) ? ranged::nan() : ranged::known(x);
    t.values.push_back(a.kind == element_kind::floating ? numbers.converted(value, *a.element)
                                                        : value);
  }
  return t;
}

}  // namespace attest
