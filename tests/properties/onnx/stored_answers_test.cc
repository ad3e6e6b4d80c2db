#include "properties/onnx/stored_answers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/arithmetic.h"
#include "reference/contract/presets.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"
#include "reference/input_error.h"
#include "tests/properties/exchange/file_bytes.h"
#include "tests/properties/onnx/small_case.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

array booleans(std::vector<std::int64_t> sizes, std::vector<double> values) {
  return {nullptr, std::move(sizes), std::move(values), element_kind::boolean};
}
array numbers(std::vector<std::int64_t> sizes, std::vector<double> values) {
  return {&f32, std::move(sizes), std::move(values), element_kind::floating};
}
array integers(std::vector<double> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {nullptr, {size}, std::move(values), element_kind::integer};
}

const onnx_conventions& edition(const char* name) { return find_onnx_edition(name).conventions; }

judgement judge(const attention_call& c, const onnx_conventions& o) {
  return judge_stored(c, o, {contracts_for(c).back(), {}});
}

std::vector<std::string> agreeing(const attention_call& c) {
  std::vector<std::string> names;
  for (const onnx_edition& e : onnx_editions()) {
    const judgement j = judge(c, e.conventions);
    // What does not matter to the call changes nothing.
    EXPECT_EQ(judge(c, what_matters(e.conventions, c)).outcome, j.outcome) << e.name;
    if (j.outcome == verdict::holds && j.undecided == 0) names.emplace_back(e.name);
  }
  return names;
}

using editions = std::vector<std::string>;
const editions every{"1.18", "1.19", "1.19.1", "1.22"};

attention_call with_means(const small_case& c, const kept_key& kept) {
  const std::int64_t group = c.query_heads / c.kv_heads;
  return c.call(c.output([&](std::int64_t b, std::int64_t h, std::int64_t i) {
    return mean_of_kept(c, b, h / group, i, kept);
  }));
}

struct kept_keys {
  const char* why;
  small_case given;
  kept_key kept;
  editions agree;
};

