// attest judge on files: what is right holds, what is wrong is counted, located and cut out.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "properties/exchange/array_file.h"
#include "properties/exchange/problem_arrays.h"
#include "reference/backends/backend.h"
#include "reference/problems/problem_spec.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;

// A problem, the answer of a right backend, and how both are read again.
struct stored_problem {
  problem posed;
  named_arrays arrays;
  words options;
};

words reading_of(const problem& p, const std::string& profile) {
  words options{"--profile", profile};
  const auto add = [&](const char* name, const std::string& value) {
    options.insert(options.end(), {name, value});
  };
  if (p.causal != causal_anchor::none)
    add("--causal", p.causal == causal_anchor::top_left ? "top_left" : "bottom_right");
  if (!p.sliding.open())
    add("--window", std::to_string(p.sliding.left) + "," + std::to_string(p.sliding.right));
  if (p.scale) add("--scale", std::to_string(*p.scale));
  if (p.soft_cap > 0) add("--soft-cap", std::to_string(p.soft_cap));
  if (p.dropout_scale != 1) add("--dropout-scale", std::to_string(p.dropout_scale));
  return options;
}

stored_problem solved(const std::string& line, const std::string& backend_name = "float32") {
  const problem_spec spec = parse_problem_line("B=2 Hq=4 Hkv=2 Lq=6 Lk=9 D=4 Dv=3 seed=3 " + line);
  stored_problem s{materialise(spec), {}, {}};
  const backend right = find_backend(backend_name);
  const format& o_format = right.keeps != nullptr ? *right.keeps->output : f32;
  const format& lse_format = right.keeps != nullptr ? *right.keeps->lse : f32;
  tensor o(o_format, place(layout::bhld, s.posed.dims.o_sizes()), 0);
  tensor lse(lse_format, place(layout::bhld, s.posed.dims.lse_sizes()), 0);
  right.evaluate(right, s.posed, o, &lse);
  s.arrays = to_arrays(s.posed);
  s.arrays["o"] = to_array(o);
  s.arrays["lse"] = to_array(lse);
  s.arrays["lse"].sizes.pop_back();
  s.options = reading_of(s.posed, spec.profile);
  return s;
}

