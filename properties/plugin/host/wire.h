// What attest and attest-host say to each other, over a socket that keeps messages apart. Both are
// of one build on one machine: numbers have the machine's own form.
//
// Tensors lie in shared memory, one file a slot. Positions in a slot count from its middle: a
// tensor ends there or begins there, so that its address does not depend on how large the file has
// become.
#pragma once

#include <cstdint>

#include "properties/plugin/call_form.h"

namespace attest::wire {

// The exit code of attest-host when the plugin has closed its descriptors.
inline constexpr int closed_descriptors = 119;

// No call has more tensors. Two slots each: for usual calls, and for problems that their caller
// keeps (manner::in_place).
inline constexpr std::uint32_t most_tensors = tensor_roles;
inline constexpr std::uint32_t slots = 2 * most_tensors;
static_assert(recurrence_roles <= most_tensors);
inline constexpr std::uint64_t page = 4096;
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 44;
inline constexpr std::size_t longest_message = 192 * 1024;

enum class kind : std::uint32_t {
  map = 1,  // attest to attest-host
  call,
  described,  // attest-host to attest
  refused,
  answered,
  faulted,
};

// Comes with the file's descriptor. The file holds half_bytes on each side of the middle.
struct map_order {
  kind what = kind::map;
  std::uint32_t slot = 0;
  std::uint64_t half_bytes = 0;
};

struct placed_tensor {
  std::uint32_t present = 0;
  std::uint32_t dtype = 0;
  std::int64_t begin = 0;  // of its storage, in bytes from the middle
  std::int64_t bytes = 0;
  std::int64_t origin = 0;  // of element [0, 0, 0, 0], in bytes from begin
  std::int64_t sizes[4] = {};
  std::int64_t strides[4] = {};

  std::int64_t end() const { return begin + bytes; }
};

// A call without its tensors: the pointers do not count. Which of them it is, attest-host was told.
union call_numbers {
  attest_forward forward = {};
  attest_recurrence recurrence;
};

struct call_order {
  kind what = kind::call;
  std::uint32_t first_slot = 0;  // of the tensors, in the order of their roles
  call_numbers numbers;
  placed_tensor tensors[most_tensors] = {};
};

// Followed by the four texts without terminators; one that is absent has length `absent`.
struct description {
  kind what = kind::described;
  std::uint32_t unused = 0;
  std::uint64_t features = 0;
  std::uint64_t dtypes = 0;
  std::uint64_t lengths[4] = {};  // name, version, profile, contract
};
inline constexpr std::uint64_t absent = ~std::uint64_t{0};

// Followed by a text: why the plugin can't be used, or the call can't be made.
struct refusal {
  kind what = kind::refused;
};

// What a call changed of the process around it: bits.
enum left_behind : std::uint32_t {
  left_signal_mask = 1,
  left_folder = 2,
  left_locale = 4,
  left_timer = 8,
  left_process = 16,
};

enum class thrown : std::uint32_t { nothing, exception, something };

struct reply {
  kind what = kind::answered;
  std::int32_t status = 0;
  std::uint32_t environment = 0;  // bits of environment_change
  std::uint32_t left = 0;         // bits of left_behind
  thrown threw = thrown::nothing;
  char message[512] = {};
};

enum class access : std::uint32_t { unknown, read, write };

enum class place : std::uint32_t {
  in_slot,
  near_null,
  below_stack,
  no_address,  // the processor named none: not canonical, or not aligned as an instruction needs
  elsewhere,
};

// Sent by the signal handler; the process ends next.
struct fault {
  kind what = kind::faulted;
  std::int32_t signal = 0;
  place where = place::elsewhere;
  access how = access::unknown;
  std::uint32_t slot = 0;
  std::uint32_t after_call = 0;  // no call was running
  std::int64_t offset = 0;       // from the middle of the slot
};

}  // namespace attest::wire
