// attest-host: runs the calls of one plugin, so that what the plugin does is not done to attest.
//
//   attest-host attention|recurrence PATH [NAME]
//
// Started by attest through attest-keeper; descriptor 3 is the socket to attest (wire.h).
#include <malloc.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "properties/plugin/float_environment.h"
#include "properties/plugin/host/fault_handler.h"
#include "properties/plugin/host/line.h"
#include "properties/plugin/host/slot_memory.h"
#include "properties/plugin/host/surroundings.h"
#include "properties/plugin/plugin_library.h"

namespace attest::host {
namespace {

constexpr int line_to_attest = 3;
// Not after each call, as that takes as long as a small one: a thread that writes on is found soon.
constexpr std::uint64_t calls_to_a_closing = 8;

void send_refusal(const line& attest, const std::string& why) {
  const wire::refusal head;
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes += why.substr(0, wire::longest_message / 2);
  attest.send(bytes.data(), bytes.size());
}

const char* profile_of(const attest_plugin& plugin) { return plugin.profile; }
const char* profile_of(const attest_recurrence_plugin&) { return nullptr; }

template <class Plugin>
void send_description(const line& attest, const Plugin& plugin) {
  wire::description head;
  head.features = plugin.features;
  head.dtypes = plugin.dtypes;
  std::string texts;
  const char* const given[] = {plugin.name, plugin.version, profile_of(plugin), plugin.contract};
  for (int n = 0; n < 4; ++n) {
    head.lengths[n] = given[n] == nullptr ? wire::absent : std::strlen(given[n]);
    if (given[n] != nullptr) texts += given[n];
  }
  if (texts.size() + sizeof head > wire::longest_message)
    return send_refusal(attest, "describes itself in " + std::to_string(texts.size()) +
                                    " bytes (allowed: " +
                                    std::to_string(wire::longest_message - sizeof head) + ")");
  const std::string bytes = std::string(reinterpret_cast<const char*>(&head), sizeof head) + texts;
  attest.send(bytes.data(), bytes.size());
}

const attest_forward& numbers_of(const wire::call_order& order, const attest_plugin&) {
  return order.numbers.forward;
}
const attest_recurrence& numbers_of(const wire::call_order& order,
                                    const attest_recurrence_plugin&) {
  return order.numbers.recurrence;
}

// The call in the form of the ABI, its tensors in the slots.
template <class Call>
class opened_call {
 public:
  opened_call(const Call& numbers, const wire::call_order& order, slot_memory& slots)
      : call_(numbers) {
    for (std::uint32_t n = 0; n < form_of<Call>().tensors; ++n) {
      field_of(call_, n) = nullptr;
      if (order.tensors[n].present != 0) open(n, order.first_slot + n, order.tensors[n], slots);
    }
  }
  const Call& call() const { return call_; }

 private:
  void open(std::uint32_t n, std::uint32_t slot, const wire::placed_tensor& t, slot_memory& slots) {
    slots.show(slot, t, form_of<Call>().is_output(n));
    attest_tensor& shown = tensors_[n];
    shown.size = sizeof shown;
    shown.dtype = t.dtype;
    shown.data = slots.address(slot, t.begin + t.origin);
    std::memcpy(shown.sizes, t.sizes, sizeof shown.sizes);
    std::memcpy(shown.strides, t.strides, sizeof shown.strides);
    field_of(call_, n) = &shown;
  }

  attest_tensor tensors_[wire::most_tensors] = {};
  Call call_;
};

void say(wire::reply& r, const char* text) { std::strncpy(r.message, text, sizeof r.message - 1); }

template <class Plugin, class Call>
void call_plugin(const Plugin& plugin, const Call& call, wire::reply& r) {
  try {
    r.status = plugin.forward(&call, r.message, sizeof r.message - 1);
  } catch (const std::exception& e) {
    r.threw = wire::thrown::exception;
    say(r, e.what());
  } catch (...) {
    r.threw = wire::thrown::something;
  }
  r.message[sizeof r.message - 1] = '\0';
}

// Answers orders until attest has no more.
template <class Plugin>
[[noreturn]] void serve(const line& attest, const Plugin& plugin, slot_memory& slots) {
  surroundings around;
  const pid_t own = getpid();
  for (std::uint64_t calls = 0;;) {
    const auto order = attest.receive();
    if (const auto* map = std::get_if<mapped_file>(&order)) {
      const bool mapped = slots.map(map->order, map->file);
      close(map->file);
      if (!mapped) send_refusal(attest, "the system does not give the address space");
      continue;
    }
    const auto& asked = std::get<wire::call_order>(order);
    const opened_call call(numbers_of(asked, plugin), asked, slots);
    wire::reply r;
    {
      const float_environment kept;
      set_calling(true);
      call_plugin(plugin, call.call(), r);
      if (getpid() != own) _exit(0);  // a process that the plugin forked has nothing to answer
      set_calling(false);
      r.environment = environment_changes();
    }
    if (calls++ % calls_to_a_closing == 0) slots.close_outputs();
    r.left = around.changes();
    attest.send(&r, sizeof r);
  }
}

// What malloc gives holds no zeros by chance: a plugin that reads it before it is written shows.
void make_memory_dirty() { mallopt(M_PERTURB, 0x80); }

template <class Plugin>
[[noreturn]] void run(const char* path, const char* name) {
  const line attest(line_to_attest);
  static slot_memory slots;
  report_faults(slots, attest.socket());
  make_memory_dirty();
  try {
    const library_of<Plugin> library(path, name);
    send_description(attest, library.plugin());
    serve(attest, library.plugin(), slots);
  } catch (const std::exception& e) {
    send_refusal(attest, e.what());
  }
  _exit(0);
}

}  // namespace
}  // namespace attest::host

int main(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  const char* const name = argc == 4 ? argv[3] : "";
  if (argc == 3 || argc == 4) {
    if (word == attest::forward_form.word) attest::host::run<attest_plugin>(argv[2], name);
    if (word == attest::recurrence_form.word)
      attest::host::run<attest_recurrence_plugin>(argv[2], name);
  }
  std::cerr << "attest-host is started by attest\n";
  return 2;
}
