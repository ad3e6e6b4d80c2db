// From a line of text to every bit of a problem: the same everywhere, and on purpose.
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "reference/backends/answer.h"
#include "reference/definition/dropout.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/profiles.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

// FNV-1a over everything that a problem holds.
class problem_hash {
 public:
  explicit problem_hash(const problem& p) {
    for (const tensor* t : {&p.q, &p.k, &p.v}) add(*t);
    if (p.mask) add_mask(p);
    if (p.bias) add(*p.bias);
    for (std::int64_t length : p.lengths) add(static_cast<std::uint64_t>(length));
    for (double sink : p.sink) add(std::bit_cast<std::uint64_t>(sink));
  }
  std::uint64_t value() const { return hash_; }

 private:
  void add(std::uint64_t word) {
    for (int k = 0; k < 64; k += 8) hash_ = (hash_ ^ (word >> k & 0xff)) * 0x100000001b3;
  }
  void add(const tensor& t) {
    for (std::size_t n = 0; n < t.storage_bytes(); ++n)
      add(std::to_integer<std::uint64_t>(t.data()[n]));
  }
  void add_mask(const problem& p) {
    for_each_index(p.dims.score_sizes(),
                   [&](const index4& i) { add(std::uint64_t{p.mask->at(i)}); });
  }

  std::uint64_t hash_ = 0xcbf29ce484222325;
};

std::uint64_t hash_of(std::string_view line) {
  return problem_hash(materialise(parse_problem_line(line))).value();
}

struct golden_problem {
  std::string_view line;
  std::uint64_t hash;
};

// A changed hash is a changed domain: recorded replay lines and verdicts no longer mean what they
// meant. If that is meant, raise the domain's version, say so in the CHANGELOG, and take the hashes
// from this test's output.
constexpr golden_problem golden[] = {
    {"", 0x75cf3da19742fc57},
    {"Lq=3 Lk=5 D=4 Dv=2 seed=1", 0x09cdd18ad0c8fc1a},
    {"B=2 Hq=4 Hkv=2 Lq=3 Lk=7 D=5 Dv=3 mask=bhqk bias=qk infinite_bias=1 lengths=1 sink=1 seed=7",
     0xeb38376bb0667281},
    {"B=2 Hq=3 Hkv=3 Lq=5 Lk=7 D=11 Dv=13 dtype=f16 layout=fused mask=- seed=18446744073709551615",
     0x3b0f12e98a9cf78a},
    {"B=3 Lq=2 Lk=13 D=8 dtype=bf16 layout=shared bias=- seed=99", 0x7cedb1db51f87cc7},
    {"Lq=2 Lk=5 D=7 Dv=3 dtype=f8_e4m3fn bias=k infinite_bias=1 seed=5", 0x5908f0532ae796c7},
    {"Lq=2 Lk=5 D=7 Dv=3 dtype=f8_e5m2 sink=1 seed=5", 0xbe5b3f8942160093},
    {"Lq=2 Lk=5 D=3 dtype=tf32 layout=reversed seed=12", 0x93c9508f88e8bdef},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f64 regime=uniform seed=1", 0x80a84149da667fdc},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f32 regime=constant seed=2", 0x72a8f2c0c97c4a65},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f16 regime=one_hot seed=3", 0x20c467f7e21d2ba5},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f64 regime=large_scores seed=4", 0x8cab896d34babc52},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f32 regime=negative_scores seed=5", 0xe05c06c8081fb1c2},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f16 regime=ties seed=6", 0x663a4d18e62bf0b5},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f64 regime=ascending seed=7", 0xa4a5e1c75ff65f60},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f32 regime=descending seed=8", 0x5e5efce4ae219e94},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f16 regime=outliers seed=9", 0x910c75252943d888},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f64 regime=near_overflow seed=10", 0x58f7f0579639febf},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f32 regime=subnormal seed=11", 0x7abc5eb22dfb94e8},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f16 regime=signed_zeros seed=12", 0xf7fc147587704e93},
    {"B=2 Hq=2 Lq=3 Lk=17 D=4 Dv=3 dtype=f64 regime=exact seed=13", 0x39475f3a88942f2e},
};

TEST(materialise, gives_the_bits_that_it_always_gave) {
  for (const golden_problem& g : golden)
    EXPECT_EQ(hash_of(g.line), g.hash)
        << "{\"" << g.line << "\", 0x" << std::hex << hash_of(g.line) << "},";
}

TEST(materialise, is_a_pure_function) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const problem_spec spec = random_spec(seed, *all_formats[seed % std::size(all_formats)]);
    EXPECT_EQ(problem_hash(materialise(spec)).value(), problem_hash(materialise(spec)).value())
        << to_line(spec);
  }
}

