#include "properties/adapters/onnxruntime/api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace attest_adapter::onnxruntime {
namespace {

// OrtApiBase.
struct api_base {
  void* const* (*get_api)(std::uint32_t version);
  const char* (*get_version)();
};

// The table of the first version holds all that is used here.
constexpr std::uint32_t table_version = 1;

// The places of functions in the table, as onnxruntime_c_api.h lists them.
enum place : std::size_t {
  place_get_error_message = 2,
  place_create_env = 3,
  place_disable_telemetry_events = 6,
  place_create_session_from_array = 8,
  place_run = 9,
  place_create_session_options = 10,
  place_set_intra_op_num_threads = 24,
  place_set_inter_op_num_threads = 25,
  place_create_tensor_with_data_as_ort_value = 49,
  place_get_tensor_mutable_data = 51,
  place_get_tensor_element_type = 60,
  place_get_tensor_shape_element_count = 64,
  place_get_tensor_type_and_shape = 65,
  place_create_cpu_memory_info = 69,
  place_release_status = 93,
  place_release_session = 95,
  place_release_value = 96,
  place_release_tensor_type_and_shape_info = 99,
  place_release_session_options = 100,
};

template <class Function>
void take(void* const* table, place where, Function& function) {
  function = reinterpret_cast<Function>(table[where]);
}

// Its telemetry is on unless this is in the environment when the library is loaded.
void switch_telemetry_off() {
  constexpr const char* name = "ORT_DISABLE_TELEMETRY";
  setenv(name, "1", 1);
  const char* set = std::getenv(name);
  if (set == nullptr || std::strcmp(set, "1") != 0)
    throw std::runtime_error(std::string(name) +
                             " can't be set: ONNX Runtime is not loaded without it");
}

}  // namespace

void api::require(status* s) const {
  if (s == nullptr) return;
  std::string message = get_error_message(s);
  release_status(s);
  // What went wrong stands at the end, after the place in the source.
  constexpr std::size_t most = 240;
  if (message.size() > most) message = "..." + message.substr(message.size() - most);
  throw std::runtime_error(message);
}

api load(const std::string& path) {
  switch_telemetry_off();
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  const auto base = reinterpret_cast<const api_base* (*)()>(dlsym(handle, "OrtGetApiBase"));
  if (base == nullptr) throw std::runtime_error(dlerror());
  void* const* table = base()->get_api(table_version);
  if (table == nullptr) throw std::runtime_error(path + " has no API of version 1");
  api a{};
  take(table, place_get_error_message, a.get_error_message);
  take(table, place_create_env, a.create_env);
  take(table, place_disable_telemetry_events, a.disable_telemetry_events);
  take(table, place_create_session_from_array, a.create_session_from_array);
  take(table, place_run, a.run);
  take(table, place_create_session_options, a.create_session_options);
  take(table, place_set_intra_op_num_threads, a.set_intra_op_threads);
  take(table, place_set_inter_op_num_threads, a.set_inter_op_threads);
  take(table, place_create_tensor_with_data_as_ort_value, a.create_tensor_with_data);
  take(table, place_get_tensor_mutable_data, a.get_tensor_data);
  take(table, place_get_tensor_element_type, a.get_element_type);
  take(table, place_get_tensor_shape_element_count, a.get_element_count);
  take(table, place_get_tensor_type_and_shape, a.get_tensor_info);
  take(table, place_create_cpu_memory_info, a.create_cpu_memory_info);
  take(table, place_release_status, a.release_status);
  take(table, place_release_session, a.release_session);
  take(table, place_release_value, a.release_value);
  take(table, place_release_tensor_type_and_shape_info, a.release_tensor_info);
  take(table, place_release_session_options, a.release_session_options);
  return a;
}

}  // namespace attest_adapter::onnxruntime
