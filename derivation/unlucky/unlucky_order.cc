#include "derivation/unlucky/unlucky_order.h"

#include <algorithm>
#include <numeric>

namespace attest {
namespace {

// Fisher and Yates' shuffle.
template <class T>
void shuffle(std::vector<T>& items, luck& draws) {
  for (std::size_t n = items.size(); n > 1; --n)
    std::swap(items[n - 1],
              items[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(n)))]);
}

// logit: of an item, the largest that it holds.
template <class T, class Logit>
void arrange(std::vector<T>& items, key_order order, Logit logit, luck& draws) {
  const auto lower = [&](const T& a, const T& b) { return logit(a) < logit(b); };
  switch (order) {
    case key_order::forward:
      return;
    case key_order::backward:
      return std::reverse(items.begin(), items.end());
    case key_order::shuffled:
      return shuffle(items, draws);
    case key_order::rising:
      return std::stable_sort(items.begin(), items.end(), lower);
    case key_order::falling:
      return std::stable_sort(items.rbegin(), items.rend(), lower);
  }
}

// Keys by their positions, the sink in a block of its own.
std::vector<key_block> blocks_of_positions(const row_setting& row) {
  std::vector<key_block> blocks;
  std::int64_t last = -1;
  for (std::size_t n = 0; n < row.keys(); ++n) {
    const std::int64_t block =
        row.is_sink(n) ? row.posed.dims.keys : row.exact.keys[n].key / row.plan.block;
    if (block != last) blocks.emplace_back();
    blocks.back().push_back(n);
    last = block;
  }
  return blocks;
}

std::vector<key_block> blocks_of_keys(const std::vector<std::size_t>& keys, std::int64_t size) {
  std::vector<key_block> blocks;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    if (n % static_cast<std::size_t>(size) == 0) blocks.emplace_back();
    blocks.back().push_back(keys[n]);
  }
  return blocks;
}

// Where the contract says nothing of positions, any keys may be met together.
std::vector<key_block> ordered_blocks(const row_setting& row, luck& draws) {
  const auto logit = [&](std::size_t n) { return row.exact.keys[n].logit; };
  if (row.kept.block_keys == 1) {
    std::vector<std::size_t> keys(row.keys());
    std::iota(keys.begin(), keys.end(), std::size_t{0});
    arrange(keys, row.plan.order, logit, draws);
    return blocks_of_keys(keys, row.plan.block);
  }
  const auto greatest = [&](const key_block& block) {
    double most = logit(block.front());
    for (std::size_t n : block) most = std::max(most, logit(n));
    return most;
  };
  std::vector<key_block> blocks = blocks_of_positions(row);
  arrange(blocks, row.plan.order, greatest, draws);
  return blocks;
}

}  // namespace

std::vector<part_of_keys> ordered_parts(const row_setting& row, luck& draws) {
  const std::vector<key_block> blocks = ordered_blocks(row, draws);
  const std::size_t all = blocks.size();
  const std::size_t parts = std::min(all, static_cast<std::size_t>(row.plan.parts));
  std::vector<part_of_keys> result;
  for (std::size_t s = 0; s < parts; ++s) {
    const auto at = [&](std::size_t part) {
      return blocks.begin() + static_cast<std::ptrdiff_t>(part * all / parts);
    };
    result.emplace_back(at(s), at(s + 1));
  }
  return result;
}

}  // namespace attest
