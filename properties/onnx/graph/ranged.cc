#include "properties/onnx/graph/ranged.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/onnx/graph/not_taken.h"

namespace attest {

bool is_unknown(const ranged& x) {
  return !x.is_nan && (is_whole_line(x.exact) || is_whole_line(x.held));
}

bool is_certain(const ranged& x) {
  return !x.is_nan && is_point(x.exact) && identical(x.exact, x.held);
}

bool ranged_tensor::has_type_of(const ranged_tensor& other) const {
  if (kind != other.kind) return false;
  return kind != element_kind::floating || *element == *other.element;
}

std::string type_text(const ranged_tensor& t) {
  if (t.kind == element_kind::floating) return std::string(t.element->name);
  return t.kind == element_kind::integer ? "integer" : "boolean";
}

std::int64_t count_of(const std::vector<std::int64_t>& sizes) {
  if (sizes.size() > most_axes)
    throw not_taken(
        fmt::format("a tensor of rank {} (up to {} are judged)", sizes.size(), most_axes));
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (size > most_elements / std::max<std::int64_t>(count, 1))
      throw not_taken(fmt::format("a tensor of sizes [{}] (up to {} elements are judged)",
                                  sizes_text(sizes), most_elements));
    count *= size;
  }
  return count;
}

void for_each_place(const std::vector<std::int64_t>& sizes,
                    const std::function<void(const std::vector<std::int64_t>&)>& visit) {
  const std::int64_t count = count_of(sizes);
  std::vector<std::int64_t> index(sizes.size(), 0);
  for (std::int64_t n = 0; n < count; ++n) {
    visit(index);
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
      if (++index[axis] < sizes[axis]) break;
      index[axis] = 0;
    }
  }
}

std::size_t place_in(const std::vector<std::int64_t>& sizes,
                     const std::vector<std::int64_t>& index) {
  std::int64_t place = 0;
  const std::size_t skipped = index.size() - sizes.size();
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    place = place * sizes[axis] + (sizes[axis] == 1 ? 0 : index[axis + skipped]);
  return static_cast<std::size_t>(place);
}

std::optional<std::vector<std::int64_t>> broadcast_sizes(const std::vector<std::int64_t>& a,
                                                         const std::vector<std::int64_t>& b) {
  if (a.size() < b.size()) return broadcast_sizes(b, a);
  std::vector<std::int64_t> both = a;
  for (std::size_t n = 0; n < b.size(); ++n) {
    std::int64_t& size = both[both.size() - 1 - n];
    const std::int64_t other = b[b.size() - 1 - n];
    if (size != other && size != 1 && other != 1) return std::nullopt;
    if (size == 1) size = other;
  }
  return both;
}

}  // namespace attest
