// Attention as the textbook writes it: scores, softmax, weights times values. float32 and float64,
// every feature.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <new>
#include <vector>

#include "attest_plugin.h"

namespace {

template <typename T>
constexpr T infinity = std::numeric_limits<T>::infinity();

template <typename T>
T& at(const attest_tensor& t, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  const std::int64_t* s = t.strides;
  return static_cast<T*>(t.data)[a * s[0] + b * s[1] + c * s[2] + d * s[3]];
}

// Query i of head h in batch row b, and what follows from the three.
struct row {
  const attest_forward& call;
  std::int64_t b, h, i;

  std::int64_t kv_head() const { return h / (call.q->sizes[1] / call.k->sizes[1]); }
  // Keys at or beyond this are never read.
  std::int64_t valid_keys() const {
    return call.lengths ? at<std::int64_t>(*call.lengths, b, 0, 0, 0) : call.k->sizes[2];
  }
  std::int64_t position() const {
    const bool shifted = call.causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT;
    return i + (shifted ? valid_keys() - call.q->sizes[2] : 0);
  }
};

bool in_triangle(const row& r, std::int64_t j) {
  return r.call.causal == ATTEST_CAUSAL_NONE || j <= r.position();
}

bool in_window(const row& r, std::int64_t j) {
  const std::int64_t left = r.call.window_left, right = r.call.window_right;
  return (left < 0 || r.position() - j <= left) && (right < 0 || j - r.position() <= right);
}

template <typename T>
bool keeps(const row& r, std::int64_t j) {
  const auto [call, b, h, i] = r;
  return in_triangle(r, j) && in_window(r, j) &&
         (!call.mask || at<unsigned char>(*call.mask, b, h, i, j) != 0) &&
         (!call.bias || at<T>(*call.bias, b, h, i, j) != -infinity<T>);
}

template <typename T>
T score(const row& r, std::int64_t j) {
  const attest_forward& call = r.call;
  const T cap = static_cast<T>(call.soft_cap);
  T sum = 0;
  for (std::int64_t t = 0; t < call.q->sizes[3]; ++t)
    sum += at<T>(*call.q, r.b, r.h, r.i, t) * at<T>(*call.k, r.b, r.kv_head(), j, t);
  T result = static_cast<T>(call.scale) * sum;
  if (cap > 0) result = cap * std::tanh(result / cap);
  return call.bias ? result + at<T>(*call.bias, r.b, r.h, r.i, j) : result;
}

// A removed key has score -inf, hence weight exp(-inf) = 0.
template <typename T>
std::vector<T> scores(const row& r) {
  std::vector<T> result;
  for (std::int64_t j = 0; j < r.valid_keys(); ++j)
    result.push_back(keeps<T>(r, j) ? score<T>(r, j) : -infinity<T>);
  return result;
}

// Turns scores into weights. Result: the log of the sum of exponentials, -inf when there was
// nothing to sum.
template <typename T>
T softmax(std::vector<T>& scores, T sink) {
  T max = sink;
  for (T t : scores) max = std::max(max, t);
  // Without this guard -inf minus -inf would make an empty row NaN.
  if (max == -infinity<T>) {
    std::fill(scores.begin(), scores.end(), T(0));
    return -infinity<T>;
  }
  T sum = std::exp(sink - max);
  for (T& t : scores) sum += t = std::exp(t - max);
  for (T& t : scores) t /= sum;
  return max + std::log(sum);
}

template <typename T>
void answer_row(const row& r) {
  const attest_forward& call = r.call;
  std::vector<T> weights = scores<T>(r);
  const T lse = softmax(weights, call.sink ? at<T>(*call.sink, 0, r.h, 0, 0) : -infinity<T>);
  for (std::int64_t d = 0; d < call.o->sizes[3]; ++d) {
    T sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j)
      sum += weights[j] * at<T>(*call.v, r.b, r.kv_head(), static_cast<std::int64_t>(j), d);
    at<T>(*call.o, r.b, r.h, r.i, d) = sum;
  }
  if (call.lse) at<T>(*call.lse, r.b, r.h, r.i, 0) = lse;
}

template <typename T>
void answer(const attest_forward& call) {
  for (std::int64_t b = 0; b < call.q->sizes[0]; ++b)
    for (std::int64_t h = 0; h < call.q->sizes[1]; ++h)
      for (std::int64_t i = 0; i < call.q->sizes[2]; ++i) answer_row<T>(row{call, b, h, i});
}

bool absent_or(const attest_tensor* t, std::uint32_t dtype) {
  return t == nullptr || (t->size >= sizeof *t && t->dtype == dtype);
}

bool supported(const attest_forward& call) {
  if (call.size < sizeof call || call.causal > ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) return false;
  if (std::any_of(std::begin(call.reserved), std::end(call.reserved),
                  [](auto* t) { return t != nullptr; }))
    return false;
  const std::uint32_t type = call.q->dtype;
  if (type != ATTEST_F32 && type != ATTEST_F64) return false;
  for (const attest_tensor* t : {call.q, call.k, call.v, call.o, call.bias, call.sink, call.lse})
    if (!absent_or(t, type)) return false;
  return absent_or(call.mask, ATTEST_BOOL) && absent_or(call.lengths, ATTEST_I64);
}

std::int32_t forward(const attest_forward* call, char*, std::uint64_t) {
  if (!supported(*call)) return ATTEST_UNSUPPORTED;
  try {
    call->q->dtype == ATTEST_F64 ? answer<double>(*call) : answer<float>(*call);
  } catch (const std::bad_alloc&) {
    return ATTEST_ERROR;  // no exception may cross the C interface
  }
  return ATTEST_OK;
}

constexpr std::uint64_t features = ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS |
                                   ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT |
                                   ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS |
                                   ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK | ATTEST_LSE |
                                   ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES;

const attest_plugin naive = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "naive",
    .version = "1",
    .features = features,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32) | ATTEST_DTYPE_BIT(ATTEST_F64),
    .profile = nullptr,
    .contract = nullptr,
    .forward = forward,
    .backward = nullptr,
};

}  // namespace

const attest_plugin* attest_plugin_at(std::uint32_t index) { return index == 0 ? &naive : nullptr; }
