// A strided tensor of rank 4 over raw storage, in any floating format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/formats/format.h"
#include "reference/tensors/byte_storage.h"

namespace attest {

using index4 = std::array<std::int64_t, 4>;

// How a [B, H, L, D] tensor lies in memory.
enum class layout : std::uint8_t {
  bhld,      // dense, row-major
  blhd,      // heads inside the sequence
  fused,     // a slice of a wider row, as q, k, v of one projection lie: [B, L, 3, H, D]
  reversed,  // the sequence axis runs backwards: a negative stride
  spread,    // every second element of the last axis: its stride is 2
  mirrored,  // the last axis runs backwards
  shared,    // one batch row for all: stride 0 (inputs only; an output falls back to bhld)
  far,       // positions so far apart that offsets pass 2^32 elements, in reserved address space
};

// Where the elements of a tensor lie, counted in elements from the start of the storage.
struct placement {
  index4 sizes{};
  index4 strides{};
  std::int64_t offset = 0;    // of element [0, 0, 0, 0]
  std::int64_t elements = 0;  // the storage that it needs, gaps included
  bool reserved = false;      // whether only touched pages of the storage take memory

  std::int64_t at(const index4& i) const {
    return offset + i[0] * strides[0] + i[1] * strides[1] + i[2] * strides[2] + i[3] * strides[3];
  }
};

placement place(layout, const index4& sizes);

// Computes: a dense array over the axes in `axes` (bit k: axis k), with stride 0 along the others.
placement broadcast(const index4& sizes, unsigned axes);
inline constexpr unsigned every_axis = 0b1111;

// Owns its storage. Elements outside the placement (gaps) hold the bits the storage was filled
// with; in reserved storage they hold zeros, and nobody looks at them.
class tensor {
 public:
  tensor() = default;
  // fill: the bits of every storage element before anything is written.
  // Error: address_space_error where the storage is to be reserved and can't be.
  tensor(const format& element, const placement& where, std::uint64_t fill);
  tensor(const tensor&);
  tensor(tensor&&) = default;
  tensor& operator=(const tensor&);
  tensor& operator=(tensor&&) = default;
  ~tensor() = default;

  const format& element() const { return *element_; }
  const placement& where() const { return where_; }
  const index4& sizes() const { return where_.sizes; }

  // Computes: the element's value; exact.
  double at(const index4& i) const { return decode_at(where_.at(i)); }
  double at(std::int64_t b, std::int64_t h, std::int64_t l, std::int64_t d) const {
    return at(index4{b, h, l, d});
  }
  // Computes: elements [b, h, l, 0], [b, h, l, 1], ..., as many as row takes.
  void read(std::int64_t b, std::int64_t h, std::int64_t l, std::span<double> row) const;
  // Domain: value is a number of the element format, infinity or NaN.
  void set(const index4& i, double value);

  std::uint64_t bits(const index4& i) const { return bits_at(where_.at(i)); }
  void set_bits(const index4& i, std::uint64_t bits) { set_bits_at(where_.at(i), bits); }

  std::byte* data() { return storage_.data(); }
  const std::byte* data() const { return storage_.data(); }
  // Result: the address of element [0, 0, 0, 0].
  std::byte* origin() { return storage_.data() + where_.offset * width(); }
  std::size_t storage_bytes() const { return storage_.size(); }
  // Whether both storages hold the same; of reserved ones, whether their elements are the same.
  bool same_bytes(const tensor&) const;
  int width() const { return element_->storage_bits / 8; }

 private:
  double decode_at(std::int64_t position) const;
  std::uint64_t bits_at(std::int64_t position) const;
  void set_bits_at(std::int64_t position, std::uint64_t bits);

  const format* element_ = &f32;
  placement where_;
  byte_storage storage_;
};

// A boolean tensor, one byte an element (0 or 1).
class boolean_tensor {
 public:
  boolean_tensor() = default;
  explicit boolean_tensor(const placement& where)
      : where_(where), storage_(static_cast<std::size_t>(where.elements)) {}

  const placement& where() const { return where_; }
  bool at(const index4& i) const { return storage_[static_cast<std::size_t>(where_.at(i))] != 0; }
  void set(const index4& i, bool value) {
    storage_[static_cast<std::size_t>(where_.at(i))] = value ? 1 : 0;
  }
  std::uint8_t* data() { return storage_.data(); }
  // Flips the lowest bit of every byte: true becomes false. Twice leaves all bytes as they were.
  void invert() {
    for (std::uint8_t& byte : storage_) byte ^= 1;
  }
  // Whether every byte of the storage is the same.
  bool same_bytes(const boolean_tensor& other) const { return storage_ == other.storage_; }

 private:
  placement where_;
  std::vector<std::uint8_t> storage_;
};

// Calls visit(index4) for every index below sizes, the last axis fastest.
template <class Visit>
void for_each_index(const index4& sizes, Visit visit) {
  index4 i{};
  for (i[0] = 0; i[0] < sizes[0]; ++i[0])
    for (i[1] = 0; i[1] < sizes[1]; ++i[1])
      for (i[2] = 0; i[2] < sizes[2]; ++i[2])
        for (i[3] = 0; i[3] < sizes[3]; ++i[3]) visit(i);
}

}  // namespace attest
