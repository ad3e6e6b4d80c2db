// A plugin in attest's own process, for a debugger: what it does, it does to attest.
#include "properties/plugin/local_plugin.h"

#include "properties/plugin/float_environment.h"
#include "properties/plugin/plugin_answer.h"
#include "properties/plugin/plugin_call.h"
#include "properties/plugin/plugin_info.h"
#include "properties/plugin/plugin_library.h"

namespace attest {
namespace {

std::optional<std::string> text_of(const char* given) {
  return given == nullptr ? std::nullopt : std::optional<std::string>(given);
}

plugin_description describe(const attest_plugin& plugin) {
  return {plugin.name,
          text_of(plugin.version).value_or(""),
          plugin.features,
          plugin.dtypes,
          text_of(plugin.profile),
          text_of(plugin.contract)};
}

class local_plugin : public subject {
 public:
  explicit local_plugin(std::string_view address, const plugin_address& at)
      : library_(at.path, at.name), info_(read_description(describe(library_.plugin()), address)) {}

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return false; }

  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    plugin_call call(p, o, lse);
    plugin_answer given;
    {
      const float_environment kept;
      given.status = library_.plugin().forward(&call.forward(), given.message.data(),
                                               given.message.size() - 1);
      given.environment = environment_changes();
    }
    given.message.back() = '\0';  // whatever the plugin wrote, the text ends
    call.return_copies();
    return outcome_of(given);
  }

 private:
  plugin_library library_;
  subject_info info_;
};

}  // namespace

std::unique_ptr<subject> open_local_plugin(std::string_view address) {
  return std::make_unique<local_plugin>(address, plugin_address(address));
}

}  // namespace attest