TEST(stored_answers, are_told_by_the_keys_they_keep) {
  const onnx_attribute causal = integer("is_causal", 1);
  const kept_keys table[] = {
      {"all keys", {}, [](auto, auto, auto) { return true; }, every},
      {"batch and heads",
       {.batch = 2, .query_heads = 2, .kv_heads = 2},
       [](auto, auto, auto) { return true; },
       every},
      {"one KV head serves all", {.query_heads = 3}, [](auto, auto, auto) { return true; }, every},
      {"heads repeat",
       {.query_heads = 4, .kv_heads = 2},
       [](auto, auto, auto) { return true; },
       {"1.19.1", "1.22"}},
      {"rank 3 is transposed",
       {.query_heads = 2, .kv_heads = 2, .packed = true},
       [](auto, auto, auto) { return true; },
       {"1.19", "1.19.1", "1.22"}},
      {"causal from the first key",
       {.attributes = {causal}},
       [](auto, auto i, auto j) { return j <= i; },
       every},
      {"causal behind the past",
       {.past = 2, .attributes = {causal}},
       [](auto, auto i, auto j) { return j <= i + 2; },
       {"1.19.1", "1.22"}},
      {"causal as if there were no past",
       {.past = 2, .attributes = {causal}},
       [](auto, auto i, auto j) { return j <= i; },
       {"1.18", "1.19"}},
      {"causal behind a past, more keys than queries",
       {.queries = 1, .past = 1, .fresh = 4, .attributes = {causal}},
       [](auto, auto, auto j) { return j <= 1; },
       {"1.19.1", "1.22"}},
      {"valid keys",
       {.batch = 2, .nonpad = integers({1, 3})},
       [](auto b, auto, auto j) { return j < (b == 0 ? 1 : 3); },
       every},
      {"causal, the last query at the last valid key",
       {.batch = 2, .attributes = {causal}, .nonpad = integers({2, 3})},
       [](auto b, auto i, auto j) { return j <= i + b; },
       {"1.22"}},
      {"causal, valid keys, from the first key",
       {.batch = 2, .attributes = {causal}, .nonpad = integers({2, 3})},
       [](auto, auto i, auto j) { return j <= i; },
       {"1.18", "1.19", "1.19.1"}},
      {"a mask of rank 2",
       {.attn_mask = booleans({2, 3}, {1, 0, 1, 0, 1, 1})},
       [](auto, auto i, auto j) { return i == 0 ? j != 1 : j != 0; },
       every},
      {"a mask of rank 4 for each batch row",
       {.batch = 2, .attn_mask = booleans({2, 1, 1, 3}, {1, 0, 1, 0, 1, 1})},
       [](auto b, auto, auto j) { return b == 0 ? j != 1 : j != 0; },
       every},
      {"a mask of rank 1",
       {.attn_mask = booleans({3}, {0, 1, 1})},
       [](auto, auto, auto j) { return j > 0; },
       every},
      {"a bias of -inf",
       {.attn_mask = numbers({1, 3}, {0, -infinity, 0})},
       [](auto, auto, auto j) { return j != 1; },
       every},
      {"a short mask masks the rest",
       {.attn_mask = booleans({2, 2}, {1, 1, 0, 1})},
       [](auto, auto i, auto j) { return j < 2 && (i == 0 || j == 1); },
       every},
      {"a mask of one column masks the rest",
       {.attn_mask = booleans({2, 1}, {1, 1})},
       [](auto, auto, auto j) { return j == 0; },
       {"1.19", "1.19.1", "1.22"}},
      {"a mask of one column is broadcast",
       {.attn_mask = booleans({2, 1}, {1, 1})},
       [](auto, auto, auto) { return true; },
       {"1.18"}},
      {"a window",
       {.queries = 4,
        .fresh = 4,
        .opset = 25,
        .attributes = {integer("left_window_size", 1), integer("right_window_size", 0)}},
       [](auto, auto i, auto j) { return i - 1 <= j && j <= i; },
       every},
      {"a window behind a past, open to the right",
       {.queries = 2,
        .past = 2,
        .fresh = 3,
        .opset = 25,
        .attributes = {integer("left_window_size", 1)}},
       [](auto, auto i, auto j) { return i + 1 <= j; },
       {"1.19.1", "1.22"}},
      {"empty rows are 0",
       {.attn_mask = booleans({2, 3}, {0, 0, 0, 1, 1, 1})},
       [](auto, auto i, auto) { return i == 1; },
       {"1.22"}},
      {"no valid key", {.nonpad = integers({0})}, [](auto, auto, auto) { return false; }, {"1.22"}},
      {"queries before the first key",
       {.queries = 3, .attributes = {causal}, .nonpad = integers({1})},
       [](auto, auto i, auto j) { return j <= i - 2; },
       {"1.22"}},
  };
  for (const kept_keys& row : table)
    EXPECT_EQ(agreeing(with_means(row.given, row.kept)), row.agree) << row.why;
}

TEST(stored_answers, tell_tiled_heads) {
  const small_case c{.query_heads = 4, .kv_heads = 2};
  const auto call = c.call(c.output([&](auto b, auto h, auto i) {
    return mean_of_kept(c, b, h % 2, i, [](auto, auto, auto) { return true; });
  }));
  EXPECT_EQ(agreeing(call), (editions{"1.18", "1.19"}));
}

// [B, L, H] read as [B, H, L]: number h L + l of the row is that of position n / H, head n % H.
TEST(stored_answers, tell_reshaped_heads) {
  const small_case c{.query_heads = 2, .kv_heads = 2, .packed = true};
  const auto call = c.call(c.output([&](auto b, auto h, auto) {
    double sum = 0;
    for (std::int64_t n = 3 * h; n < 3 * h + 3; ++n) sum += small_case::value(b, n % 2, n / 2);
    return round_to(f32, {}, sum / 3);
  }));
  EXPECT_EQ(agreeing(call), (editions{"1.18"}));
}

