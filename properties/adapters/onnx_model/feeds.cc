#include "properties/adapters/onnx_model/feeds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

#include "properties/adapters/dense_tensor.h"
#include "properties/adapters/key_set.h"

namespace attest_adapter::onnx_model {
namespace {

using onnxruntime::argument;
using onnxruntime::bits_of;
using onnxruntime::element_type;
using bytes = std::vector<std::byte>;
using sizes = std::vector<std::int64_t>;

// --- The environment ---

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set");
  return value;
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + " can't be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

// What stands behind the blank after the words that were read: a name may hold blanks.
std::string rest_of(std::istringstream& words) {
  std::string rest;
  words.get();
  std::getline(words, rest);
  return rest;
}

// --- The sizes of a call ---

class call_sizes {
 public:
  call_sizes(const attest_forward& call, const std::string& past) {
    const std::int64_t batch = call.q->sizes[0], hq = call.q->sizes[1], hkv = call.k->sizes[1],
                       lq = call.q->sizes[2], lk = call.k->sizes[2], d = call.q->sizes[3],
                       dv = call.v->sizes[3], p = past_keys(past, lq, lk);
    of_ = {{"B", batch},        {"Hq", hq},
           {"Hkv", hkv},        {"Lq", lq},
           {"Lk", lk},          {"P", p},
           {"N", lk - p},       {"D", d},
           {"Dv", dv},          {"1", 1},
           {"HqD", hq * d},     {"HkvD", hkv * d},
           {"HkvDv", hkv * dv}, {"W", hq * d + hkv * d + hkv * dv}};
  }
  std::int64_t at(const std::string& name) const { return of_.at(name); }
  sizes of(const feed& f) const {
    sizes all;
    for (const std::string& name : f.sizes) all.push_back(at(name));
    return all;
  }

 private:
  inline static const std::string but = "but:";

  static std::int64_t past_keys(const std::string& how, std::int64_t queries, std::int64_t keys) {
    if (how == "rest") return std::max<std::int64_t>(keys - queries, 0);
    if (how.rfind(but, 0) == 0) return keys - std::stoll(how.substr(but.size()));
    return how == "half" ? keys / 2 : std::stoll(how);
  }

