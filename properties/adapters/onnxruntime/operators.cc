#include "properties/adapters/onnxruntime/operators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "properties/adapters/dense_tensor.h"
#include "properties/adapters/key_set.h"
#include "properties/adapters/onnxruntime/session.h"

namespace attest_adapter::onnxruntime {
namespace {

using sizes = std::vector<std::int64_t>;

constexpr const char* microsoft = "com.microsoft";

element_type type_of(const attest_tensor& t) {
  switch (t.dtype) {
    case ATTEST_F16:
      return element_float16;
    case ATTEST_F64:
      return element_double;
    default:
      return element_float;
  }
}

argument left_out() { return {{"", element_float, 0}, {}, {}}; }

argument tensor(const char* name, element_type type, std::vector<std::byte> data, sizes shape) {
  return {{name, type, static_cast<int>(shape.size())}, std::move(data), std::move(shape)};
}

sizes shape_of(const attest_tensor& t) { return sizes(t.sizes, t.sizes + 4); }

argument by_head(const char* name, const attest_tensor& t) {
  return tensor(name, type_of(t), dense_bits(t), shape_of(t));
}

// By their definitions the operators read where no key is, and mask afterwards.
argument cleared_by_head(const char* name, const attest_forward& call, const attest_tensor& t) {
  return tensor(name, type_of(t), cleared_bits(call, t), shape_of(t));
}

// [B, heads, L, D] as [B, L, heads, D], or back.
std::vector<std::byte> swapped(const std::vector<std::byte>& from, const attest_tensor& t,
                               std::int64_t outer, std::int64_t inner) {
  const std::size_t row = static_cast<std::size_t>(t.sizes[3]) * size_of_element(t.dtype);
  std::vector<std::byte> to(from.size());
  const std::byte* at = from.data();
  for (std::int64_t b = 0; b < t.sizes[0]; ++b)
    for (std::int64_t x = 0; x < outer; ++x)
      for (std::int64_t y = 0; y < inner; ++y, at += row)
        std::copy(at, at + row,
                  to.begin() + static_cast<std::ptrdiff_t>(
                                   static_cast<std::size_t>((b * inner + y) * outer + x) * row));
  return to;
}

std::vector<std::byte> by_position_bits(const attest_tensor& t) {
  return swapped(dense_bits(t), t, t.sizes[1], t.sizes[2]);
}

std::vector<std::byte> cleared_by_position_bits(const attest_forward& call,
                                                const attest_tensor& t) {
  return swapped(cleared_bits(call, t), t, t.sizes[1], t.sizes[2]);
}

argument by_position(const char* name, const attest_tensor& t) {
  return tensor(name, type_of(t), by_position_bits(t),
                {t.sizes[0], t.sizes[2], t.sizes[1] * t.sizes[3]});
}

argument cleared(const char* name, const attest_forward& call, const attest_tensor& t) {
  return tensor(name, type_of(t), cleared_by_position_bits(call, t),
                {t.sizes[0], t.sizes[2], t.sizes[1] * t.sizes[3]});
}

void write_by_position(const attest_tensor& o, const std::vector<std::byte>& answer) {
  write_bits(o, swapped(answer, o, o.sizes[2], o.sizes[1]).data());
}

std::size_t bytes_of(const attest_tensor& t) {
  return static_cast<std::size_t>(count_of(t)) * size_of_element(t.dtype);
}

port output_like(const attest_tensor& o, int rank) { return {"o", type_of(o), rank}; }

// Numbers in the element type of a tensor. Those that go through here are exact in it.
std::vector<std::byte> in_type(std::uint32_t dtype, const std::vector<float>& values) {
  if (dtype == ATTEST_F32) return bits_of(values);
  if (dtype == ATTEST_F64) return bits_of(std::vector<double>(values.begin(), values.end()));
  std::vector<std::uint16_t> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), to_f16);
  return bits_of(halves);
}

// Sizes with 1 along batch and heads where they are broadcast, and the elements once. (The operator
// takes masks that are broadcast along queries or keys by its definition, but is refused here.)
argument unbroadcast(const char* name, element_type type, const attest_tensor& t) {
  attest_tensor once = t;
  for (int axis = 0; axis < 2; ++axis)
    if (once.strides[axis] == 0) once.sizes[axis] = 1;
  return tensor(name, type, dense_bits(once), shape_of(once));
}

sizes pair_sizes(const attest_forward& call) {
  return {call.q->sizes[0], call.q->sizes[1], call.q->sizes[2], call.k->sizes[2]};
}

