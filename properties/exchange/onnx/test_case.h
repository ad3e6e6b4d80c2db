// Folders of ONNX's backend tests: model.onnx, and test_data_set_N/input_N.pb and output_N.pb.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "properties/exchange/onnx/model.h"
#include "properties/exchange/onnx/tensor.h"

namespace attest {

// One call of the model: the tensors of its inputs and outputs, in the graph's order.
struct onnx_data_set {
  std::string name;  // of the folder, "test_data_set_0"
  std::vector<onnx_tensor> inputs, outputs;
};

// Result: the folders at or below `folder` that hold a model.onnx, by path.
// Error: input_error for what is no folder, can't be read, or holds none.
std::vector<std::filesystem::path> find_onnx_cases(const std::filesystem::path& folder);

// Result: the data sets of a case, by number.
// Error: input_error naming the file: for none, for numbers left out, and as read_onnx_tensor.
std::vector<onnx_data_set> read_onnx_data_sets(const std::filesystem::path& case_folder);

// Writes such a folder; creates it where it is missing. The tensors get the names of the graph's
// inputs and outputs.
// Domain: as many tensors as the graph has inputs and outputs, of types that onnx_tensor_bytes
// writes. Error: input_error where a file can't be written.
void write_onnx_case(const std::filesystem::path& case_folder, const onnx_model&,
                     const std::vector<onnx_data_set>&);

}  // namespace attest
