#include "properties/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "properties/process/keeper.h"
#include "properties/process/own_program.h"
#include "reference/input_error.h"

extern char** environ;

namespace attest {
namespace {

constexpr std::size_t most_words = 2048;

std::string text_of(int error) { return std::generic_category().message(error); }

[[noreturn]] void refuse(const std::string& what, int error) {
  throw input_error("can't start a process: " + what + " (" + text_of(error) + ")");
}

struct pipe_ends {
  descriptor read, write;
};

pipe_ends open_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse("no pipe", errno);
  return {descriptor(ends[0]), descriptor(ends[1])};
}

// The descriptors that the keeper gets, in the order of their numbers there. They are first copied
// above all those numbers, so that none is overwritten before it is used.
class file_actions {
 public:
  file_actions() { posix_spawn_file_actions_init(&actions_); }
  file_actions(const file_actions&) = delete;
  file_actions& operator=(const file_actions&) = delete;
  ~file_actions() { posix_spawn_file_actions_destroy(&actions_); }

  void give(int number) {
    constexpr int above_all = 64;
    const int copy = fcntl(number, F_DUPFD_CLOEXEC, above_all);
    if (copy < 0) refuse("too many open files", errno);
    copies_.emplace_back(copy);
    posix_spawn_file_actions_adddup2(&actions_, copy, next_++);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
  std::vector<descriptor> copies_;
  int next_ = 0;
};

// Signals as a new program expects them, in a group of its own.
class attributes {
 public:
  attributes() {
    posix_spawnattr_init(&value_);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&value_, &all);
    posix_spawnattr_setsigmask(&value_, &none);
    posix_spawnattr_setpgroup(&value_, 0);
    posix_spawnattr_setflags(
        &value_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  attributes(const attributes&) = delete;
  attributes& operator=(const attributes&) = delete;
  ~attributes() { posix_spawnattr_destroy(&value_); }
  const posix_spawnattr_t* get() const { return &value_; }

 private:
  posix_spawnattr_t value_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string_view name_in(std::string_view setting) { return setting.substr(0, setting.find('=')); }

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  for (char** setting = environ; *setting != nullptr; ++setting) {
    const auto replaces = [&](const std::string& s) { return name_in(s) == name_in(*setting); };
    if (std::none_of(changes.begin(), changes.end(), replaces)) all.emplace_back(*setting);
  }
  return all;
}

std::vector<std::string> keeper_words(const process_spec& spec) {
  std::vector<std::string> words{own_program("attest-keeper"),
                                 std::to_string(spec.descriptors.size()),
                                 std::to_string(spec.memory_bytes), spec.folder};
  words.insert(words.end(), spec.words.begin(), spec.words.end());
  return words;
}

int spawn(const process_spec& spec, const file_actions& files) {
  std::vector<std::string> words = keeper_words(spec);
  std::vector<std::string> environment = environment_with(spec.environment);
  const attributes how;
  pid_t id = 0;
  const int error = posix_spawn(&id, words[0].c_str(), files.get(), how.get(),
                                pointers_to(words).data(), pointers_to(environment).data());
  if (error != 0) refuse(words[0], error);
  return id;
}

// A closed pipe is an error to be told, not a signal that ends attest.
class without_sigpipe {
 public:
  without_sigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  without_sigpipe(const without_sigpipe&) = delete;
  without_sigpipe& operator=(const without_sigpipe&) = delete;
  ~without_sigpipe() {
    const timespec now{0, 0};
    while (sigtimedwait(&pipe_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
};

int milliseconds_until(deadline until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
}

}  // namespace

descriptor& descriptor::operator=(descriptor&& other) noexcept {
  close();
  number_ = other.release();
  return *this;
}

void descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

int descriptor::release() { return std::exchange(number_, -1); }

child_process::child_process(const process_spec& spec) {
  pipe_ends input = open_pipe(), output = open_pipe(), words = open_pipe();
  pipe_ends life = open_pipe(), told = open_pipe();
  file_actions files;
  files.give(input.read.get());
  files.give(spec.talks ? output.write.get() : words.write.get());
  files.give(words.write.get());
  for (int lent : spec.descriptors) files.give(lent);
  files.give(life.read.get());
  files.give(told.write.get());
  keeper_ = spawn(spec, files);
  if (spec.talks) {
    to_program_ = std::move(input.write);
    from_program_ = std::move(output.read);
  }
  words_ = std::move(words.read);
  life_line_ = std::move(life.write);
  report_line_ = std::move(told.read);
  for (int line : {words_.get(), report_line_.get(), to_program_.get()})
    fcntl(line, F_SETFL, O_NONBLOCK);
}

child_process::~child_process() { end(); }

void child_process::end() {
  if (keeper_ == 0) return;
  life_line_.close();
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  keeper_ = 0;
  read_words();
  read_report();
}

child_process::event child_process::wait_for(int readable, deadline until) {
  for (;;) {
    std::array<pollfd, 3> lines{{{readable, POLLIN, 0},
                                 {words_.get(), POLLIN, 0},
                                 {told_ ? -1 : report_line_.get(), POLLIN, 0}}};
    const int wait = told_ ? 0 : milliseconds_until(until);
    const int ready = poll(lines.data(), lines.size(), wait);
    if (lines[1].revents != 0) read_words();
    if (lines[0].revents != 0) return event::readable;
    if (told_) return event::ended;
    if (lines[2].revents != 0) read_report();
    if (ready == 0 && milliseconds_until(until) == 0) return event::late;
  }
}

bool child_process::send(std::string_view text, deadline until) {
  const without_sigpipe quiet;
  while (!text.empty()) {
    pollfd line{to_program_.get(), POLLOUT, 0};
    if (poll(&line, 1, milliseconds_until(until)) <= 0) return false;
    const ssize_t size = write(to_program_.get(), text.data(), text.size());
    if (size < 0 && errno != EAGAIN && errno != EINTR) return false;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
  return true;
}

// What a line holds is read at once; a program that writes without end can't keep attest here.
void child_process::read_words() {
  std::array<char, 4096> block;
  for (int blocks = 0; blocks < 64 && words_.get() >= 0; ++blocks) {
    const ssize_t size = read(words_.get(), block.data(), block.size());
    if (size < 0) return;
    if (size == 0) return words_.close();
    tail_.append(block.data(), static_cast<std::size_t>(size));
    if (tail_.size() > most_words) tail_.erase(0, tail_.size() - most_words);
  }
}

// The line is closed when the keeper is gone too: no report then means that it was killed.
void child_process::read_report() {
  keeper_report text{};
  const ssize_t size = read(report_line_.get(), &text, sizeof text);
  if (size < 0) return;
  told_ = true;
  if (size == static_cast<ssize_t>(sizeof text)) report_ = {text.kind, text.number};
}

bool child_process::not_started() { return report_ && report_->kind == keeper_not_started; }

std::string child_process::ending() {
  if (!told_) read_report();
  if (!told_) return {};
  if (!report_) return "was ended, with its keeper, from outside";
  if (not_started()) return "could not be started: " + text_of(report_->number);
  if (report_->kind == keeper_exit) return "exited with code " + std::to_string(report_->number);
  const char* meaning = sigdescr_np(report_->number);
  const std::string what = report_->kind == keeper_stopped ? "was stopped" : "was ended";
  return what + " by signal " + std::to_string(report_->number) +
         (meaning == nullptr ? "" : " (" + std::string(meaning) + ")");
}

std::string child_process::last_words() {
  read_words();
  return tail_;
}

}  // namespace attest
