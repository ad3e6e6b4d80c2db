// attest-host with one plugin in it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/plugin/call_form.h"
#include "properties/plugin/call_tensor.h"
#include "properties/plugin/host_message.h"
#include "properties/plugin/plugin_info.h"
#include "properties/plugin/shared_tensor.h"
#include "properties/process/child_process.h"
#include "properties/subject.h"
#include "reference/input_error.h"

namespace attest {

struct plugin_process_settings {
  plugin_address at;
  const call_form& made = forward_form;  // the calls that it will be asked
  isolation limits;
  int threads = 0;                            // 0: as the environment has it
  std::vector<std::string> environment = {};  // "NAME=VALUE", beside this process's own
};

// A call as it is sent: its numbers, whose pointers don't count, its tensors in the order of their
// roles, and how long it may take.
struct sent_call {
  wire::call_numbers numbers;
  std::span<const call_tensor> tensors;
  double seconds = 0;
};

class not_loaded_in_time : public input_error {
 public:
  using input_error::input_error;
};

class plugin_process {
 public:
  // Loads the plugin. Error: input_error, also where loading it crashed; not_loaded_in_time.
  explicit plugin_process(const plugin_process_settings&);

  const plugin_description& description() const { return description_; }
  // After an outcome other than answered, unsupported and failed the process may be gone: useful()
  // says so.
  answer_outcome answer(manner, const sent_call&);
  bool useful() const { return useful_; }

 private:
  void require_loaded(const plugin_process_settings&);
  void send_file(std::uint32_t slot, std::size_t half_bytes, const descriptor& file);
  wire::call_order place(const sent_call&, std::uint32_t first_slot);
  bool send(const void* bytes, std::size_t size);
  std::optional<std::string_view> receive();
  answer_outcome await(const wire::call_order&, double seconds);
  answer_outcome gone_before(const wire::call_order&);
  answer_outcome take(const wire::call_order&, const sent_call&, answer_outcome);
  answer_outcome outcome(const wire::call_order&, std::string_view message);
  answer_outcome ended(const std::string& when);
  std::string last_words();

  const call_form& made_;
  isolation limits_;
  descriptor line_, hosts_end_;
  child_process process_;
  plugin_description description_;
  std::array<shared_tensor, wire::slots> slots_;
  std::string received_ = std::string(wire::longest_message, '\0');
  bool useful_ = true;
};

// Result: how long a call of so many multiply-adds may take.
double call_seconds(double multiply_adds, double timeout_seconds);

}  // namespace attest
