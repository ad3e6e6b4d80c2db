// attest reference: answers rounded to a format, and in decimal digits.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/exchange/array_file.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;
using values = std::vector<double>;

// Equal keys: o is the mean of the rows of v; lse is the log of how many there are.
std::string equal_keys(std::int64_t keys, const values& v) {
  const std::string path = scratch_file("in.npz");
  const auto width = static_cast<std::int64_t>(v.size()) / keys;
  write_arrays(path, {{"q", {&f64, {1, 1}, {1}}},
                      {"k", {&f64, {keys, 1}, values(static_cast<std::size_t>(keys), 0)}},
                      {"v", {&f64, {keys, width}, v}}});
  return path;
}

words command(const values& v, const words& more, std::int64_t keys = 2) {
  words line{"reference", "--in", equal_keys(keys, v)};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

// ln 2 to 60 digits: 0.693147180559945309417232121458176568075500134360255254120680
TEST(reference_digits, prints_as_many_digits_as_asked_for) {
  const values thirds{1, 2};
  const std::string ln2 = "0.6931471805599453094172321214581765680755001343602552541206800";
  EXPECT_EQ(expect_exit(0, command(thirds, {"--digits", "20"})).out,
            "o[b=0,h=0,i=0] 1.5000000000000000000  lse 0.69314718055994530942\n");
  const std::string out = expect_exit(0, command(thirds, {"--digits", "59"})).out;
  EXPECT_NE(out.find("lse " + ln2.substr(0, 60)), std::string::npos) << out;
  expect_exit(
      0, command(thirds, {"--digits", "90"}),
      {"lse 0.693147180559945309417232121458176568075500134360255254120680009493393621969694"
       "715605863327\n"});
}

TEST(reference_digits, what_no_precision_tells_apart_from_0_comes_with_its_bound) {
  expect_exit(0, command({1, 1, -2}, {"--digits", "5"}, 3), {" 0+-", "e-12"});
  expect_exit(0, command({0, 0}, {"--digits", "5"}), {"o[b=0,h=0,i=0] 0  lse"});
}

TEST(reference_digits, fewer_are_printed_next_to_a_decimal_tie) {
  expect_exit(0, command({0.125, 0.125, 0.125}, {"--digits", "2"}, 3), {"] 0.1  lse 1.1\n"});
}

TEST(reference_digits, are_written_as_text_or_json) {
  const std::string text = scratch_file("o.txt"), json = scratch_file("o.json");
  const values v{1, 2};
  const std::string printed = expect_exit(0, command(v, {"--digits", "9"})).out;
  EXPECT_EQ(expect_exit(0, command(v, {"--digits", "9", "--out", text})).out, "");
  EXPECT_EQ(contents_of(text), printed);
  expect_exit(0, command(v, {"--digits", "9", "--threads", "2", "--out", json}));
  const auto document = nlohmann::json::parse(contents_of(json));
  EXPECT_EQ(document["digits"], 9);
  EXPECT_EQ(document["o"]["shape"], (std::vector<int>{1, 1}));
  EXPECT_EQ(document["o"]["values"], words{"1.50000000"});
  EXPECT_EQ(document["lse"]["values"], words{"0.693147181"});
}

TEST(reference_digits, refuses_digits_out_of_range_or_beside_arrays) {
  const values v{1, 2};
  expect_bad_input(command(v, {"--digits", "0"}), {"--digits"});
  expect_bad_input(command(v, {"--digits", "91"}), {"--digits", "91"});
  expect_bad_input(command(v, {"--digits", "5", "--round", "f16"}), {"--digits with --round"});
  expect_bad_input(command(v, {"--digits", "5", "--enclosures"}), {"--digits with --enclosures"});
  expect_bad_input(command(v, {"--digits", "5", "--out", scratch_file("o.npy")}),
                   {"--digits", "o.npy", "allowed: a .txt or .json file"});
  expect_bad_input(command(v, {"--threads", "-1"}), {"--threads"});
}

// ---- Rounding ----

TEST(reference_digits, prints_the_digits_that_are_certain) {
  EXPECT_EQ(expect_exit(0, command({1, 2}, {})).out,
            "o[b=0,h=0,i=0] 1.5  lse 0.69314718055994531\n");
}

// 1 + 2^-11 lies between 1 and the next f16; its odd neighbour is the one above.
TEST(reference_digits, counts_and_places_ties) {
  const values v{1, 3, 1 + 0x1p-10, 5};
  EXPECT_EQ(expect_exit(0, command(v, {"--round", "f16"})).out,
            "o[b=0,h=0,i=0] 1 4  lse 0.693359375\n"
            "1 tie in f16, rounded to even: o[0,0]\n");
  EXPECT_EQ(expect_exit(0, command({1, 2}, {"--round", "f32"})).out,
            "o[b=0,h=0,i=0] 1.5  lse 0.6931471824645996\nno ties in f32\n");
}

TEST(reference_digits, writes_numbers_of_the_format_and_tells_ties_all_the_same) {
  const std::string path = scratch_file("o.npz");
  const values v{1, 3, 1 + 0x1p-10, 5};
  expect_exit(0, command(v, {"--round", "f16", "--out", path}), {"1 tie in f16"});
  const array o = read_arrays(path).at("o");
  EXPECT_EQ(o.element, &f16);
  EXPECT_EQ(o.values, (values{1, 4}));
  EXPECT_EQ(expect_exit(0, command({1, 2}, {"--out", path})).out, "");
}

TEST(reference_digits, refuses_formats_it_has_not) {
  expect_bad_input(command({1, 2}, {"--round", "f17"}), {"--round", "f17", "bf16"});
}

}  // namespace
}  // namespace attest
