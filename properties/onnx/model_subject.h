// A model that holds one attention as a subject, run by ONNX Runtime in a process of its own.
#pragma once

#include <memory>
#include <string_view>

#include "properties/onnx/call_limits.h"
#include "properties/run.h"

namespace attest {

// Whether an address is that of a model: PATH.onnx.
bool is_model_address(std::string_view address);

// Opens PATH.onnx. It answers what its limits take; at other problems it throws problem_not_taken.
// Error: input_error for a file that is no model, or no model of one attention that attest can ask
// (held_attention.h), one that ONNX Runtime refuses, and where that is not there.
std::unique_ptr<subject> open_model(std::string_view address, const isolation&);

// Computes: what the model takes. Error: as open_model, of the file.
call_limits limits_of_model(std::string_view address);

// As run_properties, with problems that the limits take. A law that asks another problem is skipped
// there; one of which no problem fits is not run.
run_result run_within_limits(subject&, const call_limits&, const run_options&, const progress&);

}  // namespace attest
