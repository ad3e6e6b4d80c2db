#include "properties/adapters/dense_tensor.h"

#include <cmath>
#include <cstring>

namespace attest_adapter {
namespace {

std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Calls visit(element's address) in row-major order.
template <class Visit>
void each_element(const attest_tensor& t, Visit visit) {
  const auto width = static_cast<std::int64_t>(size_of_element(t.dtype));
  char* origin = static_cast<char*>(t.data);
  for (std::int64_t a = 0; a < t.sizes[0]; ++a)
    for (std::int64_t b = 0; b < t.sizes[1]; ++b)
      for (std::int64_t c = 0; c < t.sizes[2]; ++c)
        for (std::int64_t d = 0; d < t.sizes[3]; ++d)
          visit(origin + width * (a * t.strides[0] + b * t.strides[1] + c * t.strides[2] +
                                  d * t.strides[3]));
}

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float element_as_float(std::uint32_t dtype, const char* from) {
  if (dtype == ATTEST_F16) return from_f16(load<std::uint16_t>(from));
  if (dtype == ATTEST_BF16) return from_bf16(load<std::uint16_t>(from));
  return load<float>(from);
}

}  // namespace

std::int64_t count_of(const attest_tensor& t) {
  return t.sizes[0] * t.sizes[1] * t.sizes[2] * t.sizes[3];
}

std::size_t size_of_element(std::uint32_t dtype) {
  switch (dtype) {
    case ATTEST_F64:
    case ATTEST_I64:
      return 8;
    case ATTEST_F32:
      return 4;
    case ATTEST_F16:
    case ATTEST_BF16:
      return 2;
    default:
      return 1;
  }
}

float from_f16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = bits >> 10 & 31u, fraction = bits & 1023u;
  if (exponent == 31) return float_of(sign | 0x7F800000u | fraction << 13);
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return float_of(sign | (exponent + 112) << 23 | fraction << 13);
}

float from_bf16(std::uint16_t bits) { return float_of(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t to_f16(float x) {
  const auto sign = static_cast<std::uint16_t>(bits_of(x) >> 16 & 0x8000u);
  const float magnitude = std::fabs(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00u);
  // Below 2^-14 numbers are multiples of 2^-24: adding 0.5 rounds to them, in the float's last bit.
  if (magnitude < 0x1p-14f)
    return static_cast<std::uint16_t>(sign | (bits_of(magnitude + 0.5f) - bits_of(0.5f)));
  const std::uint32_t bits = bits_of(magnitude) - (112u << 23);
  return static_cast<std::uint16_t>(sign | (bits + 0xFFFu + (bits >> 13 & 1u)) >> 13);
}

std::uint16_t to_bf16(float x) {
  const std::uint32_t bits = bits_of(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(bits >> 16 | 64u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

std::vector<std::byte> dense_bits(const attest_tensor& t) {
  const std::size_t width = size_of_element(t.dtype);
  std::vector<std::byte> dense(static_cast<std::size_t>(count_of(t)) * width);
  std::byte* to = dense.data();
  each_element(t, [&](const char* from) {
    std::memcpy(to, from, width);
    to += width;
  });
  return dense;
}

std::vector<float> dense_floats(const attest_tensor& t) {
  std::vector<float> dense(static_cast<std::size_t>(count_of(t)));
  float* to = dense.data();
  each_element(t, [&](const char* from) { *to++ = element_as_float(t.dtype, from); });
  return dense;
}

void write_bits(const attest_tensor& t, const void* values) {
  const std::size_t width = size_of_element(t.dtype);
  const char* from = static_cast<const char*>(values);
  each_element(t, [&](char* to) {
    std::memcpy(to, from, width);
    from += width;
  });
}

void write_floats(const attest_tensor& t, const float* values) {
  each_element(t, [&](char* to) {
    const float value = *values++;
    const std::uint16_t half = t.dtype == ATTEST_F16 ? to_f16(value) : to_bf16(value);
    if (t.dtype == ATTEST_F32)
      std::memcpy(to, &value, sizeof value);
    else
      std::memcpy(to, &half, sizeof half);
  });
}

}  // namespace attest_adapter
