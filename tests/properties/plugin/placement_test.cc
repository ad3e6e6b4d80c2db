// Where a plugin finds its tensors, and under what it runs.
#include <gtest/gtest.h>

#include <cmath>

#include "properties/examiner.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

// What shows_its_call.c writes.
struct sight {
  explicit sight(const answer& a)
      : q_in_page(at(a, 0)), q_page(at(a, 1)), k_in_page(at(a, 2)), threads(at(a, 3)) {
    EXPECT_FALSE(a.refusal) << a.refusal->reason;
  }
  static double at(const answer& a, std::int64_t n) { return a.o.at(0, 0, 0, n); }

  double q_in_page, q_page, k_in_page, threads;
};

problem with_keys(std::int64_t keys, std::uint64_t seed) {
  return materialise(parse_problem_line("Lq=3 D=5 Dv=8 Lk=" + std::to_string(keys) +
                                        " seed=" + std::to_string(seed)));
}

class placement : public testing::Test {
 protected:
  placement() : plugin_(open_subject(ATTEST_PLUGIN_FOLDER "/observers/shows_its_call.so")) {}
  sight seen(const problem& p) { return sight(examiner(*plugin_).ask(p)); }
  sight seen_in_place(problem p) { return sight(examiner(*plugin_).ask_in_place(p)); }
  sight seen_on(int threads, const problem& p) {
    return sight(examiner(*plugin_).ask_on_threads(p, threads));
  }

  std::unique_ptr<subject> plugin_;
};

TEST_F(placement, is_the_same_for_the_same_shape_with_other_data) {
  const sight first = seen(with_keys(7, 1));
  const sight large = seen(with_keys(40000, 1));  // which makes the files grow
  const sight again = seen(with_keys(7, 2));
  EXPECT_EQ(first.q_page, again.q_page);
  EXPECT_EQ(first.q_in_page, again.q_in_page);
  EXPECT_EQ(first.k_in_page, again.k_in_page);
  EXPECT_EQ(first.q_page, large.q_page) << "q has the same shape";
}

TEST_F(placement, is_another_for_a_problem_that_its_caller_keeps) {
  const sight elsewhere = seen_in_place(with_keys(7, 1));
  EXPECT_NE(seen(with_keys(7, 1)).q_page, elsewhere.q_page);
  EXPECT_EQ(seen_in_place(with_keys(7, 2)).q_page, elsewhere.q_page);
  EXPECT_EQ(seen(with_keys(7, 1)).q_in_page, elsewhere.q_in_page);
}

TEST_F(placement, is_aligned_to_elements_and_often_to_no_more) {
  int whole_pages = 0, unaligned = 0;
  for (std::int64_t keys = 1; keys <= 40; ++keys) {
    const double at = seen(with_keys(keys, 1)).k_in_page;
    EXPECT_EQ(std::fmod(at, 4), 0);
    whole_pages += at == 0 ? 1 : 0;
    unaligned += std::fmod(at, 16) != 0 ? 1 : 0;
  }
  EXPECT_GE(whole_pages, 8);
  EXPECT_GE(unaligned, 8);
}

TEST_F(placement, may_be_asked_under_a_number_of_threads) {
  EXPECT_EQ(seen_on(1, with_keys(7, 1)).threads, 1);
  EXPECT_EQ(seen_on(2, with_keys(7, 1)).threads, 2);
}

TEST_F(placement, gives_memory_that_is_dirty) {
  if (default_memory_mib() == 0) GTEST_SKIP() << "sanitizers bring a malloc of their own";
  const answer a = examiner(*plugin_).ask(with_keys(7, 1));
  EXPECT_EQ(a.o.at(0, 0, 0, 4), 0x7f);
}

TEST_F(placement, fills_what_is_left_of_the_pages_of_inputs) {
  for (std::int64_t keys = 1; keys <= 12; ++keys) {
    const answer a = examiner(*plugin_).ask(with_keys(keys, 1));
    EXPECT_EQ(a.o.at(0, 0, 0, 5), 0xff) << "not a number in any format; " << keys << " keys";
  }
}

TEST(isolation, limits_the_memory_of_a_plugin) {
  isolation run;
  run.memory_mib = 777;
  const auto plugin =
      open_subject(ATTEST_PLUGIN_FOLDER "/observers/shows_its_call.so", {.run = run});
  EXPECT_EQ(examiner(*plugin).ask(with_keys(7, 1)).o.at(0, 0, 0, 6), 777);
}

}  // namespace
}  // namespace attest
