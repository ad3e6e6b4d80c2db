#include "properties/corpus/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "properties/corpus/sha256.h"
#include "properties/exchange/byte_source.h"
#include "properties/exchange/contract_json.h"
#include "properties/exchange/strict_json.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int layout_version = 1;
constexpr int depth_limit = 4;  // the manifest, its problems, one, what it asks, its shape
constexpr std::string_view causal_names[] = {"none", "top_left", "bottom_right"};

// --- Writing ---

json names_of(feature_set features) {
  json names = json::array();
  for (const feature f : members(features)) names.push_back(name_of(f));
  return names;
}

json to_json(const shape& s) {
  return {{"B", s.batch}, {"Hq", s.query_heads}, {"Hkv", s.kv_heads},  {"Lq", s.queries},
          {"Lk", s.keys}, {"D", s.width},        {"Dv", s.value_width}};
}

json window_of(const problem& p) {
  if (p.sliding.open()) return nullptr;
  return {p.sliding.left, p.sliding.right};
}

json pattern_of(const problem& p) {
  json numbers = json::object();
  for (const pattern_number& n : pattern_numbers) numbers[n.name] = p.pattern.*n.member;
  return numbers;
}

// What the arrays of its file do not say of a problem. Members in the order of their names, so that
// the text is one.
// Lengths stand beside a page table always.
feature_set asked_by(const problem& p) {
  return p.paged.page > 0 ? p.asks().with(feature::lengths) : p.asks();
}

json ask_of(const problem& p) {
  json ask{{"shape", to_json(p.dims)},
           {"features", names_of(asked_by(p))},
           {"causal", causal_names[static_cast<std::size_t>(p.causal)]},
           {"window", window_of(p)},
           {"scale", p.scale_or_usual()},
           {"usual_scale", !p.scale.has_value()},
           {"soft_cap", p.soft_cap},
           {"pattern", pattern_of(p)}};
  if (p.rules.normalised_by == normalizer::alpha_entmax) ask["alpha"] = p.alpha;
  if (p.dropout_mask) ask["dropout_scale"] = p.dropout_scale;
  return ask;
}

ordered_json to_json(const trial_line& t) {
  return {{"law", t.law}, {"group", t.group}, {"problem", t.problem}};
}

ordered_json to_json(const corpus_entry& e, std::size_t n, corpus_format files) {
  return {{"file", problem_path(n, files)},
          {"sha256", e.file_sha256},
          {"problem", e.digest},
          {"trial", e.trial},
          {"repeat", e.repeat},
          {"ask", ordered_json::parse(e.ask)}};
}

ordered_json rules_of(const manifest& m) {
  const semantics rules = find_profile(m.profile);
  ordered_json fields;
  for (const semantics_field& field : all_fields())
    fields[std::string(field.name)] = field.value_of(rules);
  return fields;
}

ordered_json formats_of(const contract& c) {
  return {{"inputs", c.inputs->name},
          {"bias", side_format(*c.inputs).name},
          {"output", c.output->name},
          {"lse", c.lse->name}};
}

ordered_json to_json(const manifest& m) {
  ordered_json trials = ordered_json::array(), problems = ordered_json::array();
  for (const trial_line& t : m.trials) trials.push_back(to_json(t));
  for (const corpus_entry& e : m.problems) problems.push_back(to_json(e, problems.size(), m.files));
  return {{"corpus", layout_version},
          {"attest", m.version},
          {"round", m.round},
          {"seed", m.seed},
          {"count", m.count},
          {"property", m.property},
          {"effort", m.effort},
          {"format", name_of(m.files)},
          {"contract", ordered_json::parse(to_json_text(m.kept, default_contract(*m.kept.inputs)))},
          {"formats", formats_of(m.kept)},
          {"profile", m.profile},
          {"rules", rules_of(m)},
          {"features", names_of(m.features)},
          {"left_out", m.left_out},
          {"trials", std::move(trials)},
          {"problems", std::move(problems)}};
}

// --- Reading ---

// A value and the place it has: "manifest.json: 'trials' 3: 'law'".
struct given_value {
  const json& value;
  std::string where;

  [[noreturn]] void refuse_it(std::string_view allowed) const {
    refuse(where, shown(value.dump()), allowed);
  }
  given_value at(const char* name) const {
    if (!value.is_object()) refuse_it("an object");
    const auto found = value.find(name);
    if (found == value.end()) refuse(where, fmt::format("no '{}'", name), "all members");
    return {*found, fmt::format("{}: '{}'", where, name)};
  }
};

std::string text_of(const given_value& given) {
  if (!given.value.is_string()) given.refuse_it("a text");
  return given.value.get<std::string>();
}

std::uint64_t number_of(const given_value& given, std::uint64_t most = std::uint64_t{1} << 53) {
  if (!given.value.is_number_unsigned() || given.value.get<std::uint64_t>() > most)
    given.refuse_it(fmt::format("a whole number up to {}", most));
  return given.value.get<std::uint64_t>();
}

double effort_of(const given_value& given) {
  if (!given.value.is_number() || !(given.value.get<double>() >= 0))
    given.refuse_it("a number from 0 up");
  return given.value.get<double>();
}

std::string hash_of(const given_value& given) {
  const std::string text = text_of(given);
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (text.size() != 2 * sha256_bytes || !std::all_of(text.begin(), text.end(), is_digit))
    given.refuse_it("64 hexadecimal digits in lower case");
  return text;
}

