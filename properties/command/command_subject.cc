#include "properties/command/command_subject.h"

#include <fmt/format.h>

#include <filesystem>

#include "properties/command/asked_program.h"
#include "properties/command/command_files.h"
#include "properties/command/protocol.h"
#include "properties/exchange/problem_arrays.h"
#include "properties/process/temporary_folder.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"

namespace attest {
namespace {

class command_subject : public subject {
 public:
  command_subject(std::string_view command, const isolation& how)
      : program_(std::string(command), how) {
    const command_hello hello =
        parse_hello(program_.first_line(), "command '" + std::string(command) + "'");
    files_ = hello.files;
    info_ = hello.info;
    info_.address = std::string(command_prefix) + std::string(command);
  }

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return false; }

  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    time_outs_.require_fewer();
    answer_outcome result = put(p, o, lse);
    time_outs_.count(result.status);
    return result;
  }

 private:
  answer_outcome put(problem& p, tensor& o, tensor* lse) {
    if (auto failure = program_.ready()) return *failure;
    command_request request = next_request(p, o, lse);
    write_problem(request, p);
    answer_outcome result = program_.ask(request_line(request, p), request.id);
    if (result.status == answer_status::answered) result = take(request, o, lse);
    remove_files(request);
    program_.leave_after(result.status);
    return result;
  }

  command_request next_request(const problem& p, const tensor& o, const tensor* lse) {
    command_request r = request_number(++asked_, files_, folder_);
    r.outputs = asked_outputs(p.dims, o.element(), lse == nullptr ? nullptr : &lse->element());
    return r;
  }

  answer_outcome take(const command_request& r, tensor& o, tensor* lse) {
    try {
      const named_arrays found = read_answer(r);
      copy_to(o, found.at("o"));
      if (lse != nullptr) copy_to(*lse, found.at("lse"));
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
  subject_info info_;
  std::int64_t asked_ = 0;
};

}  // namespace

std::unique_ptr<subject> open_command(std::string_view command, const isolation& how) {
  return std::make_unique<command_subject>(command, how);
}

}  // namespace attest