words judge_line(const stored_problem& s, const std::string& file, const words& more = {}) {
  write_arrays(scratch_file(file), s.arrays);
  words line{"judge", "--in", scratch_file(file)};
  line.insert(line.end(), s.options.begin(), s.options.end());
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

std::size_t at(const array& a, std::size_t b, std::size_t h, std::size_t i, std::size_t d) {
  const auto size = [&](std::size_t axis) { return static_cast<std::size_t>(a.sizes[axis]); };
  return ((b * size(1) + h) * size(2) + i) * size(3) + d;
}

// Of each feature alone, and of many.
const char* const problems[] = {
    "",
    "causal=top_left",
    "causal=bottom_right",
    "causal=bottom_right window=2,0",
    "mask=bq",
    "mask=hqk bias=k infinite_bias=1",
    "lengths=1 causal=bottom_right",
    "sink=1 soft_cap=2.5",
    "lengths=1 page=2 causal=bottom_right",
    "mask=bhqk bias=q page=3",
    "scale=0.75 bias=bhqk",
    "mask=qk profile=torch-multi-head-attention",
    "mask=qk soft_cap=2 profile=attest,cap_order=after_mask",
    "mask=qk profile=finite-sentinel",
    "dropout=bhqk dropout_scale=2",
    "mask=qk dropout=k dropout_scale=1.25 causal=top_left sink=1",
    "mask=bhqk bias=q lengths=1 sink=1 causal=top_left window=3,-1 soft_cap=4 scale=0.5",
};

TEST(judge_command, a_right_output_holds) {
  for (const char* line : problems)
    expect_exit(0, judge_line(solved(line), "right.npz"),
                {"all 48", "holds", "0 undecided", "exit code 0: pass"});
}

TEST(judge_command, stored_tensors_may_be_of_every_type) {
  struct {
    const char *dtype, *backend;
  } rows[] = {{"f64", "float64"}, {"f16", "fp16"}, {"bf16", "bf16"}};
  for (const auto& row : rows)
    expect_exit(0,
                judge_line(solved(std::string("dtype=") + row.dtype, row.backend),
                           std::string("typed.safetensors")),
                {std::string("q ") + row.dtype, "(the default of q's type)", "holds"});
}

// bf16 that somebody stored as f32 is judged by what it holds.
TEST(judge_command, numbers_may_be_stored_wider_than_they_are) {
  stored_problem s = solved("dtype=bf16", "bf16");
  expect_exit(0, judge_line(s, "widened.npz", {"--contract", "bf16-flash"}), {"q f32", "holds"});
  s = solved("");
  expect_bad_input(judge_line(s, "not_bf16.npz", {"--contract", "bf16-flash"}),
                   {"q holds numbers that are none of bf16", "bf16-flash"});
}

TEST(judge_command, axes_may_stand_as_models_store_them) {
  stored_problem s = solved("causal=bottom_right");
  for (const char* name : {"q", "k", "v", "o"}) {
    const array a = s.arrays[name];
    array& turned = s.arrays[name];
    turned.sizes = {a.sizes[0], a.sizes[2], a.sizes[1], a.sizes[3]};
    for (std::size_t n = 0; n < a.values.size(); ++n) {
      const auto d = n % static_cast<std::size_t>(a.sizes[3]);
      const auto i =
          n / static_cast<std::size_t>(a.sizes[3]) % static_cast<std::size_t>(a.sizes[2]);
      const auto h = n / static_cast<std::size_t>(a.sizes[3] * a.sizes[2]) %
                     static_cast<std::size_t>(a.sizes[1]);
      const auto b = n / static_cast<std::size_t>(a.sizes[3] * a.sizes[2] * a.sizes[1]);
      turned.values[at(turned, b, i, h, d)] = a.values[n];
    }
  }
  expect_exit(0, judge_line(s, "turned.npz", {"--layout", "blhd"}), {"Hq=4", "Lq=6", "holds"});
  s.arrays["lse"].sizes = {2, 6, 4};
  expect_exit(1, judge_line(s, "turned_lse.npz", {"--layout", "blhd"}), {"lse"});
  EXPECT_EQ(run_attest(judge_line(s, "turned.npz")).status, 2) << "6 heads are no multiple of 9";
}

TEST(judge_command, what_is_wrong_is_counted_and_located) {
  struct {
    double value;
    const char* text;
  } rows[] = {{1e-2, "1 further from the exact answer than the contract allows"},
              {std::nan(""), "1 NaN where a number is due"},
              {std::numeric_limits<double>::infinity(), "1 infinite where something else is due"}};
  for (const auto& row : rows) {
    stored_problem s = solved("causal=bottom_right");
    double& wrong = s.arrays["o"].values[at(s.arrays["o"], 1, 2, 4, 1)];
    wrong = row.value < 1 ? static_cast<float>(wrong + row.value) : row.value;
    expect_exit(1, judge_line(s, "wrong.npz"),
                {"violated: 1 of 192 elements, in 1 of 48 rows", row.text, "b=1, h=2, i=4",
                 "o[b=1,h=2,i=4,d=1]", "exit code 1: failure"});
  }
  stored_problem s = solved("");
  s.arrays["lse"].values[7] += 1;
  expect_exit(1, judge_line(s, "wrong.npz"), {"lse[b=0,h=1,i=1]"});
  s.arrays.erase("lse");
  expect_exit(0, judge_line(s, "without_lse.npz"), {"144 elements judged"});
}

// Where the exact answer is NaN, a number is wrong.
TEST(judge_command, a_number_where_nan_is_due_is_wrong) {
  stored_problem s = solved("mask=bq profile=torch-multi-head-attention");
  auto& o = s.arrays["o"].values;
  const auto nan = std::find_if(o.begin(), o.end(), [](double x) { return std::isnan(x); });
  ASSERT_NE(nan, o.end());
  expect_exit(0, judge_line(s, "nan.npz"), {"holds"});
  *nan = 0;
  expect_exit(1, judge_line(s, "nan.npz"), {"1 a number where NaN or an infinity is due"});
}

// The command that a report prints for its slice, word by word, without attest.
words slice_command(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("attest (judge .*)\n"))) return {};
  std::istringstream line(std::regex_replace(found[1].str(), std::regex("'"), ""));
  return {std::istream_iterator<std::string>(line), std::istream_iterator<std::string>()};
}

