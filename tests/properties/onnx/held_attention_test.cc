// Which problems a model takes, told by its operator, sizes and attributes.
#include "properties/onnx/held_attention.h"

#include <gtest/gtest.h>

#include "properties/onnx/model_subject.h"
#include "tests/properties/exchange/file_bytes.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

constexpr int float_type = 1, int32_type = 6, int64_type = 7, bool_type = 9, half_type = 10;

// A size of a graph: a number, or a name.
struct graph_size {
  graph_size(std::int64_t n) : number(n) {}
  graph_size(int n) : number(n) {}
  graph_size(const char* name) : symbol(name) {}
  std::int64_t number = open_size;
  std::string symbol;
};

onnx_value value(const char* name, const std::vector<graph_size>& sizes, int type = float_type) {
  onnx_value v{name, type, {}, {}};
  for (const graph_size& s : sizes) {
    v.sizes.push_back(s.number);
    v.symbols.push_back(s.symbol);
  }
  return v;
}

const std::vector<onnx_value> open_inputs{value("Q", {"B", "H", "L", "D"}),
                                          value("K", {"B", "G", "S", "D"}),
                                          value("V", {"B", "G", "S", "E"})};

onnx_model model_of(std::vector<std::string> names, std::vector<onnx_value> inputs,
                    std::vector<onnx_attribute> attributes = {}, const char* op = "Attention",
                    const char* domain = "") {
  onnx_model m;
  m.opset = 24;
  m.nodes.push_back({op, domain, std::move(names), {"Y"}, std::move(attributes)});
  m.inputs = std::move(inputs);
  m.outputs = {value("Y", {})};
  return m;
}

std::vector<onnx_value> with(std::vector<onnx_value> inputs, const std::vector<onnx_value>& more) {
  inputs.insert(inputs.end(), more.begin(), more.end());
  return inputs;
}

held_attention read(const onnx_model& m) { return read_held_attention(m, "m.onnx"); }
std::string refusal(const onnx_model& m) {
  return message_of([&] { read(m); });
}

std::string why_not(const held_attention& held, const char* line) {
  return why_not_taken(held.limits, materialise(parse_problem_line(line)));
}

TEST(held_attention, with_open_sizes_takes_any) {
  const held_attention held = read(model_of({"Q", "K", "V"}, open_inputs));
  EXPECT_EQ(to_string(held.features), "grouped_heads,cross_lengths,value_width");
  EXPECT_EQ(*held.inputs, f32);
  EXPECT_EQ(held.operator_name, "Attention 24");
  EXPECT_EQ(why_not(held, "B=2 Hq=4 Hkv=2 Lq=3 Lk=5 D=4 Dv=7 dtype=f32 seed=1"), "");
  EXPECT_EQ(why_not(held, "B=1 Hq=1 Hkv=1 Lq=3 Lk=3 D=4 Dv=4 causal=top_left seed=1"),
            "another causal triangle");
}

TEST(held_attention, takes_the_sizes_that_it_fixes_alone) {
  const held_attention held =
      read(model_of({"Q", "K", "V"}, {value("Q", {2, 4, "L", 8}), value("K", {2, 2, 6, 8}),
                                      value("V", {2, 2, 6, 8})}));
  EXPECT_EQ(to_string(held.features), "grouped_heads,cross_lengths");
  EXPECT_EQ(why_not(held, "B=2 Hq=4 Hkv=2 Lq=3 Lk=6 D=8 Dv=8 seed=1"), "");
  EXPECT_EQ(why_not(held, "B=2 Hq=4 Hkv=2 Lq=3 Lk=7 D=8 Dv=8 seed=1"), "Lk=7 (it has 6)");
}

