// The conventions of subjects that follow one, and of subjects that follow none.
#include "properties/identify/identify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/run.h"
#include "reference/input_error.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

using state = finding_state;

const finding& about(const identification& found, std::string_view name) {
  const auto at = std::find_if(found.findings.begin(), found.findings.end(),
                               [&](const finding& f) { return f.asked->name == name; });
  EXPECT_NE(at, found.findings.end()) << name;
  return *at;
}

// ---- Questions ----

TEST(all_questions, ask_for_every_convention_once) {
  for (const semantics_field& field : fields_of_convention()) {
    const auto asks = [&](const question& q) { return q.field == &field; };
    const auto all = all_questions();
    EXPECT_EQ(std::count_if(all.begin(), all.end(), asks), 1) << field.name;
  }
}

// ---- Subjects that follow a convention ----

struct convention_case {
  std::string_view name;
  std::string_view nearest;  // the profile that is named

  friend std::ostream& operator<<(std::ostream& out, const convention_case& x) {
    return out << x.name;
  }
};

constexpr convention_case conventions[] = {
    {"plain", "attest"},
    {"flash", "flash-attention-2"},
    {"nan_rows", "torch-sdpa"},
    {"true_masks", "torch-multi-head-attention"},
    {"skips_masked", "attest"},
    {"first_edition", "onnx-attention-23-1.18"},
    {"latest_edition", "attest"},
    {"base_2", "base-2-lse,window_ends=exclusive"},
    {"sentinel", "finite-sentinel,lowest_bias=masks"},
    {"sink_apart", "flash-attention-2,lse_sink=left_out"},
    {"tiled_windows", "tiled-heads,mask_polarity=true_masks,window_ends=exclusive"},
    {"late_cap", "attest,cap_order=after_bias,infinite_bias=weighs_0,lowest_bias=masks"},
    {"last_cap", "tiled-heads,cap_order=after_mask"},
    {"hides_nan", "attest"},
    {"all_otherwise",
     "onnx-attention-23-1.18,lse_base=two,lse_sink=left_out,mask_polarity=true_masks,"
     "lowest_bias=masks,window_ends=exclusive,alibi_distance=signed"},
    {"anything_goes", "unspecified-empty,mask_polarity=true_masks"},
    {"narrow", "attest"},
};

std::string address_of(std::string_view name) {
  return ATTEST_PLUGIN_FOLDER "/conventions/conventions.so:" + std::string(name);
}

TEST(conventions, are_all_looked_at) {
  std::string names;
  for (const convention_case& c : conventions)
    names += (names.empty() ? "" : ", ") + std::string(c.name);
  try {
    open_subject(address_of("?"));
    ADD_FAILURE();
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("(allowed: " + names + ")"), std::string::npos)
        << e.what();
  }
}

class convention : public testing::TestWithParam<convention_case> {};

TEST_P(convention, is_identified_field_by_field) {
  const auto s = open_subject(address_of(GetParam().name));
  const semantics truth = find_profile(s->info().profile);
  const identification found = identify(*s);
  EXPECT_TRUE(found.consistent());
  for (const finding& f : found.findings) {
    EXPECT_NE(f.state, state::inconsistent) << f.asked->name << ": " << f.reason;
    EXPECT_EQ(f.evidence.size(), f.state == state::identified ? 1 : 0) << f.asked->name;
    EXPECT_EQ(f.reason.empty(), f.state == state::identified) << f.asked->name;
    if (f.asked->field == nullptr) continue;
    const std::size_t due = f.asked->field->get(truth);
    EXPECT_NE(std::find(f.values.begin(), f.values.end(), due), f.values.end())
        << f.asked->name << " is not " << f.value_name();
  }
  EXPECT_EQ(found.nearest, GetParam().nearest);
  EXPECT_EQ(found.profiles.empty(), GetParam().nearest.find(',') != std::string_view::npos);
}