  std::map<std::string, std::int64_t> of_;
};

// --- Numbers that the graph gets in a type of its own ---

bytes in_type(element_type type, const std::vector<double>& values) {
  if (type == onnxruntime::element_double) return bits_of(values);
  const std::vector<float> floats(values.begin(), values.end());
  if (type == onnxruntime::element_float) return bits_of(floats);
  std::vector<std::uint16_t> halves(floats.size());
  std::transform(floats.begin(), floats.end(), halves.begin(),
                 type == onnxruntime::element_bfloat16 ? to_bf16 : to_f16);
  return bits_of(halves);
}

std::vector<double> numbers_of(const attest_tensor& t) {
  if (t.dtype != ATTEST_F64) {
    const std::vector<float> floats = dense_floats(t);
    return {floats.begin(), floats.end()};
  }
  std::vector<double> numbers(static_cast<std::size_t>(count_of(t)));
  const bytes bits = dense_bits(t);
  std::memcpy(numbers.data(), bits.data(), bits.size());
  return numbers;
}

bytes identity(element_type type, std::int64_t width) {
  std::vector<double> all(static_cast<std::size_t>(width * width));
  for (std::int64_t n = 0; n < width; ++n) all[static_cast<std::size_t>(n * (width + 1))] = 1;
  return in_type(type, all);
}

// --- Operands ---

// A dense copy of a tensor that the graph gets whole or in parts.
struct dense {
  bytes data;
  attest_tensor view;
};

// K or V with 0 where no key is: by their definitions operators read there and mask afterwards.
dense cleared_copy(const attest_forward& call, const attest_tensor& t) {
  dense d{cleared_bits(call, t), t};
  d.view.strides[3] = 1;
  for (int axis = 2; axis >= 0; --axis)
    d.view.strides[axis] = d.view.strides[axis + 1] * t.sizes[axis + 1];
  d.view.data = d.data.data();
  return d;
}

// Positions first, ..., last - 1 of a dense tensor.
attest_tensor part_of(const dense& d, std::int64_t first, std::int64_t last) {
  attest_tensor t = d.view;
  t.data = static_cast<std::byte*>(t.data) +
           static_cast<std::size_t>(first * t.strides[2]) * size_of_element(t.dtype);
  t.sizes[2] = last - first;
  return t;
}

// In the graph's order of axes: [B, H, L, D], or [B, L, H * D] where it has rank 3.
attest_tensor in_order(attest_tensor t, std::size_t rank) {
  if (rank != 3) return t;
  std::swap(t.sizes[1], t.sizes[2]);
  std::swap(t.strides[1], t.strides[2]);
  return t;
}

bytes operand(const attest_tensor& t, std::size_t rank) { return dense_bits(in_order(t, rank)); }

// The identity spreads what is not finite to all that it multiplies by 0.
void require_finite(const attest_tensor& t) {
  for (const double x : numbers_of(t))
    if (!std::isfinite(x))
      throw std::runtime_error("q, k and v that are not finite don't pass through weights");
}

// q, k and v of each position side by side.
bytes packed_operands(const attest_forward& call) {
  const dense k = cleared_copy(call, *call.k), v = cleared_copy(call, *call.v);
  for (const attest_tensor* t : {call.q, &k.view, &v.view}) require_finite(*t);
  const bytes parts[] = {operand(*call.q, 3), operand(k.view, 3), operand(v.view, 3)};
  const auto rows = static_cast<std::size_t>(call.q->sizes[0] * call.q->sizes[2]);
  bytes all;
  for (std::size_t row = 0; row < rows; ++row)
    for (const bytes& part : parts) {
      const auto width = static_cast<std::ptrdiff_t>(part.size() / rows);
      const auto begin = part.begin() + static_cast<std::ptrdiff_t>(row) * width;
      all.insert(all.end(), begin, begin + width);
    }
  return all;
}

// --- Masks ---

// Calls take(n) for the cells of [B, Hq, Lq, Lk] that the input has: n counts all of them.
template <class Take>
void for_each_cell(const feed& f, const call_sizes& s, Take take) {
  const sizes full{s.at("B"), s.at("Hq"), s.at("Lq"), s.at("Lk")};
  sizes given(4, 1);
  const sizes own = s.of(f);
  for (std::size_t n = 0; n < own.size(); ++n)
    if (f.sizes[n] != "1") given[4 - own.size() + n] = own[n];
  for (std::int64_t b = 0; b < given[0]; ++b)
    for (std::int64_t h = 0; h < given[1]; ++h)
      for (std::int64_t i = 0; i < given[2]; ++i)
        for (std::int64_t j = 0; j < given[3]; ++j)
          take(static_cast<std::size_t>(((b * full[1] + h) * full[2] + i) * full[3] + j));
}

bytes boolean_mask(const feed& f, const call_sizes& s, const attest_forward& call) {
  const bytes mask = call.mask != nullptr ? dense_bits(*call.mask) : bytes();
  bytes kept;
  for_each_cell(f, s, [&](std::size_t n) {
    kept.push_back(call.mask == nullptr || mask[n] != std::byte{0} ? std::byte{1} : std::byte{0});
  });
  return kept;
}

// The bias, and -infinity where the mask keeps nothing.
bytes added_mask(const feed& f, const call_sizes& s, const attest_forward& call) {
  const std::vector<double> bias =
      call.bias != nullptr ? numbers_of(*call.bias) : std::vector<double>();
  const bytes mask = call.mask != nullptr ? dense_bits(*call.mask) : bytes();
  const auto keys = static_cast<std::size_t>(s.at("Lk"));
  const std::size_t row = keys * static_cast<std::size_t>(s.at("Hq") * s.at("Lq"));
  std::vector<double> added;
  for_each_cell(f, s, [&](std::size_t n) {
    const auto b = static_cast<std::int64_t>(n / row), j = static_cast<std::int64_t>(n % keys);
    if (!mask.empty() && mask[n] == std::byte{0})
      added.push_back(-std::numeric_limits<double>::infinity());
    else
      added.push_back(bias.empty() || j >= valid_keys(call, b) ? 0 : bias[n]);
  });
  return in_type(f.type, added);
}

// --- Numbers of keys ---

template <class Integer>
bytes valid(const attest_forward& call, std::int64_t less) {
  std::vector<Integer> lengths;
  for (std::int64_t b = 0; b < call.q->sizes[0]; ++b)
    lengths.push_back(static_cast<Integer>(valid_keys(call, b) - less));
  return bits_of(lengths);
}

bytes valid_mask(const attest_forward& call) {
  std::vector<std::int32_t> kept;
  for (std::int64_t b = 0; b < call.q->sizes[0]; ++b)
    for (std::int64_t j = 0; j < call.k->sizes[2]; ++j)
      kept.push_back(j < valid_keys(call, b) ? 1 : 0);
  return bits_of(kept);
}

bytes data_for(const feed& f, const call_sizes& s, const attest_forward& call) {
  const std::string& role = f.role;
  const std::int64_t past = s.at("P"), keys = s.at("Lk");
  const auto of_cache = [&](const attest_tensor& t, std::int64_t first, std::int64_t last) {
    const dense cleared = cleared_copy(call, t);
    return operand(part_of(cleared, first, last), f.sizes.size());
  };
  if (role == "q") return operand(*call.q, f.sizes.size());
  if (role == "k") return of_cache(*call.k, past, keys);
  if (role == "v") return of_cache(*call.v, past, keys);
  if (role == "past_k") return of_cache(*call.k, 0, past);
  if (role == "past_v") return of_cache(*call.v, 0, past);
  if (role == "qkv") return packed_operands(call);
  if (role == "sink") return in_type(f.type, numbers_of(*call.sink));
  if (role == "mask") return boolean_mask(f, s, call);
  if (role == "added") return added_mask(f, s, call);
  if (role == "lengths64") return valid<std::int64_t>(call, 0);
  if (role == "lengths32") return valid<std::int32_t>(call, 0);
  if (role == "last_keys") return valid<std::int32_t>(call, 1);
  if (role == "valid_mask") return valid_mask(call);
  if (role == "total") return bits_of(std::vector<std::int32_t>{static_cast<std::int32_t>(keys)});
  if (role == "identity") return identity(f.type, s.at("W"));
  if (role == "zeros")
    return in_type(f.type, std::vector<double>(static_cast<std::size_t>(s.at("W"))));
  throw std::runtime_error("no such role: " + role);
}

}  // namespace

feeding read_feeding() {
  feeding read;
  read.model = contents_of(setting("ATTEST_ONNX_MODEL"));
  for (const std::string& line : split(setting("ATTEST_ONNX_FEEDS"), '\n')) {
    std::istringstream words(line);
    std::string role, names;
    int type = 0;
    words >> role;
    if (role == "past") {
      words >> read.past;
    } else if (role == "output") {
      words >> read.output_rank;
      read.output = rest_of(words);
    } else {
      words >> type >> names;
      read.feeds.push_back({role, static_cast<element_type>(type),
                            names == "-" ? std::vector<std::string>() : split(names, ','),
                            rest_of(words)});
    }
  }
  return read;
}

void answer(const feeding& how, const attest_forward& call) {
  const call_sizes s(call, how.past);
  std::vector<argument> arguments;
  for (const feed& f : how.feeds) {
    const sizes dims = s.of(f);
    arguments.push_back(
        {{f.name, f.type, static_cast<int>(dims.size())}, data_for(f, s, call), dims});
  }
  const std::size_t size =
      static_cast<std::size_t>(count_of(*call.o)) * size_of_element(call.o->dtype);
  const bytes o = onnxruntime::run(how.model, std::move(arguments), {how.output}, size);
  write_bits(in_order(*call.o, how.output_rank), o.data());
}

}  // namespace attest_adapter::onnx_model