TEST(judge_command, the_slice_fails_as_the_whole_does) {
  for (const char* line : problems)
    for (const char* file : {"slice.npz", "slice.safetensors"}) {
      stored_problem s = solved(line);
      double& wrong = s.arrays["o"].values[at(s.arrays["o"], 1, 2, 4, 1)];
      wrong = static_cast<float>(wrong + 0.5);
      const finished_program whole =
          expect_exit(1, judge_line(s, "whole.npz", {"--slice", scratch_file(file)}),
                      {"slice ", "1 of 48 rows"});
      const words again = slice_command(whole.out);
      ASSERT_FALSE(again.empty()) << line << whole.out;
      const finished_program alone =
          expect_exit(1, again, {"all 1\n", "o[b=0,h=0,i=0,d=1]", "Lq=1"});
      // What is shown of the worst element but for its place: observed, expected, bound, ratio.
      const std::regex numbers("o\\[b=\\d,h=\\d,i=\\d,d=1\\] +(.*)\n");
      std::smatch of_whole, of_slice;
      ASSERT_TRUE(std::regex_search(whole.out, of_whole, numbers)) << whole.out;
      ASSERT_TRUE(std::regex_search(alone.out, of_slice, numbers)) << alone.out;
      EXPECT_EQ(of_slice[1].str().substr(0, 30), of_whole[1].str().substr(0, 30)) << line;
    }
}

TEST(judge_command, another_reading_under_which_it_is_right_is_named) {
  struct {
    const char* line;
    words read_as;
    const char* hint;
  } rows[] = {
      {"causal=bottom_right", {}, "--causal bottom_right"},
      {"causal=top_left", {"--causal", "bottom_right"}, "--causal top_left"},
      {"", {"--causal", "top_left"}, "--causal none"},
      {"scale=1", {}, "--scale 1"},
      {"profile=base-2-lse", {}, "--profile base-2-lse"},
      {"profile=tiled-heads", {}, "--profile tiled-heads"},
      {"soft_cap=0.5", {"--soft-cap", "0.5", "--scale", "3"}, "without --scale"},
      {"", {"--soft-cap", "0.5"}, "without --soft-cap"},
      {"dropout=hqk", {"--dropout-scale", "2"}, "without --dropout-scale"},
  };
  for (auto& row : rows) {
    stored_problem s = solved(row.line);
    s.options = row.read_as;
    expect_exit(1, judge_line(s, "otherwise.npz"), {"hint", row.hint});
  }
  stored_problem s = solved("mask=hqk");
  for (double& x : s.arrays["mask"].values) x = 1 - x;
  expect_exit(1, judge_line(s, "inverted.npz"), {"with the mask inverted"});
  s = solved("");
  s.arrays["mask"] = solved("mask=hqk").arrays["mask"];
  expect_exit(1, judge_line(s, "ignored.npz"), {"without the mask"});
}

TEST(judge_command, a_sample_holds_the_ends_and_what_is_no_number) {
  stored_problem s = solved("");
  expect_exit(0, judge_line(s, "sampled.npz", {"--rows", "5", "--seed", "9"}),
              {"of 48, sampled with seed 9"});
  const std::string once = run_attest(judge_line(s, "sampled.npz", {"--rows", "9"})).out;
  EXPECT_EQ(run_attest(judge_line(s, "sampled.npz", {"--rows", "9"})).out, once);
  expect_exit(0, judge_line(s, "sampled.npz", {"--rows", "48"}), {"all 48"});
  for (const std::size_t row : {0u, 47u, 23u}) {
    stored_problem wrong = s;
    wrong.arrays["o"].values[3 * row] = row == 23 ? std::nan("") : 5;
    expect_exit(1, judge_line(wrong, "sampled.npz", {"--rows", "2"}), {"violated: 1 of"});
  }
}

TEST(judge_command, arrays_may_lie_in_files_of_their_own) {
  const stored_problem s = solved("");
  for (const char* name : {"q", "k", "v", "o", "lse"})
    write_arrays(scratch_file(std::string(name) + ".npy"), {{name, s.arrays.at(name)}});
  const words line{"judge", "--in", scratch_file("q.npy"), scratch_file("k.npy"),
                   scratch_file("v.npy")};
  words with_o = line;
  with_o.insert(with_o.end(), {"--o", scratch_file("o.npy"), "--lse", scratch_file("lse.npy")});
  expect_exit(0, with_o, {"192 elements judged"});
  expect_bad_input(line, {"no array named o"});
}

