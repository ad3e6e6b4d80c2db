// What the reference costs beside attention written with Eigen, on n queries and keys of width 64.
#include <benchmark/benchmark.h>

#include "reference/definition/attention.h"
#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"
#include "tests/bench/arb_128_bits.h"
#include "tests/bench/eigen_attention.h"

namespace {

constexpr std::int64_t width = 64;

attest::problem square_problem(std::int64_t n) {
  attest::problem_spec spec;
  spec.dims = {1, 1, 1, n, n, width, width};
  return attest::materialise(spec);
}

void eigen_double(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(attest::bench::run_eigen_double(state.range(0), width));
}

void eigen_50_digits(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(attest::bench::run_eigen_50_digits(state.range(0), width));
}

void arb_128_bits(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(attest::bench::run_arb_128_bits(state.range(0), width));
}

void definition_in_double(benchmark::State& state) {
  const attest::problem p = square_problem(state.range(0));
  for (auto _ : state)
    for (std::int64_t i = 0; i < state.range(0); ++i)
      benchmark::DoNotOptimize(attest::attention<double>(p, {0, 0, i}).lse);
}

void exact_rows_100_digits(benchmark::State& state) {
  const attest::problem p = square_problem(state.range(0));
  for (auto _ : state)
    for (std::int64_t i = 0; i < state.range(0); ++i)
      benchmark::DoNotOptimize(attest::compute_exact_row(p, {0, 0, i}).lse.high);
}

BENCHMARK(eigen_double)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(definition_in_double)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(eigen_50_digits)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(arb_128_bits)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(exact_rows_100_digits)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace
