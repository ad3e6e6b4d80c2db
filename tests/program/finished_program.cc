#include "tests/program/finished_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern char** environ;

namespace attest {
namespace {

namespace fs = std::filesystem;

class scratch_folder {
 public:
  scratch_folder()
      : path_(fs::temp_directory_path() / ("attest-program-test-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

const scratch_folder& scratch() {
  static const scratch_folder folder;
  return folder;
}

// Sends what the program writes to two files; it reads from nothing.
class redirection {
 public:
  redirection(const std::string& out, const std::string& err) {
    constexpr int mode = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, out.c_str(), mode, 0600);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, err.c_str(), mode, 0600);
  }
  ~redirection() { posix_spawn_file_actions_destroy(&actions_); }
  redirection(const redirection&) = delete;
  redirection& operator=(const redirection&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

int status_of(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

running_program::running_program(const std::vector<std::string>& words) {
  std::vector<std::string> line{ATTEST_PROGRAM};
  line.insert(line.end(), words.begin(), words.end());
  const redirection both(scratch_file("stdout"), scratch_file("stderr"));
  if (posix_spawn(&id_, ATTEST_PROGRAM, both.actions(), nullptr, pointers_to(line).data(),
                  environ) != 0)
    throw std::runtime_error("can't run " ATTEST_PROGRAM);
}

finished_program running_program::finish() {
  const int status = status_of(id_);
  return {status, contents_of(scratch_file("stdout")), contents_of(scratch_file("stderr"))};
}

finished_program run_attest(const std::vector<std::string>& words) {
  return running_program(words).finish();
}

std::string scratch_file(const std::string& name) { return scratch().file(name); }

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_contents(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace attest
