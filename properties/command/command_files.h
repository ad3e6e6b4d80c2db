// The files in which a command finds a problem and leaves its answer.
#pragma once

#include <string>

#include "properties/command/protocol.h"
#include "properties/exchange/array.h"
#include "properties/process/temporary_folder.h"

namespace attest {

// Computes: what an answer is to hold: o [B, Hq, Lq, Dv] of that format and, where it is asked for,
// lse [B, Hq, Lq]; offsets one after the other.
std::vector<raw_entry> asked_outputs(const shape&, const format& o, const format* lse);

// The n-th request: its files are in that folder.
command_request request_number(std::int64_t n, file_kind, const temporary_folder&);

// Writes the problem's file, and tells in the request where its arrays lie.
// Error: input_error where it can't be written.
void write_problem(command_request&, const named_arrays&);
void write_problem(command_request&, const problem&);

// Result: the arrays of the answer's file: those asked for and no other, of the types and sizes
//   asked for; formats that NumPy lacks from their bits in .npz.
// Error: input_error saying what is wrong with the file.
named_arrays read_answer(const command_request&);

// Removes both files, where they are there.
void remove_files(const command_request&);

}  // namespace attest