bool has_causal_attribute(const attest_forward& call, causal_by how) {
  return how == causal_by::attribute && call.causal == ATTEST_CAUSAL_ANCHOR_TOP_LEFT;
}

// Calls without the parts that an operator does by itself.
attest_forward without_causal(attest_forward call) {
  call.causal = ATTEST_CAUSAL_NONE;
  return call;
}
// Lengths move the causal triangle of the bottom right corner and its window: then they stay.
attest_forward without_lengths(attest_forward call) {
  if (call.causal != ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) call.lengths = nullptr;
  return call;
}

// A bias may hold anything where no key is. There it is 0: the operator's own lengths do the rest.
template <class T>
void clear_beyond_lengths(std::vector<T>& added, const attest_forward& call) {
  const sizes n = pair_sizes(call);
  T* at = added.data();
  for (std::int64_t row = 0; row < n[0] * n[1] * n[2]; ++row)
    for (std::int64_t j = 0; j < n[3]; ++j, ++at)
      if (j >= valid_keys(call, row / (n[1] * n[2]))) *at = 0;
}

// The bias of double inputs does not fit float: -infinity is put into its own elements.
std::vector<double> added_doubles(const attest_forward& rest) {
  std::vector<double> added(static_cast<std::size_t>(count_of(*rest.bias)));
  const std::vector<std::byte> bias = dense_bits(*rest.bias);
  std::memcpy(added.data(), bias.data(), bias.size());
  const std::vector<std::uint8_t> kept = kept_keys(rest);
  for (std::size_t e = 0; e < added.size(); ++e)
    if (kept[e] == 0) added[e] = -std::numeric_limits<double>::infinity();
  return added;
}

// What is added to scores, in the type of q. rest: what the operator does not do by itself.
std::vector<std::byte> added(const attest_forward& rest, const attest_forward& call) {
  if (rest.bias != nullptr && rest.bias->dtype == ATTEST_F64) {
    std::vector<double> doubles = added_doubles(rest);
    clear_beyond_lengths(doubles, call);
    return bits_of(doubles);
  }
  std::vector<float> floats = additive_mask(rest);
  clear_beyond_lengths(floats, call);
  return in_type(call.q->dtype, floats);
}

bool has_added(const attest_forward& call) { return call.bias != nullptr || restricts_keys(call); }

argument attention_bias(const attest_forward& rest, const attest_forward& call) {
  if (!has_added(rest)) return left_out();
  return tensor("attention_bias", type_of(*call.q), added(rest, call), pair_sizes(call));
}

// Attention's mask: the boolean one as it is if there is no other rule, else one that is added.
argument attention_mask(const attest_forward& rest, const attest_forward& call) {
  attest_forward others = rest;
  others.mask = nullptr;
  if (rest.mask != nullptr && !has_added(others))
    return unbroadcast("attn_mask", element_bool, *rest.mask);
  if (rest.bias != nullptr && !restricts_keys(rest) && call.lengths == nullptr)
    return unbroadcast("attn_mask", type_of(*call.q), *rest.bias);
  if (!has_added(rest)) return left_out();
  return tensor("attn_mask", type_of(*call.q), added(rest, call), pair_sizes(call));
}

operator_node attention_node(const attest_forward& call, causal_by how, std::int64_t version,
                             int rank) {
  operator_node node;
  node.type = "Attention";
  node.version = version;
  if (call.soft_cap > 0) node.numbers.push_back({"softcap", static_cast<float>(call.soft_cap)});
  if (has_causal_attribute(call, how)) node.integers.push_back({"is_causal", 1});
  node.outputs.push_back(output_like(*call.o, rank));
  return node;
}

// What is left for the mask.
attest_forward beside_causal(const attest_forward& call, causal_by how) {
  return has_causal_attribute(call, how) ? without_causal(call) : call;
}

std::vector<std::int64_t> lengths_of(const attest_forward& call) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t b = 0; b < call.q->sizes[0]; ++b) lengths.push_back(valid_keys(call, b));
  return lengths;
}

operator_node contrib_node(const char* type, const attest_forward& call) {
  operator_node node;
  node.domain = microsoft;
  node.type = type;
  node.version = 1;
  node.integers.push_back({"num_heads", call.q->sizes[1]});
  node.outputs.push_back(output_like(*call.o, 3));
  return node;
}

