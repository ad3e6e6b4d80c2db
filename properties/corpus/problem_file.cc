#include "properties/corpus/problem_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "properties/corpus/sha256.h"
#include "properties/exchange/byte_source.h"
#include "properties/exchange/elements.h"
#include "properties/exchange/npz.h"
#include "properties/exchange/problem_arrays.h"
#include "properties/exchange/safetensors.h"
#include "properties/selection.h"
#include "reference/formats/encoding.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/fields.h"

namespace attest {
namespace {

constexpr std::string_view format_names[] = {"safetensors", "npz"};

element_type type_of(const array& a) {
  if (a.kind == element_kind::boolean) return {"boolean", a.kind, nullptr, 1};
  if (a.kind == element_kind::integer) return {"integer", a.kind, nullptr, 8};
  return {a.element->name, a.kind, a.element,
          static_cast<std::size_t>(a.element->storage_bits / 8)};
}

// What is computed, where it is not a softmax of scaled products.
std::string member_text(const problem& p) {
  std::string text;
  for (const char* name : {"scorer", "normalizer"})
    if (const semantics_field& field = find_field(name); field.get(p.rules) != field.get({}))
      text += fmt::format("{} {}\n", name, field.value_of(p.rules));
  if (p.rules.normalised_by == normalizer::alpha_entmax)
    text += fmt::format("alpha {:x}\n", encode(f64, p.alpha));
  return text;
}

// Everything that a problem says beside its arrays, a line each. Numbers by their bits.
std::string scalars_text(const problem& p) {
  const auto bits = [](double x) { return encode(f64, x); };
  const shape& s = p.dims;
  std::string text = fmt::format("shape {} {} {} {} {} {} {}\n", s.batch, s.query_heads, s.kv_heads,
                                 s.queries, s.keys, s.width, s.value_width);
  text += fmt::format("causal {}\nwindow {} {}\n", static_cast<int>(p.causal), p.sliding.left,
                      p.sliding.right);
  if (p.scale) text += fmt::format("scale {:x}\n", bits(*p.scale));
  text += fmt::format("soft_cap {:x}\n", bits(p.soft_cap));
  for (const pattern_number& n : pattern_numbers)
    if (p.pattern.*n.member != key_pattern().*n.member)
      text += fmt::format("{} {}\n", n.name, p.pattern.*n.member);
  if (p.dropout_mask) text += fmt::format("dropout_scale {:x}\n", bits(p.dropout_scale));
  for (const semantics_field& field : fields_of_convention())
    text += fmt::format("{} {}\n", field.name, field.value_of(p.rules));
  return text + member_text(p);
}

int digit_value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

}  // namespace

std::string_view name_of(corpus_format f) { return format_names[static_cast<std::size_t>(f)]; }

corpus_format find_corpus_format(std::string_view name) {
  const auto* found = std::find(std::begin(format_names), std::end(format_names), name);
  if (found == std::end(format_names))
    refuse("format of a corpus", shown(name), "safetensors, npz");
  return static_cast<corpus_format>(found - std::begin(format_names));
}

std::string problem_digest(const problem& p, std::int64_t repeat) {
  std::string text = fmt::format("attest problem\nrepeat {}\n", repeat);
  text += scalars_text(p);
  for (const auto& [name, a] : to_arrays(p)) {
    const element_type type = type_of(a);
    text += fmt::format("{} {} [{}]\n", name, type.name, sizes_text(a.sizes));
    text += element_bytes(type, a.values);
  }
  return sha256(text);
}

std::string problem_file(const problem& p, std::string_view digest, corpus_format format) {
  named_arrays arrays = to_arrays(p);
  arrays["problem"] = digest_array(digest);
  return format == corpus_format::npz ? npz_bytes(arrays, numpy_lacks::as_bits)
                                      : safetensors_bytes(arrays);
}

array digest_array(std::string_view digest) {
  std::vector<double> bytes;
  for (std::size_t n = 0; n + 1 < digest.size(); n += 2)
    bytes.push_back(16 * digit_value(digest[n]) + digit_value(digest[n + 1]));
  return {nullptr, {static_cast<std::int64_t>(bytes.size())}, bytes, element_kind::integer};
}

std::string digest_of(const array& a, std::string_view where) {
  const bool fits =
      a.kind == element_kind::integer && a.values.size() == sha256_bytes && a.sizes.size() == 1 &&
      std::all_of(a.values.begin(), a.values.end(), [](double x) { return x >= 0 && x <= 255; });
  if (!fits)
    refuse(where, "an array `problem` that is no hash", "the 32 bytes of the problem's file");
  std::string digest;
  for (const double byte : a.values) digest += fmt::format("{:02x}", static_cast<int>(byte));
  return digest;
}

}  // namespace attest
