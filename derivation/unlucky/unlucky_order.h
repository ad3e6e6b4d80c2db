// In which order and in which pieces the keys of a row are met.
#pragma once

#include "derivation/unlucky/row_setting.h"

namespace attest {

// Numbers of keys in exact_row that are met together: the running maximum rises at most once for
// them.
using key_block = std::vector<std::size_t>;
using part_of_keys = std::vector<key_block>;

// Computes: the parts of the row by its plan; none of them is empty.
std::vector<part_of_keys> ordered_parts(const row_setting&, luck&);

}  // namespace attest
