// attest recurrence on files: what is right holds, what is wrong is located, what does not fit is
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "properties/exchange/array_file.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;
using sizes = std::vector<std::int64_t>;

constexpr std::int64_t query_heads = 4, kv_heads = 2, length = 6, width = 3, value_width = 2;

array drawn(std::uint64_t stream, const sizes& of, const std::function<double(double)>& map) {
  array a{&f32, of, {}};
  std::uint64_t count = 1;
  for (const std::int64_t size : of) count *= static_cast<std::uint64_t>(size);
  for (std::uint64_t n = 0; n < count; ++n)
    a.values.push_back(round_to(f32, {}, map(random_normal(7, stream, n))));
  return a;
}

// What is computed otherwise than is due.
struct mistakes {
  bool no_decay = false, no_rate = false, no_state = false, late = false;
};

// Weighted sums over the past, written out: the delta rule by what each key still holds of the
// values before it. Answers in double, rounded to f32.
void solve(named_arrays& a, const mistakes& wrong = {}) {
  const auto at = [&](const char* name, std::int64_t g, std::int64_t l, std::int64_t t,
                      std::int64_t columns) {
    return a.at(name).values[static_cast<std::size_t>((g * length + l) * columns + t)];
  };
  array o{&f32, {1, query_heads, length, value_width}, {}};
  array last{&f32, {1, kv_heads, width, value_width}, {}};
  for (std::int64_t h = 0; h < query_heads; ++h) {
    const std::int64_t g = h / (query_heads / kv_heads);
    double state[width][value_width] = {};
    for (std::int64_t t = 0; t < width && a.contains("state") && !wrong.no_state; ++t)
      for (std::int64_t d = 0; d < value_width; ++d)
        state[t][d] =
            a.at("state").values[static_cast<std::size_t>((g * width + t) * value_width + d)];
    const auto write = [&](std::int64_t l) {
      for (std::int64_t d = 0; d < value_width; ++d) {
        double sum = 0;
        for (std::int64_t t = 0; t < width; ++t) sum += at("q", h, l, t, width) * state[t][d];
        o.values.push_back(round_to(f32, {}, sum / std::sqrt(3.0)));
      }
    };
    for (std::int64_t l = 0; l < length; ++l) {
      if (wrong.late) write(l);
      for (std::int64_t d = 0; d < value_width; ++d) {
        double fresh = at("v", g, l, d, value_width);
        for (std::int64_t t = 0; t < width; ++t)
          if (a.contains("decay") && !wrong.no_decay)
            state[t][d] *= std::exp(at("decay", g, l, 0, 1));
        double held = 0;
        for (std::int64_t t = 0; t < width; ++t) held += at("k", g, l, t, width) * state[t][d];
        if (a.contains("rate"))
          fresh = (wrong.no_rate ? 1 : at("rate", g, l, 0, 1)) * (fresh - held);
        for (std::int64_t t = 0; t < width; ++t) state[t][d] += at("k", g, l, t, width) * fresh;
      }
      if (!wrong.late) write(l);
    }
    if (h % (query_heads / kv_heads) != 0) continue;
    for (const auto& row : state)
      for (const double x : row) last.values.push_back(round_to(f32, {}, x));
  }
  a["o"] = o;
  a["state_out"] = last;
}

named_arrays posed(const words& gates) {
  const auto halved = [](double x) { return x / 2; };
  named_arrays a{{"q", drawn(1, {1, query_heads, length, width}, halved)},
                 {"k", drawn(2, {1, kv_heads, length, width}, halved)},
                 {"v", drawn(3, {1, kv_heads, length, value_width}, halved)}};
  for (const std::string& gate : gates) {
    if (gate == "decay")
      a[gate] = drawn(4, {1, kv_heads, length}, [](double x) { return -std::fabs(x) / 2; });
    if (gate == "rate")
      a[gate] = drawn(5, {1, kv_heads, length}, [](double x) { return 1 / (1 + std::exp(-x)); });
    if (gate == "state") a[gate] = drawn(6, {1, kv_heads, width, value_width}, halved);
  }
  return a;
}

