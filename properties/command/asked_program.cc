#include "properties/command/asked_program.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "properties/command/protocol.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using outcome = conversation::outcome;

std::chrono::seconds patience_of(const isolation& how) {
  return std::chrono::ceil<std::chrono::seconds>(
      std::chrono::duration<double>(how.timeout_seconds));
}

bool is_lost(answer_status status) {
  return status == answer_status::crashed || status == answer_status::timed_out ||
         status == answer_status::misbehaved;
}

}  // namespace

asked_program::asked_program(std::string command, const isolation& how)
    : command_(std::move(command)),
      patience_(patience_of(how)),
      memory_bytes_(how.memory_mib << 20) {
  if (const auto failure = start())
    throw input_error("command '" + command_ + "' " + failure->message);
}

asked_program::~asked_program() {
  if (talk_) talk_->finish();
}

std::optional<answer_outcome> asked_program::ready() {
  return talk_ ? std::nullopt : start_again();
}

void asked_program::leave_after(answer_status status) {
  if (is_lost(status)) talk_.reset();
}

// Result: why it did not come to its first line, if it did not.
std::optional<answer_outcome> asked_program::start() {
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

std::optional<answer_outcome> asked_program::start_again() {
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
answer_outcome asked_program::explain(outcome what, const std::string& lacking,
                                      const std::string& line) {
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

std::string asked_program::with_last_words(const std::string& text) {
  const std::string words = last_words_text(talk_->last_words());
  return words.empty() ? text : text + "; its last words: '" + words + "'";
}

answer_outcome asked_program::ask(const std::string& line, std::int64_t id) {
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
std::optional<answer_outcome> asked_program::unasked(const char* when) {
  constexpr std::size_t most = 200;
  const std::string text = talk_->unasked();
  if (text.empty()) return std::nullopt;
  return answer_outcome{answer_status::misbehaved,
                        fmt::format("wrote more {}: '{}'", when, text.substr(0, most))};
}

}  // namespace attest
