#include <gtest/gtest.h>

#include "tests/reference/formats/arithmetic_agreement.h"

namespace attest {
namespace {

constexpr operation all_operations[] = {operation::add, operation::sub,  operation::mul,
                                        operation::div, operation::sqrt, operation::fma};

TEST(arithmetic_long, of_e4m3fn_multiplies_and_adds_with_one_rounding_on_every_triple) {
  expect_fma_agreement_on_all_triples(f8_e4m3fn);
}

TEST(arithmetic_long, of_f16_is_exact_and_rounded_once) {
  for (const operation op : all_operations) expect_agreement_on_samples(f16, op, 21, 1 << 22);
}

TEST(arithmetic_long, of_f32_and_f64_agrees_with_mpfr) {
  for (const format* f : {&f32, &f64})
    for (const operation op : all_operations) expect_agreement_with_mpfr(*f, op, 22, 2000000);
}

}  // namespace
}  // namespace attest