// Where every feature is declared and an empty row can be told from NaN, nothing stays open.
TEST(conventions, are_all_observable_with_every_feature) {
  for (const char* name : {"plain", "flash", "base_2", "sentinel", "sink_apart", "tiled_windows",
                           "late_cap", "hides_nan"})
    for (const finding& f : identify(*open_subject(address_of(name))).findings)
      EXPECT_EQ(f.state, state::identified) << name << ": " << f.asked->name << ' ' << f.reason;
}

// Some by calls of all sizes, the others by what masks and empty rows give.
std::string_view laws_for(const convention_case& c) {
  const std::set<std::string_view> in_full{"plain", "flash", "nan_rows"};
  return in_full.contains(c.name) ? "ma*" : "masked*";
}

TEST_P(convention, passes_the_gate_under_its_identified_profile) {
  const auto s = open_subject(address_of(GetParam().name), {"", "identify"});
  EXPECT_EQ(s->info().profile, GetParam().nearest);
  EXPECT_EQ(s->info().profile_origin, origin::identified);
  run_options options;
  options.properties = matching_properties(laws_for(GetParam()));
  const run_result r = run_properties(*s, options, {});
  EXPECT_EQ(r.exit_code(), 0);
  for (const group_result& g : r.groups) EXPECT_FALSE(g.failure) << g.failure->replay;
}

INSTANTIATE_TEST_SUITE_P(every, convention, testing::ValuesIn(conventions),
                         [](const auto& each) { return std::string(each.param.name); });

// The subject takes the format of a backend, and answers as it does under one semantics.
void follow(scripted_subject& s, const semantics& rules, const char* number) {
  const backend right = find_backend(number);
  s.declares().inputs = {right.inputs.front()};
  s.declares().contracts = {*right.keeps};
  s.does([right, rules](problem& p, tensor& o, tensor* lse) {
    const problem handed = p;
    if (p.mask && rules.polarity != p.rules.polarity) p.mask->invert();
    p.rules = rules;
    right.evaluate(right, p, o, lse);
    p = handed;
    return answer_outcome{};
  });
}

TEST(identify, tells_every_value_apart_in_every_format) {
  for (const char* number : {"float32", "float64", "fp16", "bf16-eager", "fp8"})
    for (const semantics_field& field : fields_of_convention())
      for (std::size_t value = 0; value < field.values.size(); ++value) {
        const bool is_permission =
            field.name == "masked_slots" || field.name == "non_finite_inputs";
        if (is_permission || field.values[value].name == "unspecified") continue;
        semantics rules;
        field.set(rules, value);
        scripted_subject s;
        follow(s, rules, number);
        const identification found = identify(s);
        EXPECT_TRUE(found.consistent()) << number << ' ' << differences(rules, {});
        EXPECT_EQ(about(found, field.name).state, state::identified) << number << field.name;
        EXPECT_EQ(about(found, field.name).value_name(), field.values[value].name) << number;
      }
}

TEST(identify, prints_an_input_that_settles_it) {
  const auto s = open_subject(address_of("true_masks"));
  const finding f = about(identify(*s), "mask_polarity");
  EXPECT_EQ(f.evidence.front().input, "f32 Lq=1 Lk=2 D=1 Dv=1, q=0 k=[0 0] v=[1 2], mask=[1 0]");
  EXPECT_EQ(f.evidence.front().answer, "o = 2");
}

TEST(identify, says_what_is_missing_to_observe_a_convention) {
  const auto s = open_subject(address_of("narrow"));
  const identification found = identify(*s);
  EXPECT_EQ(about(found, "lse_sink").reason, "needs sink and lse");
  EXPECT_EQ(about(found, "causal_bottom_right").reason, "top_left and bottom_right answer alike");
}

TEST(identify, does_not_believe_what_is_declared) {
  scripted_subject s;
  s.declares().profile = "torch-sdpa";
  EXPECT_EQ(identify(s).nearest, "attest");
}

// ---- Subjects that follow none ----

