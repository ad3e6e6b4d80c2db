// A command line that computes linear attention (docs/recurrence.md).
#include <fmt/format.h>

#include "properties/command/asked_program.h"
#include "properties/command/command_files.h"
#include "properties/command/command_subject.h"
#include "properties/command/protocol.h"
#include "properties/exchange/problem_arrays.h"
#include "properties/recurrence/recurrence_subject.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// A decay a head is one number each in files: [Hkv].
array head_decays(const tensor& decay) {
  array a{&decay.element(), {decay.sizes()[1]}, {}};
  for (std::int64_t g = 0; g < decay.sizes()[1]; ++g) a.values.push_back(decay.at(0, g, 0, 0));
  return a;
}

// A number a position without the axis of channels: [B, Hkv, L].
array without_last_axis(const tensor& t) {
  array a = to_array(t);
  a.sizes.pop_back();
  return a;
}

// The draws of exp_features without the axis of batch rows: [Hkv, A, D].
array without_first_axis(const tensor& t) {
  array a = to_array(t);
  a.sizes.erase(a.sizes.begin());
  return a;
}

array decay_array(const recurrence_problem& p) {
  if (p.decay == decay_kind::head) return head_decays(*p.posed.decay);
  return p.decay == decay_kind::position ? without_last_axis(*p.posed.decay)
                                         : to_array(*p.posed.decay);
}

named_arrays arrays_of(const recurrence_problem& asked) {
  const linear_problem& p = asked.posed;
  named_arrays all{{"q", to_array(p.q)}, {"k", to_array(p.k)}, {"v", to_array(p.v)}};
  if (p.decay) all["decay"] = decay_array(asked);
  if (p.rate) all["rate"] = without_last_axis(*p.rate);
  if (p.erase) all["erase"] = to_array(*p.erase);
  if (p.state) all["state"] = to_array(*p.state);
  if (p.draws) all["draws"] = without_first_axis(*p.draws);
  return all;
}

raw_entry output_entry(const char* name, const tensor& t, std::uint64_t offset) {
  return {.name = name,
          .element = &t.element(),
          .sizes = {t.sizes().begin(), t.sizes().end()},
          .offset = offset};
}

std::uint64_t bytes_of(const raw_entry& e) {
  std::uint64_t bytes = static_cast<std::uint64_t>(e.element->storage_bits / 8);
  for (const std::int64_t size : e.sizes) bytes *= static_cast<std::uint64_t>(size);
  return bytes;
}

class recurrence_command : public recurrence_subject {
 public:
  recurrence_command(std::string_view command, const isolation& how)
      : program_(std::string(command), how) {
    const recurrence_hello hello =
        parse_recurrence_hello(program_.first_line(), "command '" + std::string(command) + "'");
    files_ = hello.files;
    info_ = hello.info;
    info_.about.address = std::string(command_prefix) + std::string(command);
  }

  const recurrence_info& info() const override { return info_; }

  answer_outcome answer(recurrence_problem& p, tensor& o, tensor* state) override {
    time_outs_.require_fewer();
    answer_outcome result = put(p, o, state);
    time_outs_.count(result.status);
    return result;
  }

 private:
  answer_outcome put(const recurrence_problem& p, tensor& o, tensor* state) {
    if (auto failure = program_.ready()) return *failure;
    command_request request = request_number(++asked_, files_, folder_);
    request.outputs.push_back(output_entry("o", o, 0));
    if (state != nullptr)
      request.outputs.push_back(
          output_entry("state_out", *state, bytes_of(request.outputs.front())));
    write_problem(request, arrays_of(p));
    answer_outcome result = program_.ask(request_line(request, p), request.id);
    if (result.status == answer_status::answered) result = take(request, o, state);
    remove_files(request);
    program_.leave_after(result.status);
    return result;
  }

  answer_outcome take(const command_request& r, tensor& o, tensor* state) {
    try {
      const named_arrays found = read_answer(r);
      copy_to(o, found.at("o"));
      if (state != nullptr) copy_to(*state, found.at("state_out"));
      return {};
    } catch (const input_error& e) {
      return {
          answer_status::misbehaved,
          program_.with_last_words(std::string("left no answer as it was asked for: ") + e.what())};
    }
  }

  temporary_folder folder_;
  asked_program program_;
  time_outs time_outs_;
  file_kind files_ = file_kind::npz;
  recurrence_info info_;
  std::int64_t asked_ = 0;
};

}  // namespace

std::unique_ptr<recurrence_subject> open_recurrence_command(std::string_view command,
                                                            const isolation& how) {
  return std::make_unique<recurrence_command>(command, how);
}

}  // namespace attest
