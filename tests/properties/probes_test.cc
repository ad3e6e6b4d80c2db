// Each law that probes a black box: it holds for what is right, and one wrong subject was made for
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "properties/catalogue/catalogue.h"
#include "properties/run.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

run_result run_law(std::string_view law, subject& s, std::uint64_t seed = default_seed) {
  run_options options;
  options.seed = seed;
  options.shrink_tries = 0;
  options.properties = {&find_property(law)};
  return run_properties(s, options, {});
}

// ---- Wrong subjects: most answer another problem than the one they were asked ----

answer_outcome answer_rightly(const problem& p, tensor& o, tensor* lse) {
  problem copy = p;
  return scripted_subject::answer_rightly(copy, o, lse);
}

template <class Change>
scripted_subject::script after(Change change) {
  return [=](problem& p, tensor& o, tensor* lse) {
    problem other = p;
    change(other);
    return answer_rightly(other, o, lse);
  };
}

double scale_of(const problem& p) {
  return p.scale.value_or(1 / std::sqrt(static_cast<double>(p.dims.width)));
}

void steepen(problem& p) { p.scale = 1.01 * scale_of(p); }
void take_scale_without_sign(problem& p) { p.scale = std::fabs(scale_of(p)); }
void limit_soft_cap(problem& p) { p.soft_cap = std::min(p.soft_cap, 30.0); }
void tile_heads(problem& p) { p.rules.heads = head_map::tile; }

void drop_last_key(problem& p) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    lengths.push_back(std::max<std::int64_t>(1, p.valid_keys(b) - 1));
  p.lengths = lengths;
}

// A key of zeros at the end of a tile, which counts as one of score 0.
void count_padding(problem& p) {
  if (p.sink.empty()) p.sink.assign(static_cast<std::size_t>(p.dims.query_heads), 0);
}

void limit_sinks(problem& p) {
  for (double& s : p.sink) s = std::clamp(s, -5.0, 20.0);
}

void ignore_first_coordinate(problem& p) {
  for_each_index(p.q.sizes(), [&](const index4& i) {
    if (i[3] == 0) p.q.set(i, 0);
  });
}

void clip_values(problem& p) {
  for_each_index(p.v.sizes(),
                 [&](const index4& i) { p.v.set(i, std::clamp(p.v.at(i), -6.0, 6.0)); });
}

placement dense_scores(const problem& p) { return broadcast(p.dims.score_sizes(), 0b1111); }

// -30 on the score of a masked key.
void mask_by_sentinel(problem& p) {
  if (!p.mask) return;
  tensor bias(f32, dense_scores(p), 0);
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    const double own = p.bias ? p.bias->at(i) : 0;
    bias.set(i, static_cast<float>(p.mask->at(i) ? own : own - 30));
  });
  p.bias = bias;
  p.mask.reset();
}

bool equal_keys(const problem& p, std::int64_t b, std::int64_t g, std::int64_t j, std::int64_t k) {
  for (std::int64_t t = 0; t < p.dims.width; ++t)
    if (p.k.at(b, g, j, t) != p.k.at(b, g, k, t)) return false;
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    if (p.v.at(b, g, j, d) != p.v.at(b, g, k, d)) return false;
  return true;
}

void take_equal_keys_for_one(problem& p) {
  boolean_tensor mask(dense_scores(p));
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    const bool repeats = i[3] > 0 && equal_keys(p, i[0], p.kv_head(i[1]), i[3] - 1, i[3]);
    mask.set(i, !repeats && (!p.mask || p.mask->at(i)));
  });
  p.mask = mask;
}

void add_to_output(tensor& o, double share) {
  for_each_index(o.sizes(), [&](const index4& i) {
    o.set(i, static_cast<float>(o.at(i) + share * (o.at(i) + 1)));
  });
}

answer_outcome inflate_output(problem& p, tensor& o, tensor* lse) {
  const answer_outcome outcome = answer_rightly(p, o, lse);
  for_each_index(o.sizes(), [&](const index4& i) { o.set(i, static_cast<float>(1.01 * o.at(i))); });
  return outcome;
}

// A NaN anywhere is one everywhere.
answer_outcome spread_nan(problem& p, tensor& o, tensor* lse) {
  const answer_outcome outcome = answer_rightly(p, o, lse);
  double sum = 0;
  for_each_index(o.sizes(), [&](const index4& i) { sum += o.at(i); });
  if (std::isnan(sum)) add_to_output(o, sum);
  return outcome;
}

// Whatever lies in the storage, gaps included, leaves a trace.
answer_outcome read_gaps(problem& p, tensor& o, tensor* lse) {
  const answer_outcome outcome = answer_rightly(p, o, lse);
  unsigned sum = 0;
  for (std::size_t n = 0; n < p.k.storage_bytes(); ++n)
    sum += std::to_integer<unsigned>(p.k.data()[n]);
  add_to_output(o, 0x1p-10 * (sum % 64));
  return outcome;
}

// 0 times the bias of every key, removed or not.
answer_outcome multiply_bias_by_0(problem& p, tensor& o, tensor* lse) {
  const answer_outcome outcome = answer_rightly(p, o, lse);
  double sum = 0;
  if (p.bias)
    for_each_index(p.dims.score_sizes(), [&](const index4& i) {
      if (p.bias->at(i) != -infinity) sum += 0 * p.bias->at(i);
    });
  add_to_output(o, sum);
  return outcome;
}

