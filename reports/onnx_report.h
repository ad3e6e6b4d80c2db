// What a folder of ONNX's backend tests holds, for people and machines.
#pragma once

#include <iosfwd>

#include "properties/onnx/folder.h"

namespace attest {

// A case a line; how far the stored answers are from the correctly rounded ones; what does not
// agree, in detail. With a subject, its verdict on each case instead.
void write_onnx_text(std::ostream&, const onnx_folder_result&);
// The same, with every number.
void write_onnx_json(std::ostream&, const onnx_folder_result&);

}  // namespace attest
