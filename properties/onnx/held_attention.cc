#include "properties/onnx/held_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "properties/exchange/byte_source.h"
#include "properties/onnx/arithmetic.h"
#include "properties/onnx/attention_call.h"
#include "properties/onnx/graph_feeds.h"
#include "reference/contract/presets.h"

namespace attest {
namespace {

constexpr const char* microsoft = "com.microsoft";
constexpr const char* allowed_models =
    "one node: Attention of opset 23 to 28, or MultiHeadAttention, GroupQueryAttention or "
    "Attention "
    "of com.microsoft";

// TensorProto.DataType.
enum data_type : int { int32_type = 6, int64_type = 7, bool_type = 9 };

// How ONNX Runtime keeps the conventions. Its kernel of Attention writes the lowest number where a
// mask is false, and 0 for a row of nothing else; f64 has no kernel: the operator's function is
// run, where such a row is 0 / 0. For those of com.microsoft it depends on the path.
constexpr const char* kernel_profile = "onnx-attention-23-1.22,lowest_bias=masks";
constexpr const char* function_profile =
    "onnx-attention-23-1.22,empty_row=nan,infinite_bias=weighs_0";
constexpr const char* contributed_profile =
    "attest,empty_row=unspecified,empty_lse=unspecified,infinite_bias=weighs_0";

const format* find_input_format(int type) {
  for (const format* f : {&f64, &f32, &f16, &bf16})
    if (onnx_data_type({f, {}, {}}) == type) return f;
  return nullptr;
}

// The parts of every operator.
class attention_reader {
 public:
  attention_reader(const onnx_model& model, const std::string& where)
      : model_(model), graph_(model, where) {}

  held_attention read() {
    const onnx_node& node = model_.nodes.front();
    if (node.domain.empty())
      read_standard();
    else if (node.op_type == "MultiHeadAttention")
      read_multi_head();
    else if (node.op_type == "GroupQueryAttention")
      read_group_query();
    else
      read_packed();
    graph_.require_all_fed();
    finish();
    return std::move(found_);
  }

 private:
  using sizes = std::vector<std::string>;

  // --- What the operators share ---

  void take_type() {
    const int type = graph_.value(0).data_type;
    found_.inputs = find_input_format(type);
    if (found_.inputs == nullptr)
      graph_.fail(fmt::format("inputs of data type {}", type), "FLOAT, DOUBLE, FLOAT16, BFLOAT16");
    types_ = {type};
  }

  void require_slots(std::initializer_list<std::size_t> slots) const {
    for (const std::size_t slot : slots)
      if (!graph_.has(slot))
        graph_.fail(fmt::format("no input {} of the node", slot), "q, k and v apart");
  }

  // q, k and v, of rank 4 or 3.
  void feed_operands(std::size_t rank, bool has_past) {
    rank_ = rank;
    const std::string length = has_past ? "N" : "Lk";
    const bool packed = rank == 3;
    graph_.feed(0, "q", packed ? sizes{"B", "Lq", "HqD"} : sizes{"B", "Hq", "Lq", "D"}, types_);
    graph_.feed(1, "k", packed ? sizes{"B", length, "HkvD"} : sizes{"B", "Hkv", length, "D"},
                types_);
    graph_.feed(2, "v", packed ? sizes{"B", length, "HkvDv"} : sizes{"B", "Hkv", length, "Dv"},
                types_);
  }

  void feed_past(std::size_t key_slot) {
    if (!graph_.has(key_slot + 1)) graph_.fail("past keys without past values", "both or none");
    graph_.feed(key_slot, "past_k", {"B", "Hkv", "P", "D"}, types_);
    graph_.feed(key_slot + 1, "past_v", {"B", "Hkv", "P", "Dv"}, types_);
    has_past_ = true;
  }

  void feed_added_mask(std::size_t slot) {
    limits_.mask_axes = limits_.bias_axes = graph_.feed_mask(slot, "added", types_);
    add({feature::mask, feature::bias, feature::infinite_bias});
  }

  void feed_key_lengths(std::size_t slot) {
    if (graph_.rank_of(slot, 1) == 2)
      graph_.feed(slot, "valid_mask", {"B", "Lk"}, {int32_type});
    else
      graph_.feed(slot, "lengths32", {"B"}, {int32_type});
    add({feature::lengths});
  }

  void add(std::initializer_list<feature> features) {
    for (const feature f : features) found_.features = found_.features.with(f);
  }

  // A causal triangle of which the first query stands behind the past.
  void set_causal() {
    limits_.causal = causal_anchor::top_left;
    if (!has_past_) return;
    const auto past = graph_.fixed("P");
    if (!past || *past > 0) limits_.causal = causal_anchor::bottom_right;
  }

