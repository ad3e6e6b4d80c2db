// attest reference: one file of named arrays in, one out.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "properties/exchange/array_file.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;
using values = std::vector<double>;
using sizes = std::vector<std::int64_t>;

const array q{&f32, {2, 2}, {1, 0, 0, 1}}, k{&f32, {3, 2}, {0, 0, 1, 0, 0, 1}},
    v{&f32, {3, 2}, {1, 2, 5, 6, 9, 10}};
const array mask{nullptr, {3}, {1, 0, 1}, element_kind::boolean};
const array bias{&f32, {1, 3}, {0, 0.5, -1}};
const array sink{&f32, {1}, {0.25}};
const array lengths{nullptr, {}, {2}, element_kind::integer};

const named_arrays operands{{"q", q}, {"k", k}, {"v", v}};

named_arrays with(const std::string& name, const array& a) {
  named_arrays all = operands;
  all[name] = a;
  return all;
}

std::string write(const std::string& name, const named_arrays& arrays) {
  const std::string path = scratch_file(name);
  write_arrays(path, arrays);
  return path;
}

named_arrays answer(words line, const std::string& out = "o.npz") {
  const std::string path = scratch_file(out);
  line.insert(line.begin(), "reference");
  line.insert(line.end(), {"--scale", "1", "--out", path});
  EXPECT_EQ(expect_exit(0, line).out, "");
  return read_arrays(path);
}

words in(const named_arrays& arrays, const std::string& name = "in.npz") {
  return {"--in", write(name, arrays)};
}

TEST(reference_archive, three_files_and_one_give_the_same_bytes) {
  const words three{"--in", write("q.npy", {{"q", q}}), write("k.npy", {{"k", k}}),
                    write("v.npy", {{"v", v}})};
  const words loose{"--in", write("q1.safetensors", {{"x", q}}), write("k1.npz", {{"y", k}}),
                    write("v.npy", {{"v", v}})};
  answer(three);
  const std::string expected = contents_of(scratch_file("o.npz"));
  for (const words& line : {in(operands), in(operands, "in.safetensors"), loose}) {
    answer(line);
    EXPECT_EQ(contents_of(scratch_file("o.npz")), expected) << line_of(line);
  }
}

TEST(reference_archive, mask_bias_sink_and_lengths_count_from_either_place) {
  struct row {
    std::string name;
    array held;
  };
  const values plain = answer(in(operands)).at("o").values;
  for (const row& r :
       {row{"mask", mask}, row{"bias", bias}, row{"sink", sink}, row{"lengths", lengths}}) {
    const values inside = answer(in(with(r.name, r.held))).at("o").values;
    words line = in(operands);
    line.insert(line.end(), {"--" + r.name, write(r.name + ".npy", {{r.name, r.held}})});
    EXPECT_EQ(answer(line).at("o").values, inside) << r.name;
    EXPECT_NE(inside, plain) << r.name;
  }
}

TEST(reference_archive, dropout_counts_with_its_scale) {
  const named_arrays dropped = with("dropout_mask", mask);
  const named_arrays plain = answer(in(operands)), kept = answer(in(dropped));
  words line = in(dropped);
  line.insert(line.end(), {"--dropout-scale", "2"});
  const named_arrays doubled = answer(line);
  EXPECT_NE(kept.at("o").values, plain.at("o").values);
  EXPECT_EQ(kept.at("lse").values, plain.at("lse").values);
  for (std::size_t n = 0; n < kept.at("o").values.size(); ++n)
    EXPECT_EQ(doubled.at("o").values[n], 2 * kept.at("o").values[n]);
}

TEST(reference_archive, refuses_a_scale_of_dropout_that_is_none) {
  const auto asked = [](const named_arrays& arrays, const char* scale) {
    words line{"reference"};
    const words files = in(arrays);
    line.insert(line.end(), files.begin(), files.end());
    line.insert(line.end(), {"--dropout-scale", scale});
    return line;
  };
  expect_bad_input(asked(with("dropout_mask", mask), "0.5"),
                   {"--dropout-scale is 0.5", "1 to 2^40"});
  expect_bad_input(asked(operands, "2"), {"--dropout-scale is 2 without an array dropout_mask"});
}

