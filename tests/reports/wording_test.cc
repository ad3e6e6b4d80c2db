#include "reports/words/wording.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/words/problem_words.h"
#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(wording, numbers_have_few_digits_and_a_nan_no_sign) {
  EXPECT_EQ(number_text(0.123456), "0.1235");
  EXPECT_EQ(number_text(-infinity), "-inf");
  EXPECT_EQ(number_text(nan), "nan");
  EXPECT_EQ(number_text(-nan), "nan");
  EXPECT_EQ(ratio_text(1234567), "1.23e+06");
}

TEST(wording, two_numbers_are_told_apart_where_they_differ) {
  using texts = std::pair<std::string, std::string>;
  EXPECT_EQ(telling_apart(1, 2), (texts{"1", "2"}));
  EXPECT_EQ(telling_apart(1.00001, 1), (texts{"1.00001", "1"}));
  EXPECT_EQ(telling_apart(1, 1 + 0x1p-52), (texts{"1", "1.0000000000000002"}));
  EXPECT_EQ(telling_apart(nan, nan), (texts{"nan", "nan"}));
}

TEST(wording, counts_are_grouped_by_thousands) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(count_text(-1234), "-1,234");
  EXPECT_EQ(count_text(-123), "-123");
}

TEST(wording, one_of_a_kind_is_singular) {
  EXPECT_EQ(counted(1, "key", "keys"), "1 key");
  EXPECT_EQ(counted(0, "key", "keys"), "0 keys");
}

TEST(wording, an_error_is_told_as_a_multiple_of_its_bound) {
  EXPECT_EQ(error_words({"", "", 1.5, 1, 0.125, 4}), "0.5, 4 times the bound of 0.125");
  EXPECT_EQ(error_words({"", "", 0.25, 0, 0, infinity}), "0.25, where none is allowed");
  EXPECT_EQ(error_words({"", "", nan, 0, 1, infinity}),
            "a wrong class: no bound allows one for the other");
}

TEST(wording, a_run_without_properties_is_undecided) {
  EXPECT_EQ(headline({}), "undecided: no property was run");
}

struct words_case {
  const char* line;
  const char* shape;
  const char* asks;
};

constexpr words_case problems[] = {
    {"Lk=3", "1 query, 3 keys, width 1", "nothing beyond plain dense attention"},
    {"B=2 Hq=4 Hkv=2 Lq=7 D=4 Dv=5 window=2,-1 soft_cap=5 layout=fused",
     "2 batch rows, 4 query heads on 2 KV heads, 7 queries, 1 key, width 4, value width 5",
     "a window of keys: 2 before, any number after; soft cap 5; q, k, v as slices of wider rows in "
     "memory"},
    {"Hq=3 Hkv=3 mask=- bias=bk infinite_bias=1 causal=bottom_right lengths=1 sink=1 scale=-0.75 "
     "profile=torch-sdpa",
     "3 heads, 1 query, 1 key, width 1",
     "a mask (the same everywhere); a bias (by batch, key) with -inf in it; causal, anchored "
     "bottom right; "
     "a number of valid keys for each batch row; scale -0.75; a sink; profile torch-sdpa"},
};

TEST(problem_words, say_all_that_is_not_the_default) {
  for (const words_case& c : problems) {
    const problem_spec spec = parse_problem_line(c.line);
    EXPECT_EQ(shape_words(spec), c.shape);
    EXPECT_EQ(feature_words(spec), c.asks);
  }
}

}  // namespace
}  // namespace attest
