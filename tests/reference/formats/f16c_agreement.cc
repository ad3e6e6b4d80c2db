#include "tests/reference/formats/f16c_agreement.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "tests/reference/formats/f16c.h"

namespace attest {
namespace {

constexpr std::size_t block = 4096;
constexpr std::uint64_t float_count = std::uint64_t{1} << 32;

// The processor keeps NaN payloads; we don't.
std::uint64_t canonical(std::uint16_t pattern) {
  return (pattern & 0x7fff) > 0x7c00 ? 0x7e00 : pattern;
}

void expect_block(const std::vector<float>& from, rounding_mode mode) {
  std::vector<std::uint16_t> expected(from.size());
  f16c_convert(from.data(), expected.data(), from.size(), mode);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint64_t pattern = encode(f16, round_to(f16, {mode}, from[i]));
    if (pattern == canonical(expected[i])) continue;
    FAIL() << std::hex << "float " << std::bit_cast<std::uint32_t>(from[i]) << " gives " << pattern
           << ", not " << expected[i] << " (mode " << static_cast<int>(mode) << ")";
  }
}

}  // namespace

void expect_agreement_with_f16c(rounding_mode mode, std::uint64_t first, std::uint64_t stride) {
  if (!has_f16c()) GTEST_SKIP() << "this processor has no F16C";
  std::vector<float> from(block);
  for (std::uint64_t bits = first; bits < float_count; bits += block * stride) {
    for (std::size_t i = 0; i < block; ++i)
      from[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits + i * stride));
    expect_block(from, mode);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace attest