TEST(held_attention, takes_equal_sizes_where_it_calls_them_by_one_name) {
  std::vector<onnx_value> inputs;
  for (const char* name : {"Q", "K", "V"}) inputs.push_back(value(name, {"B", "H", "L", "D"}));
  const held_attention held = read(model_of({"Q", "K", "V"}, inputs));
  EXPECT_TRUE(held.features.empty()) << to_string(held.features);
  EXPECT_EQ(why_not(held, "B=2 Hq=3 Hkv=3 Lq=3 Lk=5 D=8 Dv=8 seed=1"),
            "Lq=3 beside Lk=5 (they are equal)");
}

TEST(held_attention, of_rank_3_has_the_widths_of_its_heads) {
  const held_attention held = read(
      model_of({"Q", "K", "V"},
               {value("Q", {"B", "L", 24}), value("K", {"B", "S", 12}), value("V", {"B", "S", 20})},
               {{"q_num_heads", std::int64_t{4}},
                {"kv_num_heads", std::int64_t{2}},
                {"scale", 0.5},
                {"softcap", 2.0}}));
  EXPECT_EQ(held.limits.fixed(size_name::width), 6);
  EXPECT_EQ(held.limits.fixed(size_name::value_width), 10);
  EXPECT_EQ(why_not(held, "B=1 Hq=4 Hkv=2 Lq=3 Lk=5 D=6 Dv=10 scale=0.5 soft_cap=2 seed=1"), "");
  EXPECT_EQ(why_not(held, "B=1 Hq=4 Hkv=2 Lq=3 Lk=5 D=6 Dv=10 soft_cap=2 seed=1"), "another scale");
  EXPECT_EQ(why_not(held, "B=1 Hq=4 Hkv=2 Lq=3 Lk=5 D=6 Dv=10 scale=0.5 seed=1"),
            "another soft cap");
}

TEST(held_attention, takes_masks_of_the_axes_that_its_mask_has) {
  const held_attention boolean =
      read(model_of({"Q", "K", "V", "m"}, with(open_inputs, {value("m", {"L", "S"}, bool_type)})));
  EXPECT_TRUE(boolean.features.has(feature::mask));
  EXPECT_FALSE(boolean.features.has(feature::bias));
  EXPECT_EQ(why_not(boolean, "B=2 Hq=1 Hkv=1 Lq=3 Lk=5 D=4 Dv=4 mask=qk seed=1"), "");
  EXPECT_EQ(why_not(boolean, "B=2 Hq=1 Hkv=1 Lq=3 Lk=5 D=4 Dv=4 mask=bk seed=1"),
            "a mask of more axes");
  const held_attention added =
      read(model_of({"Q", "K", "V", "m"}, with(open_inputs, {value("m", {"B", 1, "L", "S"})})));
  EXPECT_TRUE(added.features.has(feature::infinite_bias));
  EXPECT_EQ(added.limits.bias_axes, 0b1101u);
}

TEST(held_attention, splits_keys_as_its_past_says) {
  const auto past = [](graph_size keys) {
    return std::vector<onnx_value>{value("pk", {"B", "G", keys, "D"}),
                                   value("pv", {"B", "G", keys, "E"})};
  };
  const std::vector<std::string> names{"Q", "K", "V", "", "pk", "pv"};
  const onnx_attribute causal{"is_causal", std::int64_t{1}};
  EXPECT_NE(read(model_of(names, with(open_inputs, past("P")))).feeds.find("past half\n"),
            std::string::npos);
  const held_attention open = read(model_of(names, with(open_inputs, past("P")), {causal}));
  EXPECT_NE(open.feeds.find("past rest\n"), std::string::npos);
  EXPECT_EQ(open.limits.causal, causal_anchor::bottom_right);
  EXPECT_NE(why_not(open, "B=1 Hq=1 Hkv=1 Lq=5 Lk=3 D=4 Dv=4 causal=bottom_right seed=1"), "");
  const held_attention fixed = read(model_of(names, with(open_inputs, past(3)), {causal}));
  EXPECT_EQ(fixed.limits.keys_beyond_queries, 3);
}