TEST(identify, finds_a_polarity_that_differs_between_heads) {
  const auto s = open_subject(ATTEST_PLUGIN_FOLDER "/without_convention/two_minds.so");
  const identification found = identify(*s);
  EXPECT_FALSE(found.consistent());
  const finding& f = about(found, "mask_polarity");
  EXPECT_EQ(f.state, state::inconsistent);
  EXPECT_EQ(f.reason, "no value explains o[b=0,h=1,i=0]");
  ASSERT_EQ(f.evidence.size(), 1u);
  EXPECT_EQ(f.evidence.front().answer, "o = [1 2 1 1 2 1]");
}

struct inconsistent_case {
  const char* convention;
  void (*changes)(problem&);  // what the subject does to a problem before it answers
  const char* reason;
};

TEST(identify, says_why_nothing_fits) {
  const inconsistent_case cases[] = {
      {"mask_polarity", [](problem& p) { p.mask.reset(); }, "no value explains o[b=0,h=0,i=0]"},
      {"window_ends", [](problem& p) { p.sliding = {}; }, "no value explains o[b=0,h=0,i=3]"},
      {"causal_top_left",
       [](problem& p) {
         if (p.causal == causal_anchor::top_left) p.causal = causal_anchor::bottom_right;
       },
       "the flag promises top_left, but does bottom_right"},
      {"causal_bottom_right",
       [](problem& p) {
         if (p.causal == causal_anchor::bottom_right) p.causal = causal_anchor::none;
       },
       "the flag promises bottom_right, but does none"},
      {"empty_row",
       [](problem& p) { p.rules.on_empty_row = p.mask ? empty_row::zero : empty_row::nan; },
       "two probes disagree: zero, but nan"},
      {"lse_base",
       [](problem& p) { p.rules.base = p.dims.batch > 1 ? lse_base::two : lse_base::e; },
       "two probes disagree: e, but two"},
  };
  for (const inconsistent_case& c : cases) {
    scripted_subject s;
    s.does([&c](problem& p, tensor& o, tensor* lse) {
      problem other = p;
      c.changes(other);
      return scripted_subject::answer_rightly(other, o, lse);
    });
    const finding f = about(identify(s), c.convention);
    EXPECT_EQ(f.state, state::inconsistent) << c.convention;
    EXPECT_EQ(f.reason, c.reason) << c.convention;
    EXPECT_FALSE(f.evidence.empty()) << c.convention;
  }
}

TEST(identify, takes_a_refusal_for_what_it_is) {
  scripted_subject s;
  s.does([](problem& p, tensor& o, tensor* lse) {
    if (p.mask) return answer_outcome{answer_status::unsupported, "no masks"};
    return scripted_subject::answer_rightly(p, o, lse);
  });
  const identification found = identify(s);
  EXPECT_FALSE(found.consistent());
  EXPECT_NE(about(found, "mask_polarity").reason.find("no masks"), std::string::npos);
  EXPECT_EQ(about(found, "head_map").state, state::identified) << "the others stay what they are";
}

// ---- Profiles that are found ----

TEST(open_subject, finds_the_profile_of_a_plugin_that_asks_for_it) {
  const auto s = open_subject(ATTEST_PLUGIN_FOLDER "/conventions/undeclared.so");
  EXPECT_EQ(s->info().profile, "tiled-heads,mask_polarity=true_masks");
  EXPECT_EQ(s->info().profile_origin, origin::identified);
}

TEST(open_subject, takes_a_given_profile_before_a_declared_one) {
  const std::string address = address_of("flash");
  EXPECT_EQ(open_subject(address)->info().profile_origin, origin::declared);
  const auto s = open_subject(address, {"", "torch-sdpa,head_map=tile"});
  EXPECT_EQ(s->info().profile, "torch-sdpa,head_map=tile");
  EXPECT_EQ(s->info().profile_origin, origin::given);
  EXPECT_THROW(open_subject(address, {"", "torch"}), input_error);
}

}  // namespace
}  // namespace attest
