#include "properties/plugin/isolated_plugin.h"

#include <utility>
#include <vector>

#include "properties/plugin/plugin_call.h"
#include "properties/plugin/plugin_info.h"
#include "properties/plugin/restarted_process.h"
#include "properties/time_outs.h"

namespace attest {
namespace {

double multiply_adds_of(const shape& s) {
  return static_cast<double>(s.batch) * static_cast<double>(s.query_heads) *
         static_cast<double>(s.queries) * static_cast<double>(s.keys) *
         static_cast<double>(s.width + s.value_width);
}

int threads_of(manner how) {
  return how == manner::one_thread ? 1 : how == manner::two_threads ? 2 : 0;
}

class isolated_plugin : public subject {
 public:
  isolated_plugin(std::string_view address, const isolation& limits,
                  std::vector<std::string> environment)
      : timeout_seconds_(limits.timeout_seconds) {
    plugin_process_settings settings{plugin_address(address), forward_form, limits, 0,
                                     std::move(environment)};
    for (int threads : {0, 1, 2}) {
      settings.threads = threads;
      by_threads_.emplace_back(settings);
    }
    info_ = read_description(by_threads_[0].start(), address);
  }

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return false; }
  bool heeds_threads() const override { return true; }

  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    return answer_in(manner::usual, p, o, lse);
  }

  answer_outcome answer_in(manner how, problem& p, tensor& o, tensor* lse) override {
    time_outs_.require_fewer();
    answer_outcome outcome = ask(how, p, o, lse);
    time_outs_.count(outcome.status);
    return outcome;
  }

 private:
  answer_outcome ask(manner how, problem& p, tensor& o, tensor* lse) {
    const plugin_call call(p, o, lse);
    const double seconds = call_seconds(multiply_adds_of(p.dims), timeout_seconds_);
    return by_threads_[static_cast<std::size_t>(threads_of(how))].answer(
        how, {{.forward = call.forward()}, call.tensors(), seconds});
  }

  double timeout_seconds_;
  subject_info info_;
  std::vector<restarted_process> by_threads_;  // 0: as usual, 1, 2
  time_outs time_outs_;
};

}  // namespace

std::unique_ptr<subject> open_isolated_plugin(std::string_view address, const isolation& limits,
                                              std::vector<std::string> environment) {
  return std::make_unique<isolated_plugin>(address, limits, std::move(environment));
}

}  // namespace attest
