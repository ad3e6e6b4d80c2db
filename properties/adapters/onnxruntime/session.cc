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

}  // namespace

std::vector<std::byte> run(operator_node node, std::vector<argument> arguments, std::size_t bytes) {
  runtime& r = the_runtime();
  std::vector<held_value> held;
  std::vector<const char*> names;
  std::vector<const value*> values;
  for (argument& a : arguments) {
    node.inputs.push_back(a.where);
    if (a.where.name.empty()) continue;
    held.push_back(tensor_of(r, a));
    names.push_back(a.where.name.c_str());
    values.push_back(held.back().get());
  }
  session* s = r.session_of(model_of(node));
  std::vector<const char*> output_names;
  for (const port& p : node.outputs) output_names.push_back(p.name.c_str());
  std::vector<value*> outputs(output_names.size(), nullptr);
  r.functions().require(r.functions().run(s, nullptr, names.data(), values.data(), values.size(),
                                          output_names.data(), outputs.size(), outputs.data()));
  for (value* o : outputs) held.emplace_back(o, r.functions().release_value);
  void* data = nullptr;
  r.functions().require(r.functions().get_tensor_data(outputs.front(), &data));
  std::vector<std::byte> result(bytes);
  std::memcpy(result.data(), data, bytes);
  return result;
}

}  // namespace attest_adapter::onnxruntime
