#include "properties/command/python_interpreter.h"

#include <chrono>
#include <cstdlib>

#include "properties/command/conversation.h"

namespace attest {
namespace {

using namespace std::chrono_literals;

// As one word of sh. (shell_quoted of reports is for people's shells: what does not show stands as
// $'...' there, which sh does not know.)
std::string quoted(std::string_view text) {
  std::string word = "'";
  for (char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// Looks for modules without importing them, which may take seconds. (So that the text needs no
// escapes, modules are names and no more.)
bool has_modules(std::string_view interpreter, std::string_view module) {
  constexpr auto patience = 20s;
  const std::string program = "from importlib.util import find_spec; print(all(map(find_spec, (\"" +
                              std::string(module) + "\", \"numpy\"))))";
  constexpr std::int64_t any_memory = 0;
  conversation talk("exec " + quoted(interpreter) + " -c " + quoted(program) + " 2>/dev/null",
                    any_memory);
  const auto answer = talk.hear(std::chrono::steady_clock::now() + patience);
  return answer.what == conversation::outcome::said && answer.line == "True";
}

}  // namespace

std::optional<std::string> find_interpreter(std::string_view module) {
  if (const char* given = std::getenv(interpreter_variable); given != nullptr)
    return has_modules(given, module) ? std::optional<std::string>(given) : std::nullopt;
  for (std::string_view usual : usual_interpreters)
    if (has_modules(usual, module)) return std::string(usual);
  return std::nullopt;
}

std::string lack_of_interpreter(std::string_view module) {
  const std::string modules =
      module == "numpy" ? "numpy" : std::string(module) + ", or not the module numpy";
  if (const char* given = std::getenv(interpreter_variable); given != nullptr)
    return std::string(interpreter_variable) + " is '" + given +
           "', which is no Python or has not the module " + modules;
  return "there is no python3, or it has not the module " + modules;
}

std::string script_command(const std::string& interpreter, const std::string& script,
                           std::string_view words) {
  // -B: it leaves no compiled modules where attest is installed.
  return "exec " + quoted(interpreter) + " -B " + quoted(script) + " " + std::string(words);
}

}  // namespace attest
