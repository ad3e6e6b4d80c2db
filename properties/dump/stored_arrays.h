// The arrays of one file, by name, for readers of what programs store.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/exchange/array.h"

namespace attest {

// Every error is an input_error that names the file, the array, and what is allowed.
class stored_arrays {
 public:
  // Error: for an array of another name, without elements or of integers or booleans, and for an
  // input that is not finite. answers: those of the names that may be.
  stored_arrays(named_arrays, std::span<const std::string_view> names,
                std::span<const std::string_view> answers, std::string where);

  bool holds(const std::string& name) const { return arrays_.contains(name); }
  // Error: where it is missing.
  const array& require(const std::string& name) const;
  void require_sizes(const std::string& name, const std::vector<std::int64_t>& due) const;

  // "WHERE: NAME GIVEN; allowed: ALLOWED".
  [[noreturn]] void fail(const std::string& name, const std::string& given,
                         const std::string& allowed) const;
  const std::string& where() const { return where_; }

 private:
  named_arrays arrays_;
  std::string where_;
};

}  // namespace attest
