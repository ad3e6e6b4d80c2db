// Bad accesses of a plugin in words.
#pragma once

#include "properties/plugin/host/wire.h"
#include "properties/subject.h"

namespace attest {

// made: the form of the calls. placed: the tensor that lies in the slot of the fault, if any.
// Result: misbehaved where the access was to a tensor or next to it, otherwise crashed.
answer_outcome outcome_of(const wire::fault&, const call_form& made,
                          const wire::placed_tensor& placed);

}  // namespace attest