TEST(stored_answers, tell_empty_rows_of_nan) {
  const small_case c{.attn_mask = booleans({2, 3}, {0, 0, 0, 1, 1, 1})};
  const auto call = c.call(c.output([](auto, auto, auto i) { return i == 0 ? nan : 2; }));
  EXPECT_EQ(agreeing(call), (editions{"1.18", "1.19", "1.19.1"}));
}

// Scores are 0, capped at 2. A masked key of an old edition has the score -2, and stays.
TEST(stored_answers, tell_a_cap_that_acts_on_the_mask) {
  const small_case c{.queries = 1,
                     .fresh = 2,
                     .attributes = {{"softcap", 2.0}},
                     .attn_mask = booleans({1, 2}, {0, 1})};
  const double leaked = exp_double(-2.0);
  const auto capped = c.call(c.output([&](auto, auto, auto) {
    return round_to(f32, {}, (leaked + 2) / (leaked + 1));  // values 1 and 2
  }));
  EXPECT_EQ(agreeing(capped), (editions{"1.18", "1.19", "1.19.1"}));
  const auto masked = c.call(c.output([](auto, auto, auto) { return 2; }));
  EXPECT_EQ(agreeing(masked), (editions{"1.22"}));
}

struct stored_scores_row {
  const char* why;
  std::int64_t mode;
  std::vector<double> scores;
  editions agree;
};

// Scores 0, a bias of (4, -inf), capped at 2; Y agrees with 1.22 alone, so the editions are asked
// one by one about the scores.
TEST(stored_answers, hold_scores_at_the_stage_that_the_mode_names) {
  const double capped_4 = round_to(f32, {}, 2 * tanh_double(2.0));
  const stored_scores_row table[] = {
      {"raw", 0, {0, 0}, {"1.22", "1.18"}},
      {"mode 1: capped, not masked", 1, {0, 0}, {"1.22"}},
      {"mode 1: masked, not capped", 1, {4, -infinity}, {"1.18"}},
      {"mode 2: capped, then masked", 2, {4, -infinity}, {"1.22"}},
      {"mode 2: masked, then capped", 2, {capped_4, -2}, {"1.18"}},
      {"mode 3: weights", 3, {1, 0}, {"1.22"}},
      {"no stage", 1, {4, 0}, {}},
  };
  for (const stored_scores_row& row : table) {
    const small_case c{.queries = 1,
                       .fresh = 2,
                       .attributes = {{"softcap", 2.0}, integer("qk_matmul_output_mode", row.mode)},
                       .attn_mask = numbers({1, 2}, {4, -infinity})};
    attention_call call =
        c.call(c.output([](auto, auto, auto) { return 0; }), numbers({1, 1, 1, 2}, row.scores));
    call.y.reset();
    for (const char* name : {"1.22", "1.18"}) {
      const bool agrees = judge(call, edition(name)).outcome == verdict::holds;
      const bool should = std::find(row.agree.begin(), row.agree.end(), name) != row.agree.end();
      EXPECT_EQ(agrees, should) << row.why << ", edition " << name;
    }
  }
}

TEST(stored_answers, hold_raw_scores_after_a_soft_cap_that_is_not_there) {
  const auto with_mode = [](std::int64_t mode) {
    const small_case c{.queries = 1,
                       .fresh = 2,
                       .attributes = {integer("qk_matmul_output_mode", mode)},
                       .attn_mask = booleans({1, 2}, {1, 0})};
    return c.call(c.output([](auto, auto, auto) { return 1; }), numbers({1, 1, 1, 2}, {0, 0}));
  };
  EXPECT_EQ(agreeing(with_mode(1)), (editions{"1.22"}));
  EXPECT_EQ(agreeing(with_mode(2)), (editions{"1.18", "1.19", "1.19.1"}));
}