  // How many of a problem's keys are of the past.
  void set_past() {
    if (!has_past_) return;
    const auto past = graph_.fixed("P"), fresh = graph_.fixed("N"), queries = graph_.fixed("Lq");
    const bool as_many =
        limits_.causal == causal_anchor::bottom_right || graph_.share_symbol("N", "Lq");
    if (as_many && fresh && queries && *fresh != *queries)
      graph_.fail(fmt::format("{} new keys for {} queries, causal", *fresh, *queries), "as many");
    if (as_many && fresh) graph_.fix("Lq", *fresh, "the number of new keys");
    if (past) {
      past_ = std::to_string(*past);
      limits_.least_keys = *past + 1;
      if (as_many) limits_.keys_beyond_queries = *past;
      if (fresh) graph_.fix("Lk", *past + *fresh, "past and new keys");
    } else if (as_many) {
      past_ = "rest";
      limits_.no_more_queries_than_keys = true;
    } else {
      past_ = fresh ? "but:" + std::to_string(*fresh) : "half";
      limits_.least_keys = fresh.value_or(1);
    }
    if (const auto keys = graph_.fixed("Lk"); keys && *keys < limits_.least_keys)
      graph_.fail(fmt::format("{} keys, of the past and new", *keys),
                  fmt::format("{} or more", limits_.least_keys));
  }

  void finish() {
    set_past();
    const call_limits of_sizes = graph_.limits();
    limits_.sizes = of_sizes.sizes;
    limits_.equal.insert(limits_.equal.end(), of_sizes.equal.begin(), of_sizes.equal.end());
    add_features_of_sizes();
    if (limits_.causal == causal_anchor::top_left) add({feature::causal_top_left});
    if (limits_.causal == causal_anchor::bottom_right) add({feature::causal_bottom_right});
    if (!limits_.sliding.open()) add({feature::window});
    if (limits_.scale) add({feature::scale});
    if (limits_.soft_cap > 0) add({feature::soft_cap});
    found_.limits = limits_;
    found_.feeds = graph_.text(past_, rank_);
  }

  // What may differ in size: not what is fixed to the same.
  void add_features_of_sizes() {
    using enum size_name;
    const bool beyond = limits_.keys_beyond_queries && *limits_.keys_beyond_queries > 0;
    if (!limits_.are_equal(query_heads, kv_heads)) add({feature::grouped_heads});
    if (!limits_.are_equal(queries, keys) || beyond) add({feature::cross_lengths});
    if (!limits_.are_equal(width, value_width)) add({feature::value_width});
  }

  // --- Attention of ONNX itself ---

  void read_standard() {
    if (const std::string why = why_not_judged(model_); !why.empty())
      graph_.fail(why, allowed_models);
    const attention_attributes given = attributes_of(model_);
    require_slots({0, 1, 2});
    take_type();
    found_.operator_name = fmt::format("Attention {}", model_.opset);
    found_.profile = *found_.inputs == f64 ? function_profile : kernel_profile;
    found_.kept = contract_of(given);
    const bool packed = graph_.rank_of(0, given.q_num_heads > 0 ? 3 : 4) == 3;
    set_heads(given.q_num_heads, given.kv_num_heads, packed);
    feed_operands(packed ? 3 : 4, graph_.has(4));
    if (graph_.has(4)) feed_past(4);
    if (graph_.has(3)) feed_standard_mask();
    if (graph_.has(6)) feed_valid_keys();
    set_standard(given);
  }

  contract contract_of(const attention_attributes& given) const {
    const bool narrower = given.softmax_precision != nullptr &&
                          given.softmax_precision->precision < found_.inputs->precision;
    if (narrower) return contracts_for(*found_.inputs, given.softmax_precision).back();
    return find_contract(*found_.inputs == f16 ? "fp16-eager"
                                               : default_contract(*found_.inputs).name);
  }

  void set_heads(std::int64_t of_queries, std::int64_t of_keys, bool packed) {
    if (of_queries < 0 || of_keys < 0)
      graph_.fail(fmt::format("{} query heads, {} KV heads", of_queries, of_keys), "1 or more");
    if (packed && (of_queries == 0 || of_keys == 0))
      graph_.fail("inputs of rank 3 without numbers of heads", "both attributes");
    if (of_queries > 0) graph_.fix("Hq", of_queries, "an attribute");
    if (of_keys > 0) graph_.fix("Hkv", of_keys, "an attribute");
    if (of_queries > 0 && of_keys > 0 && of_queries % of_keys != 0)
      graph_.fail(fmt::format("{} query heads for {} KV heads", of_queries, of_keys), "a multiple");
  }

  void feed_standard_mask() {
    if (graph_.value(3).data_type != bool_type) return feed_added_mask(3);
    limits_.mask_axes = graph_.feed_mask(3, "mask", {bool_type});
    add({feature::mask});
  }

