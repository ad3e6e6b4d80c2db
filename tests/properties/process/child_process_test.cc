// Programs started beside attest: what they say, how they end, and that none is left behind.
#include "properties/process/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/process_end.h"

namespace attest {
namespace {

using namespace std::chrono_literals;
using event = child_process::event;

deadline in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

process_spec shell(const std::string& script) { return {.words = {"sh", "-c", script}}; }

process_spec talking(const std::string& script) {
  process_spec spec = shell(script);
  spec.talks = true;
  return spec;
}

std::string ending_of(const process_spec& spec) {
  child_process p(spec);
  EXPECT_EQ(p.wait_for_end(in(10s)), event::ended);
  return p.ending();
}

std::string line_from(const child_process& p) {
  std::string line;
  for (char c = 0; read(p.from_program(), &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

// A process that is killed is gone, or a zombie that its new parent has not collected.
TEST(child_process, says_how_it_ended) {
  EXPECT_EQ(ending_of(shell("exit 3")), "exited with code 3");
  EXPECT_EQ(ending_of(shell("kill -SEGV $$")), "was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(ending_of({.words = {"no-such-program-at-all"}}),
            "could not be started: No such file or directory");
}

TEST(child_process, keeps_the_tail_of_what_it_wrote) {
  child_process p(shell("seq 1 100000; echo last words >&2"));
  EXPECT_EQ(p.wait_for_end(in(10s)), event::ended);
  const std::string words = p.last_words();
  EXPECT_LE(words.size(), 2048u);
  EXPECT_TRUE(words.ends_with("last words\n")) << words;
}

TEST(child_process, talks_line_by_line) {
  child_process p(talking("while read line; do echo \"got $line\"; done"));
  for (const char* word : {"one", "two"}) {
    ASSERT_TRUE(p.send(std::string(word) + "\n", in(10s)));
    ASSERT_EQ(p.wait_for(p.from_program(), in(10s)), event::readable);
    EXPECT_EQ(line_from(p), std::string("got ") + word);
  }
  p.close_input();
  EXPECT_EQ(p.wait_for_end(in(10s)), event::ended);
  EXPECT_EQ(p.ending(), "exited with code 0");
}

TEST(child_process, may_close_its_input_without_hurting_attest) {
  child_process p(talking("exec <&-; echo closed; sleep 60"));
  ASSERT_EQ(p.wait_for(p.from_program(), in(10s)), event::readable);
  EXPECT_FALSE(p.send(std::string(1 << 20, 'x'), in(10s)));
}

TEST(child_process, is_late_at_its_deadline) {
  child_process p(shell("sleep 60"));
  EXPECT_EQ(p.wait_for_end(in(50ms)), event::late);
  EXPECT_EQ(p.ending(), "");
}

TEST(child_process, sees_its_environment_folder_and_descriptors) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  process_spec spec = shell("echo \"$ATTEST_TEST_WORD $PWD\" >&3; ls /proc/self/fd | wc -l >&3");
  spec.environment = {"ATTEST_TEST_WORD=here"};
  spec.descriptors = {ends[1]};
  spec.folder = "/usr";
  child_process p(spec);
  EXPECT_EQ(p.wait_for_end(in(10s)), event::ended);
  std::string text(64, '\0');
  text.resize(static_cast<std::size_t>(read(ends[0], text.data(), text.size())));
  // 0 to 3, and the one through which ls reads the folder.
  EXPECT_EQ(text, "here /usr\n5\n");
  for (int end : ends) close(end);
}

TEST(child_process, has_no_more_memory_than_it_is_given) {
  const char* const script = "x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#x}";
  process_spec spec = shell(script);
  spec.memory_bytes = 64 << 20;
  EXPECT_NE(ending_of(spec), "exited with code 0");
}

TEST(child_process, ends_with_all_that_it_started) {
  int left = 0;
  {
    child_process p(talking("setsid sh -c 'trap \"\" TERM INT HUP; echo $$; sleep 60' & sleep 60"));
    ASSERT_EQ(p.wait_for(p.from_program(), in(10s)), event::readable);
    left = std::stoi(line_from(p));
    EXPECT_TRUE(is_alive(left));
  }
  EXPECT_TRUE(is_gone_soon(left));
}

TEST(child_process, ends_what_it_left_running_when_it_exits) {
  child_process p(talking("sleep 60 & echo $!"));
  ASSERT_EQ(p.wait_for(p.from_program(), in(10s)), event::readable);
  const int left = std::stoi(line_from(p));
  EXPECT_EQ(p.wait_for_end(in(10s)), event::ended);
  EXPECT_TRUE(is_gone_soon(left));
}

// The child of a killed attest: here a process of its own that starts one and is killed.
TEST(child_process, does_not_outlive_attest) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t attest = fork();
  if (attest == 0) {
    child_process p(talking("trap '' HUP INT TERM; echo $$; sleep 60"));
    const std::string id = line_from(p) + "\n";
    if (write(ends[1], id.data(), id.size()) < 0) _exit(1);
    pause();
  }
  std::string text(64, '\0');
  text.resize(static_cast<std::size_t>(read(ends[0], text.data(), text.size())));
  const int child = std::stoi(text);
  EXPECT_TRUE(is_alive(child));
  kill(attest, SIGKILL);
  EXPECT_TRUE(is_gone_soon(child));
  for (int end : ends) close(end);
}

}  // namespace
}  // namespace attest
