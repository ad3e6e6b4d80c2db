#include "properties/adapters/key_set.h"

#include <algorithm>
#include <limits>

#include "properties/adapters/dense_tensor.h"

namespace attest_adapter {
namespace {

struct pair_sizes {
  std::int64_t batch, heads, queries, keys;

  explicit pair_sizes(const attest_forward& call)
      : batch(call.q->sizes[0]),
        heads(call.q->sizes[1]),
        queries(call.q->sizes[2]),
        keys(call.k->sizes[2]) {}

  std::size_t count() const { return static_cast<std::size_t>(batch * heads * queries * keys); }
};

bool has_band(const attest_forward& call) {
  return call.causal != ATTEST_CAUSAL_NONE || call.window_left >= 0 || call.window_right >= 0 ||
         call.lengths != nullptr;
}

}  // namespace

std::int64_t valid_keys(const attest_forward& call, std::int64_t b) {
  if (call.lengths == nullptr) return call.k->sizes[2];
  return static_cast<const std::int64_t*>(call.lengths->data)[b * call.lengths->strides[0]];
}

bool in_band(const attest_forward& call, std::int64_t b, std::int64_t i, std::int64_t j) {
  const std::int64_t valid = valid_keys(call, b);
  if (j >= valid) return false;
  const bool bottom_right = call.causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT;
  const std::int64_t position = bottom_right ? i + valid - call.q->sizes[2] : i;
  if (call.causal != ATTEST_CAUSAL_NONE && j > position) return false;
  if (call.window_left >= 0 && j < position - call.window_left) return false;
  return call.window_right < 0 || j <= position + call.window_right;
}

bool restricts_keys(const attest_forward& call) { return has_band(call) || call.mask != nullptr; }

std::vector<std::uint8_t> kept_keys(const attest_forward& call) {
  const pair_sizes n(call);
  std::vector<std::uint8_t> kept(n.count(), 1);
  if (call.mask != nullptr) {
    const std::vector<std::byte> mask = dense_bits(*call.mask);
    for (std::size_t e = 0; e < kept.size(); ++e) kept[e] = mask[e] != std::byte{0};
  }
  if (!has_band(call)) return kept;
  std::uint8_t* element = kept.data();
  for (std::int64_t b = 0; b < n.batch; ++b)
    for (std::int64_t h = 0; h < n.heads; ++h)
      for (std::int64_t i = 0; i < n.queries; ++i)
        for (std::int64_t j = 0; j < n.keys; ++j, ++element)
          if (!in_band(call, b, i, j)) *element = 0;
  return kept;
}

std::vector<float> additive_mask(const attest_forward& call) {
  std::vector<float> added = call.bias != nullptr ? dense_floats(*call.bias)
                                                  : std::vector<float>(pair_sizes(call).count());
  if (!restricts_keys(call)) return added;
  const std::vector<std::uint8_t> kept = kept_keys(call);
  for (std::size_t e = 0; e < added.size(); ++e)
    if (kept[e] == 0) added[e] = -std::numeric_limits<float>::infinity();
  return added;
}

std::vector<std::byte> cleared_bits(const attest_forward& call, const attest_tensor& t) {
  std::vector<std::byte> bits = dense_bits(t);
  if (call.lengths == nullptr) return bits;
  const std::size_t row = static_cast<std::size_t>(t.sizes[3]) * size_of_element(t.dtype);
  std::byte* at = bits.data();
  for (std::int64_t b = 0; b < t.sizes[0]; ++b)
    for (std::int64_t h = 0; h < t.sizes[1]; ++h)
      for (std::int64_t j = 0; j < t.sizes[2]; ++j, at += row)
        if (j >= valid_keys(call, b)) std::fill(at, at + row, std::byte{0});
  return bits;
}

}  // namespace attest_adapter