// Reads by a function that names the value, but not where it stands.
template <class Read>
auto read_at(const given_value& given, Read read) {
  const std::string text = text_of(given);
  try {
    return read(text);
  } catch (const input_error& e) {
    throw input_error(fmt::format("{}: {}", given.where, e.what()));
  }
}

template <class Read>
void for_each_in(const given_value& list, Read read) {
  if (!list.value.is_array()) list.refuse_it("a list");
  for (std::size_t n = 0; n < list.value.size(); ++n)
    read(given_value{list.value[n], fmt::format("{} {}", list.where, n)});
}

feature_set features_in(const given_value& list) {
  feature_set features;
  for_each_in(list, [&](const given_value& name) {
    const feature_set one = read_at(name, parse_feature_set);
    features = feature_set(features.bits() | one.bits());
  });
  return features;
}

trial_line trial_in(const given_value& given) {
  return {text_of(given.at("law")), text_of(given.at("group")), text_of(given.at("problem"))};
}

corpus_entry entry_in(const given_value& given, std::size_t trials) {
  corpus_entry e;
  e.file_sha256 = hash_of(given.at("sha256"));
  e.digest = hash_of(given.at("problem"));
  if (trials == 0) refuse(given.where, "a problem of no trial", "a problem that a trial asks");
  e.trial = number_of(given.at("trial"), trials - 1);
  e.repeat = static_cast<std::int64_t>(number_of(given.at("repeat")));
  e.ask = given.at("ask").value.dump();
  return e;
}

contract contract_in(const given_value& given) {
  return parse_contract(given.value.dump(), given.where);
}

std::string profile_in(const given_value& given) {
  read_at(given, find_profile);
  return text_of(given);
}

manifest manifest_in(const given_value& given) {
  if (number_of(given.at("corpus")) != layout_version)
    given.at("corpus").refuse_it(std::to_string(layout_version));
  manifest m;
  m.version = text_of(given.at("attest"));
  m.round = static_cast<int>(number_of(given.at("round"), 1000));
  m.seed = number_of(given.at("seed"), ~std::uint64_t{0});
  m.count = static_cast<std::int64_t>(number_of(given.at("count")));
  m.property = text_of(given.at("property"));
  m.effort = effort_of(given.at("effort"));
  m.files = read_at(given.at("format"), find_corpus_format);
  m.kept = contract_in(given.at("contract"));
  m.profile = profile_in(given.at("profile"));
  m.features = features_in(given.at("features"));
  for_each_in(given.at("left_out"), [&](const auto& law) { m.left_out.push_back(text_of(law)); });
  for_each_in(given.at("trials"), [&](const auto& t) { m.trials.push_back(trial_in(t)); });
  for_each_in(given.at("problems"),
              [&](const auto& p) { m.problems.push_back(entry_in(p, m.trials.size())); });
  return m;
}

// Everything that is there twice must say the same, and nothing else may be there.
void require_same(const json& given, const json& due, const std::string& where) {
  if (given == due) return;
  const bool alike = given.type() == due.type() && given.is_structured() &&
                     (given.is_object() || given.size() == due.size());
  if (!alike) refuse(where, shown(given.dump()), shown(due.dump()));
  for (const auto& item : given.items())
    if (due.is_object() && !due.contains(item.key()))
      refuse(where, fmt::format("'{}'", shown(item.key())), "the members that attest writes");
  for (const auto& item : due.items()) {
    const std::string place = due.is_object() ? fmt::format("{}: '{}'", where, item.key())
                                              : fmt::format("{} {}", where, item.key());
    if (due.is_object() && !given.contains(item.key()))
      refuse(place, "nothing", "what attest writes");
    require_same(due.is_object() ? given[item.key()] : given[std::stoul(item.key())], item.value(),
                 place);
  }
}

}  // namespace

corpus_entry describe(const problem& p, std::int64_t repeat, std::size_t trial,
                      corpus_format files) {
  const std::string digest = problem_digest(p, repeat);
  return {digest, sha256(problem_file(p, digest, files)), ask_of(p).dump(), repeat, trial};
}

std::string problem_path(std::size_t n, corpus_format files) {
  return fmt::format("problems/{:06}.{}", n + 1, name_of(files));
}

std::string answer_path(std::size_t n, std::string_view ending) {
  return fmt::format("answers/{:06}{}", n + 1, ending);
}

std::string print_manifest(const manifest& m) {
  // One line a trial and a problem, so that people find their way.
  const ordered_json all = to_json(m);
  std::string text;
  for (const auto& item : all.items()) {
    text += (text.empty() ? "{\n" : ",\n") + fmt::format("\"{}\": ", item.key());
    const bool is_list =
        item.value().is_array() && !item.value().empty() && item.value().front().is_object();
    if (!is_list) {
      text += item.value().dump();
      continue;
    }
    std::string lines;
    for (const ordered_json& line : item.value())
      lines += (lines.empty() ? "[\n  " : ",\n  ") + line.dump();
    text += lines + "\n]";
  }
  return text + "\n}\n";
}

manifest parse_manifest(std::string_view text, std::string_view where) {
  const json value = parse_strict_json(
      text, {where, "manifest", depth_limit, "what attest writes", "numbers up to 1.8e308"});
  manifest m = manifest_in({value, std::string(where)});
  require_same(value, json(to_json(m)), std::string(where));
  return m;
}

manifest read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / manifest_name;
  std::ifstream in = open_array_file(path, "manifest");
  byte_source source(in, path.string(), "manifest");
  return parse_manifest(source.take(source.left(), "the manifest"), path.string());
}

}  // namespace attest
