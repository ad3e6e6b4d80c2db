// Arrays of a dump as tensors.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>

#include "properties/dump/dump.h"
#include "properties/exchange/problem_files.h"

namespace attest {

// The formats of the floating arrays, by name.
std::map<std::string, const format*> formats_of(const found_arrays&);

// From the order [B, L, H, D] to [B, H, L, D], of those arrays among these that are there. Rank 2
// has no heads to stand elsewhere.
void to_bhld(found_arrays&, std::initializer_list<const char*> names);

// Computes: the array in f64, of these sizes. Domain: rank 2 to 4, that of q: the array lacks the
// axes in front that q lacks. Error: input_error for booleans and integers, and for other sizes.
tensor take(const found_array&, const index4& full, std::size_t rank);
// Computes: the array in f64, of these sizes. Error: likewise, where its sizes are not those.
tensor take(const found_array&, const std::vector<std::int64_t>& due, const index4& full);
// Computes: [B, Hq, Lq, 1] of an array [B, Hq, Lq], or in the order blhd [B, Lq, Hq].
tensor take_lse(found_array, const shape&, std::size_t rank, axis_order);

}  // namespace attest
