// attest reference: exact answers for arrays in files, and what it says to files that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/program/expectations.h"
#include "tests/program/npy_bytes.h"

namespace attest {
namespace {

using words = std::vector<std::string>;
using values = std::vector<double>;

constexpr double ln3 = 1.0986122886681098;

std::string write(const std::string& name, const std::string& bytes) {
  const std::string path = scratch_file(name);
  write_contents(path, bytes);
  return path;
}

// q [2, 2], k [3, 2], v [3, 2].
const values q_values{1, 0, 0, 1}, k_values{0, 0, ln3, 0, 0, 1}, v_values{1, 2, 5, 6, 9, 10};

std::string good_q() { return write("q.npy", npy_of({2, 2}, q_values)); }
std::string good_k() { return write("k.npy", npy_of({3, 2}, k_values)); }
std::string good_v() { return write("v.npy", npy_of({3, 2}, v_values)); }

words command(const words& more = {}) {
  words line{"reference", "--in", good_q(), good_k(), good_v()};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

values output_of(const words& line, std::size_t count) {
  const std::string path = scratch_file("o.npy");
  words all = line;
  all.insert(all.end(), {"--out", path});
  EXPECT_EQ(expect_exit(0, all).out, "") << "nothing is printed that was written";
  return values_of(contents_of(path), count);
}

// ---- Right answers ----

TEST(reference_command, gives_what_hand_work_gives) {
  const values o = output_of(command({"--scale", "1"}), 4);
  EXPECT_NEAR(o[0], (1 + 3 * 5 + 9) / 5.0, 1e-14) << "exponentials 1, 3, 1";
  EXPECT_NEAR(o[1], (2 + 3 * 6 + 10) / 5.0, 1e-14);
  const double e = std::exp(1.0);
  EXPECT_NEAR(o[2], (1 + 5 + 9 * e) / (2 + e), 1e-14) << "exponentials 1, 1, e";
}

TEST(reference_command, prints_a_row_a_line_and_its_lse) {
  const finished_program p =
      expect_exit(0, command({"--scale", "1"}), {"o[b=0,h=0,i=0] 5 6", "lse 1.609437912434100"});
  EXPECT_EQ(std::count(p.out.begin(), p.out.end(), '\n'), 2);
}

TEST(reference_command, takes_semantics) {
  EXPECT_EQ(output_of(command({"--causal", "top_left"}), 4)[0], 1)
      << "the first query sees the first key only";
  EXPECT_EQ(output_of(command({"--causal", "top_left", "--window", "0,0"}), 4)[3], 6)
      << "itself only";
  EXPECT_NEAR(output_of(command({"--scale", "0"}), 4)[0], 5, 1e-14) << "the mean of 1, 5, 9";
  EXPECT_NEAR(output_of(command({"--soft-cap", "1e-9"}), 4)[0], 5, 1e-8)
      << "hardly any difference is left";
}

TEST(reference_command, index_order_does_not_change_the_answer) {
  const values c_order = output_of(command(), 4);
  const std::string q = write("qf.npy", npy_of({2, 2}, transposed(2, 2, q_values), true));
  const std::string k = write("kf.npy", npy_of({3, 2}, transposed(3, 2, k_values), true));
  const std::string v = write("vf.npy", npy_of({3, 2}, transposed(3, 2, v_values), true));
  EXPECT_EQ(output_of({"reference", "--in", q, k, v}, 4), c_order);
  EXPECT_EQ(output_of({"reference", "--in", q, good_k(), v}, 4), c_order);
}

bool written_sizes_are(const std::string& sizes) {
  return contents_of(scratch_file("o.npy")).find("'shape': " + sizes) != std::string::npos;
}

TEST(reference_command, gives_back_the_rank_it_got) {
  const values rank_2 = output_of(command(), 4);
  EXPECT_TRUE(written_sizes_are("(2, 2)"));
  const words line{"reference", "--in", write("q4.npy", npy_of({1, 1, 2, 2}, q_values)),
                   write("k4.npy", npy_of({1, 1, 3, 2}, k_values)),
                   write("v4.npy", npy_of({1, 1, 3, 2}, v_values))};
  EXPECT_EQ(output_of(line, 4), rank_2);
  EXPECT_TRUE(written_sizes_are("(1, 1, 2, 2)"));
}

TEST(reference_command, takes_a_mask_and_a_bias) {
  const std::string mask =
      write("mask.npy", npy_file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n",
                                 std::string("\x01\x00\x01", 3)));
  EXPECT_NEAR(output_of(command({"--mask", mask}), 4)[0], 5, 1e-14) << "1 and 9 with equal weights";
  const std::string bias = write("bias.npy", npy_of({1, 3}, {-INFINITY, 0, -INFINITY}));
  EXPECT_EQ(output_of(command({"--bias", bias}), 4)[0], 5) << "only the second key is left";
}

// ---- Files that are wrong ----

struct bad_file {
  const char* name;
  std::string bytes;
  words parts;
};

std::string with_type(const std::string& type, const std::string& data) {
  return npy_file("{'descr': '" + type + "', 'fortran_order': False, 'shape': (2, 2), }\n", data);
}

std::string huge_header() {
  std::string file("\x93NUMPY\x02\x00", 8);
  return file + "\xff\xff\xff\xff" + "{'descr': '<f8'";
}

const std::vector<bad_file>& bad_files() {
  static const std::string good = npy_of({2, 2}, q_values);
  static const std::vector<bad_file> files{
      {"empty.npy", "", {"empty.npy"}},
      {"text.npy", "1 0\n0 1\n", {"text.npy"}},
      {"cut_in_magic.npy", good.substr(0, 4), {"cut_in_magic.npy"}},
      {"cut_in_header.npy", good.substr(0, 20), {"cut_in_header.npy"}},
      {"cut_in_data.npy", good.substr(0, good.size() - 1), {"cut_in_data.npy"}},
      {"no_data.npy", good.substr(0, good.size() - 32), {"no_data.npy"}},
      {"more_data.npy", good + "x", {"more_data.npy"}},
      {"version.npy", good.substr(0, 6) + '\x09' + good.substr(7), {"version.npy"}},
      {"complex.npy", with_type("<c16", std::string(64, '\0')), {"complex.npy", "<c16", "allowed"}},
      {"objects.npy", with_type("|O", std::string(32, '\0')), {"objects.npy", "|O", "allowed"}},
      {"integers.npy",
       with_type("<i8", std::string(32, '\0')),
       {"integers.npy", "allowed: f2, f4, f8"}},
      {"booleans.npy",
       with_type("|b1", std::string(4, '\0')),
       {"booleans.npy", "allowed: f2, f4, f8"}},
      {"rank_0.npy",
       npy_of(std::vector<std::int64_t>{}, {1}),
       {"rank_0.npy", "rank 0", "allowed: 2"}},
      {"rank_1.npy", npy_of({4}, q_values), {"rank_1.npy", "rank 1", "allowed: 2"}},
      {"rank_5.npy", npy_of({1, 1, 1, 2, 2}, q_values), {"rank_5.npy", "rank 5", "allowed: 2"}},
      {"huge_header.npy", huge_header(), {"huge_header.npy"}},
      {"huge_shape.npy", npy_of({1099511627776, 1099511627776}, {}), {"huge_shape.npy"}},
      {"negative.npy", npy_of({-2, 2}, q_values), {"negative.npy"}},
      {"no_keys.npy", npy_file("{}\n", ""), {"no_keys.npy"}},
      {"code.npy", npy_file("__import__('os').system('true')\n", ""), {"code.npy"}},
  };
  return files;
}

TEST(reference_command, refuses_files_that_are_no_array_of_numbers) {
  for (const bad_file& f : bad_files())
    expect_bad_input({"reference", "--in", write(f.name, f.bytes), good_k(), good_v()}, f.parts);
}

TEST(reference_command, refuses_sizes_that_do_not_fit) {
  const std::string q = good_q(), k = good_k(), v = good_v();
  const std::string wide = write("wide.npy", npy_of({2, 3}, {1, 2, 3, 4, 5, 6}));
  const std::string shorter = write("shorter.npy", npy_of({2, 2}, {1, 2, 3, 4}));
  const std::string rank_3 = write("rank_3.npy", npy_of({1, 3, 2}, k_values));
  const std::string three_heads = write("three.npy", npy_of({3, 1, 2}, k_values));
  const std::string two_heads = write("two.npy", npy_of({2, 1, 2}, {1, 2, 3, 4}));
  const std::string no_width = write("no_width.npy", npy_of({2, 0}, {}));
  expect_bad_input({"reference", "--in", wide, k, v}, {"width D is 2", "allowed: 3"});
  expect_bad_input({"reference", "--in", q, k, shorter}, {"length Lk is 2", "allowed: 3"});
  expect_bad_input({"reference", "--in", q, rank_3, v}, {"rank 3", "q has rank 2"});
  expect_bad_input({"reference", "--in", two_heads, three_heads, three_heads},
                   {"2 heads", "3", "multiple"});
  expect_bad_input({"reference", "--in", no_width, no_width, no_width},
                   {"width of 0", "allowed: 1"});
}

TEST(reference_command, refuses_masks_and_biases_that_do_not_fit) {
  const std::string numbers = write("numbers.npy", npy_of({3}, {1, 1, 1}));
  const std::string long_mask =
      write("long.npy", npy_file("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }\n",
                                 std::string(4, '\x01')));
  const std::string long_bias = write("long_bias.npy", npy_of({4}, {1, 1, 1, 1}));
  const std::string rank_5 = write("bias_5.npy", npy_of({1, 1, 1, 1, 3}, {1, 1, 1}));
  expect_bad_input(command({"--mask", numbers}), {"numbers.npy", "boolean"});
  expect_bad_input(command({"--mask", long_mask}),
                   {"long.npy", "[1, 1, 1, 4]", "broadcast to [1, 1, 2, 3]"});
  expect_bad_input(command({"--bias", long_bias}), {"long_bias.npy", "broadcast to [1, 1, 2, 3]"});
  expect_bad_input(command({"--bias", rank_5}), {"bias_5.npy", "rank 5"});
}

TEST(reference_command, refuses_options_out_of_range) {
  expect_bad_input({"reference", "--in", good_q(), good_k()}, {"--in"});
  expect_bad_input({"reference", "--in", good_q(), good_k(), scratch_file("nowhere.npy")},
                   {"nowhere.npy"});
  expect_bad_input(command({"--causal", "yes"}), {"--causal", "yes"});
  expect_bad_input(command({"--window", "1"}), {"--window", "'1'", "allowed"});
  expect_bad_input(command({"--window", "-2,0"}), {"--window", "-2"});
  expect_bad_input(command({"--window=a,b"}), {"--window", "'a'", "allowed"});
  expect_bad_input(command({"--soft-cap=-1"}), {"--soft-cap"});
  expect_bad_input(command({"--soft-cap=nan"}), {"--soft-cap"});
  expect_bad_input(command({"--scale", "big"}), {"--scale", "big"});
  expect_bad_input(command({"--scale", "inf"}), {"--scale", "inf"});
  expect_bad_input(command({"--scale", "nan"}), {"--scale", "nan"});
  expect_bad_input(command({"--profile", "torch"}), {"'torch'", "allowed: attest"});
  expect_bad_input(command({"--out", scratch_file("no/such/folder/o.npy")}), {"o.npy"});
}

}  // namespace
}  // namespace attest
