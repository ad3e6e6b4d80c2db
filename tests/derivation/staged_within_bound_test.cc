// The staged evaluations, whatever their order and rounding, stay within the bound that is derived
// from their contract.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "reference/backends/answer.h"
#include "reference/backends/backend.h"
#include "reference/backends/staged.h"
#include "reference/contract/presets.h"
#include "tests/derivation/error_ratio.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

std::uint64_t problems() {
  const char* const given = std::getenv("ATTEST_TEST_PROBLEMS");
  return given ? std::strtoull(given, nullptr, 10) : 120;  // seeds 18 and 102 broke earlier bounds
}

// A problem with its exact rows, computed once for all evaluations.
struct solved_problem {
  explicit solved_problem(const problem_spec& s) : spec(s), p(materialise(s)) {
    for_each_row(p.dims, [&](const row_index& row) {
      places.push_back(row);
      rows.push_back(compute_exact_row(p, row));
    });
  }

  problem_spec spec;
  problem p;
  std::vector<row_index> places;
  std::vector<exact_row> rows;
};

struct pair_of_ratios {
  worst_ratio output;
  worst_ratio lse;
};

void measure(const solved_problem& solved, const contract& c, const answer& a,
             pair_of_ratios& worst) {
  const std::string label = to_line(solved.spec);
  for (std::size_t n = 0; n < solved.rows.size(); ++n) {
    const judged_row row{c, solved.p, solved.places[n], solved.rows[n]};
    measure_output(row, a.o, label, worst.output);
    measure_lse(row, a.lse, label, worst.lse);
  }
}

void print(const std::string& name, const pair_of_ratios& worst) {
  std::cout << name << ": o " << worst.output.ratio << ", lse " << worst.lse.ratio << " over "
            << worst.output.rows << " rows (" << worst.output.outside << " out of domain, "
            << worst.output.undecided << " elements undecided)\n";
}

void expect_held(const std::string& name, const pair_of_ratios& worst) {
  print(name, worst);
  EXPECT_LE(worst.output.ratio, 1) << name << " o: " << worst.output.where;
  EXPECT_LE(worst.lse.ratio, 1) << name << " lse: " << worst.lse.where;
  EXPECT_GT(worst.output.rows, 0);
}

constexpr std::string_view orders[] = {"two-pass",     "online=1",   "online=5",
                                       "online=16",    "split-kv=3", "split-kv=60",
                                       "merge-tree=5", "ring=4",     "chunked-prefill=2"};

struct staged_case {
  std::string_view number;
  const format* inputs;
};

void expect_number_held(const staged_case& c) {
  std::vector<backend> backends;
  for (std::string_view order : orders)
    backends.push_back(find_backend(std::string(c.number) + "/" + std::string(order)));
  std::vector<pair_of_ratios> worst(backends.size());
  for (std::uint64_t seed = 0; seed < problems(); ++seed) {
    const solved_problem solved(any_spec(seed, *c.inputs));
    for (std::size_t n = 0; n < backends.size(); ++n) {
      answer a(solved.p, *backends[n].keeps->output, *backends[n].keeps->lse);
      backends[n].evaluate(backends[n], solved.p, a.o, &a.lse);
      measure(solved, *backends[n].keeps, a, worst[n]);
    }
  }
  for (std::size_t n = 0; n < backends.size(); ++n) expect_held(backends[n].name, worst[n]);
}

TEST(staged_within_bound, float64) { expect_number_held({"float64", &f64}); }
TEST(staged_within_bound, float32) { expect_number_held({"float32", &f32}); }
TEST(staged_within_bound, fp16) { expect_number_held({"fp16", &f16}); }
TEST(staged_within_bound, fp16_eager) { expect_number_held({"fp16-eager", &f16}); }
TEST(staged_within_bound, fp16_accumulate) { expect_number_held({"fp16-accumulate", &f16}); }
TEST(staged_within_bound, bf16) { expect_number_held({"bf16", &bf16}); }
TEST(staged_within_bound, bf16_eager) { expect_number_held({"bf16-eager", &bf16}); }
TEST(staged_within_bound, fp8_e4m3fn) { expect_number_held({"fp8", &f8_e4m3fn}); }
TEST(staged_within_bound, fp8_e4m3) { expect_number_held({"fp8", &f8_e4m3}); }
TEST(staged_within_bound, fp8_e5m2) { expect_number_held({"fp8", &f8_e5m2}); }

// Every stage rounded in a given way: the contract says so, and the bound grows.
contract rounded(contract c, rounding_mode mode, subnormal_mode subnormals) {
  for (stage* s : {&c.score_sum, &c.score_storage, &c.bias_sum, &c.exponent, &c.weight_storage,
                   &c.output_sum, &c.weight_sum, &c.partial_storage}) {
    s->mode = mode;
    s->subnormals = subnormals;
  }
  c.output_mode = mode;
  c.output_subnormals = subnormals;
  return c;
}

constexpr rounding_mode modes[] = {rounding_mode::nearest_even, rounding_mode::up,
                                   rounding_mode::down, rounding_mode::to_zero,
                                   rounding_mode::stochastic};
constexpr schedule schedules[] = {{evaluation_order::two_pass, 0},
                                  {evaluation_order::online, 4},
                                  {evaluation_order::split_kv, 5}};

// Each problem under one mode, one order and one treatment of subnormals.
void measure_rounded(const solved_problem& solved, const contract& declared,
                     pair_of_ratios& worst) {
  const std::uint64_t seed = solved.spec.seed;
  const auto subnormals = static_cast<subnormal_mode>(seed % 2);
  const contract c = rounded(declared, modes[seed / 2 % 5], subnormals);
  answer a(solved.p, *c.output, *c.lse);
  evaluate_staged(c, schedules[seed / 10 % 3], solved.p, a.o, &a.lse);
  measure(solved, c, a, worst);
}

TEST(staged_within_bound, whatever_the_rounding) {
  for (const contract& c : all_contracts()) {
    pair_of_ratios worst;
    for (std::uint64_t seed = 0; seed < problems(); ++seed)
      measure_rounded(solved_problem(any_spec(seed, *c.inputs)), c, worst);
    expect_held(std::string(c.name) + " in any rounding", worst);
  }
}

}  // namespace
}  // namespace attest
