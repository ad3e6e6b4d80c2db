#include "reference/exact/exact_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/exact/interval_enclosure.h"
#include "reference/exact/member_row.h"

namespace attest {
namespace {

constexpr int first_bits = 256, last_bits = 2048;
constexpr double infinity = std::numeric_limits<double>::infinity();

// What may be 0, and often is, as gradients cancel, is told as 0.
enclosure about_0(const enclosure& x) {
  return {0, 0, 1.001 * (std::fabs(x.high) + std::fabs(x.low) + x.radius)};
}

// Of what nothing is known, or what lies beyond the doubles.
enclosure enclosed(const interval& x) {
  if (!is_finite(x)) return {0, 0, infinity};
  const enclosure found = enclose(x);
  if (!std::isfinite(found.high)) return {found.high, 0, 0};
  return std::fabs(found.high) <= found.radius ? about_0(found) : found;
}

array4<enclosure> enclosed(const array4<interval>& all) {
  if (all.empty()) return {};
  array4<enclosure> result(all.sizes());
  for_each_index(all.sizes(), [&](const index4& i) { result.set(i, enclosed(all.at(i))); });
  return result;
}

std::vector<enclosure> enclosed(const std::vector<interval>& all) {
  std::vector<enclosure> result;
  for (const interval& x : all) result.push_back(enclosed(x));
  return result;
}

attention_gradient<enclosure> enclosed(const attention_gradient<interval>& g) {
  attention_gradient<enclosure> result;
  result.scored.q = enclosed(g.scored.q);
  result.scored.k = enclosed(g.scored.k);
  for (const array4<interval>& each : g.scored.parameters)
    result.scored.parameters.push_back(enclosed(each));
  result.v = enclosed(g.v);
  result.bias = enclosed(g.bias);
  result.sink = enclosed(g.sink);
  result.slopes = enclosed(g.slopes);
  result.scale = enclosed(g.scale);
  return result;
}

bool are_narrow(const std::vector<enclosure>& all) {
  double greatest = 0;
  for (const enclosure& x : all) greatest = std::max(greatest, std::fabs(x.high));
  return std::all_of(all.begin(), all.end(), [&](const enclosure& x) {
    return x.radius <= std::max({0x1p-80 * std::fabs(x.high), 0x1p-160 * greatest, 0x1p-1074});
  });
}

bool is_narrow(const attention_gradient<enclosure>& g) {
  const auto& parameters = g.scored.parameters;
  return are_narrow(g.scored.q.values()) && are_narrow(g.scored.k.values()) &&
         are_narrow(g.v.values()) && are_narrow(g.bias.values()) && are_narrow(g.sink) &&
         are_narrow(g.slopes) && are_narrow(std::vector<enclosure>{g.scale}) &&
         std::all_of(parameters.begin(), parameters.end(),
                     [](const auto& each) { return are_narrow(each.values()); });
}

// The weights of normalizers with thresholds are enclosed in a way of their own.
weighed_row<interval> enclosed_row(const problem& p, const row_index& place) {
  row_enclosure row = enclose_row(p, place);
  if (row.weightless()) return {};
  return {std::move(row.keys), std::move(row.logits), std::move(row.weights), row.lse};
}

}  // namespace

attention_gradient<enclosure> exact_gradient(const problem& p, const cotangents& given) {
  attention_gradient<enclosure> found;
  for (int bits = first_bits; bits <= last_bits; bits *= 2) {
    const interval_precision scope(bits);
    found = enclosed(gradient_of<interval>(p, given, enclosed_row));
    if (is_narrow(found)) break;
  }
  return found;
}

}  // namespace attest