  void feed_valid_keys() {
    if (has_past_) graph_.fail("a past beside nonpad_kv_seqlen", "one of them");
    graph_.feed(6, "lengths64", {"B"}, {int64_type});
    add({feature::lengths});
    ends_at_valid_ = true;
  }

  // Queries stand behind the past; or so that the last stands at the last valid key.
  void set_standard(const attention_attributes& given) {
    limits_.scale = given.scale;
    limits_.soft_cap = given.softcap;
    limits_.sliding = given.sliding;
    if (given.is_causal) set_causal();
    if (given.is_causal && ends_at_valid_) limits_.causal = causal_anchor::bottom_right;
    if (!given.sliding.open() && !given.is_causal && (has_past_ || ends_at_valid_))
      graph_.fail("a window without is_causal beside a past or valid lengths", "is_causal with it");
  }

  // --- Those of com.microsoft ---

  using number = std::variant<std::int64_t*, double*>;

  // Reads the attributes; those on neither list, and of `off` those that switch something on, are
  // refused.
  void read_attributes(const std::map<std::string_view, number>& numbers,
                       const std::vector<std::string_view>& off,
                       const std::vector<std::string_view>& without_effect) const {
    for (const onnx_attribute& a : model_.nodes.front().attributes) {
      const auto known = numbers.find(a.name);
      if (known != numbers.end() ? take(a, known->second) : is_harmless(a, off, without_effect))
        continue;
      graph_.fail("attribute " + shown(a.name) + ", or this value of it",
                  "what attest can ask for");
    }
  }

  static bool take(const onnx_attribute& a, const number& to) {
    if (std::int64_t* const* integer = std::get_if<std::int64_t*>(&to)) {
      const auto* given = std::get_if<std::int64_t>(&a.value);
      if (given != nullptr) **integer = *given;
      return given != nullptr;
    }
    const auto* given = std::get_if<double>(&a.value);
    if (given != nullptr) *std::get<double*>(to) = *given;
    return given != nullptr;
  }

  static bool is_harmless(const onnx_attribute& a, const std::vector<std::string_view>& off,
                          const std::vector<std::string_view>& without_effect) {
    const auto is_on = [&](const std::vector<std::string_view>& list) {
      return std::find(list.begin(), list.end(), a.name) != list.end();
    };
    if (is_on(without_effect)) return true;
    if (!is_on(off)) return false;
    const auto* integer = std::get_if<std::int64_t>(&a.value);
    const auto* text = std::get_if<std::string>(&a.value);
    return (integer != nullptr && *integer <= 0) || (text != nullptr && *text == "NONE");
  }

  void start_contributed(const char* type) {
    found_.operator_name = fmt::format("{} {}", microsoft, type);
    found_.profile = contributed_profile;
    take_type();
    found_.kept = default_contract(*found_.inputs);
  }

  void set_scale(double scale) {
    if (scale != 0) limits_.scale = scale;  // 0: the default one
  }

  void refuse_slots(std::initializer_list<std::pair<std::size_t, const char*>> slots) const {
    for (const auto& [slot, what] : slots)
      if (graph_.has(slot)) graph_.fail(what, "an attention without it");
  }

  void require_rank_3() const {
    for (const std::size_t slot : {0u, 1u, 2u})
      if (graph_.rank_of(slot, 3) != 3)
        graph_.fail("inputs of another rank than 3", "q, k and v of rank 3");
  }

  void read_multi_head() {
    std::int64_t heads = 0, causal = 0;
    double scale = 0;
    read_attributes({{"num_heads", &heads}, {"scale", &scale}, {"unidirectional", &causal}}, {},
                    {"mask_filter_value"});
    require_slots({0, 1, 2});
    start_contributed("MultiHeadAttention");
    require_rank_3();
    set_heads(heads, heads, true);
    refuse_slots({{8, "past_sequence_length"}, {9, "cache_indirection"}});
    feed_operands(3, graph_.has(6));
    if (graph_.has(3)) graph_.feed(3, "zeros", {"W"}, types_);
    if (graph_.has(4)) feed_key_lengths(4);
    if (graph_.has(5)) feed_added_mask(5);
    if (graph_.has(6)) feed_past(6);
    set_scale(scale);
    if (causal != 0) set_causal();
  }

