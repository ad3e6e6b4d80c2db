// The merge of parts as a monoid, and against the definition.
#include "properties/merged_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/selection.h"
#include "reference/backends/answer.h"
#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

using parts = std::vector<row_part>;

merged_row merged(const parts& list, lse_base base = lse_base::e) { return merge(list, base); }

double distance_between(const enclosure& a, const enclosure& b) {
  return std::fabs((a.high - b.high) + (a.low - b.low));
}

const row_part a{0.25, {1, -2}}, b{-3, {0.5, 8}}, c{40, {-1, 3}}, empty{-infinity, {0, 0}};

void expect_same(const merged_row& x, const merged_row& y, double relative) {
  EXPECT_LE(distance_between(x.lse, y.lse), relative * (1 + std::fabs(x.lse.high)));
  for (std::size_t d = 0; d < x.output.size(); ++d)
    EXPECT_LE(distance_between(x.output[d], y.output[d]), relative * 8);
}

TEST(merge, of_one_part_is_that_part) {
  const merged_row row = merged({a});
  EXPECT_EQ(row.lse.high, a.lse);
  EXPECT_EQ(row.output[0].high, 1);
  EXPECT_EQ(row.output[1].high, -2);
}

TEST(merge, has_the_empty_part_as_its_identity) {
  for (const row_part& some : {a, b, c}) {
    expect_same(merged({some, empty}), merged({some}), 0);
    expect_same(merged({empty, some}), merged({some}), 0);
  }
}

TEST(merge, of_empty_parts_is_empty) {
  const merged_row row = merged({empty, empty});
  EXPECT_EQ(row.lse.high, -infinity);
  EXPECT_EQ(row.output[0].high, 0);
}

TEST(merge, is_commutative) { expect_same(merged({a, b, c}), merged({c, a, b}), 0x1p-100); }

TEST(merge, is_associative) {
  const auto part_of = [](const merged_row& row) {
    return row_part{row.lse.high, {row.output[0].high, row.output[1].high}};
  };
  const merged_row left = merged({part_of(merged({a, b})), c});
  const merged_row right = merged({a, part_of(merged({b, c}))});
  expect_same(left, merged({a, b, c}), 0x1p-50);
  expect_same(right, merged({a, b, c}), 0x1p-50);
}

TEST(merge, of_equal_parts_is_their_mean_with_the_logarithm_of_their_number) {
  const merged_row row = merged({{0, {1}}, {0, {3}}, {0, {8}}, {0, {0}}});
  EXPECT_EQ(row.output[0].high, 3);
  EXPECT_EQ(row.lse.high, std::log(4.0));
  EXPECT_EQ(merged({{5, {1}}, {5, {3}}}, lse_base::two).lse.high, 6) << "2^5 + 2^5";
}

TEST(merge, gives_NaN_for_what_no_part_can_say) {
  EXPECT_TRUE(std::isnan(merged({a, {infinity, {1, 1}}}).lse.high));
  EXPECT_TRUE(std::isnan(merged({a, {nan, {1, 1}}}).output[0].high));
  EXPECT_TRUE(std::isnan(merged({{nan, {1, 1}}}).lse.high));
  EXPECT_TRUE(std::isnan(merged({a, {-infinity, {nan, 0}}}).output[0].high)) << "0 NaN";
}

// Exact parts, rounded to double, give the whole to double's precision.
TEST(merge, of_the_parts_of_a_row_is_the_row) {
  for (const char* profile : {"attest", "base-2-lse"}) {
    const problem p = materialise(
        parse_problem_line(std::string("Lk=7 D=3 Dv=2 bias=k seed=3 profile=") + profile));
    for (std::int64_t cut = 1; cut < p.dims.keys; ++cut) {
      parts seen;
      for (const auto& keys : {interval(0, cut), interval(cut, p.dims.keys)}) {
        selection some = everything(p);
        some.keys = keys;
        const exact_row part = compute_exact_row(select(p, some, layout::bhld), {});
        seen.push_back({part.lse.high, {part.output[0].high, part.output[1].high}});
      }
      const exact_row whole = compute_exact_row(p, {});
      expect_same(merge(seen, p.rules.base), {whole.lse, whole.output}, 0x1p-50);
    }
  }
}

}  // namespace
}  // namespace attest
