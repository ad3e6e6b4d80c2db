// What a model of one attention is fed, as attest found it in the model
// (properties/onnx/held_attention.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/adapters/onnxruntime/session.h"
#include "properties/attest_plugin.h"

namespace attest_adapter::onnx_model {

// An input of the graph. Sizes by name: B, Hq, Hkv, Lq, Lk, P keys of the past, N = Lk - P others,
// D, Dv, the products HqD, HkvD, HkvDv, their sum W, and 1.
struct feed {
  std::string role;
  onnxruntime::element_type type;
  std::vector<std::string> sizes;
  std::string name;
};

struct feeding {
  std::string model;   // the bytes of the file
  std::string output;  // the name of o
  std::size_t output_rank = 4;
  std::string past;  // how many keys are of the past: a number, "rest" (Lk - Lq), "half", or
  // "but:N", all but N
  std::vector<feed> feeds;
};

// Reads the environment: ATTEST_ONNX_MODEL names the file; ATTEST_ONNX_FEEDS has a line "output
// RANK NAME", a line "past HOW", and for each input a line "ROLE TYPE SIZES NAME". Error:
// std::runtime_error.
feeding read_feeding();

// Computes: o of the call. Error: std::runtime_error with the library's message.
void answer(const feeding&, const attest_forward&);

}  // namespace attest_adapter::onnx_model