  void read_group_query() {
    std::int64_t heads = 0, kv_heads = 0, causal = 1, local = -1;
    double scale = 0, soft_cap = 0;
    read_attributes({{"num_heads", &heads},
                     {"kv_num_heads", &kv_heads},
                     {"causal", &causal},
                     {"local_window_size", &local},
                     {"scale", &scale},
                     {"softcap", &soft_cap}},
                    {"do_rotary", "smooth_softmax", "qk_output", "k_quant_type", "v_quant_type",
                     "kv_cache_bit_width"},
                    {"rotary_interleaved"});
    require_slots({0, 1, 2, 5, 6});
    start_contributed("GroupQueryAttention");
    require_rank_3();
    set_heads(heads, kv_heads, true);
    refuse_slots({{7, "cos_cache"}, {8, "sin_cache"}, {9, "position_ids"}});
    feed_operands(3, false);
    feed_prompt();
    set_scale(scale);
    limits_.soft_cap = soft_cap;
    limits_.width_multiple = 8;  // the kernel takes no others
    if (causal != 0) limits_.causal = causal_anchor::top_left;
    if (local > 0) limits_.sliding = {local - 1, -1};
  }

  // All keys are new: as many as queries, of the width of values.
  void feed_prompt() {
    if (graph_.has(3)) feed_past(3);
    if (has_past_) graph_.fix("P", 0, "a prompt");
    has_past_ = false;
    past_ = "0";
    graph_.feed(5, "last_keys", {"B"}, {int32_type});
    graph_.feed(6, "total", graph_.rank_of(6, 0) == 0 ? sizes{} : sizes{"1"}, {int32_type});
    if (graph_.has(10)) feed_added_mask(10);
    if (graph_.has(11)) feed_sink();
    limits_.equal.emplace_back(size_name::queries, size_name::keys);
    limits_.equal.emplace_back(size_name::width, size_name::value_width);
  }

  void feed_sink() {
    graph_.feed(11, "sink", {"Hq"}, types_);
    limits_.sink = true;
    add({feature::sink});
  }

  // q, k and v in one input, which weights project: only weights that attest gives can be the
  // identity.
  void read_packed() {
    std::int64_t heads = 0, causal = 0;
    double scale = 0;
    read_attributes({{"num_heads", &heads}, {"scale", &scale}, {"unidirectional", &causal}},
                    {"do_rotary", "past_present_share_buffer"},
                    {"mask_filter_value", "rotary_embedding_dim"});
    require_slots({0, 1});
    start_contributed("Attention");
    set_heads(heads, heads, true);
    refuse_slots({{4, "past"}, {6, "past_sequence_length"}});
    rank_ = 3;
    graph_.feed(0, "qkv", {"B", "Lq", "W"}, types_);
    graph_.feed(1, "identity", {"W", "W"}, types_);
    if (graph_.has(2)) graph_.feed(2, "zeros", {"W"}, types_);
    if (graph_.has(3)) feed_key_lengths(3);
    if (graph_.has(5)) feed_added_mask(5);
    limits_.equal.emplace_back(size_name::queries, size_name::keys);
    limits_.equal.emplace_back(size_name::width, size_name::value_width);
    if (const auto all = graph_.fixed("W")) fix_packed_width(*all, heads);
    set_scale(scale);
    if (causal != 0) limits_.causal = causal_anchor::top_left;
  }

  void fix_packed_width(std::int64_t all, std::int64_t heads) {
    if (all % (3 * heads) != 0)
      graph_.fail(fmt::format("a width of {} for q, k and v of {} heads", all, heads),
                  "a multiple");
    graph_.fix("D", all / (3 * heads), "the width of q, k and v");
  }

  const onnx_model& model_;
  graph_feeds graph_;
  held_attention found_;
  call_limits limits_;
  std::vector<int> types_;
  std::size_t rank_ = 4;
  std::string past_ = "0";
  bool has_past_ = false, ends_at_valid_ = false;
};

std::string nodes_text(const onnx_model& model) {
  constexpr std::size_t most_named = 6;
  std::string text = fmt::format("a graph of {} nodes", model.nodes.size());
  for (std::size_t n = 0; n < std::min(most_named, model.nodes.size()); ++n)
    text += (n == 0 ? " (" : ", ") + shown(model.nodes[n].op_type);
  if (model.nodes.size() > most_named) text += ", ...";
  return model.nodes.empty() ? text : text + ")";
}

bool is_read(const onnx_node& node) {
  if (node.domain.empty()) return node.op_type == "Attention";
  return node.domain == microsoft &&
         (node.op_type == "Attention" || node.op_type == "MultiHeadAttention" ||
          node.op_type == "GroupQueryAttention");
}

}  // namespace

held_attention read_held_attention(const onnx_model& model, const std::string& where) {
  const graph_feeds graph(model, where);
  if (model.nodes.size() != 1) graph.fail(nodes_text(model), allowed_models);
  const onnx_node& node = model.nodes.front();
  if (!is_read(node))
    graph.fail(shown(node.op_type) + (node.domain.empty() ? "" : " of " + shown(node.domain)),
               allowed_models);
  if (node.outputs.empty()) graph.fail("a node without outputs", allowed_models);
  return attention_reader(model, where).read();
}

}  // namespace attest
