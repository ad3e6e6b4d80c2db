#include "properties/plugin/isolated_plugin.h"

#include <array>
#include <optional>
#include <utility>

#include "properties/plugin/plugin_call.h"
#include "properties/plugin/plugin_info.h"
#include "properties/plugin/plugin_process.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"

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
      : settings_{plugin_address(address), forward_form, limits, 0, std::move(environment)} {
    processes_[0].emplace(settings_);
    info_ = read_description(processes_[0]->description(), address);
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
    auto& process = processes_[static_cast<std::size_t>(threads_of(how))];
    if (auto failure = start(process, threads_of(how))) return *failure;
    const plugin_call call(p, o, lse);
    const double seconds = call_seconds(multiply_adds_of(p.dims), settings_.limits.timeout_seconds);
    answer_outcome outcome =
        process->answer(how, {{.forward = call.forward()}, call.tensors(), seconds});
    if (!process->useful()) process.reset();
    return outcome;
  }

  // Result: why it can't be started, where it can't.
  std::optional<answer_outcome> start(std::optional<plugin_process>& process, int threads) {
    if (process) return std::nullopt;
    plugin_process_settings s = settings_;
    s.threads = threads;
    try {
      process.emplace(s);
    } catch (const not_loaded_in_time& e) {
      return answer_outcome{answer_status::timed_out, e.what()};
    } catch (const input_error& e) {
      return answer_outcome{answer_status::crashed,
                            std::string("could not be started again: ") + e.what()};
    }
    return std::nullopt;
  }

  plugin_process_settings settings_;
  subject_info info_;
  std::array<std::optional<plugin_process>, 3> processes_;  // by threads; 0: as usual
  time_outs time_outs_;
};

}  // namespace

std::unique_ptr<subject> open_isolated_plugin(std::string_view address, const isolation& limits,
                                              std::vector<std::string> environment) {
  return std::make_unique<isolated_plugin>(address, limits, std::move(environment));
}

}  // namespace attest
