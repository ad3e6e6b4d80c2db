// The text form of a problem_spec: key=value words, each key at most once, defaults left out.
#include <algorithm>
#include <functional>
#include <set>

#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

constexpr std::string_view axis_letters = "bhqk";
constexpr std::string_view layout_names[] = {"bhld",   "blhd",     "fused",  "reversed",
                                             "spread", "mirrored", "shared", "far"};
constexpr std::string_view causal_names[] = {"none", "top_left", "bottom_right"};

// Computes: "bqk" for {0, 2, 3}, "-" for no axis at all.
std::string axes_text(unsigned axes) {
  std::string text;
  for (unsigned k = 0; k < 4; ++k)
    if ((axes >> k & 1) != 0) text += axis_letters[k];
  return text.empty() ? "-" : text;
}

unsigned parse_axes(std::string_view text, std::string_view key) {
  unsigned axes = 0;
  for (char letter : text == "-" ? std::string_view() : text) {
    const std::size_t k = axis_letters.find(letter);
    if (k == std::string_view::npos || (axes >> k & 1) != 0)
      throw input_error(std::string(key) + " is '" + std::string(text) +
                        "' (allowed: a choice of the letters b, h, q, k, or -)");
    axes |= 1u << k;
  }
  return axes;
}

template <class Enum, std::size_t N>
Enum parse_name(std::string_view text, std::string_view key, const std::string_view (&names)[N]) {
  const auto* found = std::find(std::begin(names), std::end(names), text);
  if (found != std::end(names)) return static_cast<Enum>(found - std::begin(names));
  std::string allowed;
  for (std::string_view name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  throw input_error(std::string(key) + " is '" + std::string(text) + "' (allowed: " + allowed +
                    ")");
}

// One word of the line: how it is written (nothing for the default) and read.
struct word {
  std::string_view key;
  std::function<std::string(const problem_spec&)> write;
  std::function<void(problem_spec&, std::string_view)> read;
};

word size_word(std::string_view key, std::int64_t shape::*member) {
  return {
      key, [=](const problem_spec& s) { return std::to_string(s.dims.*member); },
      [=](problem_spec& s, std::string_view text) { s.dims.*member = parse_integer(text, key); }};
}

word pattern_word(const pattern_number& n) {
  return {n.name,
          [n](const problem_spec& s) {
            const std::int64_t value = s.pattern.*n.member;
            return value == key_pattern().*n.member ? std::string() : std::to_string(value);
          },
          [n](problem_spec& s, std::string_view text) {
            s.pattern.*n.member = parse_integer(text, n.name);
          }};
}

word flag_word(std::string_view key, bool problem_spec::*member) {
  return {
      key, [=](const problem_spec& s) { return std::string(s.*member ? "1" : ""); },
      [=](problem_spec& s, std::string_view text) {
        if (text != "0" && text != "1")
          throw input_error(std::string(key) + " is '" + std::string(text) + "' (allowed: 0, 1)");
        s.*member = text == "1";
      }};
}

word axes_word(std::string_view key, std::optional<unsigned> problem_spec::*member) {
  return {
      key,
      [=](const problem_spec& s) { return s.*member ? axes_text(*(s.*member)) : std::string(); },
      [=](problem_spec& s, std::string_view text) { s.*member = parse_axes(text, key); }};
}

std::string window_text(const problem_spec& s) {
  if (s.sliding.open()) return {};
  return std::to_string(s.sliding.left) + "," + std::to_string(s.sliding.right);
}

void read_window(problem_spec& s, std::string_view text) {
  const auto ends = split(text, ',');
  if (ends.size() != 2)
    throw input_error("window is '" + std::string(text) +
                      "' (allowed: LEFT,RIGHT, -1 for an open side)");
  s.sliding = {parse_integer(ends[0], "window left"), parse_integer(ends[1], "window right")};
}

const format& parse_format(std::string_view text) {
  if (const format* found = find_format(text)) return *found;
  std::string allowed;
  for (const format* f : all_formats)
    allowed += (allowed.empty() ? "" : ", ") + std::string(f->name);
  throw input_error("dtype is '" + std::string(text) + "' (allowed: " + allowed + ")");
}

const std::vector<word>& words() {
  static const std::vector<word> list{
      size_word("B", &shape::batch),
      size_word("Hq", &shape::query_heads),
      size_word("Hkv", &shape::kv_heads),
      size_word("Lq", &shape::queries),
      size_word("Lk", &shape::keys),
      size_word("D", &shape::width),
      size_word("Dv", &shape::value_width),
      {"dtype", [](const problem_spec& s) { return std::string(s.inputs->name); },
       [](problem_spec& s, std::string_view t) { s.inputs = &parse_format(t); }},
      {"profile", [](const problem_spec& s) { return s.profile == "attest" ? "" : s.profile; },
       [](problem_spec& s, std::string_view t) {
         find_profile(t);
         s.profile = t;
       }},
      {"regime", [](const problem_spec& s) { return std::string(name_of(s.regime)); },
       [](problem_spec& s, std::string_view t) { s.regime = find_regime(t); }},
      {"layout",
       [](const problem_spec& s) {
         return s.placed == layout::bhld ? ""
                                         : std::string(layout_names[static_cast<int>(s.placed)]);
       },
       [](problem_spec& s, std::string_view t) {
         s.placed = parse_name<layout>(t, "layout", layout_names);
       }},
      axes_word("mask", &problem_spec::mask_axes),
      axes_word("bias", &problem_spec::bias_axes),
      flag_word("infinite_bias", &problem_spec::infinite_bias),
      {"causal",
       [](const problem_spec& s) {
         return s.causal == causal_anchor::none
                    ? ""
                    : std::string(causal_names[static_cast<int>(s.causal)]);
       },
       [](problem_spec& s, std::string_view t) {
         s.causal = parse_name<causal_anchor>(t, "causal", causal_names);
       }},
      {"window", window_text, read_window},
      pattern_word(pattern_numbers[0]),
      pattern_word(pattern_numbers[1]),
      pattern_word(pattern_numbers[2]),
      axes_word("block_mask", &problem_spec::block_axes),
      pattern_word(pattern_numbers[3]),
      pattern_word(pattern_numbers[4]),
      flag_word("segments", &problem_spec::packed),
      flag_word("alibi", &problem_spec::alibi),
      flag_word("lengths", &problem_spec::ragged),
      flag_word("sink", &problem_spec::sink),
      {"soft_cap", [](const problem_spec& s) { return s.soft_cap > 0 ? to_text(s.soft_cap) : ""; },
       [](problem_spec& s, std::string_view t) { s.soft_cap = parse_double(t, "soft_cap"); }},
      {"scale", [](const problem_spec& s) { return s.scale ? to_text(*s.scale) : ""; },
       [](problem_spec& s, std::string_view t) { s.scale = parse_double(t, "scale"); }},
      axes_word("dropout", &problem_spec::dropout_axes),
      {"dropout_scale",
       [](const problem_spec& s) { return s.dropout_scale == 1 ? "" : to_text(s.dropout_scale); },
       [](problem_spec& s, std::string_view t) {
         s.dropout_scale = parse_double(t, "dropout_scale");
       }},
      {"page", [](const problem_spec& s) { return s.page > 0 ? std::to_string(s.page) : ""; },
       [](problem_spec& s, std::string_view t) { s.page = parse_integer(t, "page"); }},
      {"seed", [](const problem_spec& s) { return std::to_string(s.seed); },
       [](problem_spec& s, std::string_view t) { s.seed = parse_unsigned(t, "seed"); }},
  };
  return list;
}

const word& find_word(std::string_view key) {
  std::string allowed;
  for (const word& w : words()) {
    if (w.key == key) return w;
    allowed += (allowed.empty() ? "" : ", ") + std::string(w.key);
  }
  throw input_error("unknown word '" + std::string(key) +
                    "' in a problem line (allowed: " + allowed + ")");
}

}  // namespace

std::string to_line(const problem_spec& spec) {
  std::string line;
  for (const word& w : words()) {
    const std::string value = w.write(spec);
    if (value.empty()) continue;
    if (!line.empty()) line += ' ';
    line += std::string(w.key) + '=' + value;
  }
  return line;
}

problem_spec parse_problem_line(std::string_view line) {
  problem_spec spec;
  std::set<std::string_view> seen;
  for (std::string_view text : split(line, ' ')) {
    if (text.empty()) continue;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
      throw input_error("'" + std::string(text) +
                        "' in a problem line is not of the form key=value");
    const word& w = find_word(text.substr(0, equals));
    if (!seen.insert(w.key).second)
      throw input_error("'" + std::string(w.key) + "' stands twice in a problem line");
    w.read(spec, text.substr(equals + 1));
  }
  validate(spec);
  return spec;
}

}  // namespace attest
