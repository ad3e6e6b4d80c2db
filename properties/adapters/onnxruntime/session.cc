#include "properties/adapters/onnxruntime/session.h"

#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include "properties/adapters/third_party.h"

namespace attest_adapter::onnxruntime {
namespace {

// The library, and what lives as long as the process.
class runtime {
 public:
  runtime() : api_(load(folder_of("onnxruntime") + "libonnxruntime.so.1")) {
    constexpr int errors_only = 3, arena_allocator = 1, default_memory = 0;
    api_.require(api_.create_env(errors_only, "attest", &environment_));
    api_.require(api_.disable_telemetry_events(environment_));
    api_.require(api_.create_cpu_memory_info(arena_allocator, default_memory, &memory_));
    api_.require(api_.create_session_options(&options_));
    api_.require(api_.set_intra_op_threads(options_, 1));
    api_.require(api_.set_inter_op_threads(options_, 1));
  }
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  const api& functions() const { return api_; }
  const memory_info* memory() const { return memory_; }

  session* session_of(const std::string& model) {
    const auto found = sessions_.find(model);
    if (found != sessions_.end()) return found->second;
    if (sessions_.size() == most_sessions) forget_sessions();
    session* made = nullptr;
    api_.require(
        api_.create_session_from_array(environment_, model.data(), model.size(), options_, &made));
    return sessions_[model] = made;
  }

 private:
  static constexpr std::size_t most_sessions = 64;

  void forget_sessions() {
    for (const auto& [model, made] : sessions_) api_.release_session(made);
    sessions_.clear();
  }

  api api_;
  environment* environment_ = nullptr;
  memory_info* memory_ = nullptr;
  session_options* options_ = nullptr;
  std::map<std::string, session*> sessions_;
};

// Never destroyed: the library's own threads may outlive static objects.
runtime& the_runtime() {
  static runtime& one = *new runtime;
  return one;
}

// A tensor of the library, released at its end.
using held_value = std::unique_ptr<value, void (*)(value*)>;

held_value tensor_of(runtime& r, argument& a) {
  value* made = nullptr;
  r.functions().require(r.functions().create_tensor_with_data(r.memory(), a.data.data(),
                                                              a.data.size(), a.sizes.data(),
                                                              a.sizes.size(), a.where.type, &made));
  return {made, r.functions().release_value};
}

std::size_t bytes_of_element(element_type type) {
  switch (type) {
    case element_int64:
    case element_double:
      return 8;
    case element_float:
    case element_int32:
      return 4;
    case element_float16:
    case element_bfloat16:
      return 2;
    case element_bool:
      return 1;
  }
  throw std::runtime_error("gives elements of type " + std::to_string(type));
}

void require_size(const api& functions, const value* output, std::size_t bytes) {
  tensor_info* info = nullptr;
  functions.require(functions.get_tensor_info(output, &info));
  const std::unique_ptr<tensor_info, void (*)(tensor_info*)> held(info,
                                                                  functions.release_tensor_info);
  element_type type{};
  std::size_t count = 0;
  functions.require(functions.get_element_type(info, &type));
  functions.require(functions.get_element_count(info, &count));
  if (count * bytes_of_element(type) != bytes)
    throw std::runtime_error("gives " + std::to_string(count * bytes_of_element(type)) +
                             " bytes where " + std::to_string(bytes) + " are due");
}

}  // namespace

std::vector<std::byte> run(operator_node node, std::vector<argument> arguments, std::size_t bytes) {
  for (const argument& a : arguments) node.inputs.push_back(a.where);
  std::vector<std::string> outputs;
  for (const port& p : node.outputs) outputs.push_back(p.name);
  return run(model_of(node), std::move(arguments), outputs, bytes);
}

void load_model(const std::string& model) { the_runtime().session_of(model); }

std::vector<std::byte> run(const std::string& model, std::vector<argument> arguments,
                           const std::vector<std::string>& outputs_asked, std::size_t bytes) {
  runtime& r = the_runtime();
  std::vector<held_value> held;
  std::vector<const char*> names;
  std::vector<const value*> values;
  for (argument& a : arguments) {
    if (a.where.name.empty()) continue;
    held.push_back(tensor_of(r, a));
    names.push_back(a.where.name.c_str());
    values.push_back(held.back().get());
  }
  session* s = r.session_of(model);
  std::vector<const char*> output_names;
  for (const std::string& name : outputs_asked) output_names.push_back(name.c_str());
  std::vector<value*> outputs(output_names.size(), nullptr);
  r.functions().require(r.functions().run(s, nullptr, names.data(), values.data(), values.size(),
                                          output_names.data(), outputs.size(), outputs.data()));
  for (value* o : outputs) held.emplace_back(o, r.functions().release_value);
  require_size(r.functions(), outputs.front(), bytes);
  void* data = nullptr;
  r.functions().require(r.functions().get_tensor_data(outputs.front(), &data));
  std::vector<std::byte> result(bytes);
  std::memcpy(result.data(), data, bytes);
  return result;
}

}  // namespace attest_adapter::onnxruntime