argument key_lengths(const char* name, const attest_forward& call) {
  if (call.lengths == nullptr) return left_out();
  const std::vector<std::int64_t> lengths = lengths_of(call);
  return tensor(name, element_int32,
                bits_of(std::vector<std::int32_t>(lengths.begin(), lengths.end())),
                {call.q->sizes[0]});
}

}  // namespace

void attention(const attest_forward& call, causal_by how) {
  const attest_forward rest = beside_causal(call, how);
  write_bits(*call.o, run(attention_node(call, how, 23, 4),
                          {by_head("q", *call.q), by_head("k", *call.k), by_head("v", *call.v),
                           attention_mask(rest, call)},
                          bytes_of(*call.o))
                          .data());
}

void attention_24(const attest_forward& call, causal_by how) {
  if (call.lengths == nullptr) {
    const attest_forward rest = beside_causal(call, how);
    write_bits(*call.o, run(attention_node(call, how, 24, 4),
                            {by_head("q", *call.q), by_head("k", *call.k), by_head("v", *call.v),
                             attention_mask(rest, call)},
                            bytes_of(*call.o))
                            .data());
    return;
  }
  // What is_causal means beside lengths is not the same in all editions: it is left to the mask.
  write_bits(*call.o, run(attention_node(call, causal_by::mask, 24, 4),
                          {by_head("q", *call.q), cleared_by_head("k", call, *call.k),
                           cleared_by_head("v", call, *call.v),
                           attention_mask(without_lengths(call), call), left_out(), left_out(),
                           tensor("nonpad_kv_seqlen", element_int64, bits_of(lengths_of(call)),
                                  {call.q->sizes[0]})},
                          bytes_of(*call.o))
                          .data());
}

void attention_3d(const attest_forward& call, causal_by how) {
  const attest_forward rest = beside_causal(call, how);
  operator_node node = attention_node(call, how, 23, 3);
  node.integers.push_back({"q_num_heads", call.q->sizes[1]});
  node.integers.push_back({"kv_num_heads", call.k->sizes[1]});
  write_by_position(*call.o, run(node,
                                 {by_position("q", *call.q), by_position("k", *call.k),
                                  by_position("v", *call.v), attention_mask(rest, call)},
                                 bytes_of(*call.o)));
}

void multi_head(const attest_forward& call, causal_by how) {
  operator_node node = contrib_node("MultiHeadAttention", call);
  if (has_causal_attribute(call, how)) node.integers.push_back({"unidirectional", 1});
  const attest_forward rest = without_lengths(beside_causal(call, how));
  write_by_position(
      *call.o,
      run(node,
          {by_position("q", *call.q), cleared("k", call, *call.k), cleared("v", call, *call.v),
           left_out(), key_lengths("key_padding_mask", call), attention_bias(rest, call)},
          bytes_of(*call.o)));
}

void contrib_attention(const attest_forward& call, causal_by how) {
  const std::int64_t batch = call.q->sizes[0], heads = call.q->sizes[1], length = call.q->sizes[2];
  const std::int64_t width = heads * call.q->sizes[3], value_width = heads * call.v->sizes[3];
  const std::int64_t all = 2 * width + value_width;
  // [q, k, v] of each position side by side, which the identity leaves as they are.
  std::vector<std::byte> input;
  const std::vector<std::byte> q = by_position_bits(*call.q),
                               k = cleared_by_position_bits(call, *call.k),
                               v = cleared_by_position_bits(call, *call.v);
  for (std::int64_t n = 0; n < batch * length; ++n)
    for (const auto& [part, row] :
         {std::pair(&q, width), std::pair(&k, width), std::pair(&v, value_width)}) {
      const auto bytes = static_cast<std::ptrdiff_t>(row * 4);
      input.insert(input.end(), part->begin() + n * bytes, part->begin() + (n + 1) * bytes);
    }
  std::vector<float> identity(static_cast<std::size_t>(all * all));
  for (std::int64_t n = 0; n < all; ++n) identity[static_cast<std::size_t>(n * (all + 1))] = 1;
  operator_node node = contrib_node("Attention", call);
  node.lists.push_back({"qkv_hidden_sizes", {width, width, value_width}});
  if (has_causal_attribute(call, how)) node.integers.push_back({"unidirectional", 1});
  const attest_forward rest = without_lengths(beside_causal(call, how));
  write_by_position(*call.o,
                    run(node,
                        {tensor("input", element_float, std::move(input), {batch, length, all}),
                         tensor("weights", element_float, bits_of(identity), {all, all}),
                         tensor("bias", element_float,
                                bits_of(std::vector<float>(static_cast<std::size_t>(all))), {all}),
                         key_lengths("mask_index", call), left_out(), attention_bias(rest, call)},
                        bytes_of(*call.o)));
}

