#include "properties/exchange/onnx/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/elements.h"
#include "properties/exchange/onnx/messages.pb.h"
#include "reference/formats/encoding.h"

namespace attest {
namespace {

constexpr std::string_view file_kind = ".pb";
constexpr std::string_view allowed_types =
    "FLOAT, DOUBLE, FLOAT16, BFLOAT16, BOOL, INT8 to INT64, UINT8 to UINT64";

// A type of TensorProto.DataType.
struct data_type {
  int number;
  element_type element;
};

constexpr data_type data_types[] = {
    {1, {"FLOAT", element_kind::floating, &f32, 4}},
    {2, {"UINT8", element_kind::integer, nullptr, 1, byte_order::little, false}},
    {3, {"INT8", element_kind::integer, nullptr, 1}},
    {4, {"UINT16", element_kind::integer, nullptr, 2, byte_order::little, false}},
    {5, {"INT16", element_kind::integer, nullptr, 2}},
    {6, {"INT32", element_kind::integer, nullptr, 4}},
    {7, {"INT64", element_kind::integer, nullptr, 8}},
    {9, {"BOOL", element_kind::boolean, nullptr, 1}},
    {10, {"FLOAT16", element_kind::floating, &f16, 2}},
    {11, {"DOUBLE", element_kind::floating, &f64, 8}},
    {12, {"UINT32", element_kind::integer, nullptr, 4, byte_order::little, false}},
    {13, {"UINT64", element_kind::integer, nullptr, 8, byte_order::little, false}},
    {16, {"BFLOAT16", element_kind::floating, &bf16, 2}},
};

const element_type& type_of(const onnx_wire::Tensor& t, std::string_view where) {
  for (const data_type& type : data_types)
    if (type.number == t.data_type()) return type.element;
  refuse(where, fmt::format("data_type {}", t.data_type()), allowed_types);
}

std::vector<std::int64_t> sizes_of(const onnx_wire::Tensor& t, std::string_view where) {
  std::vector<std::int64_t> sizes(t.dims().begin(), t.dims().end());
  if (sizes.size() > array_rank_limit)
    refuse(where, fmt::format("rank {}", sizes.size()), fmt::format("up to {}", array_rank_limit));
  for (const std::int64_t size : sizes)
    if (size < 0) refuse(where, fmt::format("a size of {}", size), "sizes of 0 and more");
  return sizes;
}

template <class Numbers>
std::string to_bytes(const Numbers& numbers, std::size_t bytes) {
  std::string text;
  for (const auto x : numbers) text += scatter(static_cast<std::uint64_t>(x), bytes);
  return text;
}

// The bits of numbers of the format, one number an element.
template <class Numbers>
std::string to_bytes_as(const format& f, const Numbers& numbers, std::size_t bytes) {
  std::string text;
  for (const auto x : numbers) text += scatter(encode(f, static_cast<double>(x)), bytes);
  return text;
}

// The elements as raw_data would hold them.
std::string data_of(const onnx_wire::Tensor& t, const element_type& type) {
  if (t.has_raw_data()) return t.raw_data();
  if (type.name == "FLOAT") return to_bytes_as(f32, t.float_data(), type.bytes);
  if (type.name == "DOUBLE") return to_bytes_as(f64, t.double_data(), type.bytes);
  if (type.name == "INT64") return to_bytes(t.int64_data(), type.bytes);
  if (type.name == "UINT32" || type.name == "UINT64") return to_bytes(t.uint64_data(), type.bytes);
  return to_bytes(t.int32_data(), type.bytes);
}

array read_array_data(const std::string& data, const element_type& type,
                      std::vector<std::int64_t> sizes, std::string_view where) {
  const std::uint64_t count = count_elements(sizes, where, "dims");
  if (data.size() != count * type.bytes)
    refuse(where, fmt::format("{} bytes of data for dims ({})", data.size(), sizes_text(sizes)),
           fmt::format("{} bytes", count * type.bytes));
  std::istringstream in(data);
  byte_source source(in, where, file_kind);
  return {type.element, std::move(sizes), read_elements(source, type, count), type.kind};
}

// INT64 as 8 bytes each, little-endian, brought into the range that doubles hold.
std::string saturated(const std::string& data) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  std::string text;
  for (std::size_t n = 0; n + 8 <= data.size(); n += 8) {
    const auto held =
        static_cast<std::int64_t>(gather(std::string_view(data).substr(n, 8), byte_order::little));
    text += scatter(static_cast<std::uint64_t>(std::clamp(held, -most, most)), 8);
  }
  return text + data.substr(text.size());
}

onnx_tensor to_tensor(const onnx_wire::Tensor& t, std::string_view where, bool saturates) {
  if (t.data_location() != 0 || t.external_data_size() > 0)
    refuse(where, "data in another file", "data inside the tensor");
  const element_type& type = type_of(t, where);
  std::string data = data_of(t, type);
  if (saturates && type.name == "INT64") data = saturated(data);
  return {t.name(), read_array_data(data, type, sizes_of(t, where), where)};
}

}  // namespace

onnx_tensor to_onnx_tensor(const onnx_wire::Tensor& t, std::string_view where) {
  return to_tensor(t, where, false);
}

onnx_tensor to_onnx_constant(const onnx_wire::Tensor& t, std::string_view where) {
  return to_tensor(t, where, true);
}

onnx_tensor read_onnx_tensor(std::string_view bytes, std::string_view where) {
  onnx_wire::Tensor t;
  const bool fits = bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (!fits || !t.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    refuse(where, "bytes that are no protobuf message", "a TensorProto of ONNX");
  return to_onnx_tensor(t, where);
}

onnx_tensor read_onnx_tensor_file(const std::filesystem::path& path) {
  std::ifstream in = open_array_file(path, file_kind);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return read_onnx_tensor(bytes, path.string());
}

int onnx_data_type(const array& a) {
  for (const data_type& type : data_types) {
    const element_type& e = type.element;
    if (e.kind != a.kind) continue;
    const bool same_format = e.kind != element_kind::floating || *e.element == *a.element;
    const bool is_widest = e.kind != element_kind::integer || e.name == "INT64";
    if (same_format && is_widest) return type.number;
  }
  return 0;
}

void set_onnx_tensor(onnx_wire::Tensor& t, const onnx_tensor& tensor) {
  const int number = onnx_data_type(tensor.held);
  for (const std::int64_t size : tensor.held.sizes) t.add_dims(size);
  t.set_data_type(number);
  t.set_name(tensor.name);
  for (const data_type& type : data_types)
    if (type.number == number) t.set_raw_data(element_bytes(type.element, tensor.held.values));
}

std::string onnx_tensor_bytes(const onnx_tensor& tensor) {
  onnx_wire::Tensor t;
  set_onnx_tensor(t, tensor);
  return t.SerializeAsString();
}

}  // namespace attest
