#include "properties/plugin/fault_text.h"

#include <cstring>
#include <optional>
#include <string>

#include "properties/plugin/call_tensor.h"

namespace attest {
namespace {

std::string done_by(wire::access how) {
  if (how == wire::access::write) return "wrote";
  return how == wire::access::read ? "read" : "touched memory";
}

std::string bytes_text(std::int64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

std::int64_t width_of(std::uint32_t dtype) {
  if (dtype == ATTEST_BOOL) return 1;
  if (dtype == ATTEST_I64) return 8;
  return plugin_dtypes[dtype]->storage_bits / 8;
}

// The element that holds a byte of the tensor's storage.
std::optional<index4> element_at(const wire::placed_tensor& t, std::int64_t byte) {
  const std::int64_t position = (byte - t.origin) / width_of(t.dtype);
  std::optional<index4> found;
  for_each_index({t.sizes[0], t.sizes[1], t.sizes[2], t.sizes[3]}, [&](const index4& i) {
    std::int64_t at = 0;
    for (int axis = 0; axis < 4; ++axis) at += i[axis] * t.strides[axis];
    if (!found && at == position) found = i;
  });
  return found;
}

std::string place_in(const std::string& name, const wire::placed_tensor& t, std::int64_t byte) {
  const auto i = element_at(t, byte);
  if (!i) return " between its elements";
  return " at " + name + "[b=" + std::to_string((*i)[0]) + ",h=" + std::to_string((*i)[1]) +
         ",i=" + std::to_string((*i)[2]) + ",d=" + std::to_string((*i)[3]) + "]";
}

std::string in_slot(const wire::fault& f, const call_form& made, const wire::placed_tensor& t) {
  const std::uint32_t n = f.slot % wire::most_tensors;
  if (n >= made.tensors) return done_by(f.how) + " where no tensor of a call ever lies";
  const std::string name = made.name(n), done = done_by(f.how);
  if (t.present == 0) return done + " where " + name + " would be, which the call does not have";
  const std::int64_t byte = f.offset - t.begin;
  if (byte < 0) return done + " outside " + name + ", " + bytes_text(-byte) + " before it";
  if (byte >= t.bytes)
    return done + " outside " + name + ", " + bytes_text(byte - t.bytes + 1) + " past its end";
  // During a call its outputs are open, and its inputs to be read.
  if (made.is_output(n)) return "wrote to " + name + " after the call had returned";
  if (f.how == wire::access::read) return "read " + name + " after the call had returned";
  return "wrote to its input " + name + place_in(name, t, byte);
}

std::string elsewhere(const wire::fault& f) {
  switch (f.where) {
    case wire::place::near_null:
      return done_by(f.how) + " through a null pointer";
    case wire::place::below_stack:
      return "overflowed its stack";
    case wire::place::no_address:
      return "used a wild pointer, or a vector instruction that needs more alignment than an "
             "element has";
    default:
      return done_by(f.how) + " memory that is not there";
  }
}

}  // namespace

answer_outcome outcome_of(const wire::fault& f, const call_form& made,
                          const wire::placed_tensor& placed) {
  if (f.where == wire::place::in_slot) return {answer_status::misbehaved, in_slot(f, made, placed)};
  const std::string when = f.after_call != 0 ? " between two calls" : "";
  const char* const meaning = sigdescr_np(f.signal);
  const std::string name = meaning == nullptr ? "signal " + std::to_string(f.signal) : meaning;
  return {answer_status::crashed, elsewhere(f) + when + " (" + name + ")"};
}

}  // namespace attest
