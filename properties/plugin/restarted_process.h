// A plugin in a process of its own, which is started again after it crashed or ran out of time.
#pragma once

#include <memory>
#include <optional>

#include "properties/plugin/plugin_process.h"

namespace attest {

class restarted_process {
 public:
  explicit restarted_process(plugin_process_settings s) : settings_(std::move(s)) {}

  // Starts it. Error: as of plugin_process.
  const plugin_description& start();

  // Computes: as plugin_process does; starts it first where it does not run. Special: timed out or
  // crashed where that fails.
  answer_outcome answer(manner, const sent_call&);

 private:
  // Result: why it can't be started, where it can't.
  std::optional<answer_outcome> failure_to_start();

  plugin_process_settings settings_;
  std::unique_ptr<plugin_process> process_;
};

}  // namespace attest