words line_for(const named_arrays& a, const words& more = {}) {
  write_arrays(scratch_file("linear.npz"), a);
  words line{"recurrence", "--in", scratch_file("linear.npz")};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

const std::vector<words> recurrences{
    {}, {"decay"}, {"rate"}, {"decay", "rate", "state"}, {"state"}};

TEST(recurrence_command, what_is_right_holds) {
  for (const words& gates : recurrences) {
    named_arrays a = posed(gates);
    solve(a);
    expect_exit(0, line_for(a), {"B=1 Hq=4 Hkv=2 L=6 D=3 Dv=2", "holds: 60 elements judged, 0"});
  }
}

// exp(w_a . x - norm x . x / 2) of every row of every head, as many draws as coordinates.
array exp_features(const array& x, const array& draws, double norm) {
  array all{&f64, x.sizes, {}};
  const std::int64_t heads = x.sizes[1], each = heads / kv_heads;
  const auto at = [](const array& a, std::int64_t row, std::int64_t t) {
    return a.values[static_cast<std::size_t>(row * width + t)];
  };
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t l = 0; l < length; ++l)
      for (std::int64_t a = 0; a < width; ++a) {
        double exponent = 0;
        for (std::int64_t t = 0; t < width; ++t) {
          const double element = at(x, h * length + l, t);
          exponent += at(draws, h / each * width + a, t) * element - norm * element * element / 2;
        }
        all.values.push_back(std::exp(exponent));
      }
  return all;
}

// The answers are those of features; q and k are stored as they are.
named_arrays solved_of_draws(const words& gates, double norm) {
  named_arrays a = posed(gates), of_features = a;
  const array draws = drawn(8, {kv_heads, width, width}, [](double x) { return x; });
  for (const char* name : {"q", "k"}) of_features[name] = exp_features(a[name], draws, norm);
  solve(of_features);
  a["draws"] = draws;
  for (const char* name : {"o", "state_out"}) a[name] = of_features[name];
  return a;
}

TEST(recurrence_command, features_of_draws_are_judged) {
  const words reading{"--features", "exp_features"};
  for (const words& gates : recurrences) {
    expect_exit(0, line_for(solved_of_draws(gates, 1), reading),
                {"D=3 Dv=2 A=3", "features exp_features", "holds: 60 elements judged, 0"});
    expect_exit(1, line_for(solved_of_draws(gates, 0), reading), {"violated"});
  }
  const auto refused = [&](const std::function<void(named_arrays&)>& change, const words& parts,
                           const words& more) {
    named_arrays a = solved_of_draws({}, 1);
    change(a);
    expect_bad_input(line_for(a, more), parts);
  };
  refused([](named_arrays& a) { a.erase("draws"); }, {"draws is missing"}, reading);
  refused([](named_arrays&) {}, {"draws is given", "beside --features exp_features"}, {});
  refused(
      [](named_arrays& a) {
        a["draws"].sizes = {1, 6, 3};
      },
      {"draws has sizes [1, 6, 3]", "[2, A, 3]"}, reading);
  refused([](named_arrays& a) { a["draws"].sizes = {2, 9, 1}; }, {"[2, A, 3]"}, reading);
}

TEST(recurrence_command, what_is_wrong_is_located) {
  const auto fails = [](const words& gates, const mistakes& wrong) {
    named_arrays a = posed(gates);
    solve(a, wrong);
    expect_exit(1, line_for(a), {"violated", "times the bound"});
  };
  fails({"decay"}, {.no_decay = true});
  fails({"decay", "rate", "state"}, {.no_rate = true});
  fails({"state"}, {.no_state = true});
  fails({}, {.late = true});
}

TEST(recurrence_command, one_of_the_answers_is_enough) {
  for (const char* without : {"o", "state_out"}) {
    named_arrays a = posed({"decay"});
    solve(a);
    a.erase(without);
    expect_exit(0, line_for(a), {"holds"});
  }
}

TEST(recurrence_command, what_does_not_fit_is_refused) {
  named_arrays right = posed({"decay", "rate"});
  solve(right);
  const auto refused = [&](const std::function<void(named_arrays&)>& change, const words& parts,
                           const words& more = {}) {
    named_arrays a = right;
    change(a);
    expect_bad_input(line_for(a, more), parts);
  };
  refused([](named_arrays& a) { a.erase("k"); }, {"k is missing"});
  refused([](named_arrays& a) { a["beta"] = a["rate"]; }, {"an array named 'beta'", "rate"});
  refused(
      [](named_arrays& a) {
        a["o"].sizes = {1, length, query_heads, value_width};
      },
      {"o has sizes [1, 6, 4, 2]", "[1, 4, 6, 2]"});
  refused([](named_arrays& a) { a["q"].values[3] = std::nan(""); },
          {"q holds a number that is not"});
  refused([](named_arrays& a) { a.erase("o"), a.erase("state_out"); }, {"neither o nor state_out"});
  refused([](named_arrays&) {}, {"rate is given", "none beside --normalised"}, {"--normalised"});
  expect_bad_input({"recurrence", "--in", "x.npy"}, {"x.npy", ".npz or .safetensors"});
}

// ---- A subject ----

