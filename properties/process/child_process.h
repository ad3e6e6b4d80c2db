// A program that runs beside attest and can't outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

using deadline = std::chrono::steady_clock::time_point;

struct process_spec {
  std::vector<std::string> words;             // the program, searched in PATH, and its arguments
  std::vector<std::string> environment = {};  // "NAME=VALUE": set beside attest's own
  std::vector<int> descriptors = {};          // lent; they are 3, 4, ... in the program
  bool talks = false;             // its stdin and stdout are the caller's; otherwise stdin is empty
  std::int64_t memory_bytes = 0;  // of data (RLIMIT_DATA); 0: no limit
  std::string folder = {};        // its working directory; empty: attest's own
};

// A descriptor that is closed with its owner.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(other.release()) {}
  descriptor& operator=(descriptor&& other) noexcept;
  ~descriptor() { close(); }

  int get() const { return number_; }
  void close();
  int release();

 private:
  int number_ = -1;
};

// Started through attest-keeper: it is in a process group of its own (a Ctrl-C at the terminal is
// attest's alone), and when this object goes, or attest is killed, it is killed with all that it
// started. No descriptor but the lent ones is left open in it. Safe to use in a process with
// threads: nothing is forked here.
class child_process {
 public:
  // Error: input_error when the keeper can't be started. A program that can't be is one that ended.
  explicit child_process(const process_spec&);
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process();  // as end()

  enum class event : std::uint8_t { readable, ended, late };
  // Waits until the descriptor has something to read (or was closed at the other end), the program
  // ended or the deadline passed; the first of them that is true.
  event wait_for(int readable, deadline);
  // The same without a descriptor.
  event wait_for_end(deadline until) { return wait_for(-1, until); }

  // Of a program that talks.
  int from_program() const { return from_program_.get(); }
  // Whether all of the text went to its stdin before the deadline; not where it closed that.
  bool send(std::string_view text, deadline);
  void close_input() { to_program_.close(); }

  // Ends the program and all that it started.
  void end();
  // How it ended by itself, as the end of a sentence: "exited with code 3", "was ended by signal 11
  // (Segmentation fault)", "was stopped by signal 19 (Stopped (signal))", "could not be started: No
  // such file or directory"; empty while it runs.
  std::string ending();
  // Whether it never ran.
  bool not_started();
  // The last lines that it wrote to stderr, and to stdout where that is not the caller's; at most
  // 2048 bytes.
  std::string last_words();

 private:
  struct report {
    int kind = 0;
    int number = 0;
  };
  void read_words();
  void read_report();

  descriptor life_line_, report_line_, to_program_, from_program_, words_;
  int keeper_ = 0;
  bool told_ = false;  // nothing more will come on the report line
  std::optional<report> report_;
  std::string tail_;
};

}  // namespace attest
