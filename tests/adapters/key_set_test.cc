#include "properties/adapters/key_set.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace attest_adapter {
namespace {

// One head, three queries, five keys.
class key_sets : public testing::Test {
 protected:
  key_sets() {
    call.q = &q;
    call.k = &k;
    call.window_left = call.window_right = -1;
  }

  std::vector<std::uint8_t> kept() const { return kept_keys(call); }

  float none[1] = {};
  attest_tensor q{sizeof(attest_tensor), ATTEST_F32, none, {1, 1, 3, 1}, {0, 0, 0, 0}};
  attest_tensor k{sizeof(attest_tensor), ATTEST_F32, none, {1, 1, 5, 1}, {0, 0, 0, 0}};
  attest_forward call{};
};

using keys = std::vector<std::uint8_t>;

TEST_F(key_sets, hold_all_keys_where_nothing_is_said) {
  EXPECT_FALSE(restricts_keys(call));
  EXPECT_EQ(kept(), keys(15, 1));
}

TEST_F(key_sets, end_at_the_diagonal_of_either_corner) {
  call.causal = ATTEST_CAUSAL_ANCHOR_TOP_LEFT;
  EXPECT_EQ(kept(), (keys{1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0}));
  call.causal = ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT;
  EXPECT_EQ(kept(), (keys{1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}));
}

TEST_F(key_sets, are_anchored_at_the_last_valid_key) {
  std::int64_t length = 4;
  attest_tensor lengths{sizeof(attest_tensor), ATTEST_I64, &length, {1, 1, 1, 1}, {1, 1, 1, 1}};
  call.lengths = &lengths;
  call.causal = ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT;
  EXPECT_EQ(kept(), (keys{1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0}));
}

TEST_F(key_sets, hold_the_window_with_its_ends) {
  call.window_left = 1;
  call.window_right = 0;
  EXPECT_EQ(kept(), (keys{1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0}));
}

TEST_F(key_sets, join_mask_and_bias) {
  std::uint8_t mask[] = {1, 0, 1, 1, 1};
  float bias[] = {1, 2, 3};
  attest_tensor m{sizeof(attest_tensor), ATTEST_BOOL, mask, {1, 1, 3, 5}, {0, 0, 0, 1}};
  attest_tensor b{sizeof(attest_tensor), ATTEST_F32, bias, {1, 1, 3, 5}, {0, 0, 1, 0}};
  call.mask = &m;
  call.bias = &b;
  const float out = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(additive_mask(call),
            (std::vector<float>{1, out, 1, 1, 1, 2, out, 2, 2, 2, 3, out, 3, 3, 3}));
}

// NaN may lie beyond the lengths: 0 is handed over.
TEST_F(key_sets, clear_what_lies_where_no_key_is) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  float values[] = {1, 2, nan, 3, nan, nan};  // two batch rows of one head, three keys
  std::int64_t valid[] = {2, 1};
  attest_tensor t{sizeof(attest_tensor), ATTEST_F32, values, {2, 1, 3, 1}, {3, 3, 1, 1}};
  attest_tensor lengths{sizeof(attest_tensor), ATTEST_I64, valid, {2, 1, 1, 1}, {1, 1, 1, 1}};
  call.k = &t;
  call.lengths = &lengths;
  const std::vector<std::byte> bits = cleared_bits(call, t);
  float cleared[6];
  ASSERT_EQ(bits.size(), sizeof cleared);
  std::memcpy(cleared, bits.data(), sizeof cleared);
  EXPECT_EQ(std::vector<float>(cleared, cleared + 6), (std::vector<float>{1, 2, 0, 3, 0, 0}));
}

}  // namespace
}  // namespace attest_adapter
