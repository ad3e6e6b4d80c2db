// Each subcommand does its work, and its exit code says what came of it.
#include <gtest/gtest.h>

#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "properties/peers/rule.h"
#include "properties/run.h"
#include "reference/backends/backend.h"
#include "reference/contract/presets.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "tests/program/expectations.h"
#include "tests/reports/golden.h"

namespace attest {
namespace {

using words = std::vector<std::string>;

std::string plugin(const std::string& folder, const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/" + folder + "/" + name + ".so";
}
const std::string minimal = plugin("subjects", "minimal");

// ---- help and lists ----

TEST(program, helps) {
  const finished_program p = expect_exit(0, {"--help"}, {"check", "replay", "exit codes: 0"});
  EXPECT_EQ(p.err, "");
  for (const char* command : {"audit", "check", "compare", "derive", "power", "reference", "replay",
                              "list", "explain", "example", "identify"})
    expect_exit(0, {command, "--help"}, {command});
}

TEST(program, says_its_version) { expect_exit(0, {"--version"}, {"attest 0."}); }

TEST(program, lists_everything_that_can_be_named) {
  const finished_program p = expect_exit(0, {"list"});
  EXPECT_EQ(p.err, "");
  std::vector<std::string_view> names(all_backends().begin(), all_backends().end());
  for (const property* law : catalogue()) names.push_back(law->name);
  for (const contract& c : all_contracts()) names.push_back(c.name);
  for (const profile& each : all_profiles()) names.push_back(each.name);
  for (const semantics_field& field : all_fields()) {
    names.push_back(field.name);
    for (const field_value& value : field.values) names.push_back(value.name);
  }
  for (feature f : members(feature_set::all())) names.push_back(name_of(f));
  for (const peer_rule* rule : all_peer_rules()) names.push_back(rule->name);
  for (std::string_view name : names)
    EXPECT_NE(p.out.find("  " + std::string(name) + " "), std::string::npos) << name;
  EXPECT_NE(p.out.find("[lse_base=two]"), std::string::npos) << "a profile shows its fields";
}

TEST(program, explains_every_property) {
  for (const property* law : catalogue()) {
    const std::string name(law->name);
    expect_exit(0, {"explain", name},
                {name, std::string(law->statement), std::string(law->method),
                 std::string(law->bound), std::string(law->proof), std::string(law->catches)});
  }
}

// ---- example ----

std::vector<std::vector<double>> matrix_after(const std::string& text, const std::string& heading) {
  std::istringstream lines(text.substr(text.find(heading)));
  std::string line;
  std::getline(lines, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(lines, line) && line.substr(0, 2) == "  ") {
    std::istringstream cells(line);
    rows.emplace_back(std::istream_iterator<double>(cells), std::istream_iterator<double>());
  }
  return rows;
}

TEST(program, example_is_the_accepted_one) {
  const finished_program p = expect_exit(0, {"example"});
  EXPECT_TRUE(is_golden("worked_example.txt", p.out));
}

TEST(program, example_shows_a_causal_mask_at_work) {
  const auto weights = matrix_after(run_attest({"example"}).out, "weights (");
  ASSERT_EQ(weights.size(), 4u);
  EXPECT_EQ(weights[0], (std::vector<double>{1, 0, 0, 0}));
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(weights[i].size(), 4u);
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      sum += weights[i][j];
      EXPECT_EQ(weights[i][j] > 0, j <= i) << i << ',' << j;
    }
    EXPECT_NEAR(sum, 1, 2e-4) << "four numbers of four decimals";
  }
}

// ---- check ----

TEST(program, check_passes_what_is_right) {
  const finished_program p =
      expect_exit(0, {"check", minimal, "--property", "masked_keys_weigh_0"},
                  {"minimal", "masked_keys_weigh_0", "holds", "exit code 0"});
  EXPECT_EQ(p.err, "") << "progress is for terminals";
}

