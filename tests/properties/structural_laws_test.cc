// Each structural law on a subject that is right, and on one that is wrong in what the law is
// about.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>

#include "properties/explicit_mask.h"
#include "properties/run.h"
#include "properties/selection.h"
#include "reference/contract/presets.h"
#include "reference/semantics/profiles.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

using script = scripted_subject::script;

run_result run_law(std::string_view law, scripted_subject& subject, std::uint64_t seed = 1,
                   int effort = 1) {
  run_options options;
  options.seed = seed;
  options.effort = effort;
  options.shrink_tries = 20;
  options.properties = {&find_property(law)};
  return run_properties(subject, options, {});
}

// A subject that changes the problem before it answers rightly.
script rightly_after(std::function<void(problem&)> change) {
  return [change](problem& p, tensor& o, tensor* lse) {
    problem other = p;
    change(other);
    return scripted_subject::answer_rightly(other, o, lse);
  };
}

struct defect {
  const char* law;
  const char* name;
  std::function<script()> make;  // with a state of its own

  friend std::ostream& operator<<(std::ostream& out, const defect& x) {
    return out << x.law << ": " << x.name;
  }
};

void with_tiled_heads(problem& p) { p.rules.heads = head_map::tile; }

void with_a_wider_window(problem& p) {
  if (p.sliding.left >= 0) ++p.sliding.left;
}

void with_longer_lengths(problem& p) {
  for (std::int64_t& length : p.lengths) length = std::min(length + 1, p.dims.keys);
}

void without_mask(problem& p) { p.mask.reset(); }

void with_a_sink_of_0(problem& p) {
  p.sink.assign(static_cast<std::size_t>(p.dims.query_heads), 0);
}

void to_top_left(problem& p) {
  if (p.causal == causal_anchor::bottom_right) p.causal = causal_anchor::top_left;
}

void with_first_head_for_all(problem& p) {
  const tensor k = p.k;
  for_each_index(k.sizes(), [&](const index4& i) { p.k.set(i, k.at({i[0], 0, i[2], i[3]})); });
}

void with_longest_length_for_all(problem& p) {
  for (std::int64_t& length : p.lengths)
    length = *std::max_element(p.lengths.begin(), p.lengths.end());
}

void with_finite_infinities(problem& p) {
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (p.bias && std::isinf(p.bias->at(i))) p.bias->set(i, -4);
  });
}

void with_a_key_of_the_future(problem& p) {
  if (p.causal == causal_anchor::none) return;
  const problem once = p;
  p = with_mask(p, 0b1101, [&](const row_index& row, std::int64_t key) {
    return key <= row.i + position_offset(once, row.b) + 1;
  });
  p.causal = causal_anchor::none;
}

// Reads v as if it lay the other way round.
void with_v_backwards(problem& p) {
  if (p.v.where().strides[2] >= 0) return;
  const tensor v = p.v;
  for_each_index(v.sizes(), [&](index4 i) {
    p.v.set(i, v.at({i[0], i[1], v.sizes()[2] - 1 - i[2], i[3]}));
  });
}

// Answers what it answered to the first problem of that shape at that address.
script cached_by_address() {
  const auto cache = std::make_shared<std::map<const void*, problem>>();
  return [cache](problem& p, tensor& o, tensor* lse) {
    const auto [found, fresh] = cache->try_emplace(p.k.data(), p);
    problem& known = found->second;
    if (!(known.dims == p.dims)) known = p;
    return scripted_subject::answer_rightly(known, o, lse);
  };
}

// Answers again what it answered before to the same sizes and first query.
script cached_by_query() {
  const auto known = std::make_shared<problem>();
  return [known](problem& p, tensor& o, tensor* lse) {
    const index4 first{0, 0, 0, 0};
    if (!(known->dims == p.dims) || known->q.at(first) != p.q.at(first)) *known = p;
    return scripted_subject::answer_rightly(*known, o, lse);
  };
}

// Every tenth answer is off.
script off_now_and_then() {
  const auto calls = std::make_shared<int>(0);
  return [calls](problem& p, tensor& o, tensor* lse) {
    const auto outcome = scripted_subject::answer_rightly(p, o, lse);
    if (++*calls % 10 == 0)
      for_each_index(o.sizes(), [&](const index4& i) { o.set(i, o.at(i) / 2 + 1); });
    return outcome;
  };
}

script with_lse_in_base_2() {
  return [](problem& p, tensor& o, tensor* lse) {
    p.rules.base = lse_base::two;
    const auto outcome = scripted_subject::answer_rightly(p, o, lse);
    p.rules.base = lse_base::e;
    return outcome;
  };
}

template <void (*Change)(problem&)>
script after() {
  return rightly_after(Change);
}

const std::vector<defect>& defects() {
  static const std::vector<defect> list{
      {"grouped_heads_equal_expanded_heads", "heads in the wrong groups", after<with_tiled_heads>},
      {"heads_are_independent", "K of the first head for all", after<with_first_head_for_all>},
      {"batch_rows_are_independent", "the longest length for all",
       after<with_longest_length_for_all>},
      {"repeated_calls_agree", "answers cached by address", cached_by_address},
      {"repeated_calls_agree", "answers cached by query", cached_by_query},
      {"repeated_calls_agree", "off every tenth time", off_now_and_then},
      {"layouts_agree", "a negative stride ignored", after<with_v_backwards>},
      {"causal_equals_its_mask", "the wrong corner", after<to_top_left>},
      {"window_equals_its_mask", "a key too wide", after<with_a_wider_window>},
      {"infinite_bias_equals_mask", "-inf clamped", after<with_finite_infinities>},
      {"padding_changes_nothing", "a key beyond the length", after<with_longer_lengths>},
      {"padding_changes_nothing", "masks ignored", after<without_mask>},
      {"prefixes_do_not_see_the_future", "a key of the future", after<with_a_key_of_the_future>},
      {"chunks_equal_one_shot", "the wrong corner", after<to_top_left>},
      {"parts_merge_to_the_whole", "lse in base 2", with_lse_in_base_2},
      {"parts_merge_to_the_whole", "a sink in every part", after<with_a_sink_of_0>},
  };
  return list;
}

