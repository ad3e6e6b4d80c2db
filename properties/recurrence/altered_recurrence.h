// Problems of linear attention made of others.
#pragma once

#include <functional>

#include "properties/recurrence/recurrence_problem.h"

namespace attest {

// Where decay lies: a number a head has strides of 0 along all other axes.
placement place_of_decay(decay_kind, const linear_problem&);

// Which element of the problem an element of the new one is: [b, g or h, l].
struct axis_map {
  std::int64_t batch = 0, kv_head = 0, position = 0;  // added to the index
  std::int64_t heads_each = 1;  // so many KV heads in a row are one of the problem's
};

// Computes: the problem of these sizes whose elements are the given one's, read through the map.
// Query heads are shifted by as many as the KV heads have. States and draws are read likewise.
recurrence_problem part_of(const recurrence_problem&, const shape&, const axis_map&);

// The positions first, ..., last - 1.
recurrence_problem positions_of(const recurrence_problem&, std::int64_t first, std::int64_t last);

// Computes: the elements for which `chosen` says so, taken from the other problem of the same
// sizes. Queries of the heads that a KV head serves go with it; the draws of a KV head are taken
// where its first position is chosen.
recurrence_problem mixed(
    const recurrence_problem&, const recurrence_problem& other,
    const std::function<bool(std::int64_t b, std::int64_t g, std::int64_t l)>& chosen);

// In the same place.
tensor with_elements(const tensor&, const std::function<double(const index4&)>&);

}  // namespace attest
