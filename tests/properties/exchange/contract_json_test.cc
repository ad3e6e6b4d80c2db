// Contracts as JSON: each field is read, written and named, and bad ones are refused.
#include "properties/exchange/contract_json.h"

#include <gtest/gtest.h>

#include "reference/contract/fields.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"

namespace attest {
namespace {

struct field_case {
  std::string_view field;
  std::string_view value;  // as JSON, another than that of float32
  std::string_view shown;  // as value_text says it
};

const std::vector<field_case>& field_cases() {
  static const std::vector<field_case> cases{
      {"inputs", R"("f16")", "f16"},
      {"q_conversion", R"({"format": "tf32", "rounding": "to_zero", "times": 2})",
       "tf32, to_zero, flushed, times 2"},
      {"k_conversion", R"({"times": 0})", "none"},
      {"v_conversion", R"({"format": "bf16", "times": 1})", "bf16, times 1"},
      {"quantised_to", R"("f8_e5m2")", "f8_e5m2"},
      {"quantised_rows", "64", "64"},
      {"score_sum", R"({"rounding": "up"})", "f32, up, flushed"},
      {"fused_terms", "8", "8"},
      {"score_storage", R"("f16")", "f16, flushed"},
      {"bias_sum", R"({"format": "bf16", "subnormals": "kept"})", "bf16"},
      {"tanh_error", "0.25", "0.25"},
      {"tanh_absolute_error", "0.125", "0.125"},
      {"exponent", R"("f64")", "f64, flushed"},
      {"exponent_constants", "3", "3"},
      {"may_fold_scale", "false", "false"},
      {"shift", R"("constant")", "constant"},
      {"shift_by", "-2.5", "-2.5"},
      {"exp_ulps", "8", "8"},
      {"rescale_ulps", "0.5", "0.5"},
      {"exp_zero_below", "-20", "-20"},
      {"may_rescale", "false", "false"},
      {"block_keys", "64", "64"},
      {"rescale_threshold", "8", "8"},
      {"merges", "3", "3"},
      {"weight_storage", R"("f16")", "f16, flushed"},
      {"weight_of_one", "448", "448"},
      {"may_sum_rounded_weights", "false", "false"},
      {"may_normalise_weights", "false", "false"},
      {"may_use_lse", "false", "false"},
      {"output_sum", R"({"subnormals": "kept"})", "f32"},
      {"weight_sum", R"("f16")", "f16, flushed"},
      {"partial_storage", R"("f16")", "f16, flushed"},
      {"division_ulps", "1", "1"},
      {"output", R"("f16")", "f16"},
      {"output_mode", R"("to_zero")", "to_zero"},
      {"output_subnormals", R"("kept")", "kept"},
      {"output_overflow", R"("saturate")", "saturate"},
      {"lse", R"("f64")", "f64"},
      {"deterministic", "true", "true"},
      {"batch_invariant", "true", "true"},
      {"layout_invariant", "true", "true"},
  };
  return cases;
}

contract with_field(const field_case& c) {
  return parse_contract(
      R"({"from": "float32", ")" + std::string(c.field) + "\": " + std::string(c.value) + "}",
      "c.json");
}

TEST(contract_json, reads_every_field_and_no_other_moves) {
  ASSERT_EQ(field_cases().size(), contract_fields().size());
  for (std::size_t n = 0; n < field_cases().size(); ++n) {
    const field_case& c = field_cases()[n];
    EXPECT_EQ(c.field, contract_fields()[n].name);
    const contract changed = with_field(c);
    const auto moved = differences(changed, find_contract("float32"));
    ASSERT_EQ(moved.size(), 1u) << c.field;
    EXPECT_EQ(moved.front()->name, c.field);
    EXPECT_EQ(value_text(*moved.front(), changed), c.shown) << c.field;
  }
}

TEST(contract_json, is_read_back_as_it_was_written) {
  std::vector<contract> all(all_contracts().begin(), all_contracts().end());
  for (const field_case& c : field_cases()) all.push_back(with_field(c));
  for (const contract& c : all) {
    const contract again = parse_contract(to_json_text(c, find_contract("float64")), "c.json");
    EXPECT_TRUE(differences(again, c).empty())
        << c.name << ": " << differences(again, c).front()->name;
    EXPECT_EQ(again.name, c.name);
    EXPECT_EQ(again.about, c.about);
  }
}

TEST(contract_json, begins_with_the_preset_of_the_inputs) {
  const contract c = parse_contract(R"({"inputs": "bf16"})", "c.json");
  EXPECT_TRUE(differences(c, find_contract("bf16-flash")).empty());
  EXPECT_EQ(c.name, "bf16-flash, changed");
}

TEST(contract_json, a_subject_declares_names_an_object_or_a_list) {
  EXPECT_EQ(parse_declared_contracts("float32,fp16-eager", "x").size(), 2u);
  const auto one = parse_declared_contracts(R"( {"from": "fp16-eager", "name": "mine"})", "x");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one.front().name, "mine");
  EXPECT_EQ(parse_declared_contracts(R"([{"from": "float32"}, {"inputs": "f16"}])", "x").size(),
            2u);
}

