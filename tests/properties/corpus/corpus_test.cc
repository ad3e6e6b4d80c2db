// A corpus gives the verdicts of a live subject, and names what is wrong with its files.
#include <algorithm>
#include <map>
#include <set>

#include "properties/corpus/chosen_trials.h"
#include "properties/exchange/array_file.h"
#include "tests/properties/corpus/corpus_folder_fixture.h"
#include "tests/properties/corpus/file_runner.h"
#include "tests/properties/gate.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// What stands in a run's result for each law and group.
std::string verdicts_of(const run_result& r) {
  std::string text;
  for (const group_result& g : r.groups)
    text += std::string(g.law->name) + " " + g.group + ": " + std::string(name_of(g.outcome)) +
            " " + std::to_string(g.judged) + " " + std::to_string(g.worst_ratio) + "\n";
  return text + "exit code " + std::to_string(r.exit_code());
}

// The same trials on the subject itself, which declares what the corpus says.
class declared_as : public subject {
 public:
  declared_as(subject& inner, subject_info info) : inner_(inner), info_(std::move(info)) {}
  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return inner_.concurrent(); }
  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    return inner_.answer(p, o, lse);
  }

 private:
  subject& inner_;
  subject_info info_;
};

run_result run_live(const answered_corpus& corpus, subject& inner, int shrink_tries) {
  declared_as live(inner, corpus.info());
  examiner asked(live);
  const auto judge = [&](const property& law, const problem_spec& spec) {
    return law.judge(spec, asked);
  };
  run_options options;
  options.properties = matching_properties(corpus.holds().property);
  options.shrink_tries = shrink_tries;
  return run_trials(corpus.info(), corpus.trials(), judge, options, {});
}

corpus_request all_features(const subject_info& declared, std::string_view contract,
                            corpus_format files) {
  corpus_request r;
  r.version = "test";
  r.kept = find_contract(contract);
  r.features = declared.features.without(feature::strides);
  r.files = files;
  r.count = 150;
  return r;
}

struct live_case {
  const char* why;
  std::string address;
  const char* contract;
  corpus_format files;
  verdict outcome;

  friend std::ostream& operator<<(std::ostream& out, const live_case& c) { return out << c.why; }
};

class as_live : public corpus_test, public testing::WithParamInterface<live_case> {};

TEST_P(as_live, gives_the_verdicts_of_the_subject_itself) {
  const live_case& c = GetParam();
  const auto subject = open_subject(c.address);
  make_corpus(folder, all_features(subject->info(), c.contract, c.files));
  answer_files(folder, *subject);
  const corpus_check by_files = check(folder);
  const run_result live = run_live(answered_corpus(folder), *subject, 0);
  EXPECT_EQ(verdicts_of(by_files.result), verdicts_of(live)) << c.why;
  EXPECT_EQ(by_files.result.outcome(), c.outcome) << c.why << "\n" << findings(by_files.result);
  EXPECT_EQ(by_files.follow_up, "") << c.why;
}

INSTANTIATE_TEST_SUITE_P(
    corpus, as_live,
    testing::Values(live_case{"a right plugin", plugin_address("subjects", "online"), "float32",
                              corpus_format::npz, verdict::holds},
                    live_case{"a wrong corner", plugin_address("mutants", "causal_anchor"),
                              "float32", corpus_format::npz, verdict::violated},
                    live_case{"half precision", plugin_address("subjects", "half"), "fp16-flash",
                              corpus_format::safetensors, verdict::holds},
                    live_case{"bits of bf16 in .npz", "builtin:bf16", "bf16-flash",
                              corpus_format::npz, verdict::holds},
                    live_case{"bf16 in .safetensors", "builtin:bf16", "bf16-flash",
                              corpus_format::safetensors, verdict::holds},
                    live_case{"bf16 that keeps less than is due", "builtin:bf16-eager",
                              "bf16-flash", corpus_format::safetensors, verdict::violated},
                    live_case{"8 bits", "builtin:fp8", "fp8-flash", corpus_format::safetensors,
                              verdict::holds},
                    live_case{"bits of 8 bits in .npz", "builtin:fp8", "fp8-flash",
                              corpus_format::npz, verdict::holds}),
    [](const auto& one) { return test_name(one.param.why); });

TEST_F(corpus_test, a_counterexample_shrinks_round_by_round_to_that_of_the_subject_itself) {
  corpus_request r = request();
  r.property = "matches_definition";
  make_corpus(folder, r);
  const auto subject = open_subject(plugin_address("mutants", "causal_anchor"));
  constexpr int tries = 300;
  int rounds = 0;
  for (bool more = true; more && rounds <= most_rounds; ++rounds) {
    answer_files(folder, *subject);
    more = !check(folder, tries).follow_up.empty();
  }
  EXPECT_GT(rounds, 3);
  const corpus_check last = check(folder, tries);
  const run_result live = run_live(answered_corpus(folder), *subject, tries);
  const auto smallest = [](const run_result& result) {
    for (const group_result& g : result.groups)
      if (g.failure) return to_line(g.failure->problem);
    return std::string("no failure");
  };
  EXPECT_EQ(smallest(last.result), smallest(live));
  EXPECT_EQ(last.result.exit_code(), 1);
}

