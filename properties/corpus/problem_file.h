// A problem as a corpus holds it: arrays in one file, and the hash that it is known by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "properties/exchange/array.h"
#include "reference/problems/problem.h"

namespace attest {

enum class corpus_format : std::uint8_t { safetensors, npz };

// Computes: "safetensors", "npz"; files of the format end so.
std::string_view name_of(corpus_format);
// Error: input_error for another name.
corpus_format find_corpus_format(std::string_view name);

// Computes: the SHA-256 of all that the problem says, and of how often the same was asked before:
// an answer to the first time is none to the second. Layouts do not count.
std::string problem_digest(const problem&, std::int64_t repeat);

// Result: the bytes of the file: the arrays of the problem (problem_arrays.h), and the digest's
// bytes as the array `problem`. In .npz the formats that NumPy lacks are their bits, as unsigned
// integers. Domain: digest as problem_digest gives it.
std::string problem_file(const problem&, std::string_view digest, corpus_format);

// Computes: the array `problem` of a digest, and back.
array digest_array(std::string_view digest);
// Error: input_error naming `where` for an array that is none.
std::string digest_of(const array&, std::string_view where);

}  // namespace attest