answer_outcome leave_bias_out_of_lse(problem& p, tensor& o, tensor* lse) {
  tensor unused = o;
  problem other = p;
  if (other.bias)
    for_each_index(p.dims.score_sizes(), [&](const index4& i) {
      if (p.bias->at(i) != -infinity) other.bias->set(i, 0);
    });
  answer_rightly(other, unused, lse);
  return answer_rightly(p, o, nullptr);
}

// exp with an error that repeats with every power of two, as a chord in each segment makes it.
double chord_exp(double x) {
  const double y = x * 1.4426950408889634;
  return std::ldexp(1 + (y - std::floor(y)), static_cast<int>(std::floor(y)));
}

// Only for two keys without any feature but cross lengths and value width.
answer_outcome attend_by_chords(problem& p, tensor& o, tensor*) {
  const auto score = [&](const index4& i, std::int64_t key) {
    double sum = 0;
    for (std::int64_t t = 0; t < p.dims.width; ++t)
      sum += p.q.at(i[0], i[1], i[2], t) * p.k.at(i[0], i[1], key, t);
    return sum * scale_of(p);
  };
  for_each_index(o.sizes(), [&](const index4& i) {
    const double difference = score(i, 1) - score(i, 0);
    const double a = chord_exp(-std::max(difference, 0.0)),
                 b = chord_exp(std::min(difference, 0.0));
    const double mixed = a * p.v.at(i[0], i[1], 0, i[3]) + b * p.v.at(i[0], i[1], 1, i[3]);
    o.set(i, static_cast<float>(mixed / (a + b)));
  });
  return {};
}

// ---- The laws against them ----

struct wrong_subject {
  const char* law;
  const char* defect;
  scripted_subject::script does;
  feature_set features = feature_set::all();

  friend std::ostream& operator<<(std::ostream& out, const wrong_subject& x) {
    return out << x.law << ": " << x.defect;
  }
};

const wrong_subject wrong_subjects[] = {
    {"weights_match_definition", "a scale 1 % too large", after(steepen)},
    {"kept_keys_share_alike", "the last key dropped", after(drop_last_key)},
    {"one_key_returns_its_value", "a padding key that counts", after(count_padding)},
    {"weight_ratio_is_exp_of_score_difference", "exp by chords", attend_by_chords,
     feature_set().with(feature::cross_lengths).with(feature::value_width)},
    {"query_heads_use_their_kv_head", "tiled heads", after(tile_heads)},
    {"a_nan_stays_where_it_is_seen", "one NaN for all", spread_nan},
    {"huge_values_do_not_leak", "a mask of -30", after(mask_by_sentinel)},
    {"nothing_unread_is_read", "gaps that leave a trace", read_gaps},
    {"nothing_unread_is_read", "0 * NaN in the bias", multiply_bias_by_0},
    {"duplicated_key_adds_log_2", "equal keys taken for one", after(take_equal_keys_for_one)},
    {"linear_in_values", "values clipped at 6", after(clip_values)},
    {"output_in_hull_of_values", "an output 1 % too large", inflate_output},
    {"rotation_of_q_and_k_changes_nothing", "a coordinate of q ignored",
     after(ignore_first_coordinate)},
    {"scale_goes_with_q", "the sign of the scale lost", after(take_scale_without_sign)},
    {"a_large_soft_cap_is_none", "a cap of 30 at most", after(limit_soft_cap)},
    {"a_low_sink_is_none", "sinks of -5 at least", after(limit_sinks)},
    {"a_high_sink_takes_all", "sinks of 20 at most", after(limit_sinks)},
    {"lse_follows_the_bias", "lse without the bias", leave_bias_out_of_lse},
};

class probe : public testing::TestWithParam<wrong_subject> {};

TEST_P(probe, catches_the_subject_made_for_it) {
  scripted_subject wrong(GetParam().features);
  wrong.does(GetParam().does);
  const run_result r = run_law(GetParam().law, wrong);
  EXPECT_EQ(r.outcome(), verdict::violated) << GetParam().defect;
}

TEST_P(probe, holds_for_the_definition_in_float_with_every_seed) {
  scripted_subject right(GetParam().features);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const run_result r = run_law(GetParam().law, right, seed);
    EXPECT_EQ(r.outcome(), verdict::holds) << "seed " << seed;
    for (const std::string& sentence : r.not_judged)
      EXPECT_EQ(sentence.find("property"), std::string::npos) << sentence;
  }
}

// Every value of every field of the semantics, on its own.
std::vector<std::string> conventions() {
  std::vector<std::string> list;
  for (const semantics_field& field : fields_of_convention())
    for (std::size_t value = 1; value < field.values.size(); ++value) {
      semantics rules;
      field.set(rules, value);
      list.push_back(profile_text(rules));
    }
  return list;
}

TEST_P(probe, holds_under_every_convention) {
  for (const std::string& profile : conventions()) {
    scripted_subject right(GetParam().features);
    right.declares().profile = profile;
    EXPECT_EQ(run_law(GetParam().law, right).outcome(), verdict::holds) << profile;
  }
}

std::string name_of_parameter(const testing::TestParamInfo<wrong_subject>& info) {
  std::string name = std::string(info.param.law) + "_" + info.param.defect;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(every, probe, testing::ValuesIn(wrong_subjects), name_of_parameter);

}  // namespace
}  // namespace attest
