// Problems as test cases of ONNX's operator Attention, for whatever runs ONNX models.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "properties/corpus/make_corpus.h"

namespace attest {

// The list of the cases, beside their folders.
inline constexpr const char* onnx_cases_name = "cases.json";

// A problem that a trial asks: as a case, or left out.
struct onnx_case_entry {
  std::string folder;   // of the case; empty: left out
  std::string refused;  // why it was
  std::string law;
  std::string problem;  // the line of the trial's problem; what is asked may be made of it
};

struct made_onnx_cases {
  std::vector<onnx_case_entry> cases, left_out;
};

// Writes a folder of ONNX's backend tests for each problem of the trials that a corpus would have,
// and a list of them. The stored answer is the correctly rounded one. Repeats are one case.
// Domain, Error: as make_corpus; input_error, too, where no problem can be said in ONNX.
made_onnx_cases make_onnx_cases(const std::filesystem::path&, const corpus_request&);

}  // namespace attest
