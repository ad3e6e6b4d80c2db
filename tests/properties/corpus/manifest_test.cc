// The manifest's text: read strictly, written so that it is read back.
#include "properties/corpus/manifest.h"

#include <gtest/gtest.h>

#include "properties/corpus/problem_file.h"
#include "properties/corpus/sha256.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

constexpr const char* line = "B=1 Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=4 dtype=bf16 mask=k scale=0.1 seed=3";

manifest sample() {
  manifest m;
  m.version = "0.1.0";
  m.seed = ~std::uint64_t{0};
  m.count = 10;
  m.property = "*";
  m.effort = 0.1;
  m.files = corpus_format::npz;
  m.kept = find_contract("bf16-flash");
  m.kept.exp_ulps = 2.5;
  m.kept.name = "mine";
  m.profile = "torch-sdpa,head_map=tile";
  m.features = feature_set().with(feature::mask).with(feature::lse);
  m.left_out = {"repeated_calls_agree"};
  m.trials = {{"matches_definition", "mask", line}};
  m.problems = {describe(materialise(parse_problem_line(line)), 0, 0, m.files),
                describe(materialise(parse_problem_line(line)), 1, 0, m.files)};
  return m;
}

std::string refusal_of(const std::string& text) {
  try {
    parse_manifest(text, "m.json");
  } catch (const input_error& e) {
    return e.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(sha256, is_that_of_fips_180_4) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(problem_digest, tells_apart_all_that_a_problem_says) {
  const problem p = materialise(parse_problem_line(line));
  const std::string digest = problem_digest(p, 0);
  EXPECT_EQ(problem_digest(p, 0), digest);
  EXPECT_NE(problem_digest(p, 1), digest);
  const auto differs = [&](const char* why, auto change) {
    problem other = p;
    change(other);
    EXPECT_NE(problem_digest(other, 0), digest) << why;
  };
  differs("q", [](problem& x) { x.q.set({0, 1, 2, 3}, 4); });
  differs("sign of 0", [](problem& x) {
    x.v.set({0, 0, 0, 0}, x.v.at({0, 0, 0, 0}) == 0 ? 1 : -0.0);
  });
  differs("mask", [](problem& x) { x.mask->set({0, 0, 0, 0}, !x.mask->at({0, 0, 0, 0})); });
  differs("no mask", [](problem& x) { x.mask.reset(); });
  differs("scale", [](problem& x) { x.scale = 0.25; });
  differs("no scale", [](problem& x) { x.scale.reset(); });
  differs("causal", [](problem& x) { x.causal = causal_anchor::top_left; });
  differs("window", [](problem& x) { x.sliding.left = 0; });
  differs("soft cap", [](problem& x) { x.soft_cap = 5; });
  differs("lengths", [](problem& x) { x.lengths = {3}; });
  differs("sink", [](problem& x) { x.sink = {1, 2}; });
  differs("rules", [](problem& x) { x.rules.heads = head_map::tile; });
}

TEST(manifest, is_read_back_as_it_was_written) {
  const manifest m = sample();
  const std::string text = print_manifest(m);
  const manifest again = parse_manifest(text, "m.json");
  EXPECT_EQ(print_manifest(again), text);
  EXPECT_EQ(again.seed, m.seed);
  EXPECT_EQ(again.kept.exp_ulps, 2.5);
  EXPECT_EQ(again.problems, m.problems);
  EXPECT_EQ(again.trials, m.trials);
  EXPECT_EQ(again.features, m.features);
}

struct change {
  const char* from;
  const char* to;
  const char* named;  // in the message
};

TEST(manifest, what_is_not_as_attest_writes_it_is_refused_and_named) {
  const std::string text = print_manifest(sample());
  ASSERT_EQ(refusal_of(text), "");
  for (const change& c : {
           change{"\"corpus\": 1", "\"corpus\": 2", "'corpus'"},
           {"\"count\": 10", "\"count\": -1", "'count'"},
           {"\"count\": 10", "\"count\": 1.5", "'count'"},
           {"\"count\": 10,", "", "no 'count'"},
           {"\"count\": 10", "\"count\": 10, \"colour\": 1", "'colour'"},
           {"\"seed\": 18446744073709551615", "\"seed\": \"x\"", "'seed'"},
           {"\"effort\": 0.1", "\"effort\": -0.1", "'effort'"},
           {"\"format\": \"npz\"", "\"format\": \"zip\"", "'format'"},
           {"\"inputs\":\"bf16\"", "\"inputs\":\"f32\"", "'inputs'"},
           {"\"exp_ulps\":2.5", "\"exp_ulps\":-1", "exp_ulps"},
           {"\"profile\": \"torch-sdpa", "\"profile\": \"torch", "'profile'"},
           {"\"head_map\":\"tile\"", "\"head_map\":\"repeat\"", "'head_map'"},
           {"[\"mask\",\"lse\"]", "[\"mask\",\"ears\"]", "'features' 1"},
           {"[\"mask\",\"lse\"]", "[\"mask\",\"lse\",\"mask\"]", "'features'"},
           {"\"law\":", "\"lex\":", "'law'"},
           {"problems/000001.npz", "problems/../x.npz", "'file'"},
           {"\"trial\":0", "\"trial\":1", "'trial'"},
           {"\"repeat\":0", "\"repeat\":-1", "'repeat'"},
           {"\"sha256\":\"", "\"sha256\":\"A", "'sha256'"},
           {"\"trials\": [", "\"trials\": [5, ", "'trials' 0"},
       })
    EXPECT_NE(refusal_of(replaced(text, c.from, c.to)).find(c.named), std::string::npos)
        << c.from << " -> " << c.to << ": " << refusal_of(replaced(text, c.from, c.to));
  for (const std::size_t length : {std::size_t{0}, text.size() / 2, text.size() - 3})
    EXPECT_NE(refusal_of(text.substr(0, length)), "") << length;
  for (const char* other : {"[]", "5", "null", "{}"}) EXPECT_NE(refusal_of(other), "") << other;
}

}  // namespace
}  // namespace attest
