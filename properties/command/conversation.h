// Lines to and from a program that runs beside attest.
#pragma once

#include <string>
#include <string_view>

#include "properties/process/child_process.h"

namespace attest {

class conversation {
 public:
  // Starts the command line in a shell; each of its processes may allocate so much memory, 0: any.
  // Error: input_error when no process can be started.
  conversation(const std::string& command, std::int64_t memory_bytes);

  // What became of an attempt to say or to hear something. `said`: the line went through.
  enum class outcome : std::uint8_t { said, late, ended, closed, endless };
  struct heard {
    outcome what = outcome::said;
    std::string line;  // without its end; of an endless one, its beginning
  };

  // Domain: no line end in the line. closed: the program took its stdin away.
  outcome say(std::string_view line, deadline);
  // The program's next line. closed: it took its stdout away; endless: line_limit bytes and no end.
  heard hear(deadline);
  // What it has written beyond the lines that were heard, as far as it is there by now.
  std::string unasked();

  // How it ended, "exited with code 3"; of a shell's word for a signal, what it means.
  std::string ending();
  std::string last_words() { return program_.last_words(); }
  // Closes its stdin, on which it is to end, and ends it if it does not.
  void finish();

  static constexpr std::size_t line_limit = std::size_t{1} << 16;

 private:
  bool read_more();  // false: nothing more will come
  outcome end_or(outcome otherwise);

  child_process program_;
  std::string read_;
};

}  // namespace attest
