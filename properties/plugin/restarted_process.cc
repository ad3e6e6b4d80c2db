#include "properties/plugin/restarted_process.h"

namespace attest {

const plugin_description& restarted_process::start() {
  process_ = std::make_unique<plugin_process>(settings_);
  return process_->description();
}

answer_outcome restarted_process::answer(manner how, const sent_call& call) {
  if (auto failure = failure_to_start()) return *failure;
  answer_outcome outcome = process_->answer(how, call);
  if (!process_->useful()) process_.reset();
  return outcome;
}

std::optional<answer_outcome> restarted_process::failure_to_start() {
  if (process_) return std::nullopt;
  try {
    start();
  } catch (const not_loaded_in_time& e) {
    return answer_outcome{answer_status::timed_out, e.what()};
  } catch (const input_error& e) {
    return answer_outcome{answer_status::crashed,
                          std::string("could not be started again: ") + e.what()};
  }
  return std::nullopt;
}

}  // namespace attest