std::string plugin(const std::string& folder, const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/" + folder + "/" + name + ".so";
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(recurrence_subject, that_is_right_holds) {
  const std::string report = scratch_file("recurrence.json");
  expect_exit(0, {"recurrence", plugin("recurrences", "recurrent"), "--report", report},
              {"recurrent 1", "float32 for f32 inputs (the default)", "matches_definition",
               "all 13 laws hold; exit code 0: pass"});
  expect_schema("recurrence_report.schema.json", report);
}

TEST(recurrence_subject, that_is_wrong_is_shown_with_a_line_that_shows_it_again) {
  const std::string report = scratch_file("recurrence.json"),
                    wrong = plugin("recurrence_mutants", "decay_after_update");
  const auto found =
      expect_exit(1, {"recurrence", wrong, "--law", "matches_definition", "--report", report},
                  {"matches_definition: violated", "Hkv=1 L=1 D=1 Dv=1", "times the bound",
                   "replay    attest recurrence"});
  expect_schema("recurrence_report.schema.json", report);
  const std::string mark = "--problem '";
  const std::size_t begin = found.out.find(mark) + mark.size();
  const std::string line = found.out.substr(begin, found.out.find('\'', begin) - begin);
  expect_exit(1, {"recurrence", wrong, "--law", "matches_definition", "--problem", line},
              {"1 of 1 problem"});
  expect_exit(0,
              {"recurrence", plugin("recurrence_controls", "decay_after_update"), "--law",
               "matches_definition", "--problem", line},
              {"the one law that was asked holds"});
}

TEST(recurrence_subject, gives_the_same_report_for_a_seed) {
  const auto report = [](const std::string& name) {
    const std::string path = scratch_file(name);
    expect_exit(0, {"recurrence", plugin("recurrences", "chunked"), "--law", "decay*", "--seed",
                    "3", "--reproducible", "--report", path});
    return text_of(path);
  };
  EXPECT_EQ(report("one.json"), report("other.json"));
}

TEST(recurrence_subject, is_asked_one_problem_of_the_laws_that_it_fits) {
  expect_exit(0, {"recurrence", plugin("recurrences", "recurrent"), "--problem", "L=3 seed=1"},
              {"a_zero_state_is_none", "not asked", "all 4 laws hold"});
}

TEST(recurrence_subject, may_be_a_command) {
  const std::string command = "/usr/bin/python3 " ATTEST_RECURRENCE_IN_PYTHON;
  expect_exit(0, {"recurrence", "--exec", command, "--law", "parts*"},
              {"numpy_recurrence", "the one law that was asked holds"});
  expect_exit(0,
              {"recurrence", "--exec", command, "--problem",
               "B=2 Hq=4 Hkv=2 L=5 D=3 Dv=2 A=4 rule=delta decay=channel erase=1 map=exp_features "
               "state_in=1 state_out=1 seed=2"},
              {"laws hold"});
  expect_bad_input({"recurrence", "--exec", "/usr/bin/python3 " ATTEST_COMMAND_IN_PYTHON},
                   {"no 'attest_recurrence'"});
  expect_bad_input({"check", "--exec", command}, {"no 'attest'"});
}

TEST(recurrence_subject, that_is_none_is_refused) {
  const std::string right = plugin("recurrences", "recurrent");
  expect_bad_input({"recurrence"}, {"SUBJECT, --exec or --in"});
  expect_bad_input({"recurrence", right, "--in", "x.npz"}, {"excludes --in"});
  expect_bad_input({"recurrence", right, "--features", "relu"}, {"requires --in"});
  expect_bad_input({"recurrence", plugin("subjects", "minimal")},
                   {"does not export attest_recurrence_at", "attest_recurrence.h"});
  expect_bad_input({"check", right}, {"does not export attest_plugin_at"});
  expect_bad_input({"recurrence", right, "--law", "x"}, {"no law of recurrences matches 'x'"});
  expect_bad_input({"recurrence", right, "--problem", "L=0"}, {"a size of 0", "1 to 2^24"});
  expect_bad_input({"recurrence", right, "--problem", "dtype=f16"},
                   {"inputs of f16", "does not declare"});
  expect_bad_input({"recurrence", right, "--contract", "fp16-flash"},
                   {"fp16-flash is about f16 inputs"});
}

TEST(recurrence_subject, that_breaks_the_rules_of_a_call_is_told) {
  const auto says = [](const std::string& name, const std::string& what,
                       const std::string& more = "") {
    expect_exit(1,
                {"recurrence", plugin("recurrence_hostile", name), "--law", "matches_definition",
                 "--timeout", "0.5", "--problem", "L=2" + more},
                {what});
  };
  says("crashes", "through a null pointer");
  says("loops_forever", "gave no answer within 1 s");
  says("writes_k", "wrote to its input k at k[b=0,h=0,i=0,d=0]");
  says("leaves_state_out", "state_out[b=0,h=0,k=0,d=0] was never written", " state_out=1");
  says("declines", "declined a problem of the features it declares: not today");
}

}  // namespace
}  // namespace attest
