#include "tests/reference/formats/arithmetic_agreement.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "reference/formats/arithmetic.h"
#include "tests/reference/formats/mpfr_arithmetic.h"
#include "tests/reference/formats/number_text.h"

namespace attest {
namespace {

using random_source = std::mt19937_64;

struct operands {
  double x, y, z;
};

double computed(operation op, arithmetic& unit, const operands& a) {
  switch (op) {
    case operation::add:
      return unit.add(a.x, a.y);
    case operation::sub:
      return unit.sub(a.x, a.y);
    case operation::mul:
      return unit.mul(a.x, a.y);
    case operation::div:
      return unit.div(a.x, a.y);
    case operation::sqrt:
      return unit.sqrt(a.x);
    case operation::fma:
      return unit.fma(a.x, a.y, a.z);
  }
  return 0;
}

void expect_same(double result, double expected, const format& f, operation op, rounding how,
                 const operands& a) {
  const char* const names[] = {"add", "sub", "mul", "div", "sqrt", "fma"};
  ASSERT_TRUE(is_same_number(result, expected))
      << f.name << " " << names[static_cast<int>(op)] << ", " << rounding_text(how) << "\n  x "
      << number_text(a.x) << "\n  y " << number_text(a.y) << "\n  z " << number_text(a.z)
      << "\n  got " << number_text(result) << ", not " << number_text(expected);
}

void expect_agreement(const number_line& line, const format& f, operation op, rounding how,
                      const operands& a) {
  arithmetic unit(f, how);
  expect_same(computed(op, unit, a), line.result(op, how, a.x, a.y, a.z), f, op, how, a);
}

std::uint64_t pattern_count(const format& f) { return std::uint64_t{1} << f.storage_bits; }

double random_number(const format& f, random_source& bits) { return decode(f, bits()); }

// A double of any exponent, its significand cut to a random length so that ties and exact results
// turn up.
double random_double(random_source& bits) {
  const std::uint64_t zeros = bits() % 4 == 0 ? bits() % 53 : 0;
  return std::bit_cast<double>(bits() >> zeros << zeros);
}

double end_of_range(random_source& bits) {
  const double ends[] = {
      0.0,        std::numeric_limits<double>::max(),     0x1p-1074, 0x1p-1022, 0x1p1023, 1.0,
      0x1.8p-600, std::numeric_limits<double>::infinity()};
  const double end = ends[bits() % 8];
  return bits() % 2 == 0 ? end : -end;
}

// A double within some 2^reach of another's size.
double of_similar_size(double x, int reach, random_source& bits) {
  const double significand = std::copysign(random_double(bits), 1);
  const int distance = static_cast<int>(bits() % static_cast<unsigned>(2 * reach + 1)) - reach;
  const double size = std::isfinite(significand) && significand > 0 ? significand : 1.0;
  const double scaled = std::ldexp(size, std::ilogb(x) - std::ilogb(size) + distance);
  return bits() % 2 == 0 ? scaled : -scaled;
}

double any_operand(const format& f, random_source& bits) {
  const std::uint64_t kind = bits() % 16;
  if (kind == 0) return end_of_range(bits);
  if (kind < 6) return random_number(f, bits);
  const double in_range = std::ldexp(1.0, f.min_exponent + static_cast<int>(bits() % 64) - 32);
  return kind < 9 ? of_similar_size(in_range, 8, bits) : random_double(bits);
}

bool has_size(double x) { return std::isfinite(x) && x != 0; }

// The partner that makes x y a result about the ends of the format's range.
double partner_at_an_end(const format& f, double x, random_source& bits) {
  const int end = bits() % 2 == 0 ? f.min_exponent - f.precision : f.max_exponent;
  const double wanted = std::ldexp(1.0, std::max(end, -1074));
  return of_similar_size(has_size(wanted / x) ? wanted / x : 1.0, 4, bits);
}

double second_operand(const format& f, double x, random_source& bits) {
  const std::uint64_t kind = has_size(x) ? bits() % 4 : 0;
  if (kind == 0) return any_operand(f, bits);
  if (kind == 1) return of_similar_size(x, 60, bits);
  return kind == 2 ? partner_at_an_end(f, x, bits) : of_similar_size(1.0, 30, bits);
}

// Near -x y, or of its size, so that the sum cancels or just doesn't.
double third_operand(const format& f, double product, random_source& bits) {
  const std::uint64_t kind = has_size(product) ? bits() % 4 : 0;
  if (kind == 0) return any_operand(f, bits);
  if (kind == 1) return -std::nextafter(product, bits() % 2 == 0 ? 0 : 2 * product);
  return kind == 2 ? -product : of_similar_size(product, 120, bits);
}

operands any_operands(const format& f, random_source& bits) {
  const double x = any_operand(f, bits);
  const double y = second_operand(f, x, bits);
  return {x, y, third_operand(f, x * y, bits)};
}

}  // namespace

void expect_agreement_on_all_pairs(const format& f, operation op) {
  const number_line line(f);
  const std::uint64_t second_count = op == operation::sqrt ? 1 : pattern_count(f);
  for (std::uint64_t i = 0; i < pattern_count(f); ++i)
    for (std::uint64_t j = 0; j < second_count; ++j)
      for (const rounding how : deterministic_roundings()) {
        expect_agreement(line, f, op, how, {decode(f, i), decode(f, j), 0});
        if (testing::Test::HasFatalFailure()) return;
      }
}

void expect_fma_agreement_on_all_triples(const format& f) {
  const number_line line(f);
  const std::uint64_t count = pattern_count(f);
  for (std::uint64_t i = 0; i < count * count * count; ++i) {
    const operands a{decode(f, i % count), decode(f, i / count % count),
                     decode(f, i / count / count)};
    for (const rounding_mode mode : deterministic_modes())
      expect_agreement(line, f, operation::fma, {mode}, a);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void expect_agreement_on_samples(const format& f, operation op, std::uint64_t seed, int count) {
  const number_line line(f);
  random_source bits(seed);
  for (int i = 0; i < count; ++i) {
    const operands a{random_number(f, bits), random_number(f, bits), random_number(f, bits)};
    for (const rounding_mode mode : deterministic_modes()) expect_agreement(line, f, op, {mode}, a);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void expect_agreement_with_mpfr(const format& f, operation op, std::uint64_t seed, int count) {
  random_source bits(seed);
  for (int i = 0; i < count; ++i) {
    const operands a = any_operands(f, bits);
    for (const rounding_mode mode : deterministic_modes()) {
      arithmetic unit(f, {mode});
      expect_same(computed(op, unit, a), mpfr_result(op, f, mode, a.x, a.y, a.z), f, op, {mode}, a);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace attest
