// Problems and answers that a Python program hands over as arrays.
#pragma once

#include <pybind11/numpy.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "properties/exchange/array_problem.h"

namespace attest {

// The elements as doubles, which hold them all, and what they were: a format's name, "bool" or
// "int".
struct given_array {
  pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast> values;
  std::string kind;
};

// By name: q, k, v, mask, bias, sink, lengths.
using given_arrays = std::map<std::string, given_array>;

struct given_options {
  std::string causal;  // none, top_left, bottom_right, or true where these are the same
  std::pair<std::int64_t, std::int64_t> window{-1, -1};
  std::string profile;
  std::optional<double> scale;
  double soft_cap = 0;
};

array to_array(const given_array&);

// Computes: the problem, its q, k and v in f64 and its bias in the format that it has.
// Domain: the GIL is held. Error: input_error as to_problem has it, and for the options.
array_problem pose(const given_arrays&, const given_options&);

}  // namespace attest