TEST(materialise, another_seed_gives_another_problem) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    problem_spec spec;
    spec.dims = {2, 1, 1, 3, 5, 4, 4};
    spec.seed = seed;
    const std::uint64_t before = problem_hash(materialise(spec)).value();
    ++spec.seed;
    EXPECT_NE(problem_hash(materialise(spec)).value(), before) << seed;
  }
}

// ---- A smaller problem is a corner of the larger one ----

// Their values depend on a size: where a ramp ends, how large a sum may get, where the hot
// coordinate is.
bool depends_on_sizes(value_regime regime) {
  switch (regime) {
    case value_regime::ascending:
    case value_regime::descending:
    case value_regime::near_overflow:
    case value_regime::one_hot:
      return true;
    default:
      return false;
  }
}

void expect_corner(const tensor& small, const tensor& large, const std::string& what) {
  for_each_index(small.sizes(),
                 [&](const index4& i) { ASSERT_EQ(small.bits(i), large.bits(i)) << what; });
}

problem_spec large_spec(value_regime regime, layout placed) {
  problem_spec spec;
  spec.dims = {3, 4, 2, 5, 7, 6, 5};
  spec.regime = regime;
  spec.placed = placed;
  spec.mask_axes = 0b1111;
  spec.bias_axes = 0b1110;
  spec.infinite_bias = true;
  spec.sink = true;
  spec.dropout_axes = 0b1111;
  spec.dropout_scale = 2;
  spec.scale = 0.5;  // the default scale depends on the width
  spec.seed = 11;
  return spec;
}

constexpr shape smaller_shapes[] = {
    {2, 4, 2, 5, 7, 6, 5}, {3, 2, 1, 5, 7, 6, 5}, {3, 4, 2, 1, 7, 6, 5}, {3, 4, 2, 5, 2, 6, 5},
    {3, 4, 2, 5, 7, 1, 5}, {3, 4, 2, 5, 7, 6, 3}, {1, 1, 1, 1, 1, 1, 1}};

void expect_corners(const problem_spec& spec) {
  const problem large = materialise(spec);
  for (const shape& dims : smaller_shapes) {
    problem_spec less = spec;
    less.dims = dims;
    const problem small = materialise(less);
    expect_corner(small.q, large.q, "q of " + to_line(less));
    expect_corner(small.k, large.k, "k of " + to_line(less));
    expect_corner(small.v, large.v, "v of " + to_line(less));
    expect_corner(*small.bias, *large.bias, "bias of " + to_line(less));
    for_each_index(dims.score_sizes(), [&](const index4& i) {
      ASSERT_EQ(small.mask->at(i), large.mask->at(i)) << to_line(less);
      ASSERT_EQ(small.dropout_mask->at(i), large.dropout_mask->at(i)) << to_line(less);
    });
    for (std::size_t h = 0; h < small.sink.size(); ++h) EXPECT_EQ(small.sink[h], large.sink[h]);
  }
}

TEST(materialise, smaller_dimensions_are_a_corner_of_the_larger) {
  for (const regime_text& r : all_regimes())
    for (const layout placed : {layout::bhld, layout::fused, layout::reversed})
      if (!depends_on_sizes(r.regime)) expect_corners(large_spec(r.regime, placed));
}

TEST(materialise, dropout_keeps_as_many_as_its_scale_says) {
  const problem p =
      materialise(parse_problem_line("B=2 Hq=2 Lq=64 Lk=256 dropout=bhqk dropout_scale=10 seed=1"));
  std::int64_t whole = 0, none = 0, kept = 0;
  for_each_row(p.dims, [&](const row_index& row) {
    std::int64_t of_row = 0;
    for (std::int64_t j = 0; j < p.dims.keys; ++j) of_row += drops(p, row, j) ? 0 : 1;
    whole += of_row == p.dims.keys ? 1 : 0;
    none += of_row == 0 ? 1 : 0;
    kept += of_row < p.dims.keys ? of_row : 0;
  });
  EXPECT_GT(whole, 16) << "a row in eight";
  EXPECT_GT(none, 16) << "likewise";
  EXPECT_NEAR(static_cast<double>(kept) / (192 * 256), 0.1, 0.01);
}

bool are_contiguous(const std::vector<std::int64_t>& segments) {
  std::set<std::int64_t> ended;
  for (std::size_t l = 1; l < segments.size(); ++l) {
    if (segments[l] == segments[l - 1]) continue;
    ended.insert(segments[l - 1]);
    if (ended.count(segments[l])) return false;
  }
  return true;
}

