#include "properties/command/command_subject.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "properties/command/command_files.h"
#include "properties/command/conversation.h"
#include "properties/command/protocol.h"
#include "properties/exchange/problem_arrays.h"
#include "properties/process/temporary_folder.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using outcome = conversation::outcome;

std::chrono::seconds patience_of(const isolation& how) {
  return std::chrono::ceil<std::chrono::seconds>(
      std::chrono::duration<double>(how.timeout_seconds));
}

class command_subject : public subject {
 public:
  command_subject(std::string_view command, const isolation& how)
      : command_(command), patience_(patience_of(how)), memory_bytes_(how.memory_mib << 20) {
    const std::string who = "command '" + command_ + "'";
    if (const auto failure = start()) throw input_error(who + " " + failure->message);
    const command_hello hello = parse_hello(first_line_, who);
    files_ = hello.files;
    info_ = hello.info;
    info_.address = std::string(command_prefix) + command_;
  }
  ~command_subject() override {
    if (talk_) talk_->finish();
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
    if (!talk_)
      if (auto failure = start_again()) return *failure;
    command_request request = next_request(p, o, lse);
    write_problem(request, p);
    answer_outcome result = ask(request_line(request, p), request.id);
    if (result.status == answer_status::answered) result = take(request, o, lse);
    remove_files(request);
    if (is_lost(result.status)) talk_.reset();
    return result;
  }

  // After which nobody knows where the program stands.
  static bool is_lost(answer_status status) {
    return status == answer_status::crashed || status == answer_status::timed_out ||
           status == answer_status::misbehaved;
  }

  deadline patience_ends() const { return std::chrono::steady_clock::now() + patience_; }

  // Result: why it did not come to its first line, if it did not.
  std::optional<answer_outcome> start() {
    talk_.emplace(command_, memory_bytes_);
    const conversation::heard first = talk_->hear(patience_ends());
    if (first.what != outcome::said) {
      answer_outcome failure = explain(first.what, "said no first line", first.line);
      talk_.reset();
      return failure;
    }
    first_line_ = first.line;
    return std::nullopt;
  }

  std::optional<answer_outcome> start_again() {
    const std::string before = first_line_;
    auto failure = start();
    if (failure) {
      failure->message = "was started again and " + failure->message;
    } else if (first_line_ != before) {
      talk_.reset();
      first_line_ = before;
      failure = {answer_status::misbehaved,
                 "was started again and said something else of itself than before"};
    }
    return failure;
  }

  // What the program did instead of what was waited for.
  answer_outcome explain(outcome what, const std::string& lacking, const std::string& line) {
    switch (what) {
      case outcome::late:
        return {answer_status::timed_out,
                with_last_words(fmt::format("{} within {} s", lacking, patience_.count()))};
      case outcome::ended:
        return {answer_status::crashed, with_last_words(talk_->ending())};
      case outcome::endless:
        return {answer_status::misbehaved,
                fmt::format("wrote {} bytes without the end of a line: '{}...'",
                            conversation::line_limit, line)};
      default:
        return {answer_status::misbehaved,
                with_last_words("closed its end of the conversation and " + lacking)};
    }
  }

  std::string with_last_words(const std::string& text) {
    const std::string words = last_words_text(talk_->last_words());
    return words.empty() ? text : text + "; its last words: '" + words + "'";
  }

  command_request next_request(const problem& p, const tensor& o, const tensor* lse) {
    command_request r;
    r.id = ++asked_;
    r.files = files_;
    const auto file = [&](const char* what) {
      return folder_.file(fmt::format("{}-{}.{}", what, r.id, name_of(files_)));
    };
    r.problem_file = file("problem");
    r.answer_file = file("answer");
    r.outputs = asked_outputs(p.dims, o.element(), lse == nullptr ? nullptr : &lse->element());
    return r;
  }

  answer_outcome ask(const std::string& line, std::int64_t id) {
    if (auto failure = unasked("before it was asked")) return *failure;
    const deadline until = patience_ends();
    const outcome said = talk_->say(line, until);
    if (said != outcome::said) return explain(said, "took no problem", {});
    const conversation::heard reply = talk_->hear(until);
    if (reply.what != outcome::said) return explain(reply.what, "gave no answer", reply.line);
    answer_outcome result = parse_reply(reply.line, id);
    if (result.status == answer_status::misbehaved)
      result.message = with_last_words(result.message);
    else if (auto failure = unasked("after its answer"))
      return *failure;
    return result;
  }

  // A line to which no problem belongs would be taken for the answer to the next.
  std::optional<answer_outcome> unasked(const char* when) {
    constexpr std::size_t most = 200;
    const std::string text = talk_->unasked();
    if (text.empty()) return std::nullopt;
    return answer_outcome{answer_status::misbehaved,
                          fmt::format("wrote more {}: '{}'", when, text.substr(0, most))};
  }

  answer_outcome take(const command_request& r, tensor& o, tensor* lse) {
    try {
      const named_arrays found = read_answer(r);
      copy_to(o, found.at("o"));
      if (lse != nullptr) copy_to(*lse, found.at("lse"));
      return {};
    } catch (const input_error& e) {
      return {answer_status::misbehaved,
              with_last_words(std::string("left no answer as it was asked for: ") + e.what())};
    }
  }

  static void remove_files(const command_request& r) {
    std::error_code ignored;
    for (const std::string& file : {r.problem_file, r.answer_file})
      std::filesystem::remove(file, ignored);
  }

  std::string command_;
  std::chrono::seconds patience_;
  std::int64_t memory_bytes_;  // 0: no limit
  time_outs time_outs_;
  temporary_folder folder_;
  std::optional<conversation> talk_;
  std::string first_line_;
  file_kind files_ = file_kind::npz;
  subject_info info_;
  std::int64_t asked_ = 0;
};

}  // namespace

std::unique_ptr<subject> open_command(std::string_view command, const isolation& how) {
  return std::make_unique<command_subject>(command, how);
}

}  // namespace attest