TEST(stored_answers, hold_empty_weights_as_the_edition_has_them) {
  const small_case c{.queries = 1,
                     .fresh = 2,
                     .attributes = {integer("qk_matmul_output_mode", 3)},
                     .attn_mask = booleans({1, 2}, {0, 0})};
  const auto with = [&](double y, double weight) {
    return c.call(c.output([&](auto, auto, auto) { return y; }),
                  numbers({1, 1, 1, 2}, {weight, weight}));
  };
  EXPECT_EQ(agreeing(with(0, 0)), (editions{"1.22"}));
  EXPECT_EQ(agreeing(with(nan, nan)), (editions{"1.18", "1.19", "1.19.1"}));
  EXPECT_EQ(agreeing(with(0, nan)), editions{});
}

attention_call plain_call(double added) {
  const small_case c{.queries = 1};
  return c.call(c.output([&](auto, auto, auto) { return 2 + added; }));  // the mean of 1, 2, 3
}

TEST(stored_answers, are_counted_in_ulps) {
  struct {
    double added;
    std::size_t bin;
    std::int64_t worst;
  } table[] = {{0, 0, 0},        {0x1p-22, 1, 1}, {-0x1p-23, 1, 1}, {0x1p-21, 2, 2},
               {0x1p-20, 3, 4},  {0x1p-19, 4, 8}, {0x1p-18, 5, 16}, {0x1p-17, 6, 32},
               {infinity, 7, 0}, {nan, 7, 0}};
  for (const auto& row : table) {
    const ulp_histogram ulps = count_ulps(plain_call(row.added), edition("1.22"));
    EXPECT_EQ(ulps.elements(), 1);
    EXPECT_EQ(ulps.counts()[row.bin], 1) << row.added;
    EXPECT_EQ(ulps.worst(), row.worst) << row.added;
  }
}

TEST(stored_answers, beyond_the_bound_are_violated) {
  EXPECT_EQ(judge(plain_call(0x1p-22), edition("1.22")).outcome, verdict::holds);
  const judgement j = judge(plain_call(0x1p-10), edition("1.22"));
  EXPECT_EQ(j.outcome, verdict::violated);
  ASSERT_TRUE(j.worst);
  EXPECT_EQ(j.worst->where, "Y[b=0,h=0,i=0,d=0]");
  EXPECT_EQ(judge(plain_call(nan), edition("1.22")).outcome, verdict::violated);
}

TEST(stored_answers, of_the_cache_are_exact) {
  const small_case c{.past = 2};
  const auto all = [](auto, auto, auto) { return true; };
  attention_call call = with_means(c, all);
  EXPECT_EQ(agreeing(call), every);
  call.present_value->values[3] = std::nextafter(call.present_value->values[3], 9);
  const judgement j = judge(call, edition("1.22"));
  EXPECT_EQ(j.outcome, verdict::violated);
  EXPECT_EQ(j.worst->where, "present_value[b=0,h=0,i=3,d=0]");
}

TEST(stored_answers, in_16_bits_are_judged_on_the_tightest_contract_that_holds) {
  for (const format* type : {&f16, &bf16}) {
    const small_case c{.type = type};
    const auto call = with_means(c, [](auto, auto, auto) { return true; });
    const auto contracts = contracts_for(call);
    ASSERT_EQ(contracts.size(), 3u);
    for (const contract& kept : contracts) {
      EXPECT_EQ(*kept.output, *type);
      // Of every stage in bf16 the bound is too wide to tell anything.
      const judgement j = judge_stored(call, edition("1.22"), {kept, {}});
      EXPECT_EQ(j.outcome, kept.name == "bf16-accumulate" ? verdict::undecided : verdict::holds)
          << kept.name;
    }
    EXPECT_EQ(*contracts.back().exponent.number, *type);
  }
}