TEST(program, check_fails_what_is_wrong_and_says_how_to_see_it_again) {
  const finished_program p = expect_exit(
      1, {"check", plugin("mutants", "causal_anchor"), "--property", "weights_match_definition"},
      {"violated", "exit code 1"});
  std::smatch replay;
  ASSERT_TRUE(std::regex_search(p.out, replay, std::regex("attest replay '([^']+)'"))) << p.out;
  expect_exit(1, {"replay", replay[1]}, {"violated", "observed", "expected"});
}

TEST(program, check_passes_only_when_what_is_required_was_judged) {
  expect_exit(3, {"check", minimal, "--property", "masked_keys_weigh_0", "--require", "sink"},
              {"required feature sink is not declared", "exit code 3"});
  expect_exit(
      0, {"check", minimal, "--property", "masked_keys_weigh_0", "--require", "grouped_heads"});
}

TEST(program, check_does_not_pass_what_no_law_speaks_of) {
  expect_exit(3, {"check", plugin("controls", "halfsum_denominator"), "--property", "masked_keys*"},
              {"no property has anything to say about this subject", "exit code 3"});
}

TEST(program, check_writes_the_reports_it_is_asked_for) {
  const words endings{"json", "xml", "html"};
  words line{"check", minimal, "--property", "masked_keys_weigh_0"};
  for (const std::string& ending : endings)
    line.insert(line.end(), {"--report", scratch_file("all." + ending)});
  expect_exit(0, line);
  const words beginnings{"{", "<?xml", "<!"};
  for (std::size_t n = 0; n < endings.size(); ++n)
    EXPECT_EQ(contents_of(scratch_file("all." + endings[n])).substr(0, beginnings[n].size()),
              beginnings[n]);
}

std::string report_with(const words& options, const std::string& name) {
  words line{"check",      plugin("mutants", "return_zeros"),
             "--property", "rows_sum_to_1",
             "--report",   scratch_file(name)};
  line.insert(line.end(), options.begin(), options.end());
  expect_exit(1, line);
  return contents_of(scratch_file(name));
}

TEST(program, check_writes_the_same_bytes_for_the_same_seed) {
  const std::string one = report_with({"--reproducible", "--seed", "5"}, "one.json");
  EXPECT_GT(one.size(), 1000u);
  EXPECT_EQ(report_with({"--reproducible", "--seed", "5"}, "two.json"), one);
  EXPECT_NE(report_with({"--reproducible", "--seed", "6"}, "three.json"), one);
  EXPECT_EQ(one.find("\"run\""), std::string::npos) << "times and host are left out";
}

TEST(program, check_draws_and_prints_a_random_seed) {
  const words line{"check", minimal, "--property", "masked_keys_weigh_0", "--seed", "random"};
  const std::regex printed("seed +([0-9]+)");
  std::smatch one, other;
  const std::string first = run_attest(line).out, second = run_attest(line).out;
  ASSERT_TRUE(std::regex_search(first, one, printed)) << first;
  ASSERT_TRUE(std::regex_search(second, other, printed)) << second;
  EXPECT_NE(one[1], other[1]);
}

// ---- replay ----

TEST(program, replay_takes_one_word_or_many) {
  const std::string line =
      "builtin:float32 matches_definition B=1 Lq=2 Lk=3 D=4 Dv=4 dtype=f32 regime=normal seed=1";
  const finished_program one = expect_exit(0, {"replay", line}, {"matches_definition", "holds"});
  std::istringstream pieces(line);
  words many{"replay"};
  for (std::string word; pieces >> word;) many.push_back(word);
  EXPECT_EQ(run_attest(many).out, one.out);
}

TEST(program, replay_of_what_cannot_be_judged_is_no_pass) {
  expect_exit(3, {"replay", "builtin:float32 matches_definition Lq=0 Lk=3"}, {"undecided"});
}

// ---- compare, derive ----

