#include "properties/plugin/plugin_process.h"

#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "properties/plugin/fault_text.h"
#include "properties/plugin/plugin_answer.h"
#include "properties/plugin/plugin_library.h"
#include "properties/process/own_program.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// A naive kernel on one thread, with number formats in software, needs no more.
constexpr double multiply_adds_a_second = 1e8;
// For the process to end after it has said that it will, or has closed its line.
constexpr std::chrono::seconds time_to_end{5};
constexpr std::size_t most_last_words = 200;

deadline after(double seconds) {
  constexpr double most = 1e9;
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(std::min(seconds, most)));
}

std::pair<descriptor, descriptor> socket_ends() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw input_error("can't start a process: no socket (" + std::string(std::strerror(errno)) +
                      ")");
  return {descriptor(ends[0]), descriptor(ends[1])};
}

// What libraries of threads read.
std::vector<std::string> environment_for(const plugin_process_settings& s) {
  std::vector<std::string> settings = s.environment;
  if (s.threads == 0) return settings;
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                           "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"})
    settings.push_back(std::string(name) + "=" + std::to_string(s.threads));
  return settings;
}

process_spec spec_for(const plugin_process_settings& s, const descriptor& hosts_end) {
  process_spec spec;
  spec.words = {own_program("attest-host"), std::string(s.made.word), s.at.path};
  if (!s.at.name.empty()) spec.words.push_back(s.at.name);
  spec.environment = environment_for(s);
  spec.descriptors = {hosts_end.get()};
  spec.memory_bytes = s.limits.memory_mib << 20;
  return spec;
}

std::string left_text(std::uint32_t left) {
  if ((left & wire::left_signal_mask) != 0) return "left signals blocked";
  if ((left & wire::left_folder) != 0) return "changed the working directory";
  if ((left & wire::left_locale) != 0) return "changed the locale";
  if ((left & wire::left_timer) != 0) return "left a timer running";
  return "left a process that it had started";
}

answer_outcome outcome_of(const wire::reply& r) {
  if (r.threw == wire::thrown::exception)
    return {answer_status::misbehaved, std::string("threw an exception: ") + r.message};
  if (r.threw == wire::thrown::something)
    return {answer_status::misbehaved, "threw something that is not a std::exception"};
  plugin_answer a;
  a.status = r.status;
  a.environment = r.environment;
  std::copy_n(r.message, a.message.size(), a.message.data());
  const answer_outcome outcome = outcome_of(a);
  const bool answered =
      outcome.status == answer_status::answered || outcome.status == answer_status::unsupported;
  return answered && r.left != 0 ? answer_outcome{answer_status::misbehaved, left_text(r.left)}
                                 : outcome;
}

std::string seconds_text(double seconds) {
  return std::to_string(static_cast<long long>(std::ceil(seconds))) + " s";
}

}  // namespace

double call_seconds(double multiply_adds, double timeout_seconds) {
  return timeout_seconds + multiply_adds / multiply_adds_a_second;
}

plugin_process::plugin_process(const plugin_process_settings& s)
    : made_(s.made), limits_(s.limits), process_([&] {
        std::tie(line_, hosts_end_) = socket_ends();
        return spec_for(s, hosts_end_);
      }()) {
  hosts_end_.close();
  require_loaded(s);
}

void plugin_process::require_loaded(const plugin_process_settings& s) {
  const auto event = process_.wait_for(line_.get(), after(limits_.timeout_seconds));
  if (event == child_process::event::late)
    throw not_loaded_in_time("plugin " + s.at.path + ": was not loaded within " +
                             seconds_text(limits_.timeout_seconds) + " (--timeout)" + last_words());
  const auto bytes = receive();
  if (!bytes) reject_plugin(s.at.path, ended(" while it was loaded").message);
  const auto message = read_host_message(*bytes);
  if (message && std::holds_alternative<host_refusal>(*message))
    throw input_error(std::get<host_refusal>(*message).why);
  if (message && std::holds_alternative<wire::fault>(*message)) {
    auto f = std::get<wire::fault>(*message);
    f.after_call = 0;
    reject_plugin(s.at.path, outcome_of(f, made_, {}).message + " while it was loaded");
  }
  if (!message || !std::holds_alternative<plugin_description>(*message))
    reject_plugin(s.at.path, "says things that are not attest-host's");
  description_ = std::get<plugin_description>(*message);
}

