#include "properties/recurrence/recurrence_feature.h"

#include <array>

#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {
namespace {

using f = recurrence_feature;

struct feature_text {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<feature_text, recurrence_feature_count> texts{{
    {"sum", "keys and values add up in the state"},
    {"delta", "the delta rule: what a key stands for already is subtracted, times a rate"},
    {"head_decay", "the state fades at each position, by a number a head"},
    {"position_decay", "it fades by a number a head and position"},
    {"channel_decay", "it fades by a number a head, position and channel of the keys"},
    {"erase", "a gate says what of a key the delta rule looks up"},
    {"identity", "q and k are taken as they are"},
    {"elu_plus_1", "q and k become x + 1, below 0 exp(x)"},
    {"relu", "q and k become max(x, 0)"},
    {"normalised", "outputs are divided by the sum of their weights"},
    {"state_in", "a state is given before the first position"},
    {"state_out", "the state after the last position is returned"},
    {"scale", "outputs are multiplied by a given factor instead of 1 / sqrt(D)"},
    {"grouped_heads", "several query heads share a key-value head"},
    {"value_width", "values are not as wide as keys"},
    {"strides", "q, k, v and o lie in any strided layout"},
    {"exp_features", "q and k become exp(w_a . x - x . x / 2) of given draws w_a"},
}};

constexpr recurrence_features rules = recurrence_features().with(f::sum).with(f::delta);
constexpr recurrence_features maps =
    recurrence_features().with(f::identity).with(f::elu_plus_1).with(f::relu).with(f::exp_features);

recurrence_feature parse_one(std::string_view name) {
  for (recurrence_feature each : members(recurrence_features::all()))
    if (name_of(each) == name) return each;
  throw input_error("unknown feature of a recurrence '" + std::string(name) +
                    "' (allowed: " + to_string(recurrence_features::all()) + ")");
}

}  // namespace

std::string_view name_of(recurrence_feature each) {
  return texts[static_cast<std::size_t>(each)].name;
}
std::string_view meaning_of(recurrence_feature each) {
  return texts[static_cast<std::size_t>(each)].meaning;
}

std::vector<recurrence_feature> members(recurrence_features set) {
  std::vector<recurrence_feature> found;
  for (int n = 0; n < recurrence_feature_count; ++n)
    if (const auto each = static_cast<recurrence_feature>(n); set.has(each)) found.push_back(each);
  return found;
}

std::string to_string(recurrence_features set) {
  std::string text;
  for (recurrence_feature each : members(set))
    text += (text.empty() ? "" : ",") + std::string(name_of(each));
  return text.empty() ? "none" : text;
}

recurrence_features parse_recurrence_features(std::string_view comma_separated) {
  recurrence_features found;
  for (std::string_view name : split(comma_separated, ','))
    if (!name.empty() && name != "none") found = found.with(parse_one(name));
  return found;
}

void require_answerable(recurrence_features declared, const std::string& who) {
  for (const recurrence_features& choice : {rules, maps})
    if (!declared.meets(choice))
      throw input_error(who + " declares " + to_string(declared) + " (allowed: at least one of " +
                        to_string(choice) + " among them)");
}

}  // namespace attest
