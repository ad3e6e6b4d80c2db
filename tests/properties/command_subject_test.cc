// A command as a subject: what is said of each way to misbehave, and that the next problem is
// answered all the same.
#include "properties/command/command_subject.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "properties/examiner.h"
#include "properties/judge.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"
#include "tests/process_end.h"

namespace attest {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Temporary folders are made in a folder of the test's own, which shows what is left.
class command_subject : public testing::Test {
 protected:
  command_subject()
      : scratch_(fs::temp_directory_path() / ("attest-command-test-" + std::to_string(getpid()))) {
    fs::create_directories(scratch_);
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", scratch_.c_str(), 1);
  }
  ~command_subject() override {
    if (before_.empty())
      unsetenv("TMPDIR");
    else
      setenv("TMPDIR", before_.c_str(), 1);
    fs::remove_all(scratch_);
  }

  std::string note() const { return (scratch_ / "note").string(); }
  std::string command(const std::string& kind) const {
    return "/usr/bin/python3 " ATTEST_HOSTILE_COMMAND " " + kind + " " + note();
  }
  int noted_process() const {
    int id = 0;
    std::ifstream(note()) >> id;
    return id;
  }
  void expect_nothing_left() const {
    fs::remove(note());
    EXPECT_TRUE(fs::is_empty(scratch_)) << fs::directory_iterator(scratch_)->path();
  }