TEST(held_attention, is_read_of_com_microsoft) {
  const auto packed = [](const char* name, int width) { return value(name, {"B", "L", width}); };
  const held_attention mha =
      read(model_of({"q", "k", "v", "", "pad", "bias"},
                    {packed("q", 12), packed("k", 12), packed("v", 12),
                     value("pad", {"B"}, int32_type), value("bias", {"B", "H", "L", "L"})},
                    {{"num_heads", std::int64_t{3}}}, "MultiHeadAttention", "com.microsoft"));
  EXPECT_EQ(to_string(mha.features), "mask,bias,infinite_bias,lengths");
  EXPECT_EQ(mha.limits.fixed(size_name::width), 4);
  const held_attention gqa =
      read(model_of({"q", "k", "v", "", "", "s", "t"},
                    {packed("q", 32), packed("k", 16), packed("v", 16),
                     value("s", {"B"}, int32_type), value("t", {}, int32_type)},
                    {{"num_heads", std::int64_t{4}}, {"kv_num_heads", std::int64_t{2}}},
                    "GroupQueryAttention", "com.microsoft"));
  EXPECT_EQ(to_string(gqa.features), "causal_top_left,grouped_heads");
}

struct refused_model {
  const char* why;
  onnx_model model;
  const char* message;
};

TEST(held_attention, says_in_one_line_what_it_can_not_ask) {
  onnx_model two = model_of({"Q", "K", "V"}, open_inputs), own = two, nowhere = two;
  two.nodes.push_back({"Cast", "", {"Y"}, {"Z"}, {}});
  own.initializers = {"K"};
  nowhere.outputs = {value("Z", {})};
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  const refused_model table[] = {
      {"two nodes", two, "m.onnx: a graph of 2 nodes (Attention, Cast); allowed: one node"},
      {"no attention", model_of({"Q", "K"}, open_inputs, {}, "MatMul"), "MatMul; allowed"},
      {"its own K", own, "an input that the model holds itself"},
      {"no such output", nowhere, "'Y', which is no output of the graph"},
      {"other types", model_of({"Q", "K", "V"}, {open_inputs[0], value("K", {}, half_type)}),
       "'K' of data type 10"},
      {"another rank", model_of({"Q", "K", "V"}, {open_inputs[0], value("K", {"B"})}),
       "'K' of rank 1; allowed: 4"},
      {"integers", model_of({"Q", "K", "V"}, {value("Q", {"B", "H", "L", "D"}, int64_type)}),
       "inputs of data type 7"},
      {"sizes that contradict",
       model_of({"Q", "K", "V"}, {value("Q", {2, 1, 1, 1}), value("K", {3, 1, 1, 1})}),
       "B = 3 by 'K'; allowed: 2"},
      {"a size beyond 2^31", model_of({"Q", "K", "V"}, {value("Q", {1, 1, huge, 1})}),
       "Lq = 4611686018427387904 by 'Q'; allowed: 1 to 2147483647"},
      {"heads beyond 2^31",
       model_of({"QKV", "W"}, {value("QKV", {"B", "L", "W"})}, {{"num_heads", huge}}, "Attention",
                "com.microsoft"),
       "Hq = 4611686018427387904 by 'an attribute'"},
      {"heads below 1",
       model_of({"QKV", "W"}, {value("QKV", {"B", "L", "W"})}, {{"num_heads", std::int64_t{-1}}},
                "Attention", "com.microsoft"),
       "-1 query heads, -1 KV heads; allowed: 1 or more"},
      {"fewer keys than its past",
       model_of({"Q", "K", "V", "m", "pk", "pv"},
                with(open_inputs, {value("m", {1, 1, 1, 3}), value("pk", {"B", "G", 5, "D"}),
                                   value("pv", {"B", "G", 5, "E"})}),
                {{"is_causal", std::int64_t{1}}}),
       "3 keys, of the past and new; allowed: 6 or more"},
      {"rotary",
       model_of({"q", "k", "v", "", "", "s", "t"}, open_inputs, {{"do_rotary", std::int64_t{1}}},
                "GroupQueryAttention", "com.microsoft"),
       "attribute do_rotary"},
      {"more inputs", model_of({"Q", "K", "V"}, with(open_inputs, {value("X", {})})),
       "the input 'X', of which it is not known what to feed it"},
      {"no nodes", onnx_model{}, "a graph of 0 nodes"},
  };
  for (const refused_model& row : table) {
    const std::string message = refusal(row.model);
    EXPECT_NE(message.find(row.message), std::string::npos) << row.why << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << row.why;
  }
}

