// Tells attest where a bad access was, before the process ends by it.
#pragma once

#include "properties/plugin/host/slot_memory.h"

namespace attest::host {

// Catches SIGSEGV and SIGBUS from now on, on a stack of its own. Once a process.
void report_faults(const slot_memory&, int line);

// Whether a call is running: what faults otherwise is a thread that a call left.
void set_calling(bool);

}  // namespace attest::host