// ---- What is wrong ----

class structural_defect : public testing::TestWithParam<defect> {};

TEST_P(structural_defect, violates_its_law) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    scripted_subject subject(feature_set::all(), false);
    subject.does(GetParam().make());
    EXPECT_EQ(run_law(GetParam().law, subject, seed, 2).outcome(), verdict::violated)
        << GetParam().law << ": " << GetParam().name << ", seed " << seed;
  }
}

std::string name_of_defect(const testing::TestParamInfo<defect>& info) {
  std::string name = info.param.law + std::string("_") + info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(every, structural_defect, testing::ValuesIn(defects()), name_of_defect);

// ---- What is right ----

std::vector<std::string_view> structural_laws() {
  std::vector<std::string_view> laws;
  for (const defect& d : defects())
    if (laws.empty() || laws.back() != d.law) laws.push_back(d.law);
  return laws;
}

class structural_law : public testing::TestWithParam<std::string_view> {};

TEST_P(structural_law, holds_for_a_right_subject_under_every_profile) {
  std::vector<std::string> profiles{"attest,lse_sink=left_out"};
  for (const profile& each : all_profiles()) profiles.emplace_back(each.name);
  for (const std::string& name : profiles) {
    scripted_subject subject;
    subject.declares().profile = name;
    EXPECT_EQ(run_law(GetParam(), subject).outcome(), verdict::holds) << name;
  }
}

// Declared features are few, one is missing, or the law has nothing to say.
TEST_P(structural_law, asks_only_what_is_declared) {
  for (const feature missing : members(feature_set::all())) {
    for (const feature_set declared :
         {feature_set::all().without(missing), feature_set().with(missing)}) {
      scripted_subject subject(declared);
      subject.does([&](problem& p, tensor& o, tensor* lse) {
        EXPECT_TRUE(declared.contains(p.asks())) << GetParam() << ": " << to_string(p.asks());
        return scripted_subject::answer_rightly(p, o, lse);
      });
      const verdict outcome = run_law(GetParam(), subject).outcome();
      EXPECT_FALSE(is_failure(outcome)) << name_of(missing) << ": " << name_of(outcome);
    }
  }
}

std::string name_of_law(const testing::TestParamInfo<std::string_view>& info) {
  return std::string(info.param);
}

INSTANTIATE_TEST_SUITE_P(every, structural_law, testing::ValuesIn(structural_laws()), name_of_law);

// ---- Capabilities: bits that differ are due, or only observed ----

double next_float(double x) {
  return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

// Right but for the last bit, where `differs` says so.
script with_other_bits(std::function<bool(const problem&)> differs) {
  return [differs](problem& p, tensor& o, tensor* lse) {
    const auto outcome = scripted_subject::answer_rightly(p, o, lse);
    const index4 first{0, 0, 0, 0};
    if (differs(p) && std::fabs(o.at(first)) > 0x1p-60) o.set(first, next_float(o.at(first)));
    return outcome;
  };
}

struct capability_case {
  const char* law;
  bool contract::*declared;
  std::function<std::function<bool(const problem&)>()> differs;
};

const std::vector<capability_case>& capability_cases() {
  static const std::vector<capability_case> list{
      {"batch_rows_are_independent", &contract::batch_invariant,
       [] { return [](const problem& p) { return p.dims.batch > 1; }; }},
      {"heads_are_independent", &contract::batch_invariant,
       [] { return [](const problem& p) { return p.dims.kv_heads > 1; }; }},
      {"layouts_agree", &contract::layout_invariant,
       [] { return [](const problem& p) { return p.asks().has(feature::strides); }; }},
      {"repeated_calls_agree", &contract::deterministic,
       [] {
         const auto calls = std::make_shared<int>(0);
         return [calls](const problem&) { return ++*calls % 3 == 0; };
       }},
  };
  return list;
}

std::int64_t differences(const run_result& r) {
  std::int64_t sum = 0;
  for (const group_result& g : r.groups) sum += g.differences;
  return sum;
}

TEST(capability, bits_that_differ_violate_a_law_only_where_the_contract_promises_them) {
  for (const capability_case& each : capability_cases()) {
    for (const bool declared : {false, true}) {
      contract promises = default_contract(f32);
      promises.*each.declared = declared;
      scripted_subject subject(feature_set::all(), false);
      subject.declares().contracts = {promises};
      subject.does(with_other_bits(each.differs()));
      const run_result r = run_law(each.law, subject);
      EXPECT_EQ(r.outcome(), declared ? verdict::violated : verdict::holds) << each.law;
      EXPECT_TRUE(declared || differences(r) > 0) << each.law;
    }
  }
}

TEST(capability, a_subject_that_keeps_its_promises_holds) {
  for (const capability_case& each : capability_cases()) {
    contract promises = default_contract(f32);
    promises.deterministic = promises.batch_invariant = promises.layout_invariant = true;
    scripted_subject subject;
    subject.declares().contracts = {promises};
    const run_result r = run_law(each.law, subject);
    EXPECT_EQ(r.outcome(), verdict::holds) << each.law;
    EXPECT_EQ(differences(r), 0) << each.law;
  }
}

}  // namespace
}  // namespace attest
