// A command line that is asked one question after the other, a line each, and started again where
// nobody knows any more where it stands.
#pragma once

#include <optional>
#include <string>

#include "properties/command/conversation.h"
#include "properties/subject.h"

namespace attest {

class asked_program {
 public:
  // Its time is what it may take to say its first line, and for each answer; its memory, what each
  // of its processes may allocate. Error: input_error where it says no first line.
  asked_program(std::string command, const isolation&);
  asked_program(const asked_program&) = delete;
  asked_program& operator=(const asked_program&) = delete;
  ~asked_program();

  const std::string& first_line() const { return first_line_; }

  // Starts it, where it does not run. Result: why it can't be asked, where it can't.
  std::optional<answer_outcome> ready();
  // What it says to a line (protocol.h). Domain: ready() gave nothing.
  answer_outcome ask(const std::string& line, std::int64_t id);
  // After an outcome behind which nobody knows where it stands, it is ended.
  void leave_after(answer_status);
  std::string with_last_words(const std::string& text);

 private:
  deadline patience_ends() const { return std::chrono::steady_clock::now() + patience_; }
  std::optional<answer_outcome> start();
  std::optional<answer_outcome> start_again();
  answer_outcome explain(conversation::outcome what, const std::string& lacking,
                         const std::string& line);
  std::optional<answer_outcome> unasked(const char* when);

  std::string command_;
  std::chrono::seconds patience_;
  std::int64_t memory_bytes_;  // 0: no limit
  std::optional<conversation> talk_;
  std::string first_line_;
};

}  // namespace attest