TEST(stored_answers, with_a_softmax_of_its_own_type_are_judged_so) {
  const small_case half{.type = &f16, .attributes = {integer("softmax_precision", 1)}};
  const auto in_f32 = contracts_for(with_means(half, [](auto, auto, auto) { return true; })).back();
  EXPECT_EQ(*in_f32.exponent.number, f32);
  EXPECT_EQ(*in_f32.score_storage.number, f16);
  const small_case single{.attributes = {integer("softmax_precision", 10)}};
  const auto in_f16 =
      contracts_for(with_means(single, [](auto, auto, auto) { return true; })).back();
  EXPECT_EQ(*in_f16.weight_storage.number, f16);
  EXPECT_EQ(*in_f16.output_sum.number, f32);
}

// --- What is read, and what is refused ---

struct model_row {
  std::function<void(onnx_model&)> change;
  const char* why;
};

TEST(why_not_judged, names_what_the_model_holds_instead) {
  const model_row table[] = {
      {[](onnx_model&) {}, ""},
      {[](onnx_model& m) { m.opset = 28; }, ""},
      {[](onnx_model& m) { m.opset = 22; }, "opset 22"},
      {[](onnx_model& m) { m.opset = 29; }, "opset 29"},
      {[](onnx_model& m) { m.nodes.push_back(m.nodes[0]); }, "a graph of 2 nodes"},
      {[](onnx_model& m) {
         m.nodes[0].op_type = "FlexAttention";
         m.nodes[0].domain = "ai.onnx.preview";
       },
       "FlexAttention (ai.onnx.preview)"},
      {[](onnx_model& m) { m.nodes[0].op_type = "LinearAttention"; }, "LinearAttention"},
      {[](onnx_model& m) { m.nodes[0].domain = "com.microsoft"; }, "Attention (com.microsoft)"},
      {[](onnx_model& m) { m.nodes[0].attributes = {integer("is_square", 1)}; },
       "attribute is_square"},
      {[](onnx_model& m) { m.nodes[0].attributes = {integer("left_window_size", 1)}; },
       "attribute left_window_size in opset 24"},
      {[](onnx_model& m) { m.nodes[0].attributes = {integer("qk_matmul_output_mode", 4)}; },
       "this value of the attribute qk_matmul_output_mode"},
      {[](onnx_model& m) {
         m.nodes[0].attributes = {{"scale", -1.0}};
       },
       "this value of the attribute scale"},
      {[](onnx_model& m) {
         m.nodes[0].attributes = {{"scale", std::int64_t{1}}};
       },
       "this value of the attribute scale"},
      {[](onnx_model& m) {
         m.nodes[0].attributes = {{"softcap", infinity}};
       },
       "this value of the attribute softcap"},
      {[](onnx_model& m) { m.nodes[0].attributes = {integer("softmax_precision", 8)}; },
       "this value of the attribute softmax_precision"},
      {[](onnx_model& m) { m.nodes[0].outputs = {""}; }, "no output Y"},
      {[](onnx_model& m) { m.initializers = {"K"}; }, "an input that the model holds itself"},
  };
  for (const model_row& row : table) {
    onnx_model m = small_case{}.model();
    row.change(m);
    EXPECT_EQ(why_not_judged(m), row.why);
  }
}

struct call_row {
  small_case given;
  std::function<void(onnx_data_set&)> change;
  const char* message;
};

