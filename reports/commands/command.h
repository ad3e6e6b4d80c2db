// The subcommands of the program: each runs on its options and returns the exit code.
#pragma once

#include "reports/options.h"

namespace attest {

// Error: input_error, as main expects it.
int run(const audit_command_options&);
int run(const check_options&);
int run(const compare_options&);
int run(const corpus_check_options&);
int run(const corpus_make_options&);
int run(const derive_options&);
int run(const example_options&);
int run(const explain_options&);
int run(const gradient_options&);
int run(const identify_options&);
int run(const infer_options&);
int run(const judge_options&);
int run(const list_options&);
int run(const module_options&);
int run(const onnx_command_options&);
int run(const power_options&);
int run(const recurrence_options&);
int run(const reference_options&);
int run(const replay_options&);

}  // namespace attest
