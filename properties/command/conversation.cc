#include "properties/command/conversation.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "reference/text.h"

namespace attest {
namespace {

using namespace std::chrono_literals;

deadline now() { return std::chrono::steady_clock::now(); }

bool is_program(const std::filesystem::path& file) {
  return std::filesystem::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
}

bool is_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':'))
    if (is_program(std::filesystem::path(folder) / name)) return true;
  return false;
}

// Whether the shell has no more to do than to start one program: no lists, pipes and redirections,
// and neither a setting nor a word of the shell's own in front.
bool is_one_program(const std::string& command) {
  const std::string first = command.substr(0, command.find_first_of(" \t"));
  if (command.find_first_of(";&|()<>`\n") != std::string::npos) return false;
  if (first.find_first_of("=$'\"\\~*?[]{}!#") != std::string::npos) return false;
  return first.find('/') == std::string::npos ? is_in_path(first) : is_program(first);
}

// One program takes the shell's place: it is told apart how it ended, and what it closes is closed.
process_spec shell(const std::string& command, std::int64_t memory_bytes) {
  process_spec spec;
  spec.words = {"sh", "-c", (is_one_program(command) ? "exec " : "") + command};
  spec.talks = true;
  spec.memory_bytes = memory_bytes;
  return spec;
}

}  // namespace

conversation::conversation(const std::string& command, std::int64_t memory_bytes)
    : program_(shell(command, memory_bytes)) {
  fcntl(program_.from_program(), F_SETFL, O_NONBLOCK);
}

// A program that goes closes its ends first: it is given a moment to be gone.
conversation::outcome conversation::end_or(outcome otherwise) {
  constexpr auto moment = 2s;
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