 private:
  fs::path scratch_;
  std::string before_;
};

isolation within(double seconds) {
  isolation run;
  run.timeout_seconds = seconds;
  return run;
}

problem small_problem() {
  return materialise(parse_problem_line("B=2 Hq=2 Hkv=2 Lq=3 Lk=3 D=4 Dv=4 seed=5"));
}

judgement judge(examiner& e) {
  const problem p = small_problem();
  const answer a = e.ask(p);
  return a.refusal ? *a.refusal : judge_answer(p, a, e.terms_for(p));
}

struct misbehaviour {
  const char* kind;
  verdict outcome;
  const char* reason;  // a part of it
};

const misbehaviour at_problem_2[] = {
    {"never_misbehaves", verdict::holds, ""},
    {"safetensors_as_asked", verdict::holds, ""},
    {"floods_stderr", verdict::holds, ""},
    {"kills_itself", verdict::crashed,
     "was ended by signal 11 (Segmentation fault); its last words: 'about to fall'"},
    {"exits_with_3", verdict::crashed,
     "exited with code 3; its last words: 'first complaint | last complaint'"},
    {"raises", verdict::crashed, "RuntimeError: boom"},
    {"leaves_a_child", verdict::crashed, "exited with code 0"},
    {"is_chatty", verdict::misbehaved, "'computing attention ...'"},
    {"floods_stdout", verdict::misbehaved, "without the end of a line: 'xxx"},
    {"floods_lines", verdict::misbehaved, "wrote"},
    {"writes_another_file", verdict::misbehaved, "No such file"},
    {"writes_nothing", verdict::misbehaved, "left no answer as it was asked for"},
    {"writes_half", verdict::misbehaved, "233 bytes; allowed: 240 bytes"},
    {"writes_too_much", verdict::misbehaved, "244 bytes; allowed: 240 bytes"},
    {"writes_a_folder", verdict::misbehaved, "a directory"},
    {"writes_nan", verdict::violated, ""},
    {"answers_twice", verdict::misbehaved, "wrote more after its answer: '{\"ok\": true}"},
    {"answers_in_half_a_line", verdict::misbehaved, "no answer: '{\"ok\": true'"},
    {"answers_false", verdict::misbehaved, "'ok' is false; allowed: true"},
    {"answers_both", verdict::misbehaved, "one of ok, unsupported, error"},
    {"answers_another_id", verdict::misbehaved, "answered problem 1 when it was asked problem 2"},
    {"answers_an_unknown_key", verdict::misbehaved, "an unknown key 'seconds'"},
    {"answers_bytes", verdict::misbehaved, "no answer"},
    {"declines", verdict::misbehaved, "declined a problem of the features it declares"},
    {"reports_an_error", verdict::misbehaved, "reported an error: out of memory"},
    {"closes_stdout", verdict::misbehaved, "closed its end of the conversation"},
    {"safetensors_of_doubles", verdict::misbehaved, "o: elements of f64; allowed: f32"},
    {"safetensors_of_other_sizes", verdict::misbehaved, "allowed: [2, 2, 3, 4]"},
    {"safetensors_without_lse", verdict::misbehaved, "no array named lse"},
    {"safetensors_with_more", verdict::misbehaved, "an array named 'weights'"},
};

TEST_F(command_subject, misbehaviour_is_named_and_the_next_problem_is_answered) {
  for (const misbehaviour& row : at_problem_2) {
    {
      const auto s = open_command(command(row.kind), within(20));
      examiner e(*s);
      EXPECT_EQ(judge(e).outcome, verdict::holds) << row.kind << ", before";
      const judgement found = judge(e);
      EXPECT_EQ(found.outcome, row.outcome) << row.kind << ": " << found.reason;
      EXPECT_NE(found.reason.find(row.reason), std::string::npos)
          << row.kind << ": " << found.reason;
      const judgement next = judge(e);
      EXPECT_EQ(next.outcome, verdict::holds) << row.kind << ", after: " << next.reason;
    }
    expect_nothing_left();
  }
}

TEST_F(command_subject, that_gives_no_answer_times_out_and_is_ended) {
  for (const char* kind : {"sleeps", "ignores_sigterm"}) {
    {
      const auto s = open_command(command(kind), within(2));
      examiner e(*s);
      EXPECT_EQ(judge(e).outcome, verdict::holds);
      const judgement found = judge(e);
      EXPECT_EQ(found.outcome, verdict::timed_out) << found.reason;
      EXPECT_EQ(found.reason, "gave no answer within 2 s");
      EXPECT_EQ(judge(e).outcome, verdict::holds);
    }
    EXPECT_TRUE(noted_process() == 0 || is_gone_soon(noted_process())) << kind;
    expect_nothing_left();
  }
}

TEST_F(command_subject, that_never_answers_is_not_asked_for_ever) {
  const auto s = open_command(command("always_sleeps"), within(1));
  examiner e(*s);
  for (int call = 0; call < most_time_outs_in_a_row; ++call)
    EXPECT_EQ(judge(e).outcome, verdict::timed_out);
  EXPECT_THROW(judge(e), not_asked);
}

TEST_F(command_subject, answers_again_after_a_time_out_and_is_asked_on) {
  const auto s = open_command(command("sleeps_at_even_problems"), within(1));
  examiner e(*s);
  for (int call = 0; call < most_time_outs_in_a_row; ++call) {
    EXPECT_EQ(judge(e).outcome, verdict::holds);
    EXPECT_EQ(judge(e).outcome, verdict::timed_out);
  }
  EXPECT_EQ(judge(e).outcome, verdict::holds);
}

TEST_F(command_subject, has_the_memory_that_it_is_given) {
  isolation run = within(20);
  for (const std::int64_t mib : {0, 4096}) {
    run.memory_mib = mib;
    const auto s = open_command(command("always_takes_2_gib"), run);
    examiner e(*s);
    EXPECT_EQ(judge(e).outcome, verdict::holds) << mib;
  }
  run.memory_mib = 1024;
  const auto s = open_command(command("always_takes_2_gib"), run);
  examiner e(*s);
  const judgement found = judge(e);
  EXPECT_EQ(found.outcome, verdict::crashed);
  EXPECT_NE(found.reason.find("Cannot allocate memory"), std::string::npos) << found.reason;
}

TEST_F(command_subject, may_need_a_shell) {
  const auto s =
      open_command("cd / && WHO=me " + command("kills_itself") + " | cat; exit 139", within(20));
  examiner e(*s);
  EXPECT_EQ(judge(e).outcome, verdict::holds);
  const judgement found = judge(e);
  EXPECT_EQ(found.outcome, verdict::crashed);
  EXPECT_NE(found.reason.find("exited with code 139 (a shell's word for: Segmentation fault)"),
            std::string::npos)
      << found.reason;
}

TEST_F(command_subject, takes_what_it_started_with_it) {
  {
    const auto s = open_command(command("leaves_a_child"), within(20));
    examiner e(*s);
    judge(e);
    EXPECT_EQ(judge(e).outcome, verdict::crashed);
    ASSERT_GT(noted_process(), 0);
    EXPECT_TRUE(is_gone_soon(noted_process()));
  }
  expect_nothing_left();
}

TEST_F(command_subject, that_closes_its_stdin_is_asked_nothing_more) {
  const auto s = open_command(command("closes_stdin"), within(20));
  examiner e(*s);
  judge(e);
  EXPECT_EQ(judge(e).outcome, verdict::holds) << "it has answered";
  const judgement found = judge(e);
  EXPECT_EQ(found.outcome, verdict::misbehaved);
  EXPECT_NE(found.reason.find("closed its end of the conversation and took no problem"),
            std::string::npos)
      << found.reason;
  EXPECT_EQ(judge(e).outcome, verdict::holds);
}

TEST_F(command_subject, serves_many_problems_with_one_process) {
  const auto s = open_command(command("exits_after_each"), within(20));
  examiner e(*s);
  EXPECT_EQ(judge(e).outcome, verdict::holds);
  std::this_thread::sleep_for(200ms);
  const judgement found = judge(e);
  EXPECT_EQ(found.outcome, verdict::crashed);
  EXPECT_NE(found.reason.find("exited with code 0"), std::string::npos) << found.reason;
}

TEST_F(command_subject, says_the_same_of_itself_when_it_is_started_again) {
  const auto s = open_command(command("changes_its_mind"), within(20));
  examiner e(*s);
  judge(e);
  EXPECT_EQ(judge(e).outcome, verdict::crashed);
  const judgement found = judge(e);
  EXPECT_EQ(found.outcome, verdict::misbehaved);
  EXPECT_EQ(found.reason, "was started again and said something else of itself than before");
}

std::string refusal_of(const std::string& command, double seconds = 20) {
  try {
    open_command(command, within(seconds));
  } catch (const input_error& e) {
    return e.what();
  }
  return "none";
}

TEST_F(command_subject, without_a_first_line_is_bad_input) {
  EXPECT_EQ(refusal_of("no-such-command-at-all x"),
            "command 'no-such-command-at-all x' exited with code 127; its last words: 'sh: 1: "
            "no-such-command-at-all: not found'");
  EXPECT_EQ(refusal_of("exit 0"), "command 'exit 0' exited with code 0");
  EXPECT_EQ(refusal_of("echo why >&2; sleep 1000", 1),
            "command 'echo why >&2; sleep 1000' said no first line within 1 s; its last words: "
            "'why'");
  EXPECT_EQ(refusal_of("echo loading; sleep 1000"),
            "command 'echo loading; sleep 1000': byte 0: a first line that is no JSON; allowed: a "
            "JSON object in UTF-8");
  expect_nothing_left();
}

}  // namespace
}  // namespace attest
