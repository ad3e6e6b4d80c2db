// What it costs to run a plugin in a process of its own, in processor time of attest and its
// children, beside the same check without isolation in the same run:
//
//   isolation_bench --benchmark_repetitions=7
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <ctime>

#include "properties/property.h"
#include "properties/run.h"

namespace attest::bench {
namespace {

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

// RUSAGE_CHILDREN: of those that have ended.
double processor_seconds(int whom) {
  rusage usage{};
  getrusage(whom, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// A subject, and what its calls cost the thread that makes them. Not concurrent, as plugins are.
class timed_subject : public subject {
 public:
  explicit timed_subject(std::unique_ptr<subject> s) : subject_(std::move(s)) {}

  const subject_info& info() const override { return subject_->info(); }
  bool concurrent() const override { return false; }
  bool heeds_threads() const override { return subject_->heeds_threads(); }
  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    return answer_in(manner::usual, p, o, lse);
  }
  answer_outcome answer_in(manner how, problem& p, tensor& o, tensor* lse) override {
    const double before = thread_seconds();
    answer_outcome outcome = subject_->answer_in(how, p, o, lse);
    seconds_ += thread_seconds() - before;
    return outcome;
  }
  double seconds_of_calls() const { return seconds_; }

 private:
  std::unique_ptr<subject> subject_;
  double seconds_ = 0;
};

struct cost {
  double check = 0;  // of the whole
  double calls = 0;  // of the calls alone, and of the processes that answer them
};

// The default check of a plugin that takes little time itself.
cost cost_of_check(bool apart) {
  const double before = processor_seconds(RUSAGE_SELF);
  const double children_before = processor_seconds(RUSAGE_CHILDREN);
  cost found;
  {
    isolation how;
    how.apart = apart;
    timed_subject timed(open_subject(ATTEST_PLUGIN_FOLDER "/subjects/online.so", {.run = how}));
    run_options options;
    options.properties.assign(catalogue().begin(), catalogue().end());
    run_properties(timed, options, [](std::int64_t, std::int64_t) { return true; });
    found.calls = timed.seconds_of_calls();
  }
  const double children = processor_seconds(RUSAGE_CHILDREN) - children_before;
  found.calls += children;
  found.check = processor_seconds(RUSAGE_SELF) - before + children;
  return found;
}

// over_no_isolation: the whole of one check over the whole of the other, with the noise of both.
// extra: what the calls cost more, as a part of the check without isolation. Which check comes
// first changes.
void check(benchmark::State& s) {
  static bool apart_first = false;
  cost apart, together;
  for (auto _ : s) {
    apart_first = !apart_first;
    if (apart_first) apart = cost_of_check(true);
    together = cost_of_check(false);
    if (!apart_first) apart = cost_of_check(true);
    s.SetIterationTime(apart.check);
  }
  s.counters["over_no_isolation"] = apart.check / together.check;
  s.counters["extra"] = (apart.calls - together.calls) / together.check;
}

BENCHMARK(check)->UseManualTime()->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace attest::bench
