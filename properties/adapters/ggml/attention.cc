#include "properties/adapters/ggml/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "properties/adapters/dense_tensor.h"
#include "properties/adapters/key_set.h"

namespace attest_adapter::ggml {
namespace {

type type_of(std::uint32_t dtype) {
  return dtype == ATTEST_F16 ? type_f16 : dtype == ATTEST_BF16 ? type_bf16 : type_f32;
}

// The rows of a mask are padded to a multiple of this in what llama.cpp hands over.
constexpr std::int64_t mask_rows = 64;

// Memory for one context, kept between calls: work areas are dirty, as they are in use.
class arena {
 public:
  void* reserve(std::size_t size) {
    if (size > size_) {
      memory_.reset(static_cast<char*>(std::aligned_alloc(alignment, round_up(size))));
      if (!memory_) throw std::bad_alloc();
      size_ = size;
    }
    return memory_.get();
  }

 private:
  struct release {
    void operator()(char* memory) const { std::free(memory); }
  };
  static constexpr std::size_t alignment = 64;
  static std::size_t round_up(std::size_t size) {
    return (size + alignment - 1) / alignment * alignment;
  }

  std::unique_ptr<char, release> memory_;
  std::size_t size_ = 0;
};

struct sizes {
  std::int64_t batch, heads, kv_heads, queries, keys, width, value_width;

  explicit sizes(const attest_forward& call)
      : batch(call.q->sizes[0]),
        heads(call.q->sizes[1]),
        kv_heads(call.k->sizes[1]),
        queries(call.q->sizes[2]),
        keys(call.k->sizes[2]),
        width(call.q->sizes[3]),
        value_width(call.v->sizes[3]) {}

  // Bytes for every tensor of either path, and for what an operator works in.
  std::size_t memory() const {
    const std::int64_t q = batch * heads * queries * (width + value_width);
    const std::int64_t kv = batch * kv_heads * keys * (width + value_width);
    const std::int64_t padded = (queries + mask_rows) / mask_rows * mask_rows;
    const std::int64_t scores = batch * heads * padded * keys;
    return static_cast<std::size_t>(16 * (q + kv) + 24 * scores) + (std::size_t{32} << 20);
  }
};

// The graph of one call and its tensors.
class graph_of_call {
 public:
  graph_of_call(const library& lib, arena& memory, const attest_forward& call)
      : lib_(lib), call_(call), n_(call) {
    const std::size_t size = n_.memory();
    context_ = lib_.init({size, memory.reserve(size), false});
    if (context_ == nullptr) throw std::runtime_error("ggml_init failed");
  }
  graph_of_call(const graph_of_call&) = delete;
  graph_of_call& operator=(const graph_of_call&) = delete;
  ~graph_of_call() { lib_.free(context_); }

  void run(path way, int threads) {
    tensor* result = way == path::flash ? flash() : composed();
    graph* g = lib_.new_graph(context_);
    lib_.build_forward_expand(g, result);
    if (lib_.graph_compute_with_ctx(context_, g, threads) != status_success)
      throw std::runtime_error("ggml_graph_compute_with_ctx failed");
    if (way == path::flash)
      write_by_query(result);
    else
      write_floats(*call_.o, static_cast<const float*>(lib_.get_data(result)));
  }

 private:
  tensor* make(type t, std::int64_t n0, std::int64_t n1, std::int64_t n2, std::int64_t n3) {
    return lib_.new_tensor_4d(context_, t, n0, n1, n2, n3);
  }

  void fill(tensor* t, const void* data, std::size_t bytes) {
    if (bytes > lib_.nbytes(t)) throw std::runtime_error("a tensor of ggml is too small");
    std::memcpy(lib_.get_data(t), data, bytes);
  }

  tensor* floats(const std::vector<float>& values, std::int64_t n0, std::int64_t n1,
                 std::int64_t n2, std::int64_t n3) {
    tensor* t = make(type_f32, n0, n1, n2, n3);
    fill(t, values.data(), values.size() * sizeof(float));
    return t;
  }

  // q is F32 in both paths.
  tensor* query() {
    return floats(dense_floats(*call_.q), n_.width, n_.queries, n_.heads, n_.batch);
  }

  tensor* key() { return cached(*call_.k); }

  tensor* cached(const attest_tensor& from) {
    tensor* t = make(type_of(from.dtype), from.sizes[3], n_.keys, n_.kv_heads, n_.batch);
    const std::vector<std::byte> bits = cleared_bits(call_, from);
    fill(t, bits.data(), bits.size());
    return t;
  }