TEST(materialise, segments_of_queries_are_those_of_keys_or_others_under_any_names) {
  int same = 0, other = 0, negative = 0, descend = 0, come_again = 0;
  for (int seed = 0; seed < 64; ++seed) {
    const problem p =
        materialise(parse_problem_line("B=1 Lq=40 Lk=40 segments=1 seed=" + std::to_string(seed)));
    const std::vector<std::int64_t>&q = p.query_segments, &k = p.key_segments;
    (q == k ? same : other) += 1;
    negative += std::any_of(k.begin(), k.end(), [](std::int64_t n) { return n < 0; }) ? 1 : 0;
    descend += are_contiguous(k) && !std::is_sorted(k.begin(), k.end()) ? 1 : 0;
    come_again += are_contiguous(k) ? 0 : 1;
  }
  for (const int count : {same, other, negative, descend, come_again}) EXPECT_GT(count, 5);
}

TEST(materialise, the_layout_moves_values_and_does_not_change_them) {
  const problem dense = materialise(large_spec(value_regime::normal, layout::bhld));
  for (const layout placed :
       {layout::blhd, layout::fused, layout::reversed, layout::spread, layout::mirrored}) {
    const problem other = materialise(large_spec(value_regime::normal, placed));
    expect_corner(other.q, dense.q, "q");
    expect_corner(other.v, dense.v, "v");
  }
}

TEST(materialise, shared_batch_rows_are_one) {
  const problem p = materialise(large_spec(value_regime::normal, layout::shared));
  for_each_index(p.k.sizes(), [&](const index4& i) {
    EXPECT_EQ(p.k.bits(i), p.k.bits({0, i[1], i[2], i[3]}));
  });
  EXPECT_EQ(p.answer_layout, layout::bhld) << "an output has rows of its own";
}

// ---- What a problem asks ----

struct asked_case {
  std::string_view line;
  std::string_view features;
};

TEST(asks, names_what_the_problem_uses) {
  const asked_case cases[] = {
      {"Lq=3 Lk=3", "none"},
      {"Lq=3 Lk=5", "cross_lengths"},
      {"D=3 Dv=5", "value_width"},
      {"Hq=4 Hkv=2", "grouped_heads"},
      {"Lq=3 Lk=3 mask=bq", "mask"},
      {"Lq=3 Lk=3 bias=k", "bias"},
      {"Lq=9 Lk=9 bias=qk infinite_bias=1", "bias,infinite_bias"},
      {"Lq=3 Lk=3 causal=top_left", "causal_top_left"},
      {"Lq=3 Lk=3 causal=bottom_right", "causal_bottom_right"},
      {"Lq=3 Lk=3 window=1,-1", "window"},
      {"lengths=1", "lengths"},
      {"scale=0", "scale"},
      {"soft_cap=5", "soft_cap"},
      {"sink=1", "sink"},
      {"dropout=-", "dropout"},
      {"dropout=bhqk dropout_scale=2", "dropout"},
      {"Lq=3 Lk=3 layout=spread", "strides"},
  };
  for (const asked_case& c : cases)
    EXPECT_EQ(to_string(materialise(parse_problem_line(c.line)).asks()), c.features) << c.line;
}

// ---- Lines that are no problem ----

struct bad_line {
  std::string_view line;
  std::string_view message;
};