struct bad_contract {
  std::string_view text;
  std::string_view message;
};

constexpr bad_contract bad_contracts[] = {
    {"[1", "c.json: byte 2: a contract that is no JSON"},
    {"3", "c.json: 3; allowed: an object of the fields of a contract"},
    {"{}", "c.json: neither 'from' nor 'inputs'"},
    {R"({"from": "nope"})", "c.json: 'from': unknown contract 'nope'"},
    {R"({"from": 3})", "c.json: 'from' is 3; allowed: a text"},
    {R"({"from": "float32", "from": "float64"})", "c.json: 'from' twice in the contract"},
    {R"({"from": "float32", "exp_ulp": 1})", "c.json: unknown field 'exp_ulp'"},
    {R"({"from": "float32", "exp_ulps": -1})", "'exp_ulps' out of range"},
    {R"({"from": "float32", "exp_ulps": null})", "'exp_ulps' out of range"},
    {R"({"from": "float32", "exp_ulps": 1e999})", "a number in the contract that no double holds"},
    {R"({"from": "float32", "exp_zero_below": 1})", "'exp_zero_below' out of range"},
    {R"({"from": "float32", "merges": 1.5})", "c.json: 'merges': 1.5; allowed: an integer"},
    {R"({"from": "float32", "merges": -1})", "c.json: 'merges': -1; allowed: an integer"},
    {R"({"from": "float32", "block_keys": 0})", "'block_keys' out of range"},
    {R"({"from": "float32", "fused_terms": 2})", "'fused_terms' out of range"},
    {R"({"from": "float32", "weight_of_one": 0})", "'weight_of_one' out of range"},
    {R"({"from": "float32", "output": null})", "'output' is null"},
    {R"({"from": "float32", "may_rescale": 1})", "'may_rescale': 1; allowed: true, false"},
    {R"({"from": "float32", "output_mode": "sideways"})", "allowed: nearest_even, up, down"},
    {R"({"from": "float32", "score_sum": {"format": "f17"}})", "'score_sum', 'format': \"f17\""},
    {R"({"from": "float32", "score_sum": {"form": "f16"}})", "'score_sum': 'form'"},
    {R"({"from": "float32", "score_sum": {"format": {"a": 1}}})",
     "'score_sum', 'format': {\"a\":1}"},
    {R"([[[[1]]]])", "nested too deep"},
    {R"({"from": "float32", "q_conversion": "tf32"})",
     "'q_conversion': \"tf32\"; allowed: an object"},
    {R"({"from": "float32", "q_conversion": {"times": 17}})", "'times' out of range"},
};

TEST(contract_json, refuses_what_is_no_contract) {
  for (const bad_contract& bad : bad_contracts) {
    try {
      parse_contract(bad.text, "c.json");
      ADD_FAILURE() << bad.text << " was accepted";
    } catch (const input_error& e) {
      EXPECT_NE(std::string_view(e.what()).find(bad.message), std::string_view::npos)
          << bad.text << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace attest
