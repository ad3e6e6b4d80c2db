// What a run leaves behind, however it ends: nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "tests/program/expectations.h"

namespace attest {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A plugin under a path that no other test has, and a folder for temporary files of its own.
class leftovers : public testing::Test {
 protected:
  leftovers() : plugin_(scratch_file("leftovers.so")), temporary_(scratch_file("temporary")) {
    fs::create_directories(temporary_);
    setenv("TMPDIR", temporary_.c_str(), 1);
  }
  ~leftovers() override { unsetenv("TMPDIR"); }

  void use(const std::string& name) {
    fs::remove(plugin_);  // another file, not other bytes in one that a process may have open
    fs::copy_file(ATTEST_PLUGIN_FOLDER "/hostile/" + name + ".so", plugin_);
  }

  // Processes other than attest itself that were started for the plugin.
  std::vector<pid_t> helpers(pid_t attest) const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const pid_t id = std::atoi(entry.path().filename().c_str());
      const std::string words = contents_of(entry.path().string() + "/cmdline");
      if (id > 0 && id != attest && words.find(plugin_) != std::string::npos) found.push_back(id);
    }
    return found;
  }

  std::vector<pid_t> hosts() const {
    std::vector<pid_t> found;
    for (const pid_t id : helpers(0)) {
      const std::string words = contents_of("/proc/" + std::to_string(id) + "/cmdline");
      if (words.find("attest-host") < words.find('\0')) found.push_back(id);
    }
    return found;
  }

  void expect_nothing(pid_t attest) const {
    for (int tries = 0; tries < 500 && !helpers(attest).empty(); ++tries)
      std::this_thread::sleep_for(10ms);
    EXPECT_TRUE(helpers(attest).empty());
    EXPECT_TRUE(fs::is_empty(temporary_));
  }

  bool host_comes() const {
    for (int tries = 0; tries < 500 && hosts().empty(); ++tries) std::this_thread::sleep_for(10ms);
    return !hosts().empty();
  }

  // Whether attest has opened the plugin and begun to put problems: it minds interrupts then.
  static bool begins(pid_t attest) {
    const std::string status = "/proc/" + std::to_string(attest) + "/status";
    for (int tries = 0; tries < 500; ++tries, std::this_thread::sleep_for(10ms)) {
      const std::string text = contents_of(status), field = "SigCgt:";
      const std::size_t at = text.find(field);
      if (at == std::string::npos) return false;
      const auto caught = std::strtoull(text.c_str() + at + field.size(), nullptr, 16);
      if ((caught >> (SIGINT - 1) & 1) != 0) return true;
    }
    return false;
  }

  std::vector<std::string> check(const std::string& timeout) const {
    return {"check", plugin_, "--property", "far_offsets*", "--timeout", timeout};
  }

  std::string plugin_, temporary_;
};

TEST_F(leftovers, are_none_after_a_run) {
  use("chats");
  running_program attest(check("60"));
  const finished_program done = attest.finish();
  EXPECT_EQ(done.status, 0) << done.out << done.err;
  EXPECT_EQ(done.out.find("stray output"), std::string::npos);
  EXPECT_EQ(done.err.find("stray output"), std::string::npos);
  expect_nothing(attest.id());
}

TEST_F(leftovers, are_none_after_an_interrupt_which_keeps_what_was_found) {
  use("loops_forever");
  running_program attest(check("1"));
  ASSERT_TRUE(begins(attest.id()));
  kill(attest.id(), SIGINT);
  const finished_program done = attest.finish();
  EXPECT_EQ(done.status, 1) << done.out << done.err;
  EXPECT_NE(done.out.find("timed out"), std::string::npos) << done.out;
  expect_nothing(attest.id());
}

TEST_F(leftovers, are_none_after_attest_was_killed) {
  use("leaves_process");
  running_program attest({"check", plugin_, "--effort", "100"});
  ASSERT_TRUE(host_comes());
  kill(attest.id(), SIGKILL);
  EXPECT_EQ(attest.finish().status, 128 + SIGKILL);
  expect_nothing(attest.id());
}

TEST_F(leftovers, are_none_after_attest_was_killed_in_the_middle_of_a_call) {
  use("loops_forever");
  running_program attest(check("60"));
  ASSERT_TRUE(host_comes());
  kill(attest.id(), SIGKILL);
  EXPECT_EQ(attest.finish().status, 128 + SIGKILL);
  expect_nothing(attest.id());
}

// The run goes on to the next problem, whose host is killed too.
TEST_F(leftovers, are_none_after_the_plugins_process_was_killed) {
  use("loops_forever");
  running_program attest(check("60"));
  ASSERT_TRUE(begins(attest.id()));
  int killed = 0;
  while (host_comes()) {
    for (const pid_t id : hosts()) killed += kill(id, SIGKILL) == 0 ? 1 : 0;
    std::this_thread::sleep_for(50ms);
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(attest.id()), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) break;
  }
  const finished_program done = attest.finish();
  EXPECT_GE(killed, 2);
  EXPECT_EQ(done.status, 1) << done.out << done.err;
  EXPECT_NE(done.out.find("crashed"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("signal 9 (Killed)"), std::string::npos) << done.out;
  expect_nothing(attest.id());
}

}  // namespace
}  // namespace attest
