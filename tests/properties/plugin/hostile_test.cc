// Plugins that misbehave, each in a process of its own: attest survives, says what happened, and
// the next call is made as if nothing had.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "properties/examiner.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

problem small_problem() {
  return materialise(parse_problem_line("B=2 Hq=3 Hkv=3 Lq=2 Lk=3 D=5 Dv=7"));
}

std::string hostile(const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/hostile/" + name + ".so";
}

isolation limits(double seconds) {
  isolation run;
  run.timeout_seconds = seconds;
  if (run.memory_mib != 0) run.memory_mib = 64;
  return run;
}

struct kind {
  const char* name;
  verdict outcome;
  const char* reason;
  double seconds = 60;

  friend std::ostream& operator<<(std::ostream& out, const kind& x) { return out << x.name; }
};

// Sanitizers end these in their own way, or let them have all the memory there is.
bool is_for_sanitizers(const std::string& name) {
  const bool theirs = name == "allocates_without_end" || name == "corrupts_heap" ||
                      name == "divides_by_zero" || name == "exits" || name == "segfaults";
  return theirs && default_memory_mib() == 0;
}

class hostile_plugin : public testing::TestWithParam<kind> {};

TEST_P(hostile_plugin, is_named_and_survived_twice) {
  const kind& k = GetParam();
  if (is_for_sanitizers(k.name)) GTEST_SKIP() << "sanitizers see it first";
  const auto s = open_subject(hostile(k.name), {.run = limits(k.seconds)});
  examiner subject(*s);
  for (int call = 0; call < 2; ++call) {
    const judgement found = subject.ask(small_problem()).refusal.value_or(judgement());
    EXPECT_EQ(name_of(found.outcome), name_of(k.outcome)) << found.reason;
    EXPECT_NE(found.reason.find(k.reason), std::string::npos) << found.reason;
  }
}

const kind kinds[] = {
    {"aborts", verdict::crashed,
     "Aborted) in the middle of the call; its last words: the tiles do"},
    {"allocates_without_end", verdict::crashed, "Aborted"},
    {"blocks_signals", verdict::misbehaved, "left signals blocked"},
    {"changes_folder", verdict::misbehaved, "changed the working directory"},
    {"changes_locale", verdict::misbehaved, "changed the locale"},
    {"closes_descriptors", verdict::misbehaved, "closed descriptors that it did not open"},
    {"corrupts_heap", verdict::crashed, "Aborted"},
    {"divides_by_zero", verdict::crashed, "Floating point exception"},
    {"ends_its_thread", verdict::crashed, "in the middle of the call"},
    {"exits", verdict::crashed, "exited with code 0 in the middle of the call"},
    {"exits_at_once", verdict::crashed, "exited with code 0 in the middle of the call"},
    {"flushes_subnormals", verdict::misbehaved, "left flush-to-zero or denormals-are-zero on"},
    {"forks_and_both_return", verdict::misbehaved, "left a process"},
    {"illegal_instruction", verdict::crashed, "Illegal instruction"},
    {"kills_its_keeper", verdict::crashed, "from outside"},
    {"kills_itself", verdict::crashed, "Killed"},
    {"leaves_process", verdict::misbehaved, "left a process"},
    {"leaves_timer", verdict::misbehaved, "left a timer running"},
    {"loops_forever", verdict::timed_out, "gave no answer within 1 s", 0.5},
#if defined(__x86_64__)
    {"lowers_precision", verdict::misbehaved, "left another precision of the x87 unit"},
#endif
    {"overflows_stack", verdict::crashed, "overflowed its stack (Segmentation fault)"},
    {"reports_error", verdict::misbehaved, "reported an error: the device is on fire"},
    {"rounds_upwards", verdict::misbehaved, "left another rounding mode behind"},
    {"segfaults", verdict::crashed, "wrote through a null pointer (Segmentation fault)"},
    {"speaks_for_its_host", verdict::misbehaved, "wrote to the line between"},
    {"stops_itself", verdict::crashed, "was stopped by signal 19"},
    {"throws", verdict::misbehaved, "threw an exception: nobody catches me"},
    {"throws_int", verdict::misbehaved, "threw something that is not a std::exception"},
    {"traps_exceptions", verdict::misbehaved, "left floating-point exceptions that trap"},
    {"unterminated_message", verdict::misbehaved, "AAAA"},
    {"writes_before_o", verdict::misbehaved, "wrote outside o, 12 bytes before it"},
    {"writes_half", verdict::misbehaved, "was never written"},
    {"writes_inputs", verdict::misbehaved, "wrote to its input q at q[b=0,h=0,i=0,d=0]"},
    {"writes_nothing", verdict::misbehaved, "was never written"},
    {"writes_past_o", verdict::misbehaved, "wrote outside o, 1 byte past its end"},
};

