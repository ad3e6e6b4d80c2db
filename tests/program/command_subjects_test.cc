// Commands as subjects of the program.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <thread>

#include "tests/process_end.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

const std::string in_c = ATTEST_COMMAND_IN_C;
const std::string in_python = "/usr/bin/python3 " ATTEST_COMMAND_IN_PYTHON;

std::string hostile(const std::string& kind) {
  return "/usr/bin/python3 " ATTEST_HOSTILE_COMMAND " " + kind + " " + scratch_file("note");
}

TEST(command_subjects, the_example_in_c_holds_all_laws) {
  expect_exit(0, {"check", "--exec", in_c},
              {"exec:" + in_c.substr(0, 10), "attention.c", "exit code 0"});
}

TEST(command_subjects, the_example_in_python_is_what_the_definition_gives) {
  expect_exit(0, {"check", "exec:" + in_python, "--property", "weights_match*"},
              {"numpy_attention", "exit code 0"});
}

TEST(command_subjects, a_wrong_one_fails_with_a_line_that_replays_it) {
  const finished_program p = expect_exit(
      1, {"check", "--exec", hostile("always_writes_nan"), "--property", "weights_match*"},
      {"violated", "exit code 1"});
  std::smatch replay;
  ASSERT_TRUE(std::regex_search(p.out, replay, std::regex("attest replay '(exec:[^']+)'")))
      << p.out;
  expect_exit(1, {"replay", replay[1]}, {"violated", "observed  nan"});
}

TEST(command_subjects, that_crashes_is_a_finding) {
  expect_exit(1,
              {"replay", "--exec", hostile("always_kills_itself"), "matches_definition",
               "B=1 Hq=1 Hkv=1 Lq=2 Lk=2 D=2 Dv=2"},
              {"crashed", "was ended by signal 11 (Segmentation fault)", "about to fall"});
}

TEST(command_subjects, that_never_answer_are_given_up_soon) {
  const finished_program p =
      expect_exit(1, {"check", "--exec", hostile("always_sleeps"), "--timeout", "1"},
                  {"timed out", "gave no answer within 1 s", "exit code 1"});
  EXPECT_TRUE(std::regex_search(
      p.out, std::regex("not judged  [0-9]+ of [0-9]+ problems: the subject was not asked any "
                        "more, as 3 calls in a row ran out of\\s+time")))
      << p.out;
}

TEST(command_subjects, are_subjects_of_every_command) {
  expect_exit(0, {"identify", "--exec", in_c}, {"attention.c"});
  expect_exit(0, {"infer", "--exec", in_c, "--problems", "14"},
              {"float32 is the tightest preset that is satisfied"});
  expect_exit(0, {"compare", "float32", "--exec", in_c, "--problems", "3"}, {"attention.c"});
  expect_exit(0, {"compare", "--exec", in_c, "--problems", "3"}, {"attention.c"});
  expect_exit(1, {"check", "--exec", in_c, "--rule", "kernelbench"},
              {"0 problems of these, attest's bound proves wrong"});
}

TEST(command_subjects, that_never_begin_are_bad_input) {
  expect_bad_input({"check", "--exec", "no-such-command"},
                   {"no-such-command", "exited with code 127", "not found"});
  expect_bad_input({"check", "--exec", "true"}, {"exited with code 0"});
  expect_bad_input({"check", "--exec", "echo hello"}, {"no JSON"});
  expect_bad_input({"identify", "exec:"}, {"command ''"});
  expect_bad_input({"check", "builtin:float32", "--exec", in_c}, {"SUBJECT excludes --exec"});
  expect_bad_input({"compare"}, {"SUBJECTS or --exec is required"});
  expect_bad_input({"replay", "--exec", in_c, "matches_definition"}, {"allowed: SUBJECT PROPERTY"});
}

// ---- what is left behind ----

// Runs attest on a command that never answers, until that is at work, and ends it by the signal.
// Result: the folder for temporary files.
fs::path folder_after(const std::string& signal) {
  const fs::path folder = scratch_file("temporary-" + signal);
  fs::create_directories(folder);
  const std::string line = "TMPDIR=" + folder.string() + " timeout -s " + signal + " 3 " +
                           ATTEST_PROGRAM + " identify --exec '" +
                           hostile("always_ignores_sigterm") + "' >/dev/null 2>&1";
  EXPECT_NE(std::system(line.c_str()), 0);
  return folder;
}

void expect_noted_process_is_gone() {
  const std::string id = contents_of(scratch_file("note"));
  ASSERT_FALSE(id.empty()) << "the command was never asked";
  EXPECT_TRUE(is_gone_soon(std::stoi(id)));
}

TEST(command_subjects, leave_nothing_behind_after_ctrl_c) {
  EXPECT_TRUE(fs::is_empty(folder_after("INT")));
  expect_noted_process_is_gone();
}

// Starts a check of a command that does not answer. Result: the process, once the command is asked.
pid_t begin_endless_check(const fs::path& folder) {
  fs::remove(scratch_file("note"));
  const pid_t id = fork();
  if (id == 0) {
    setenv("TMPDIR", folder.c_str(), 1);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    execl(ATTEST_PROGRAM, ATTEST_PROGRAM, "check", "--exec",
          hostile("always_ignores_sigterm").c_str(), "--property", "matches_definition", nullptr);
    _exit(1);
  }
  for (int tries = 0; tries < 2000 && contents_of(scratch_file("note")).empty(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return id;
}

// The first asks a check to stop after the problem at hand, the second ends it.
TEST(command_subjects, leave_nothing_behind_after_two_ctrl_c_in_a_check) {
  const fs::path folder = scratch_file("temporary-two");
  fs::create_directories(folder);
  const pid_t id = begin_endless_check(folder);
  EXPECT_FALSE(fs::is_empty(folder));
  kill(id, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(waitpid(id, nullptr, WNOHANG), 0) << "it waits for the problem at hand";
  kill(id, SIGINT);
  int status = 0;
  waitpid(id, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  EXPECT_TRUE(fs::is_empty(folder));
  expect_noted_process_is_gone();
}

TEST(command_subjects, die_with_attest_and_the_next_run_cleans_up) {
  const fs::path folder = folder_after("KILL");
  expect_noted_process_is_gone();
  EXPECT_FALSE(fs::is_empty(folder)) << "nobody could remove it";
  const std::string next = "TMPDIR=" + folder.string() + " " + ATTEST_PROGRAM +
                           " replay 'exec:" + in_c +
                           " matches_definition B=1 Hq=1 Hkv=1 Lq=2 Lk=2 D=2 Dv=2' >/dev/null";
  EXPECT_EQ(std::system(next.c_str()), 0);
  EXPECT_TRUE(fs::is_empty(folder));
}

}  // namespace
}  // namespace attest