// --- Runs ---

call_limits causal_limits() {
  call_limits l;
  l.sizes = {2, 4, 2, 3, 5, 8, 8};
  l.causal = causal_anchor::top_left;
  return l;
}

run_result run_law(subject& s, const char* law) {
  run_options options;
  options.properties = matching_properties(law);
  return run_within_limits(s, causal_limits(), options, {});
}

scripted_subject causal_subject() {
  return scripted_subject(feature_set()
                              .with(feature::causal_top_left)
                              .with(feature::grouped_heads)
                              .with(feature::cross_lengths));
}

TEST(a_run_within_limits, asks_what_the_model_takes) {
  scripted_subject s = causal_subject();
  int asked = 0;
  s.does([&](problem& p, tensor& o, tensor* lse) {
    EXPECT_EQ(why_not_taken(causal_limits(), p), "");
    ++asked;
    return scripted_subject::answer_rightly(p, o, lse);
  });
  const run_result r = run_law(s, "matches_definition");
  EXPECT_EQ(r.exit_code(), 0);
  EXPECT_GT(asked, 20);
}

TEST(a_run_within_limits, sees_a_triangle_that_is_missing) {
  scripted_subject s = causal_subject();
  s.does([](problem& p, tensor& o, tensor* lse) {
    p.causal = causal_anchor::none;
    scripted_subject::answer_rightly(p, o, lse);
    p.causal = causal_anchor::top_left;
    return answer_outcome{};
  });
  EXPECT_EQ(run_law(s, "matches_definition").outcome(), verdict::violated);
}

// The law swaps batch rows one by one, which such a model can't be asked.
TEST(a_run_within_limits, says_why_a_law_is_skipped) {
  scripted_subject s = causal_subject();
  s.does([](problem& p, tensor& o, tensor* lse) {
    if (!why_not_taken(causal_limits(), p).empty()) throw problem_not_taken("no");
    return scripted_subject::answer_rightly(p, o, lse);
  });
  const run_result r = run_law(s, "batch_rows_are_independent");
  ASSERT_FALSE(r.groups.empty());
  EXPECT_EQ(r.groups[0].outcome, verdict::undecided);
  EXPECT_EQ(r.groups[0].reason, "no");
  EXPECT_FALSE(is_failure(r.outcome()));
}

// score_variance_is_width is about dense calls: not about those of a model that is causal.
TEST(a_run_within_limits, leaves_out_laws_that_are_about_other_calls) {
  scripted_subject s = causal_subject();
  EXPECT_TRUE(run_law(s, "score_variance_is_width").groups.empty());
}

TEST(a_run_within_limits, of_large_sizes_looks_at_rows) {
  call_limits l;
  l.sizes = {1, 8, 8, 128, 128, 64, 64};
  scripted_subject s((feature_set()));
  run_options options;
  options.properties = matching_properties("*");
  const run_result r = run_within_limits(s, l, options, {});
  ASSERT_EQ(r.groups.size(), 1u);
  EXPECT_EQ(r.groups[0].law->name, "sampled_rows_match_definition");
  EXPECT_EQ(r.exit_code(), 0);
}

}  // namespace
}  // namespace attest
