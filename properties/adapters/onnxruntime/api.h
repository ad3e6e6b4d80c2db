// The functions of ONNX Runtime's C API that are used here. The package brings no header: the API
// is a table of function pointers that only grows at its end, and each is taken from its place in
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace attest_adapter::onnxruntime {

struct status;
struct environment;
struct session_options;
struct session;
struct memory_info;
struct value;
struct tensor_info;
struct run_options;

// ONNXTensorElementDataType, whose numbers are those of TensorProto.DataType.
enum element_type : int {
  element_float = 1,
  element_int32 = 6,
  element_int64 = 7,
  element_bool = 9,
  element_float16 = 10,
  element_double = 11,
  element_bfloat16 = 16
};

struct api {
  const char* (*get_error_message)(const status*);
  status* (*create_env)(int severity, const char* name, environment**);
  status* (*disable_telemetry_events)(const environment*);
  status* (*create_session_from_array)(const environment*, const void* model, std::size_t size,
                                       const session_options*, session**);
  status* (*run)(session*, const run_options*, const char* const* input_names,
                 const value* const* inputs, std::size_t input_count,
                 const char* const* output_names, std::size_t output_count, value** outputs);
  status* (*create_session_options)(session_options**);
  status* (*set_intra_op_threads)(session_options*, int);
  status* (*set_inter_op_threads)(session_options*, int);
  status* (*create_tensor_with_data)(const memory_info*, void* data, std::size_t bytes,
                                     const std::int64_t* dims, std::size_t rank, element_type,
                                     value**);
  status* (*get_tensor_data)(value*, void**);
  status* (*get_element_type)(const tensor_info*, element_type*);
  status* (*get_element_count)(const tensor_info*, std::size_t*);
  status* (*get_tensor_info)(const value*, tensor_info**);
  status* (*create_cpu_memory_info)(int allocator, int memory, memory_info**);
  void (*release_status)(status*);
  void (*release_session)(session*);
  void (*release_value)(value*);
  void (*release_tensor_info)(tensor_info*);
  void (*release_session_options)(session_options*);

  // Error: std::runtime_error with the status's message, where there is one.
  void require(status*) const;
};

// Loads the library from the path, with its telemetry switched off before. It is loaded nowhere
// else. Error: std::runtime_error with the reason.
api load(const std::string& path);

}  // namespace attest_adapter::onnxruntime
