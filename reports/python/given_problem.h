// Problems and answers that a Python program hands over as arrays.
#pragma once

#include <pybind11/numpy.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "properties/exchange/problem_files.h"
#include "reference/problems/problem.h"

namespace attest {

// The elements as doubles, which hold them all, and what they were: a format's name, "bool" or
// "int".
struct given_array {
  pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast> values;
  std::string kind;
};

// By name: q, k, v and what array_problem.h reads beside them; o and lse of an answer.
using given_arrays = std::map<std::string, given_array>;

struct given_options {
  std::string causal;  // none, top_left, bottom_right, or true where these are the same
  std::pair<std::int64_t, std::int64_t> window{-1, -1};
  std::map<std::string, std::int64_t> pattern;  // by the names of pattern_numbers
  std::string profile;
  std::optional<double> scale;
  double soft_cap = 0;
  double dropout_scale = 1;
  double alpha = 1.5;
};

// Domain: the GIL is held.
found_arrays to_found(const given_arrays&);

// Sets what the options say of a problem whose arrays are there.
// Error: input_error for an option that is out of range, or does not fit the problem.
void read_under(const given_options&, problem&);

}  // namespace attest
