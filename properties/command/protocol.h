// What attest and a command tell each other, a line of JSON each (docs/command_protocol.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "properties/exchange/raw_file.h"
#include "properties/recurrence/recurrence_subject.h"
#include "properties/subject.h"

namespace attest {

inline constexpr int command_protocol_version = 1;

// The files that problems and answers travel in.
enum class file_kind : std::uint8_t { npz, safetensors, raw };

std::string_view name_of(file_kind);

// The first line of a command.
struct command_hello {
  subject_info info;  // its address is left empty
  file_kind files = file_kind::npz;
};

// Error: input_error naming `where`, what is wrong in the line and what is allowed.
command_hello parse_hello(std::string_view line, const std::string& where);

// The first line of a command that computes linear attention: "attest_recurrence" is its first key
// instead of "attest", and its features are recurrences'.
struct recurrence_hello {
  recurrence_info info;  // its address is left empty
  file_kind files = file_kind::npz;
};

// Error: as of parse_hello.
recurrence_hello parse_recurrence_hello(std::string_view line, const std::string& where);

// One problem, as a command is asked it.
struct command_request {
  std::int64_t id = 0;
  std::string problem_file;
  std::string answer_file;
  file_kind files = file_kind::npz;
  std::vector<raw_entry> arrays;   // of the problem
  std::vector<raw_entry> outputs;  // that the answer is to hold
};

// Result: one line, without its end. Offsets stand in it for raw files only.
std::string request_line(const command_request&, const problem&);

std::string request_line(const command_request&, const recurrence_problem&);

// Result: what the line says of the problem; misbehaved where it is no answer to it.
answer_outcome parse_reply(std::string_view line, std::int64_t id);

// Computes: the last lines of a program in one, the newest at the end; " | " between them. Empty
// for no words.
std::string last_words_text(std::string_view words);

}  // namespace attest