TEST(program, compare_shows_each_subject) {
  const finished_program p = expect_exit(0, {"compare", "float32,float64,mp50", "--problems", "3"},
                                         {"float32", "float64", "mp50"});
  EXPECT_EQ(run_attest({"compare", "float32,float64,mp50", "--problems", "3"}).out, p.out);
  EXPECT_NE(run_attest({"compare", "float32,float64,mp50", "--problems", "3", "--seed", "1"}).out,
            p.out);
}

TEST(program, compare_takes_plugins_and_writes_json) {
  const std::string path = scratch_file("comparison.json");
  expect_exit(0, {"compare", "float32," + minimal, "--problems", "2", "--report", path},
              {"float32", "minimal"});
  EXPECT_EQ(contents_of(path).substr(0, 1), "{");
}

TEST(program, derive_checks_the_claims) {
  expect_exit(0, {"derive", "--claim", "one?cell"}, {"cell"});
  expect_bad_input({"derive", "--claim", "no-such-claim"}, {"no-such-claim", "allowed"});
}

// ---- audit ----

TEST(program, audit_finds_the_judge_right) {
  const words line{"audit",
                   "--contract",
                   "fp16-*",
                   "--elements",
                   "1000",
                   "--report",
                   scratch_file("audit.json")};
  const finished_program p = expect_exit(0, line, {"fp16-flash", "fp16-eager", "0 unsound"});
  EXPECT_EQ(p.err, "") << "progress is for terminals";
  EXPECT_EQ(run_attest(line).out, p.out);
  EXPECT_NE(contents_of(scratch_file("audit.json")).find("\"by_regime\""), std::string::npos);
}

TEST(program, audit_refuses_what_it_cannot_audit) {
  expect_bad_input({"audit", "--contract", "fp15"}, {"fp15", "allowed", "fp16-flash"});
  expect_bad_input({"audit", "--elements", "0"}, {"--elements", "1"});
  expect_bad_input({"audit", "--report", "/nowhere/audit.json", "--contract", "merges-1",
                    "--elements", "1", "--evaluations", "1"},
                   {"/nowhere/audit.json", "written"});
}

// ---- Subjects that misbehave ----

struct hostile_case {
  std::string name;
  std::string reason;
};

TEST(program, calls_misbehaviour_by_its_name_and_survives_it) {
  const hostile_case cases[] = {
      {"writes_nothing", "was never written"},
      {"writes_half", "was never written"},
      {"throws", "threw an exception: nobody catches me"},
      {"throws_int", "threw something that is not a std::exception"},
      {"reports_error", "reported an error: the device is on fire"},
      {"lies_unsupported", "declined a problem of the features it declares"},
      {"writes_inputs", "wrote to its input q"},
      {"unterminated_message", "AAAA"},
  };
  for (const hostile_case& c : cases)
    expect_exit(1, {"check", plugin("hostile", c.name), "--property", "weights_match_definition"},
                {"misbehaved", c.reason, "exit code 1"});
}

TEST(program, catches_a_subject_that_is_right_only_now_and_then) {
  expect_exit(
      1, {"check", plugin("hostile", "nondeterministic"), "--property", "weights_match_definition"},
      {"violated", "exit code 1"});
}

// A problem of the law's own: the first that is judged. A mask, say, may leave nothing to judge.
std::string own_problem(const property& law) {
  for (const char* address : {"builtin:float32", "builtin:bf16"}) {
    const auto subject = open_subject(address);
    examiner examined(*subject);
    for (const feature_group& group : groups_for(law, subject->info())) {
      const auto spec = draw_spec(law, subject->info(), group, {default_seed, 0});
      if (spec && law.judge(*spec, examined).judged > 0)
        return replay_line(subject->info(), law.name, *spec);
    }
  }
  return std::string(law.name) + " has no problem";
}

TEST(program, replay_knows_every_law) {
  for (const property* law : catalogue())
    expect_exit(0, {"replay", own_problem(*law)}, {std::string(law->name), "holds"});
}

}  // namespace
}  // namespace attest