std::string message_for(std::string_view line) {
  try {
    parse_problem_line(line);
  } catch (const input_error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(parse_problem_line, says_what_is_wrong_and_what_is_allowed) {
  const bad_line lines[] = {
      {"B=-1", "B=-1 (allowed: 0 to 2^40)"},
      {"Hq=0", "Hq=0 (allowed: 1 to 2^40)"},
      {"Hkv=0", "Hkv=0 (allowed: 1 to 2^40)"},
      {"Lq=-5", "Lq=-5 (allowed: 0 to 2^40)"},
      {"D=0", "D=0 (allowed: 1 to 2^40)"},
      {"Dv=0", "Dv=0 (allowed: 1 to 2^40)"},
      {"Lk=1099511627777", "Lk=1099511627777 (allowed: 0 to 2^40)"},
      {"Lk=99999999999999999999", "Lk is '99999999999999999999' (allowed: a whole number)"},
      {"Hq=3 Hkv=2", "Hq=3 with Hkv=2 (allowed: Hq a multiple of Hkv)"},
      {"Hq=2 Hkv=4", "Hq=2 with Hkv=4 (allowed: Hq a multiple of Hkv)"},
      {"Lk=1000000000 D=100", "k has 1e+11 elements (allowed: up to 2^33)"},
      {"B=1000000 Lq=1000000", "q has 1e+12 elements (allowed: up to 2^33)"},
      {"Lq=1000000 Lk=1000000 mask=qk", "mask or bias has 1e+12 elements (allowed: up to 2^33)"},
      {"window=-2,0", "window=-2,0 (allowed: -1 or more on each side)"},
      {"window=0", "window is '0' (allowed: LEFT,RIGHT, -1 for an open side)"},
      {"window=1,2,3", "window is '1,2,3' (allowed: LEFT,RIGHT, -1 for an open side)"},
      {"soft_cap=-1", "soft_cap=-1 (allowed: 0 or a positive number)"},
      {"soft_cap=nan", "soft_cap=nan (allowed: 0 or a positive number)"},
      {"soft_cap=inf", "soft_cap=inf (allowed: 0 or a positive number)"},
      {"scale=inf", "scale=inf (allowed: a finite number)"},
      {"scale=nan", "scale=nan (allowed: a finite number)"},
      {"scale=1/2", "scale is '1/2' (allowed: a number)"},
      {"infinite_bias=1", "infinite_bias=1 without a bias (allowed: with bias=AXES)"},
      {"dropout=x", "dropout is 'x' (allowed: a choice of the letters b, h, q, k, or -)"},
      {"dropout_scale=2", "dropout_scale=2 without a mask (allowed: with dropout=AXES)"},
      {"dropout=k dropout_scale=0.5", "dropout_scale=0.5 (allowed: 1 to 2^40)"},
      {"dropout=k dropout_scale=nan", "dropout_scale=nan (allowed: 1 to 2^40)"},
      {"dropout=k dropout_scale=1e13", "dropout_scale=1e+13 (allowed: 1 to 2^40)"},
      {"lengths=2", "lengths is '2' (allowed: 0, 1)"},
      {"mask=z", "mask is 'z' (allowed: a choice of the letters b, h, q, k, or -)"},
      {"mask=qq", "mask is 'qq' (allowed: a choice of the letters b, h, q, k, or -)"},
      {"causal=yes", "causal is 'yes' (allowed: none, top_left, bottom_right)"},
      {"layout=dense", "layout is 'dense' (allowed: bhld, blhd, fused, reversed, spread, mirrored, shared,"},
      {"regime=random", "unknown value regime 'random' (allowed: normal, uniform,"},
      {"dtype=f80",
       "dtype is 'f80' (allowed: f64, f32, tf32, f16, bf16, f8_e4m3fn, f8_e4m3, f8_e5m2)"},
      {"profile=torch", "unknown profile 'torch' (allowed: attest, torch-sdpa,"},
      {"profile=attest,heads=tile", "unknown convention 'heads' (allowed: empty_row, lse_base,"},
      {"profile=attest,head_map=both", "unknown value of head_map 'both' (allowed: repeat, tile)"},
      {"profile=attest,tile", "'tile' in a profile (allowed: FIELD=VALUE)"},
      {"seed=-1", "seed is '-1' (allowed: a whole number from 0 to 2^64 - 1)"},
      {"seed=18446744073709551616", "seed is '18446744073709551616' (allowed: a whole number from"},
      {"seed=", "seed is '' (allowed: a whole number from"},
      {"B=2 B=2", "'B' stands twice in a problem line"},
      {"L=2", "unknown word 'L' in a problem line (allowed: B, Hq, Hkv, Lq, Lk, D, Dv, dtype,"},
      {"b=2", "unknown word 'b' in a problem line"},
      {"B", "'B' in a problem line is not of the form key=value"},
      {"=2", "unknown word '' in a problem line"},
      {"B=2;Hq=3", "B is '2;Hq=3' (allowed: a whole number)"},
      {"B=+2", "B is '+2' (allowed: a whole number)"},
      {"B=0x2", "B is '0x2' (allowed: a whole number)"},
      {"B=2\n", "B is '2\n' (allowed: a whole number)"},
  };
  for (const bad_line& bad : lines)
    EXPECT_EQ(message_for(bad.line).substr(0, bad.message.size()), bad.message) << bad.line;
}

TEST(parse_problem_line, takes_the_edges_of_what_is_allowed) {
  for (const std::string_view line :
       {"", "B=0", "Lq=0", "Lk=0", "B=0 Lq=1099511627776", "window=-1,-1", "soft_cap=0",
        "scale=-0.5", "mask=-", "dropout=qk dropout_scale=1.25", "mask=kqhb",
        "seed=18446744073709551615", "  B=2   Hq=4  Hkv=4 "})
    EXPECT_EQ(message_for(line), "accepted") << line;
}

TEST(to_line, leaves_out_what_is_as_usual) {
  EXPECT_EQ(to_line({}), "B=1 Hq=1 Hkv=1 Lq=1 Lk=1 D=1 Dv=1 dtype=f32 regime=normal seed=0");
}

}  // namespace
}  // namespace attest