TEST_F(corpus_test, is_the_same_for_the_same_seed_and_another_for_another) {
  const fs::path again = folder / "../again", other = folder / "../other";
  corpus_request r = request();
  make_corpus(folder, r);
  make_corpus(again, r);
  r.seed = 5;
  make_corpus(other, r);
  EXPECT_EQ(contents(file("manifest.json")), contents(again / "manifest.json"));
  EXPECT_NE(contents(file("manifest.json")), contents(other / "manifest.json"));
  for (const auto& entry : fs::directory_iterator(folder / "problems"))
    EXPECT_EQ(contents(entry.path()), contents(again / "problems" / entry.path().filename()));
}

TEST_F(corpus_test, holds_at_most_as_many_problems_as_were_asked_for_and_no_trial_in_part) {
  for (const std::int64_t count : {1, 7, 60}) {
    const subject_info info = corpus_subject_info("corpus", [&] {
      manifest m;
      m.kept = find_contract("float32");
      m.profile = "attest";
      m.features = usual_corpus_features;
      return m;
    }());
    const chosen_trials chosen = choose_trials(info, matching_properties("*"), 1, count);
    ASSERT_LE(static_cast<std::int64_t>(chosen.problems.size()), count);
    std::set<std::string> held;
    for (const asked_problem& asked : chosen.problems) held.insert(asked.digest);
    for (const trial& t : chosen.trials)
      for (const asked_problem& asked :
           judge_stored(*t.law, t.spec, info, {}, [](const auto&) { return nullptr; }).unanswered)
        EXPECT_TRUE(held.contains(asked.digest)) << t.law->name;
  }
}

TEST_F(corpus_test, laws_of_layouts_need_a_live_subject) {
  const made_corpus made = make_corpus(folder, request());
  std::set<std::string_view> names;
  for (const property* law : made.needs_live) names.insert(law->name);
  EXPECT_TRUE(names.contains("layouts_agree"));
  EXPECT_TRUE(names.contains("far_offsets_are_followed"));
  EXPECT_FALSE(names.contains("matches_definition"));
}

TEST_F(corpus_test, asks_the_same_problem_again_as_another_one) {
  corpus_request r = request();
  r.property = "repeated_calls_agree";
  const made_corpus made = make_corpus(folder, r);
  std::int64_t most = 0;
  for (const corpus_entry& e : made.holds.problems) most = std::max(most, e.repeat);
  EXPECT_GE(most, 20);
}

TEST_F(corpus_test, can_not_ask_for_strides) {
  corpus_request r = request();
  r.features = r.features.with(feature::strides);
  EXPECT_THROW(make_corpus(folder, r), input_error);
}

TEST_F(corpus_test, is_not_written_over_something) {
  fs::create_directories(folder);
  write(file("notes.txt"), "mine");
  EXPECT_THROW(make_corpus(folder, request()), input_error);
  EXPECT_EQ(contents(file("notes.txt")), "mine");
}

// --- What is wrong with files ---

class answered : public corpus_test {
 protected:
  void SetUp() override {
    corpus_request r = request();
    r.property = "rows_sum_to_1";
    r.count = 16;
    make_corpus(folder, r);
    answer_files(folder, *open_subject("builtin:float32"));
    ASSERT_EQ(refusal(), "");
    ASSERT_EQ(check(folder).result.outcome(), verdict::holds);
  }

  void alter(const std::string& name, const std::function<void(named_arrays&)>& change) {
    named_arrays arrays = read_arrays(file(name));
    change(arrays);
    write_arrays(file(name), arrays);
  }