  // V with its keys side by side, as llama.cpp stores it where flash attention is off.
  tensor* transposed_value() {
    const attest_tensor& v = *call_.v;
    const std::size_t element = size_of_element(v.dtype);
    const std::vector<std::byte> bits = cleared_bits(call_, v);
    std::vector<std::byte> turned(bits.size());
    const auto keys = static_cast<std::size_t>(n_.keys);
    const auto width = static_cast<std::size_t>(n_.value_width);
    const auto heads = static_cast<std::size_t>(n_.batch * n_.kv_heads);
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t j = 0; j < keys; ++j)
        for (std::size_t d = 0; d < width; ++d)
          std::memcpy(&turned[((h * width + d) * keys + j) * element],
                      &bits[((h * keys + j) * width + d) * element], element);
    tensor* t = make(type_of(v.dtype), n_.keys, n_.value_width, n_.kv_heads, n_.batch);
    fill(t, turned.data(), turned.size());
    return t;
  }

  bool has_mask() const { return call_.bias != nullptr || restricts_keys(call_); }

  tensor* float_mask() {
    if (!has_mask()) return nullptr;
    return floats(additive_mask(call_), n_.keys, n_.queries, n_.heads, n_.batch);
  }

  tensor* half_mask() {
    if (!has_mask()) return nullptr;
    const std::int64_t padded = (n_.queries + mask_rows - 1) / mask_rows * mask_rows;
    tensor* t = make(type_f16, n_.keys, padded, n_.heads, n_.batch);
    auto* bits = static_cast<std::uint16_t*>(lib_.get_data(t));
    std::fill(bits, bits + lib_.nbytes(t) / 2, to_f16(-std::numeric_limits<float>::infinity()));
    const std::vector<float> mask = additive_mask(call_);
    const std::int64_t matrix = n_.queries * n_.keys;
    for (std::int64_t m = 0; m < n_.heads * n_.batch; ++m)
      std::transform(mask.begin() + m * matrix, mask.begin() + (m + 1) * matrix,
                     bits + m * padded * n_.keys, to_f16);
    return t;
  }

  tensor* sinks() {
    return call_.sink == nullptr ? nullptr : floats(dense_floats(*call_.sink), n_.heads, 1, 1, 1);
  }

  tensor* flash() {
    const auto scale = static_cast<float>(call_.scale);
    const auto soft_cap = static_cast<float>(call_.soft_cap);
    tensor* o = lib_.flash_attn_ext(context_, query(), key(), cached(*call_.v), half_mask(), scale,
                                    0, soft_cap);
    if (tensor* s = sinks()) lib_.flash_attn_ext_add_sinks(o, s);
    lib_.flash_attn_ext_set_prec(o, precision_f32);
    return o;
  }

  tensor* composed() {
    tensor* scores = lib_.mul_mat(context_, key(), query());
    lib_.mul_mat_set_prec(scores, precision_f32);
    double scale = call_.scale;
    if (call_.soft_cap > 0) {
      scores = lib_.scale(context_, scores, static_cast<float>(scale / call_.soft_cap));
      scores = lib_.tanh(context_, scores);
      scores = lib_.scale(context_, scores, static_cast<float>(call_.soft_cap));
      scale = 1;
    }
    tensor* weights =
        lib_.soft_max_ext(context_, scores, float_mask(), static_cast<float>(scale), 0);
    if (tensor* s = sinks()) lib_.soft_max_add_sinks(weights, s);
    return lib_.mul_mat(context_, transposed_value(), weights);
  }

  // Flash attention answers [B, Lq, Hq, Dv].
  void write_by_query(tensor* result) {
    const auto* from = static_cast<const float*>(lib_.get_data(result));
    std::vector<float> by_head(static_cast<std::size_t>(count_of(*call_.o)));
    for (std::int64_t b = 0; b < n_.batch; ++b)
      for (std::int64_t i = 0; i < n_.queries; ++i)
        for (std::int64_t h = 0; h < n_.heads; ++h, from += n_.value_width)
          std::copy(from, from + n_.value_width,
                    &by_head[static_cast<std::size_t>(((b * n_.heads + h) * n_.queries + i) *
                                                      n_.value_width)]);
    write_floats(*call_.o, by_head.data());
  }

  const library& lib_;
  const attest_forward& call_;
  sizes n_;
  context* context_ = nullptr;
};

}  // namespace

void attend(const library& lib, path way, int threads, const attest_forward& call) {
  static arena memory;
  graph_of_call(lib, memory, call).run(way, threads);
}

}  // namespace attest_adapter::ggml
