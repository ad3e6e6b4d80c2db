// The subjects of an adapter as the list that attest_plugin_at reads. A forward entry is not told
// whose it is, so that each place in the list has an entry of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "properties/attest_plugin.h"

namespace attest_adapter {

// Result: where the message was put, and the status that goes with it.
inline std::int32_t decline(char* message, std::uint64_t size, std::int32_t status,
                            const char* text) {
  std::snprintf(message, static_cast<std::size_t>(size), "%s", text);
  return status;
}

struct declaration {
  std::string name;
  std::uint64_t features = 0;
  std::uint64_t dtypes = 0;
  const char* profile = nullptr;
  const char* contract = nullptr;
};

// Answers for subjects of type Subject, which has a member `declaration declared` and a function
// `void answer(const attest_forward&)` that throws std::exception where it can't. A process has one
// table of a type.
template <class Subject>
class subject_table {
 public:
  static constexpr std::size_t capacity = 192;

  // Domain: at most `capacity` subjects; those beyond are left out.
  subject_table(std::string version, std::vector<Subject> subjects)
      : version_(std::move(version)), subjects_(std::move(subjects)) {
    static constexpr auto entries = entries_of(std::make_index_sequence<capacity>{});
    if (subjects_.size() > capacity) subjects_.resize(capacity);
    plugins_.reserve(subjects_.size());
    self() = this;
    for (std::size_t n = 0; n < subjects_.size(); ++n) {
      const declaration& d = subjects_[n].declared;
      plugins_.push_back({sizeof(attest_plugin), ATTEST_ABI_VERSION, d.name.c_str(),
                          version_.c_str(), d.features, d.dtypes, d.profile, d.contract, entries[n],
                          nullptr});
    }
  }
  subject_table(const subject_table&) = delete;
  subject_table& operator=(const subject_table&) = delete;

  const attest_plugin* at(std::uint32_t index) const {
    return index < plugins_.size() ? &plugins_[index] : nullptr;
  }

 private:
  using entry = std::int32_t (*)(const attest_forward*, char*, std::uint64_t);

  static subject_table*& self() {
    static subject_table* table = nullptr;
    return table;
  }

  template <std::size_t Place>
  static std::int32_t answer_at(const attest_forward* call, char* message, std::uint64_t size) {
    try {
      self()->subjects_[Place].answer(*call);
      return ATTEST_OK;
    } catch (const std::exception& problem) {
      return decline(message, size, ATTEST_ERROR, problem.what());
    }
  }

  template <std::size_t... Places>
  static constexpr std::array<entry, sizeof...(Places)> entries_of(std::index_sequence<Places...>) {
    return {answer_at<Places>...};
  }

  std::string version_;
  std::vector<Subject> subjects_;
  std::vector<attest_plugin> plugins_;
};

}  // namespace attest_adapter
