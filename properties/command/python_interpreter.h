// The Python that runs what attest brings in Python.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attest {

// In the environment: the interpreter to take, in place of the first of usual_interpreters that
// has what is needed.
inline constexpr const char* interpreter_variable = "ATTEST_PYTHON_INTERPRETER";
inline constexpr std::string_view usual_interpreters[] = {"python3", "/usr/bin/python3"};

// Result: an interpreter that finds that module and numpy, without which it can't speak the
// protocol of commands; nullopt: there is none.
std::optional<std::string> find_interpreter(std::string_view module);

// Result: why find_interpreter found none, as in "no python3 here has the module torch".
std::string lack_of_interpreter(std::string_view module);

// Result: the command line that runs a script there with these words, which need no quotes.
std::string script_command(const std::string& interpreter, const std::string& script,
                           std::string_view words);

}  // namespace attest