TEST(judge_command, fewer_axes_are_fewer_heads_and_rows) {
  stored_problem s{
      materialise(parse_problem_line("B=1 Hq=1 Hkv=1 Lq=6 Lk=9 D=4 Dv=3 seed=3")), {}, {}};
  const backend right = find_backend("float32");
  tensor o(f32, place(layout::bhld, s.posed.dims.o_sizes()), 0);
  right.evaluate(right, s.posed, o, nullptr);
  s.arrays = to_arrays(s.posed);
  s.arrays["o"] = to_array(o);
  for (auto& [name, a] : s.arrays) a.sizes.erase(a.sizes.begin(), a.sizes.begin() + 2);
  expect_exit(0, judge_line(s, "flat.npz"), {"B=1 Hq=1", "holds"});
  expect_exit(0, judge_line(s, "flat.npz", {"--layout", "blhd"}), {"holds"});
}

TEST(judge_command, what_cannot_be_decided_does_not_pass) {
  // Beyond the largest number of f16 a score of that contract overflows: no row is in its domain.
  stored_problem s = solved("dtype=f16 scale=1000000", "fp16");
  expect_exit(3, judge_line(s, "undecided.npz", {"--contract", "fp16-eager"}),
              {"undecided", "48 of 48 rows out of domain", "exit code 3"});
}

TEST(judge_command, the_report_is_json) {
  stored_problem s = solved("causal=bottom_right");
  s.arrays["o"].values[0] = std::nan("");
  const std::string report = scratch_file("dump.json");
  expect_exit(
      1, judge_line(s, "reported.npz", {"--report", report, "--slice", scratch_file("cut.npz")}));
  const auto page = nlohmann::json::parse(contents_of(report));
  EXPECT_EQ(page["verdict"], "violated");
  EXPECT_EQ(page["exit_code"], 1);
  EXPECT_EQ(page["contract"], "float32");
  EXPECT_EQ(page["rows"], 48);
  EXPECT_EQ(page["failures"]["nan"], 1);
  EXPECT_EQ(page["worst_rows"][0]["where"], "o[b=0,h=0,i=0,d=0]");
  EXPECT_EQ(page["worst_rows"][0]["observed"], "nan");
  EXPECT_EQ(page["slice"]["file"], scratch_file("cut.npz"));
  expect_schema("judge_report.schema.json", report);
  expect_exit(0, judge_line(solved("causal=bottom_right"), "right.npz", {"--report", report}));
  expect_schema("judge_report.schema.json", report);
}

TEST(judge_command, refuses_what_it_cannot_judge) {
  stored_problem right = solved("");
  right.options.clear();
  const auto expect_refused = [&](const std::function<void(named_arrays&)>& change,
                                  const words& more, const words& parts) {
    stored_problem s = right;
    change(s.arrays);
    expect_bad_input(judge_line(s, "refused.npz", more), parts);
  };
  const auto nothing = [](named_arrays&) {};
  expect_refused([](auto& a) { a.erase("o"); }, {}, {"no array named o"});
  expect_refused([](auto& a) { a["out"] = a["o"]; }, {}, {"an array named 'out'", "o, lse"});
  expect_refused([](auto& a) { a["o"] = a["q"]; }, {},
                 {"o has sizes [2, 4, 6, 4]", "[2, 4, 6, 3]"});
  expect_refused([](auto& a) { a["lse"] = a["o"]; }, {}, {"lse has sizes", "[2, 4, 6]"});
  expect_refused([](auto& a) { a["o"].kind = element_kind::integer; }, {},
                 {"o holds booleans or integers"});
  expect_refused(nothing, {"--contract", "float31"}, {"float31"});
  expect_refused(nothing, {"--profile", "float31"}, {"float31"});
  expect_refused(nothing, {"--slice", "cut.npy"}, {"--slice cut.npy"});
  expect_refused(nothing, {"--slice", "/no/such/folder/cut.npz"}, {"/no/such/folder"});
  expect_refused(nothing, {"--report", "/no/such/folder/r.json"}, {"/no/such/folder"});
  expect_refused(nothing, {"--layout", "lbhd"}, {"--layout"});
  expect_refused(nothing, {"--window", "1"}, {"--window"});
  expect_bad_input({"judge"}, {"--in"});
}

}  // namespace
}  // namespace attest