bool plugin_process::send(const void* bytes, std::size_t size) {
  return ::send(line_.get(), bytes, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

void plugin_process::send_file(std::uint32_t slot, std::size_t half_bytes, const descriptor& file) {
  wire::map_order order;
  order.slot = slot;
  order.half_bytes = half_bytes;
  iovec bytes{&order, sizeof order};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = file.get();
  std::memcpy(CMSG_DATA(head), &number, sizeof number);
  sendmsg(line_.get(), &message, MSG_NOSIGNAL);  // what fails shows when the call is sent
}

wire::call_order plugin_process::place(const sent_call& call, std::uint32_t first_slot) {
  wire::call_order order;
  order.first_slot = first_slot;
  order.numbers = call.numbers;
  for (std::uint32_t n = 0; n < made_.tensors; ++n) {
    if (!call.tensors[n].present()) continue;
    shared_tensor& slot = slots_[first_slot + n];
    if (const auto file = slot.place(n, made_.is_output(n), call.tensors[n]))
      send_file(first_slot + n, slot.half_bytes(), *file);
    order.tensors[n] = slot.placed();
  }
  return order;
}

answer_outcome plugin_process::answer(manner how, const sent_call& call) {
  const wire::call_order order = place(call, how == manner::in_place ? wire::most_tensors : 0);
  return take(order, call,
              send(&order, sizeof order) ? await(order, call.seconds) : gone_before(order));
}

// The outputs are taken back even from a call that failed: they show what was written.
answer_outcome plugin_process::take(const wire::call_order& order, const sent_call& call,
                                    answer_outcome outcome) {
  for (std::uint32_t n = made_.first_output; n < made_.tensors; ++n) {
    if (!call.tensors[n].present()) continue;
    const shared_tensor& slot = slots_[order.first_slot + n];
    const auto misuse = slot.take_back(call.tensors[n], made_.name(n));
    if (misuse && outcome.status == answer_status::answered)
      outcome = {answer_status::misbehaved, *misuse};
  }
  return outcome;
}

// A process that ended between two calls may have said why.
answer_outcome plugin_process::gone_before(const wire::call_order& order) {
  const auto bytes = receive();
  return bytes ? outcome(order, *bytes) : ended(" between two calls");
}

std::optional<std::string_view> plugin_process::receive() {
  const ssize_t size = recv(line_.get(), received_.data(), received_.size(), MSG_DONTWAIT);
  if (size <= 0) return std::nullopt;
  return std::string_view(received_).substr(0, static_cast<std::size_t>(size));
}

answer_outcome plugin_process::await(const wire::call_order& order, double seconds) {
  const auto event = process_.wait_for(line_.get(), after(seconds));
  if (event == child_process::event::late) {
    useful_ = false;
    process_.end();
    return {answer_status::timed_out,
            "gave no answer within " + seconds_text(seconds) + last_words()};
  }
  const auto bytes = receive();
  return bytes ? outcome(order, *bytes) : ended(" in the middle of the call");
}

answer_outcome plugin_process::outcome(const wire::call_order& order, std::string_view bytes) {
  const auto message = read_host_message(bytes);
  if (message && std::holds_alternative<wire::reply>(*message)) {
    const auto& r = std::get<wire::reply>(*message);
    useful_ = (r.left & wire::left_process) == 0;  // which ends only with its parent
    return outcome_of(r);
  }
  useful_ = false;
  if (message && std::holds_alternative<host_refusal>(*message))
    throw address_space_error(std::get<host_refusal>(*message).why);
  if (!message || !std::holds_alternative<wire::fault>(*message))
    return {answer_status::misbehaved, "wrote to the line between attest-host and attest"};
  const auto& f = std::get<wire::fault>(*message);
  const bool of_call = f.slot >= order.first_slot && f.slot < order.first_slot + wire::most_tensors;
  answer_outcome found = outcome_of(
      f, made_, of_call ? order.tensors[f.slot - order.first_slot] : slots_[f.slot].placed());
  if (found.status == answer_status::crashed) found.message += last_words();
  return found;
}

answer_outcome plugin_process::ended(const std::string& when) {
  useful_ = false;
  const bool closed =
      process_.wait_for_end(after(time_to_end.count())) == child_process::event::late;
  const std::string how = process_.ending();
  process_.end();
  if (closed || how == "exited with code " + std::to_string(wire::closed_descriptors))
    return {answer_status::misbehaved, "closed descriptors that it did not open" + last_words()};
  return {answer_status::crashed, how + when + last_words()};
}

// What the plugin wrote last, on one line.
std::string plugin_process::last_words() {
  std::string words = process_.last_words();
  if (words.size() > most_last_words) words.erase(0, words.size() - most_last_words);
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return std::isspace(c); }, ' ');
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words.empty() ? "" : "; its last words: " + words;
}

}  // namespace attest
