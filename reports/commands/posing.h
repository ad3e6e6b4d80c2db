// Tensors in files, as the options say that they are to be read.
#pragma once

#include <string>

#include "properties/dump/dump.h"
#include "properties/exchange/array_problem.h"
#include "reports/options.h"

namespace attest {

// Reads the problem under these options. Error: input_error for options and files.
array_problem pose(const posing_options&);

// Sets what the options say of a problem whose tensors are there.
// Domain: what require_posing lets pass.
void read_under(const posing_options&, problem&);
// Error: input_error for an option that is out of range.
void require_posing(const posing_options&);

// Domain: "bhld" or "blhd", as --layout takes them.
axis_order axis_order_of(const std::string& layout);

// Error: input_error where the path lies in no folder: a long computation must not end at a path
// that was wrong from the start.
void require_folder(const std::string& path);

}  // namespace attest
