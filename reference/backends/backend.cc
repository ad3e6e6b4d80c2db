#include "reference/backends/backend.h"

#include "reference/backends/numbers.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {
namespace {

struct number {
  std::string_view name;
  std::string_view contract_name;  // empty: a multiprecision one
  std::string_view about;
  std::vector<const format*> inputs;
  void (*evaluate)(const backend&, const problem&, tensor&, tensor*);
};

const std::vector<number>& numbers() {
  const std::vector<const format*> fp8_inputs{&f8_e4m3fn, &f8_e4m3, &f8_e5m2};
  const std::vector<const format*> any_input(std::begin(all_formats), std::end(all_formats));
  static const std::vector<number> list{
      {"float64", "float64", "the definition in double", {&f64}, evaluate_float64},
      {"float32", "float32", "the definition in float", {&f32, &tf32}, evaluate_float32},
      {"fp16", "fp16-flash", "", {&f16}, evaluate_contract},
      {"fp16-eager", "fp16-eager", "", {&f16}, evaluate_contract},
      {"fp16-accumulate", "fp16-accumulate", "", {&f16}, evaluate_contract},
      {"bf16", "bf16-flash", "", {&bf16}, evaluate_contract},
      {"bf16-eager", "bf16-eager", "", {&bf16}, evaluate_contract},
      {"fp8", "fp8-flash", "", fp8_inputs, evaluate_contract},
      {"mp50", "", "the definition with 50 digits, by Boost", any_input, evaluate_mp50},
      {"mp100", "", "the definition with 100 digits, by Boost", any_input, evaluate_mp100},
      {"mpfr", "", "the definition with 100 digits, by MPFR", any_input, evaluate_mpfr},
  };
  return list;
}

struct order_text {
  std::string_view name;
  evaluation_order order;
  std::int64_t default_size;  // 0: takes none
  std::string_view about;
};

constexpr order_text orders[] = {
    {"two-pass", evaluation_order::two_pass, 0, ""},
    {"online", evaluation_order::online, default_block, "a running maximum, keys to a block: "},
    {"split-kv", evaluation_order::split_kv, default_parts, "parts evaluated apart and merged: "},
    {"merge-tree", evaluation_order::merge_tree, default_parts, "parts merged in pairs: "},
    {"ring", evaluation_order::ring, default_parts, "parts on a ring, the query's own first: "},
    {"chunked-prefill", evaluation_order::chunked_prefill, default_chunk,
     "the cache, then the query's chunk, queries to it: "},
};

constexpr std::int64_t most_size = 1 << 20;

constexpr std::string_view listed[] = {
    "float64",
    "float64/online=16",
    "float64/split-kv=3",
    "float32",
    "float32/online=16",
    "float32/split-kv=3",
    "float32/merge-tree=5",
    "float32/ring=4",
    "float32/chunked-prefill=4",
    "fp16",
    "fp16/online=16",
    "fp16/split-kv=3",
    "fp16-eager",
    "fp16-accumulate",
    "bf16",
    "bf16/online=16",
    "bf16/split-kv=3",
    "bf16-eager",
    "fp8",
    "fp8/online=16",
    "mp50",
    "mp100",
    "mpfr",
};

template <class Entries>
std::string names_of(const Entries& entries) {
  std::string names;
  for (const auto& entry : entries) {
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

template <class Entries>
const auto& find_entry(const Entries& entries, std::string_view name, const std::string& what) {
  for (const auto& entry : entries)
    if (entry.name == name) return entry;
  throw input_error("unknown " + what + " '" + std::string(name) +
                    "' (allowed: " + names_of(entries) + ")");
}

std::int64_t parse_size(const order_text& order, std::string_view text) {
  const std::int64_t size = parse_integer(text, "the size of order " + std::string(order.name));
  if (order.default_size == 0)
    throw input_error("order " + std::string(order.name) + " takes no size");
  if (size < 1 || size > most_size)
    throw input_error("the size of order " + std::string(order.name) + " is " +
                      std::to_string(size) + " (allowed: 1 to " + std::to_string(most_size) + ")");
  return size;
}

// "online=16": an order and its size.
void set_order(std::string_view text, backend& b) {
  const std::size_t equals = text.find('=');
  const order_text& order = find_entry(orders, text.substr(0, equals), "order");
  const bool sized = equals != std::string_view::npos;
  b.visits = {order.order, sized ? parse_size(order, text.substr(equals + 1)) : order.default_size};
  if (b.visits.size == 0) return;
  const std::string size = std::to_string(b.visits.size);
  b.name += '/' + std::string(order.name) + '=' + size;
  b.about += "; " + std::string(order.about) + size;
}

backend two_pass_backend(const number& n) {
  const contract* keeps = n.contract_name.empty() ? nullptr : &find_contract(n.contract_name);
  return {std::string(n.name),
          std::string(n.about.empty() ? keeps->about : n.about),
          keeps,
          n.inputs,
          n.evaluate,
          {}};
}

}  // namespace

backend find_backend(std::string_view name) {
  const std::size_t slash = name.find('/');
  backend b = two_pass_backend(find_entry(numbers(), name.substr(0, slash), "backend"));
  if (slash == std::string_view::npos) return b;
  if (b.keeps == nullptr)
    throw input_error("backend " + b.name + " takes no order, but was given '" + std::string(name) +
                      "'");
  set_order(name.substr(slash + 1), b);
  return b;
}

bool backend::computes(const semantics& rules) const {
  const bool is_plain = rules.is_softmax() && rules.scores_by_products();
  const bool is_defined = evaluate == evaluate_float64 || evaluate == evaluate_float32;
  return is_plain || keeps == nullptr || (is_defined && visits.order == evaluation_order::two_pass);
}

std::span<const std::string_view> all_backends() { return listed; }

}  // namespace attest