INSTANTIATE_TEST_SUITE_P(every, hostile_plugin, testing::ValuesIn(kinds),
                         [](const auto& tried) { return std::string(tried.param.name); });

TEST(hostile_plugin, that_only_talks_much_holds) {
  const auto s = open_subject(hostile("chats"));
  EXPECT_FALSE(examiner(*s).ask(small_problem()).refusal);
}

TEST(hostile_plugin, that_flushes_subnormals_when_it_is_loaded_has_that_undone) {
  const auto s = open_subject(hostile("flushes_when_loaded"));
  EXPECT_FALSE(examiner(*s).ask(small_problem()).refusal);
}

// Half of all shapes lie against the guarded space.
TEST(hostile_plugin, that_reads_past_an_input_is_found_by_some_shapes) {
  const auto s = open_subject(hostile("reads_past_k"));
  examiner subject(*s);
  int found = 0;
  for (int keys = 1; keys <= 20; ++keys) {
    const problem p = materialise(parse_problem_line("Lq=2 D=3 Dv=3 Lk=" + std::to_string(keys)));
    const answer a = subject.ask(p);
    found += a.refusal ? 1 : 0;
    if (a.refusal) {
      EXPECT_EQ(a.refusal->reason, "read outside k, 1 byte past its end");
    }
    EXPECT_EQ(subject.ask(p).refusal.has_value(), a.refusal.has_value()) << "it is the shape";
  }
  EXPECT_GE(found, 5);
  EXPECT_LE(found, 15);
}

// Against the guarded space by its fault, elsewhere by what is filled in.
TEST(hostile_plugin, that_writes_outside_an_output_is_named_for_every_shape) {
  for (const auto& [name, reason] :
       {std::pair("writes_before_o", "wrote outside o, 12 bytes before it"),
        std::pair("writes_past_o", "wrote outside o, 1 byte past its end")}) {
    const auto s = open_subject(hostile(name));
    examiner subject(*s);
    for (int queries = 1; queries <= 12; ++queries) {
      const std::string line = "D=3 Dv=3 Lk=2 Lq=" + std::to_string(queries);
      EXPECT_EQ(
          subject.ask(materialise(parse_problem_line(line))).refusal.value_or(judgement()).reason,
          reason)
          << line;
    }
  }
}

// A thread needs a moment.
TEST(hostile_plugin, that_writes_after_the_call_is_named) {
  const auto s = open_subject(hostile("leaves_writer"));
  examiner subject(*s);
  std::string reason;
  for (int call = 0; call < 1000 && reason.empty(); ++call)
    reason = subject.ask(small_problem()).refusal.value_or(judgement()).reason;
  EXPECT_EQ(reason, "wrote to o after the call had returned");
}

// Not before its time, and not long after: on a loaded machine a child takes seconds to start.
TEST(hostile_plugin, that_loops_forever_is_ended_at_its_limit) {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  constexpr double limit = 0.5, patience = 8;
  const auto s = open_subject(hostile("loops_forever"), {.run = limits(limit)});
  examiner subject(*s);
  const auto began = steady_clock::now();
  EXPECT_EQ(subject.ask(small_problem()).refusal->outcome, verdict::timed_out);
  const double seconds = duration<double>(steady_clock::now() - began).count();
  EXPECT_GE(seconds, limit);
  EXPECT_LE(seconds, patience);
}

// Time is spent on a few calls that never return, not on thousands.
TEST(hostile_plugin, that_never_answers_is_not_asked_for_ever) {
  const auto s = open_subject(hostile("loops_forever"), {.run = limits(0.5)});
  examiner subject(*s);
  for (int call = 0; call < most_time_outs_in_a_row; ++call)
    EXPECT_EQ(subject.ask(small_problem()).refusal->outcome, verdict::timed_out);
  EXPECT_THROW(subject.ask(small_problem()), not_asked);
}

std::string refusal_to_open(const std::string& name, double seconds = 60) {
  try {
    open_subject(hostile(name), {.run = limits(seconds)});
  } catch (const input_error& e) {
    return e.what();
  }
  return "opened";
}

TEST(hostile_plugin, that_can_not_be_loaded_is_bad_input) {
  EXPECT_NE(refusal_to_open("crashes_when_loaded")
                .find("through a null pointer (Segmentation fault) while it was loaded"),
            std::string::npos)
      << refusal_to_open("crashes_when_loaded");
  EXPECT_NE(refusal_to_open("exits_when_loaded").find("exited with code 0 while it was loaded"),
            std::string::npos)
      << refusal_to_open("exits_when_loaded");
  EXPECT_NE(refusal_to_open("hangs_when_loaded", 0.5).find("was not loaded within 1 s (--timeout)"),
            std::string::npos)
      << refusal_to_open("hangs_when_loaded", 0.5);
}

}  // namespace
}  // namespace attest