namespace {

operator_node group_query_node(const attest_forward& call, bool causal, std::int64_t window) {
  operator_node node = contrib_node("GroupQueryAttention", call);
  node.integers.push_back({"kv_num_heads", call.k->sizes[1]});
  node.integers.push_back({"causal", causal ? 1 : 0});
  // The width is padded: its root is not the default any more.
  node.numbers.push_back({"scale", static_cast<float>(call.scale)});
  if (window >= 0) node.integers.push_back({"local_window_size", window});
  if (call.soft_cap > 0) node.numbers.push_back({"softcap", static_cast<float>(call.soft_cap)});
  // Present keys and values are outputs that must be there.
  node.outputs.push_back({"present_key", type_of(*call.o), 4});
  node.outputs.push_back({"present_value", type_of(*call.o), 4});
  return node;
}

argument head_sink(const attest_forward& call) {
  if (call.sink == nullptr) return left_out();
  return tensor("head_sink", type_of(*call.sink), dense_bits(*call.sink), {call.q->sizes[1]});
}

argument int32s(const char* name, const std::vector<std::int32_t>& values, sizes shape) {
  return tensor(name, element_int32, bits_of(values), std::move(shape));
}

}  // namespace

namespace {

// GroupQueryAttention takes widths of a multiple of 8, the same for k and v: 0 is put where there
// is less, which changes no score.
std::int64_t padded_width(const attest_forward& call) {
  const std::int64_t width = std::max(call.q->sizes[3], call.v->sizes[3]);
  return (width + 7) / 8 * 8;
}

argument by_position(const char* name, const attest_tensor& t, std::int64_t width) {
  const std::vector<std::byte> bits = by_position_bits(t);
  const std::size_t element = size_of_element(t.dtype);
  const auto row = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(t.sizes[3]) * element);
  const auto padded_row = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(width) * element);
  const std::int64_t rows = t.sizes[0] * t.sizes[1] * t.sizes[2];
  std::vector<std::byte> padded(static_cast<std::size_t>(rows * padded_row));
  for (std::int64_t n = 0; n < rows; ++n)
    std::copy(bits.begin() + n * row, bits.begin() + (n + 1) * row,
              padded.begin() + n * padded_row);
  return tensor(name, type_of(t), std::move(padded), {t.sizes[0], t.sizes[2], t.sizes[1] * width});
}

void write_padded(const attest_tensor& o, std::int64_t width,
                  const std::vector<std::byte>& answer) {
  const std::size_t element = size_of_element(o.dtype);
  const auto row = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(o.sizes[3]) * element);
  const auto padded_row = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(width) * element);
  std::vector<std::byte> rows(bytes_of(o));
  for (std::int64_t n = 0; n < o.sizes[0] * o.sizes[1] * o.sizes[2]; ++n)
    std::copy(answer.begin() + n * padded_row, answer.begin() + n * padded_row + row,
              rows.begin() + n * row);
  write_by_position(o, rows);
}

}  // namespace

void group_query(const attest_forward& call, causal_by how) {
  const auto length = static_cast<std::int32_t>(call.k->sizes[2]);
  const auto batch = static_cast<std::size_t>(call.q->sizes[0]);
  const bool causal = how == causal_by::attribute && call.causal != ATTEST_CAUSAL_NONE;
  const std::int64_t width = padded_width(call);
  const std::int64_t window = causal && call.window_left >= 0 ? call.window_left + 1 : -1;
  attest_forward rest = causal ? without_causal(call) : call;
  if (window >= 0) rest.window_left = -1;
  if (causal) rest.window_right = -1;
  const std::vector<std::byte> answer =
      run(group_query_node(call, causal, window),
          {by_position("q", *call.q, width), by_position("k", *call.k, width),
           by_position("v", *call.v, width), left_out(), left_out(),
           int32s("seqlens_k", std::vector<std::int32_t>(batch, length - 1), {call.q->sizes[0]}),
           int32s("total_sequence_length", {length}, {}), left_out(), left_out(), left_out(),
           attention_bias(rest, call), head_sink(call)},
          bytes_of(*call.o) / static_cast<std::size_t>(call.o->sizes[3]) *
              static_cast<std::size_t>(width));
  write_padded(*call.o, width, answer);
}

}  // namespace attest_adapter::onnxruntime
