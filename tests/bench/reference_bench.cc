// What the reference costs beside attention written with Eigen and with Arb, in one run:
//
//   reference_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cmath>

#include "reference/certified/settle.h"
#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"
#include "tests/bench/competitors.h"

namespace attest::bench {
namespace {

using state = benchmark::State;

problem square_problem(const state& s, const format& inputs) {
  problem_spec spec;
  spec.inputs = &inputs;
  spec.dims = {1, 1, 1, s.range(0), s.range(0), s.range(1), s.range(1)};
  return materialise(spec);
}

std::vector<double> values(const tensor& x) {
  std::vector<double> all;
  for_each_index(x.sizes(), [&](const index4& i) { all.push_back(x.at(i)); });
  return all;
}

bench_inputs inputs_of(const state& s) {
  const problem p = square_problem(s, f32);
  return {s.range(0), s.range(1), values(p.q), values(p.k), values(p.v)};
}

// The time over the number of scores, in seconds.
void count_scores(state& s, std::int64_t scores) {
  using benchmark::Counter;
  s.counters["a_score"] =
      Counter(static_cast<double>(scores), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void count_scores(state& s) { count_scores(s, s.range(0) * s.range(0)); }

certified_options threads_of(const state& s) {
  certified_options options;
  options.threads = static_cast<int>(s.range(2));
  return options;
}

void competitor(state& s, double (*run)(const bench_inputs&)) {
  const bench_inputs x = inputs_of(s);
  for (auto _ : s) benchmark::DoNotOptimize(run(x));
  count_scores(s);
}

void eigen_in_place(state& s) {
  eigen_double_in_place attention(inputs_of(s));
  for (auto _ : s) benchmark::DoNotOptimize(attention.run());
  count_scores(s);
}

void certified(state& s, const format& inputs) {
  const problem p = square_problem(s, inputs);
  const certified_options options = threads_of(s);
  for (auto _ : s) benchmark::DoNotOptimize(certify(p, options).multiprecision_rows);
  count_scores(s);
}

// Whether every output of a subject lies within two units in the last place of the exact one. The
// subject rounds correctly to f32.
void settled(state& s, const format& inputs) {
  const problem p = square_problem(s, inputs);
  std::vector<float> subject;
  for (const enclosure& o : certify(p).output) subject.push_back(static_cast<float>(o.high));
  const question within = [&](const element_place& at, const enclosure& x) {
    if (at.column < 0) return true;
    const double observed =
        subject[static_cast<std::size_t>(at.row.i * p.dims.value_width + at.column)];
    const double bound = 0x1p-22 * std::fabs(observed);
    const distance d = distance_to(x, observed);
    return d.most <= bound || d.least > bound;
  };
  const certified_options options = threads_of(s);
  settlement result;
  for (auto _ : s) result = settle(p, within, options);
  s.counters["rows_in_double"] = static_cast<double>(result.in_double);
  count_scores(s);
}

void exact_rows(state& s) {
  const problem p = square_problem(s, f32);
  for (auto _ : s)
    for (std::int64_t i = 0; i < p.dims.queries; ++i)
      benchmark::DoNotOptimize(compute_exact_row(p, {0, 0, i}).lse.high);
  count_scores(s);
}

// 1,024 queries of width 128 on as many keys as the argument says.
void long_context(state& s) {
  problem_spec spec;
  spec.dims = {1, 1, 1, 1024, s.range(0), 128, 128};
  const problem p = materialise(spec);
  for (auto _ : s) benchmark::DoNotOptimize(certify(p).multiprecision_rows);
  count_scores(s, 1024 * s.range(0));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  s.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const std::int64_t n : {512, 1024, 4096})
    for (const std::int64_t width : {64, 128}) b->Args({n, width});
}

void sizes_and_threads(benchmark::internal::Benchmark* b) {
  for (const std::int64_t n : {512, 1024, 4096})
    for (const std::int64_t width : {64, 128})
      for (const std::int64_t threads : {1, 2}) b->Args({n, width, threads});
}

BENCHMARK_CAPTURE(competitor, eigen_double, eigen_double)->Apply(sizes)->UseRealTime();
BENCHMARK(eigen_in_place)->Apply(sizes)->UseRealTime();
BENCHMARK_CAPTURE(certified, f32, f32)->Apply(sizes_and_threads)->UseRealTime();
BENCHMARK_CAPTURE(certified, f16, f16)->Apply(sizes_and_threads)->UseRealTime();
BENCHMARK_CAPTURE(settled, f32, f32)->Apply(sizes_and_threads)->UseRealTime();
BENCHMARK_CAPTURE(settled, f16, f16)->Apply(sizes_and_threads)->UseRealTime();
BENCHMARK_CAPTURE(competitor, arb_128_bits, arb_128_bits)->Args({256, 64})->UseRealTime();
BENCHMARK_CAPTURE(competitor, eigen_50_digits, eigen_50_digits)->Args({256, 64})->UseRealTime();
BENCHMARK(exact_rows)->Args({64, 64})->UseRealTime();
BENCHMARK(long_context)->Arg(4096)->Arg(131072)->UseRealTime();

}  // namespace
}  // namespace attest::bench
