#include "reference/semantics/fields.h"

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr field_value empty_rows[] = {
    {"zero", "0"},
    {"nan", "NaN"},
    {"mean_of_values", "the mean of V over all keys"},
    {"unspecified", "anything"},
};
constexpr field_value bases[] = {{"e", "a natural logarithm"}, {"two", "a logarithm to base 2"}};
constexpr field_value empty_lses[] = {
    {"minus_infinity", "-inf"}, {"plus_infinity", "+inf"}, {"unspecified", "anything"}};
constexpr field_value lse_sinks[] = {{"included", "exp(sink) is part of the sum"},
                                     {"left_out", "it is not, though it takes weight"}};
constexpr field_value head_maps[] = {{"repeat", "KV head h / R"}, {"tile", "KV head h mod Hkv"}};
constexpr field_value cap_orders[] = {
    {"before_bias", "on the score alone"},
    {"after_bias", "on score + bias"},
    {"after_mask", "on masked scores too: a masked key gets the logit -cap and stays"}};
constexpr field_value polarities[] = {{"true_keeps", "true keeps the key"},
                                      {"true_masks", "true masks the key"}};
constexpr field_value infinite_biases[] = {
    {"removes_key", "the key is not in the set"},
    {"weighs_0", "the key stays, with weight 0: a row of such keys alone is NaN"}};
constexpr field_value lowest_biases[] = {{"ordinary", "a bias like any other"},
                                         {"masks", "read as -inf"}};
constexpr field_value slot_contents[] = {
    {"finite_only", "finite numbers, which weigh 0; NaN there may leak"},
    {"never_read", "anything: it is never read"}};
constexpr field_value non_finites[] = {{"unspecified", "anything"},
                                       {"propagate", "the outputs that depend on it are NaN"}};
constexpr field_value ends[] = {{"inclusive", "position - left to position + right"},
                                {"exclusive", "those two keys are not kept"}};
constexpr field_value scorers[] = {
    {"scaled_dot", "c q.k, with c = 1 / sqrt(D) unless given, as for the rotary ones; else c = 1"},
    {"dot", "c q.k"},
    {"general", "c q.Wk, W [D, D] (multiplicative, Luong)"},
    {"additive", "c w.tanh(W_q q + W_k k) (Bahdanau)"},
    {"concat", "c w.tanh(W [q; k]) (Luong)"},
    {"cosine", "c q.k / (|q| |k|), 0 where a norm is 0"},
    {"mlp", "c (w.relu(W [q; k] + b) + d), a layer of hidden units"},
    {"rotary_halves", "c q'.k', coordinates t and t + R turned by the tables cos, sin [L, R]"},
    {"rotary_pairs", "c q'.k', coordinates 2t and 2t + 1 turned likewise"},
    {"elu_features", "c f(q).f(k), f(x) = elu(x) + 1 (linear attention)"},
    {"relu_features", "c f(q).f(k), f(x) = max(x, 0)"},
    {"exp_features", "c f(q).f(k), f(x)_a = exp(w_a.x - x.x / 2), w [A, D] (Performer)"}};
constexpr field_value normalizers[] = {
    {"softmax", "exp(t) / sum exp(t)"},
    {"sparsemax", "[t - tau]_+, with tau such that they sum to 1"},
    {"entmax_1_5", "[t / 2 - tau]_+^2, likewise"},
    {"alpha_entmax", "[(alpha - 1) t - tau]_+^(1 / (alpha - 1)), likewise, alpha > 1"},
    {"relu_ratio", "[t]_+ / sum [t]_+"},
    {"ratio", "t / sum t"},
    {"uniform", "1 / n, whatever the scores"},
    {"identity", "t itself: no normalizer"}};

constexpr field_value distances[] = {
    {"absolute", "minus the distance between the key and the query's position"},
    {"signed", "j - position, which is positive beyond it"}};

// The accessors of one member.
template <auto Member>
std::size_t get_member(const semantics& rules) {
  return static_cast<std::size_t>(rules.*Member);
}

template <auto Member>
void set_member(semantics& rules, std::size_t value) {
  rules.*Member = static_cast<std::remove_reference_t<decltype(rules.*Member)>>(value);
}

template <auto Member>
constexpr semantics_field field_of(std::string_view name, std::string_view meaning,
                                   std::span<const field_value> values) {
  return {name, meaning, values, get_member<Member>, set_member<Member>};
}

constexpr semantics_field fields[] = {
    field_of<&semantics::on_empty_row>("empty_row", "the output of a row without keys", empty_rows),
    field_of<&semantics::base>("lse_base", "the lse", bases),
    field_of<&semantics::on_empty_lse>("empty_lse", "the lse of a row without keys", empty_lses),
    field_of<&semantics::sink>("lse_sink", "the sink in the lse", lse_sinks),
    field_of<&semantics::heads>("head_map", "what serves query head h", head_maps),
    field_of<&semantics::cap>("cap_order", "where the soft cap acts", cap_orders),
    field_of<&semantics::polarity>("mask_polarity", "a boolean mask as it is handed over",
                                   polarities),
    field_of<&semantics::on_infinite_bias>("infinite_bias", "a bias of -inf", infinite_biases),
    field_of<&semantics::on_lowest_bias>(
        "lowest_bias", "the lowest finite number of its format as a bias", lowest_biases),
    field_of<&semantics::slots>("masked_slots", "what K and V may hold outside the key set",
                                slot_contents),
    field_of<&semantics::on_non_finite>("non_finite_inputs", "NaN in q, k or v of a kept pair",
                                        non_finites),
    field_of<&semantics::ends>("window_ends", "the keys that a window (left, right) keeps", ends),
    field_of<&semantics::distance>("alibi_distance", "what a slope of ALiBi is multiplied by",
                                   distances),
    field_of<&semantics::scored_by>("scorer", "what scores a key: which member of the family",
                                    scorers),
    field_of<&semantics::normalised_by>("normalizer", "what makes weights of scores: likewise",
                                        normalizers),
};

[[noreturn]] void reject(std::string_view what, std::string_view given,
                         const std::string& allowed) {
  throw input_error("unknown " + std::string(what) + " '" + std::string(given) +
                    "' (allowed: " + allowed + ")");
}

template <class List>
std::string names_of(const List& list) {
  std::string names;
  for (const auto& each : list) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

std::size_t find_value(const semantics_field& field, std::string_view name) {
  for (std::size_t n = 0; n < field.values.size(); ++n)
    if (field.values[n].name == name) return n;
  reject("value of " + std::string(field.name), name, names_of(field.values));
}

}  // namespace

std::span<const semantics_field> all_fields() { return fields; }

std::span<const semantics_field> fields_of_convention() {
  constexpr std::size_t of_the_member = 2;  // scorer and normalizer
  return all_fields().first(std::size(fields) - of_the_member);
}

const semantics_field& find_field(std::string_view name) {
  for (const semantics_field& field : fields)
    if (field.name == name) return field;
  reject("convention", name, names_of(fields));
}

std::string differences(const semantics& rules, const semantics& from) {
  std::string text;
  for (const semantics_field& field : fields)
    if (field.get(rules) != field.get(from))
      text += (text.empty() ? "" : ",") + std::string(field.name) + "=" +
              std::string(field.value_of(rules));
  return text;
}

semantics with_field(semantics rules, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw input_error("'" + std::string(assignment) + "' in a profile (allowed: FIELD=VALUE)");
  const semantics_field& field = find_field(assignment.substr(0, equals));
  field.set(rules, find_value(field, assignment.substr(equals + 1)));
  return rules;
}

}  // namespace attest