TEST(reference_archive, writes_o_and_lse_in_the_rank_of_q) {
  for (const char* out : {"o.npz", "o.safetensors"}) {
    const named_arrays two = answer(in(operands), out);
    ASSERT_EQ(two.size(), 2u);
    EXPECT_EQ(two.at("o").sizes, (sizes{2, 2}));
    EXPECT_EQ(two.at("lse").sizes, sizes{2});
    EXPECT_EQ(two.at("o").element, &f64);
    named_arrays heads = operands;
    for (auto& [name, a] : heads) a.sizes.insert(a.sizes.begin(), 1);
    const named_arrays three = answer(in(heads), out);
    EXPECT_EQ(three.at("o").sizes, (sizes{1, 2, 2}));
    EXPECT_EQ(three.at("lse").sizes, (sizes{1, 2}));
    EXPECT_EQ(three.at("o").values, two.at("o").values);
  }
}

TEST(reference_archive, enclosures_hold_the_rounded_answer) {
  words line = in(operands);
  line.push_back("--enclosures");
  const named_arrays all = answer(line);
  for (const char* name :
       {"o", "o_high", "o_low", "o_radius", "lse", "lse_high", "lse_low", "lse_radius"})
    ASSERT_EQ(all.count(name), 1u) << name;
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(all.at("o").values[n], all.at("o_high").values[n]);
    EXPECT_LE(all.at("o_radius").values[n], 0x1p-90);
  }
}

TEST(reference_archive, bf16_comes_in_and_goes_out_as_itself) {
  named_arrays all = operands;
  for (auto& [name, a] : all) a.element = &bf16;
  words line = in(all, "in.safetensors");
  line.insert(line.begin(), "reference");
  line.insert(line.end(), {"--round", "bf16", "--out", scratch_file("o.safetensors")});
  expect_exit(0, line);
  const array o = read_arrays(scratch_file("o.safetensors")).at("o");
  EXPECT_EQ(o.element, &bf16);
  EXPECT_EQ(o.sizes, (sizes{2, 2}));
}

void expect_refused(const words& given, const words& parts) {
  words line = given;
  line.insert(line.begin(), "reference");
  expect_bad_input(line, parts);
}

TEST(reference_archive, refuses_arrays_that_are_missing_unknown_or_given_twice) {
  named_arrays no_v = operands;
  no_v.erase("v");
  expect_refused(in(no_v), {"in.npz", "no array named v"});
  expect_refused(in(with("masks", mask)),
                 {"in.npz", "'masks'", "allowed: q, k, v, mask, bias, sink, slopes, lengths"});
  words twice = in(with("mask", mask));
  twice.insert(twice.end(), {"--mask", write("mask.npy", {{"mask", mask}})});
  expect_refused(twice, {"mask.npy", "given twice", "in.npz: mask"});
  expect_refused({"--in", write("q.npy", {{"q", q}})},
                 {"q.npy", "one .npy file", "allowed: three"});
  expect_refused({"--in", write("q.npy", {{"q", q}}), write("k.npy", {{"k", k}})},
                 {"--in", "2 files", "allowed: three"});
  expect_refused(
      {"--in", write("qkv.npz", operands), write("k.npy", {{"k", k}}), write("v.npy", {{"v", v}})},
      {"qkv.npz", "3 arrays", "a file of one array"});
}

TEST(reference_archive, refuses_arrays_that_do_not_fit) {
  const array two{nullptr, {2}, {1, 2}, element_kind::integer};
  const array long_length{nullptr, {1}, {4}, element_kind::integer};
  const array infinite{&f64, {1}, {HUGE_VAL}};
  expect_refused(in(with("lengths", two)), {"in.npz: lengths", "[2]", "[1], one a batch row"});
  expect_refused(in(with("lengths", long_length)), {"lengths holds 4", "0 to Lk = 3"});
  expect_refused(in(with("lengths", sink)), {"lengths holds no integers"});
  expect_refused(in(with("sink", lengths)), {"sink holds booleans or integers"});
  expect_refused(in(with("sink", infinite)), {"sink holds inf", "finite"});
  expect_refused(in(with("sink", bias)), {"sink has sizes [1, 3]", "[1], one a query head"});
  expect_refused(in(with("mask", bias)), {"in.npz: mask", "boolean"});
}

TEST(reference_archive, refuses_paths_before_it_computes) {
  words line = in(operands);
  line.insert(line.end(), {"--out", scratch_file("o.csv")});
  expect_refused(line, {"o.csv", ".csv", "allowed: .npy, .npz, .safetensors"});
  line.back() = scratch_file("no/folder/o.npz");
  expect_refused(line, {"no/folder/o.npz", "can't be written"});
  line.back() = scratch_file("o.npy");
  line.push_back("--enclosures");
  expect_refused(line, {"--enclosures", "o.npy", "allowed: a .npz or .safetensors"});
}

}  // namespace
}  // namespace attest
