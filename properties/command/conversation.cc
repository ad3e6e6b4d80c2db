#include "properties/command/conversation.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace attest {
namespace {

using namespace std::chrono_literals;

deadline now() { return std::chrono::steady_clock::now(); }

process_spec shell(const std::string& command) {
  process_spec spec;
  spec.words = {"sh", "-c", command};
  spec.talks = true;
  return spec;
}

}  // namespace

conversation::conversation(const std::string& command) : program_(shell(command)) {
  fcntl(program_.from_program(), F_SETFL, O_NONBLOCK);
}

// A program that goes closes its ends first: it is given a moment to be gone.
conversation::outcome conversation::end_or(outcome otherwise) {
  constexpr auto moment = 500ms;
  return program_.wait_for_end(now() + moment) == child_process::event::ended ? outcome::ended
                                                                              : otherwise;
}

conversation::outcome conversation::say(std::string_view line, deadline until) {
  if (program_.send(std::string(line) + "\n", until)) return outcome::said;
  return now() < until ? end_or(outcome::closed) : outcome::late;
}

bool conversation::read_more() {
  std::array<char, 4096> block;
  const ssize_t size = read(program_.from_program(), block.data(), block.size());
  if (size > 0) read_.append(block.data(), static_cast<std::size_t>(size));
  return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
}

conversation::heard conversation::hear(deadline until) {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      heard h{outcome::said, read_.substr(0, end)};
      read_.erase(0, end + 1);
      return h;
    }
    if (read_.size() >= line_limit) return {outcome::endless, read_.substr(0, 64)};
    const child_process::event event = program_.wait_for(program_.from_program(), until);
    if (event == child_process::event::late) return {outcome::late, {}};
    if (event == child_process::event::ended) return {outcome::ended, {}};
    if (!read_more()) return {end_or(outcome::closed), {}};
  }
}

std::string conversation::unasked() {
  while (read_.size() < line_limit &&
         program_.wait_for(program_.from_program(), now()) == child_process::event::readable) {
    const std::size_t before = read_.size();
    if (!read_more() || read_.size() == before) break;
  }
  return read_;
}

std::string conversation::ending() {
  constexpr std::string_view beginning = "exited with code ";
  std::string text = program_.ending();
  if (!text.starts_with(beginning)) return text;
  int code = 0;
  std::from_chars(text.data() + beginning.size(), text.data() + text.size(), code);
  constexpr int by_signal = 128;  // a shell adds the signal's number
  const char* meaning = code > by_signal ? sigdescr_np(code - by_signal) : nullptr;
  if (meaning != nullptr) text += std::string(" (a shell's word for: ") + meaning + ")";
  return text;
}

void conversation::finish() {
  program_.close_input();
  program_.wait_for_end(now() + 1s);
  program_.end();
}

}  // namespace attest