  // The reason of the first failure, with exit code 1.
  std::string misbehaviour() const {
    const corpus_check c = check(folder);
    EXPECT_EQ(c.result.exit_code(), 1);
    for (const group_result& g : c.result.groups)
      if (g.outcome == verdict::misbehaved) return g.reason;
    return "nothing misbehaved";
  }
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(answered, a_missing_answer_is_not_judged_and_named) {
  fs::remove(file("answers/000003.safetensors"));
  const corpus_check c = check(folder);
  EXPECT_EQ(c.result.exit_code(), 3);
  EXPECT_TRUE(contains(findings(c.result), "answers to 1 problems are missing: ") &&
              contains(findings(c.result), "000003.safetensors"))
      << findings(c.result);
  EXPECT_EQ(c.follow_up, "");
}

TEST_F(answered, a_truncated_answer_is_bad_input) {
  const std::string bytes = contents(file("answers/000003.safetensors"));
  for (const std::size_t length : {std::size_t{0}, std::size_t{9}, bytes.size() - 1}) {
    write(file("answers/000003.safetensors"), bytes.substr(0, length));
    EXPECT_TRUE(contains(refusal(), "answers/000003.safetensors")) << refusal();
  }
}

TEST_F(answered, a_problem_that_changed_is_bad_input_and_one_that_is_gone_is_not_needed) {
  std::string bytes = contents(file("problems/000002.safetensors"));
  bytes.back() ^= 1;
  write(file("problems/000002.safetensors"), bytes);
  EXPECT_TRUE(contains(refusal(), "problems/000002.safetensors: SHA-256")) << refusal();
  fs::remove_all(file("problems"));
  EXPECT_EQ(refusal(), "");
}

TEST_F(answered, an_answer_to_another_problem_misbehaves) {
  fs::copy_file(file("answers/000002.safetensors"), file("answers/000001.safetensors"),
                fs::copy_options::overwrite_existing);
  const std::string reason = misbehaviour();
  EXPECT_TRUE(contains(reason, "answers/000001.safetensors answers problems/000002.safetensors"))
      << reason;
}

TEST_F(answered, an_answer_of_another_corpus_misbehaves) {
  alter("answers/000001.safetensors",
        [](named_arrays& a) { a["problem"].values[0] = 255 - a["problem"].values[0]; });
  EXPECT_TRUE(contains(misbehaviour(), "a problem that is not in this corpus"));
}

TEST_F(answered, an_answer_of_other_sizes_or_another_format_misbehaves) {
  alter("answers/000001.safetensors", [](named_arrays& a) { a["o"].element = &f64; });
  EXPECT_TRUE(contains(misbehaviour(), "o holds f64 (due: f32)")) << misbehaviour();
  alter("answers/000001.safetensors", [](named_arrays& a) {
    a["o"].element = &f32;
    std::reverse(a["o"].sizes.begin(), a["o"].sizes.end());
  });
  EXPECT_TRUE(contains(misbehaviour(), "o has sizes")) << misbehaviour();
}

TEST_F(answered, one_wrong_number_is_violated) {
  alter("answers/000001.safetensors", [](named_arrays& a) {
    double& x = a["o"].values[0];
    x = -2 * x - 1e6;  // far from any x
  });
  EXPECT_EQ(check(folder).result.outcome(), verdict::violated);
}

TEST_F(answered, what_was_refused_misbehaves_as_with_any_subject) {
  const std::string digest = answered_corpus(folder).holds().problems[0].digest;
  fs::remove(file("answers/000001.safetensors"));
  write(file("answers/000001.json"),
        R"({"problem": ")" + digest + R"(", "status": "unsupported", "message": "no such head"})");
  EXPECT_TRUE(contains(misbehaviour(), "declined a problem of the features it declares"));
  EXPECT_TRUE(contains(misbehaviour(), "no such head"));
  write(file("answers/000001.json"),
        R"({"problem": ")" + digest + R"(", "status": "failed", "message": "out of memory"})");
  EXPECT_TRUE(contains(misbehaviour(), "reported an error: out of memory"));
}

TEST_F(answered, a_malformed_status_is_bad_input) {
  fs::remove(file("answers/000001.safetensors"));
  const std::string digest = answered_corpus(folder).holds().problems[0].digest;
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string(R"({"problem": 5})"),
        R"({"problem": ")" + digest + R"(", "status": "fine", "message": ""})",
        R"({"problem": ")" + digest + R"(", "status": "failed", "message": "", "x": ""})"}) {
    write(file("answers/000001.json"), text);
    EXPECT_TRUE(contains(refusal(), "answers/000001.json")) << text << ": " << refusal();
  }
}

TEST_F(answered, two_answers_to_a_problem_and_one_to_none_are_bad_input) {
  write(file("answers/000001.json"), "{}");
  EXPECT_TRUE(contains(refusal(), "a second answer")) << refusal();
  fs::rename(file("answers/000001.json"), file("answers/000999.json"));
  EXPECT_TRUE(contains(refusal(), "000999.json: an answer to no problem")) << refusal();
}

TEST_F(answered, a_manifest_that_asks_something_else_is_bad_input) {
  std::string text = contents(file("manifest.json"));
  const std::size_t at = text.find("\"causal\":\"none\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 15, "\"causal\":\"top_left\"");
  write(file("manifest.json"), text);
  EXPECT_TRUE(contains(refusal(), "is not what this attest asks")) << refusal();
}

TEST_F(answered, a_trial_that_is_none_of_its_law_is_bad_input) {
  std::string text = contents(file("manifest.json"));
  const std::size_t at = text.find("\"problem\":\"B=");
  text.replace(at, 11, "\"problem\":\"layout=spread ");
  write(file("manifest.json"), text);
  EXPECT_TRUE(contains(refusal(), "is no problem of rows_sum_to_1")) << refusal();
}

TEST_F(answered, what_the_runner_says_of_itself_names_the_subject) {
  write(file("answers/subject.json"), R"({"name": "kernel", "version": "7"})");
  EXPECT_EQ(check(folder).result.subject.name, "kernel");
  EXPECT_EQ(check(folder).result.subject.version, "7");
}

}  // namespace
}  // namespace attest