TEST(attention_call, that_does_not_fit_is_refused) {
  const auto sizes = [](std::size_t input, std::vector<std::int64_t> to) {
    return [=](onnx_data_set& set) { set.inputs[input].held.sizes = to; };
  };
  const call_row table[] = {
      {{}, [](onnx_data_set& s) { s.inputs.pop_back(); }, "2 files for 3 values"},
      {{}, sizes(0, {2}), "Q has rank 1"},
      {{}, sizes(0, {1, 2, 1}), "K has another rank than Q"},
      {{}, [](onnx_data_set& s) { s.inputs[1].held.element = &f16; }, "K has another type than Q"},
      {{},
       [](onnx_data_set& s) { s.inputs[0].held.kind = element_kind::integer; },
       "Q holds no floating numbers"},
      {{}, sizes(1, {2, 1, 3, 1}), "K does not fit Q"},
      {{}, sizes(2, {1, 1, 2, 1}), "V does not fit K"},
      {{.query_heads = 2, .kv_heads = 2}, sizes(0, {1, 1, 4, 1}), "Q has 1 heads and K 2"},
      {{.attn_mask = booleans({5}, {1, 1, 1, 1, 1})},
       [](onnx_data_set&) {},
       "attn_mask has sizes [5]"},
      {{.attn_mask = booleans({2, 1, 3}, {1, 1, 1, 1, 1, 1})},
       [](onnx_data_set&) {},
       "attn_mask has sizes [2, 1, 3]"},
      {{.past = 2}, sizes(3, {1, 1, 2, 2}), "past_key has sizes [1, 1, 2, 2]"},
      {{.nonpad = integers({4})}, [](onnx_data_set&) {}, "nonpad_kv_seqlen holds 4"},
      {{.nonpad = integers({-1})}, [](onnx_data_set&) {}, "nonpad_kv_seqlen holds -1"},
      {{.nonpad = integers({1, 1})}, [](onnx_data_set&) {}, "nonpad_kv_seqlen has sizes [2]"},
      {{},
       [](onnx_data_set& s) {
         s.outputs[0].held.sizes = {2, 1};
       },
       "Y has sizes [2, 1]"},
      {{}, [](onnx_data_set& s) { s.outputs[0].held.element = &f64; }, "Y has another type than Q"},
  };
  for (const call_row& row : table) {
    onnx_data_set set{
        "", row.given.inputs(), {{"", row.given.output([](auto, auto, auto) { return 0; })}}};
    if (row.given.past > 0) set.outputs.resize(3);
    row.change(set);
    const std::string message =
        message_of([&] { read_attention_call(row.given.model(), set, "case"); });
    EXPECT_NE(message.find(row.message), std::string::npos) << message;
    EXPECT_EQ(message.rfind("case: ", 0), 0u) << message;
  }
}

TEST(onnx_editions, are_found_by_name) {
  EXPECT_EQ(find_onnx_edition("1.18").conventions.packed, packed_heads::reshaped);
  EXPECT_NE(message_of([] { find_onnx_edition("2.0"); }).find("allowed: 1.18, 1.19, 1.19.1, 1.22"),
            std::string::npos);
}

TEST(onnx_editions, differ_in_what_matters_alone) {
  const auto plain = plain_call(0);
  for (const onnx_edition& e : onnx_editions())
    EXPECT_EQ(what_matters(e.conventions, plain), edition("1.22")) << e.name;
  EXPECT_EQ(conventions_text(edition("1.18"), plain), "");
  const small_case grouped{.query_heads = 4, .kv_heads = 2};
  const auto call = with_means(grouped, [](auto, auto, auto) { return true; });
  EXPECT_EQ(conventions_text(edition("1.18"), call), "heads=tile");
  // What comes before the cap is another score than what comes after it, masked or not.
  const small_case capped{.queries = 1,
                          .fresh = 1,
                          .attributes = {{"softcap", 2.0}, integer("qk_matmul_output_mode", 1)}};
  EXPECT_EQ(conventions_text(edition("1.18"),
                             capped.call(capped.output([](auto, auto, auto) { return 1; }),
                                         numbers({1, 1, 1, 1}, {0}))),
            "soft_cap=after_mask, qk_matmul_output_mode=bias_1_cap_2");
}

}  // namespace
}  // namespace attest
