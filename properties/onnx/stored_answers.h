// Judging the answers that a test case of ONNX's Attention stores.
#pragma once

#include "properties/examiner.h"
#include "properties/onnx/attention_call.h"
#include "properties/onnx/conventions.h"
#include "properties/onnx/ulp_histogram.h"
#include "properties/verdict.h"

namespace attest {

// Judges every element of every stored output: Y within the bound of the contract;
// qk_matmul_output, at
//   the stage that its mode names, within that of a score or a weight; present_key and
//   present_value bit for bit.
// Special: a score that mask or positions take out is -inf exactly, or -cap where the soft cap acts
// on it.
judgement judge_stored(const attention_call&, const onnx_conventions&, const terms&);

// Judges every element of an output of the problem, [B, Hq, Lq, Dv], as judge_answer does but for
// one thing:
//   undecided is a bound above vacuous_share of both the hull and the value. Where there is one
//   key, or the values are alike, weights don't show, but the value is due all the same.
judgement judge_output(const problem&, const tensor& stored, const terms&, const char* name);

// Computes: the distances of Y and qk_matmul_output from the correctly rounded answers.
ulp_histogram count_ulps(const attention_call&, const onnx_conventions&);

}  // namespace attest
