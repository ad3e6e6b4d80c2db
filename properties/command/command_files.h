// The files in which a command finds a problem and leaves its answer.
#pragma once

#include <string>

#include "properties/command/protocol.h"
#include "properties/exchange/array.h"

namespace attest {

// Computes: what an answer is to hold: o [B, Hq, Lq, Dv] of that format and, where it is asked for,
// lse [B, Hq, Lq]; offsets one after the other.
std::vector<raw_entry> asked_outputs(const shape&, const format& o, const format* lse);

// Writes the problem's file, and tells in the request where its arrays lie.
// Error: input_error where it can't be written.
void write_problem(command_request&, const problem&);

// Result: the arrays of the answer's file: those asked for and no other, of the types and sizes
//   asked for; formats that NumPy lacks from their bits in .npz.
// Error: input_error saying what is wrong with the file.
named_arrays read_answer(const command_request&);

}  // namespace attest
