#include "properties/recurrence/recurrence_spec.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {
namespace {

constexpr std::string_view decay_names[] = {"none", "head", "position", "channel"};
constexpr std::string_view fading_names[] = {"usual", "slow", "fast", "none", "resets"};
constexpr std::string_view rate_names[] = {"usual", "zero", "one", "two", "mixed"};
constexpr std::string_view element_names[] = {"normal", "exact", "large", "small", "one_hot"};
constexpr std::string_view map_names[] = {"identity", "elu_plus_1", "relu", "exp_features"};
constexpr std::string_view rule_names[] = {"sum", "delta"};
constexpr std::string_view layout_names[] = {"bhld",     "blhd",   "fused",
                                             "reversed", "spread", "mirrored"};
constexpr std::int64_t largest_size = std::int64_t{1} << 24;
constexpr const format* input_formats[] = {&f64, &f32, &f16, &bf16};

[[noreturn]] void reject(const std::string& what, const std::string& allowed) {
  throw input_error(what + " (allowed: " + allowed + ")");
}

template <class Names>
std::size_t find_name(std::string_view text, std::string_view key, const Names& names) {
  const auto* const found = std::find(std::begin(names), std::end(names), text);
  if (found != std::end(names)) return static_cast<std::size_t>(found - std::begin(names));
  std::string allowed;
  for (std::string_view name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  reject(std::string(key) + " is '" + std::string(text) + "'", allowed);
}

// One word of the line: how it is written (nothing for the default) and read.
struct word {
  std::string_view key;
  std::function<std::string(const recurrence_spec&)> write;
  std::function<void(recurrence_spec&, std::string_view)> read;
};

word size_word(std::string_view key, std::int64_t shape::*member) {
  return {key, [=](const recurrence_spec& s) { return std::to_string(s.dims.*member); },
          [=](recurrence_spec& s, std::string_view text) {
            s.dims.*member = parse_integer(text, key);
          }};
}

template <class Value, std::size_t N>
word name_word(std::string_view key, Value recurrence_spec::*member,
               const std::string_view (&names)[N]) {
  return {key,
          [=, &names](const recurrence_spec& s) {
            const Value value = s.*member;
            return value == recurrence_spec().*member
                       ? std::string()
                       : std::string(names[static_cast<std::size_t>(value)]);
          },
          [=, &names](recurrence_spec& s, std::string_view text) {
            s.*member = static_cast<Value>(find_name(text, key, names));
          }};
}

word flag_word(std::string_view key, bool recurrence_spec::*member) {
  return {key, [=](const recurrence_spec& s) { return std::string(s.*member ? "1" : ""); },
          [=](recurrence_spec& s, std::string_view text) {
            constexpr std::string_view flags[] = {"0", "1"};
            s.*member = find_name(text, key, flags) == 1;
          }};
}

const format* parse_inputs(std::string_view text) {
  std::string_view names[std::size(input_formats)];
  std::transform(std::begin(input_formats), std::end(input_formats), std::begin(names),
                 [](const format* f) { return f->name; });
  return input_formats[find_name(text, "dtype", names)];
}

std::int64_t parse_draws(std::string_view text) {
  const std::int64_t draws = parse_integer(text, "A");
  if (draws < 1 || draws > largest_size) reject("A=" + std::string(text), "1 to 2^24");
  return draws;
}

const std::vector<word>& words() {
  using s = recurrence_spec;
  static const std::vector<word> list{
      size_word("B", &shape::batch),
      size_word("Hq", &shape::query_heads),
      size_word("Hkv", &shape::kv_heads),
      size_word("L", &shape::queries),
      size_word("D", &shape::width),
      size_word("Dv", &shape::value_width),
      {"A", [](const s& spec) { return spec.draws > 0 ? std::to_string(spec.draws) : ""; },
       [](s& spec, std::string_view text) { spec.draws = parse_draws(text); }},
      {"dtype", [](const s& spec) { return std::string(spec.inputs->name); },
       [](s& spec, std::string_view text) { spec.inputs = parse_inputs(text); }},
      name_word("rule", &s::delta, rule_names),
      name_word("decay", &s::decay, decay_names),
      flag_word("erase", &s::erase),
      name_word("map", &s::map, map_names),
      flag_word("normalised", &s::normalised),
      flag_word("state_in", &s::state_in),
      flag_word("state_out", &s::state_out),
      {"scale", [](const s& spec) { return spec.scale ? to_text(*spec.scale) : std::string(); },
       [](s& spec, std::string_view text) { spec.scale = parse_double(text, "scale"); }},
      name_word("elements", &s::elements, element_names),
      name_word("fading", &s::fading, fading_names),
      name_word("rates", &s::rates, rate_names),
      name_word("layout", &s::placed, layout_names),
      {"seed", [](const s& spec) { return std::to_string(spec.seed); },
       [](s& spec, std::string_view text) { spec.seed = parse_unsigned(text, "seed"); }}};
  return list;
}

void read_word(recurrence_spec& s, std::string_view text, std::set<std::string_view>& seen) {
  const std::size_t equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  const auto found =
      std::find_if(words().begin(), words().end(), [&](const word& w) { return w.key == key; });
  if (equals == std::string_view::npos || found == words().end()) {
    std::string allowed;
    for (const word& w : words()) allowed += (allowed.empty() ? "" : ", ") + std::string(w.key);
    reject("'" + std::string(text) + "' in a problem's line", "KEY=VALUE, KEY of " + allowed);
  }
  if (!seen.insert(found->key).second)
    reject("the key " + std::string(key) + " twice in a problem's line", "once");
  found->read(s, text.substr(equals + 1));
}

void require_sizes(const shape& s, std::int64_t draws) {
  for (const std::int64_t size :
       {s.batch, s.query_heads, s.kv_heads, s.queries, s.width, s.value_width})
    if (size < 1 || size > largest_size) reject("a size of " + std::to_string(size), "1 to 2^24");
  if (s.query_heads % s.kv_heads != 0)
    reject("Hq=" + std::to_string(s.query_heads) + " Hkv=" + std::to_string(s.kv_heads),
           "Hq a multiple of Hkv");
  const double elements = static_cast<double>(s.batch) * static_cast<double>(s.query_heads) *
                          static_cast<double>(s.queries + s.width + draws) *
                          static_cast<double>(s.width + draws + s.value_width);
  if (elements > static_cast<double>(largest_size))
    reject("a problem of " + to_text(elements) + " elements", "up to 2^24");
}

void require_fitting(const recurrence_spec& s) {
  require_sizes(s.dims, s.draws);
  if ((s.map == feature_map::exp_features) != (s.draws > 0))
    reject(s.draws > 0 ? "A beside another map" : "map=exp_features without A", "both, or neither");
  if (s.erase && !s.delta) reject("erase=1 beside rule=sum", "rule=delta");
  if (s.scale && !(*s.scale - *s.scale == 0))
    reject("scale=" + to_text(*s.scale), "a finite number");
  if (!s.normalised) return;
  if (!is_positive(s.map))
    reject("normalised=1 beside map=" + std::string(map_names[static_cast<std::size_t>(s.map)]),
           "elu_plus_1 or exp_features");
  if (s.delta || s.state_in || s.scale)
    reject("normalised=1 beside rule=delta, state_in=1 or a scale", "none of them");
}

}  // namespace

std::string to_line(const recurrence_spec& s) {
  std::string line;
  for (const word& w : words()) {
    const std::string text = w.write(s);
    if (!text.empty()) line += (line.empty() ? "" : " ") + std::string(w.key) + "=" + text;
  }
  return line;
}

recurrence_spec parse_recurrence_line(std::string_view line) {
  recurrence_spec s;
  std::set<std::string_view> seen;
  for (std::string_view text : split(line, ' '))
    if (!text.empty()) read_word(s, text, seen);
  s.dims.keys = s.dims.queries;
  require_fitting(s);
  return s;
}

bool is_positive(feature_map map) {
  return map == feature_map::elu_plus_1 || map == feature_map::exp_features;
}

recurrence_features features_of(const recurrence_spec& s) {
  using f = recurrence_feature;
  recurrence_features found = recurrence_features().with(s.delta ? f::delta : f::sum);
  const auto add_if = [&](bool asked, recurrence_feature each) {
    if (asked) found = found.with(each);
  };
  add_if(s.decay == decay_kind::head, f::head_decay);
  add_if(s.decay == decay_kind::position, f::position_decay);
  add_if(s.decay == decay_kind::channel, f::channel_decay);
  add_if(s.erase, f::erase);
  add_if(s.map == feature_map::identity, f::identity);
  add_if(s.map == feature_map::elu_plus_1, f::elu_plus_1);
  add_if(s.map == feature_map::relu, f::relu);
  add_if(s.map == feature_map::exp_features, f::exp_features);
  add_if(s.normalised, f::normalised);
  add_if(s.state_in, f::state_in);
  add_if(s.state_out, f::state_out);
  add_if(s.scale.has_value(), f::scale);
  add_if(s.dims.query_heads != s.dims.kv_heads, f::grouped_heads);
  add_if(s.dims.width != s.dims.value_width, f::value_width);
  add_if(s.placed != layout::bhld, f::strides);
  return found;
}

}  // namespace attest
