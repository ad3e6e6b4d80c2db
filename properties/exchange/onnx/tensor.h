// Tensors as ONNX writes them: one TensorProto a .pb file, or inside a model.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "properties/exchange/array.h"

namespace attest {

namespace onnx_wire {
class Tensor;
}

struct onnx_tensor {
  std::string name;
  array held;
};

// Result: the tensor: float, double, float16, bfloat16, the integers and bool, in raw_data or in
// the
//   field of its type.
// Error: input_error naming `where` for bytes that are no tensor, data in another file, another
// type,
//   sizes that are negative or do not fit the data, integers beyond +-2^53.
onnx_tensor read_onnx_tensor(std::string_view bytes, std::string_view where);
onnx_tensor read_onnx_tensor_file(const std::filesystem::path&);
onnx_tensor to_onnx_tensor(const onnx_wire::Tensor&, std::string_view where);

// Result: the same of a tensor that a graph holds; but INT64 beyond +-2^53, which mean "to the
// end", are +-2^53: no size and no position reaches either.
onnx_tensor to_onnx_constant(const onnx_wire::Tensor&, std::string_view where);

// Result: the bytes of a .pb file that holds the tensor, as raw_data. Domain: floating values of
// f64,
//   f32, f16 or bf16; booleans; integers, which become int64.
std::string onnx_tensor_bytes(const onnx_tensor&);
void set_onnx_tensor(onnx_wire::Tensor&, const onnx_tensor&);

// Computes: the number of the array's type in TensorProto.DataType. Domain: as above.
int onnx_data_type(const array&);

}  // namespace attest
