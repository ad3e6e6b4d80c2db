// Tensors of a call as dense arrays in row-major order, as the libraries behind the adapters want
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/attest_plugin.h"

namespace attest_adapter {

std::int64_t count_of(const attest_tensor&);
std::size_t size_of_element(std::uint32_t dtype);

// Conversions between the bits of 16-bit formats and float; to 16 bits to nearest, ties to even.
float from_f16(std::uint16_t bits);
float from_bf16(std::uint16_t bits);
std::uint16_t to_f16(float);
std::uint16_t to_bf16(float);

// Result: the elements, each as its bits.
std::vector<std::byte> dense_bits(const attest_tensor&);
// Domain: f32, f16 or bf16. Result: the elements, exactly.
std::vector<float> dense_floats(const attest_tensor&);

// values: dense elements of the tensor's own type.
void write_bits(const attest_tensor& to, const void* values);
// Domain: f32, f16 or bf16. Rounds each value once, to nearest, ties to even.
void write_floats(const attest_tensor& to, const float* values);

}  // namespace attest_adapter
