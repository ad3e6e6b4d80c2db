#include "properties/command/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/contract_json.h"
#include "properties/exchange/strict_json.h"
#include "reference/input_error.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view file_kinds[] = {"npz", "safetensors", "raw"};

// The formats that inputs may have: those of the plugin ABI.
constexpr const format* input_formats[] = {&f64, &f32, &f16, &bf16, &f8_e4m3fn, &f8_e4m3, &f8_e5m2};
// And those of the ABI of recurrences.
constexpr const format* wide_formats[] = {&f64, &f32, &f16, &bf16};

std::string listed(std::string_view all, std::string_view next) {
  return fmt::format("{}{}{}", all, all.empty() ? "" : ", ", next);
}

template <class Range>
std::string names_in(const Range& range) {
  std::string names;
  for (const auto& name : range) names = listed(names, name);
  return names;
}

// ---- an object from outside ----

class object {
 public:
  object(const json& value, std::string where) : value_(value), where_(std::move(where)) {
    if (!value.is_object()) refuse(where_, shown(value.dump()), "a JSON object");
  }

  bool has(const char* key) const { return value_.contains(key); }
  const json& operator[](const char* key) const {
    if (!has(key)) refuse(where_, fmt::format("no '{}'", key), "one");
    return value_[key];
  }
  std::string text(const char* key) const {
    const json& value = (*this)[key];
    if (!value.is_string()) refuse_value(key, "a text");
    return value.get<std::string>();
  }
  std::string text_or(const char* key, const char* otherwise) const {
    return has(key) ? text(key) : otherwise;
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    const json& list = (*this)[key];
    if (!list.is_array()) refuse_value(key, "a list of names");
    for (const json& each : list) {
      if (!each.is_string()) refuse_value(key, "a list of names");
      all.push_back(each.get<std::string>());
    }
    return all;
  }

  template <class Keys>
  void require_only(const Keys& keys) const {
    for (const auto& item : value_.items())
      if (std::find(std::begin(keys), std::end(keys), item.key()) == std::end(keys))
        refuse(where_, fmt::format("an unknown key '{}'", shown(item.key())), names_in(keys));
  }
  [[noreturn]] void refuse_value(const char* key, std::string_view allowed) const {
    refuse(where_, fmt::format("'{}' is {}", key, shown(value_[key].dump())), allowed);
  }

 private:
  const json& value_;
  std::string where_;
};

json parse_line(std::string_view line, std::string_view where, std::string_view noun) {
  constexpr int depth_limit = 3;  // a hello, a list of contracts, a contract, a stage
  return parse_strict_json(
      line, {where, noun, depth_limit, "objects up to three deep", "numbers up to 1.8e308"});
}

// ---- the first line ----

constexpr std::string_view hello_keys[] = {"attest", "name",  "version", "features",
                                           "inputs", "files", "profile", "contract"};

constexpr std::string_view recurrence_hello_keys[] = {
    "attest_recurrence", "name", "version", "features", "inputs", "files", "contract"};

// The key says what the command computes.
void require_version(const object& hello, const char* key) {
  const json& version = hello[key];
  if (!version.is_number_integer() || version != command_protocol_version)
    hello.refuse_value(key,
                       fmt::format("{}, the version of the protocol", command_protocol_version));
}

feature_set parse_features(const object& hello, const std::string& where) {
  feature_set features;
  for (const std::string& name : hello.texts("features")) {
    if (name == name_of(feature::strides))
      refuse(where, "the feature strides", "any other: the arrays of files are dense");
    features = feature_set(features.bits() | parse_feature_set(name).bits());
  }
  return features;
}

template <class Formats>
const format* parse_input(const std::string& name, const Formats& formats,
                          const std::string& where) {
  std::string allowed;
  for (const format* f : formats) {
    if (f->name == name) return f;
    allowed = listed(allowed, f->name);
  }
  refuse(where, fmt::format("inputs of '{}'", shown(name)), allowed);
}

template <class Formats>
std::vector<const format*> parse_inputs(const object& hello, const Formats& formats,
                                        const std::string& where) {
  std::vector<const format*> inputs;
  for (const std::string& name : hello.texts("inputs"))
    inputs.push_back(parse_input(name, formats, where));
  if (inputs.empty()) hello.refuse_value("inputs", "at least one format");
  return inputs;
}

file_kind parse_files(const object& hello) {
  const std::string name = hello.text("files");
  const auto* const found = std::find(std::begin(file_kinds), std::end(file_kinds), name);
  if (found == std::end(file_kinds)) hello.refuse_value("files", names_in(file_kinds));
  return static_cast<file_kind>(found - std::begin(file_kinds));
}

// A text as it is, an object or a list as the JSON that it is.
std::vector<contract> parse_contracts(const object& hello, const std::string& where) {
  if (!hello.has("contract")) return {};
  const json& given = hello["contract"];
  return parse_declared_contracts(given.is_string() ? given.get<std::string>() : given.dump(),
                                  where + ", 'contract'");
}

void parse_profile(const object& hello, subject_info& info) {
  if (!hello.has("profile")) return;
  info.profile = hello.text("profile");
  if (info.profile != identify_profile) find_profile(info.profile);
  info.profile_origin = origin::declared;
}

// ---- requests ----

std::string_view dtype_name(const raw_entry& e) {
  if (e.kind == element_kind::boolean) return "bool";
  return e.kind == element_kind::integer ? "i64" : e.element->name;
}

ordered_json described(const std::vector<raw_entry>& entries, file_kind files) {
  ordered_json all = ordered_json::object();
  for (const raw_entry& e : entries) {
    ordered_json one{{"dtype", dtype_name(e)}, {"sizes", e.sizes}};
    if (files == file_kind::raw) one["offset"] = e.offset;
    all[e.name] = std::move(one);
  }
  return all;
}

std::string_view name_of(causal_anchor causal) {
  constexpr std::string_view names[] = {"none", "top_left", "bottom_right"};
  return names[static_cast<std::size_t>(causal)];
}

// ---- answers ----

answer_outcome no_answer(std::string_view line, std::string_view why) {
  constexpr std::size_t most = 200;
  return {answer_status::misbehaved,
          fmt::format("wrote a line that is no answer: '{}'{}; {}", line.substr(0, most),
                      line.size() > most ? "..." : "", why)};
}

constexpr std::string_view reply_keys[] = {"id", "ok", "unsupported", "error"};

answer_outcome outcome_of(const object& reply) {
  const int said = int{reply.has("ok")} + int{reply.has("unsupported")} + int{reply.has("error")};
  if (said != 1) throw input_error("allowed: one of ok, unsupported, error");
  if (reply.has("unsupported")) return {answer_status::unsupported, reply.text("unsupported")};
  if (reply.has("error")) return {answer_status::failed, reply.text("error")};
  if (reply["ok"] != json(true)) reply.refuse_value("ok", "true");
  return {};
}

}  // namespace

std::string_view name_of(file_kind files) { return file_kinds[static_cast<std::size_t>(files)]; }

command_hello parse_hello(std::string_view line, const std::string& where) {
  const json value = parse_line(line, where, "first line");
  const object hello(value, where);
  require_version(hello, "attest");
  hello.require_only(hello_keys);
  command_hello h;
  h.info.name = hello.text("name");
  h.info.version = hello.text_or("version", "");
  h.info.features = parse_features(hello, where);
  h.info.inputs = parse_inputs(hello, input_formats, where);
  h.info.contracts = parse_contracts(hello, where);
  parse_profile(hello, h.info);
  h.files = parse_files(hello);
  return h;
}

std::string request_line(const command_request& r, const problem& p) {
  ordered_json line{
      {"id", r.id},
      {"problem", r.problem_file},
      {"answer", r.answer_file},
      {"causal", name_of(p.causal)},
      {"window_left", p.sliding.left},
      {"window_right", p.sliding.right},
      {"scale", p.scale_or_usual()},
      {"soft_cap", p.soft_cap},
  };
  for (const pattern_number& n : pattern_numbers) line[std::string(n.name)] = p.pattern.*n.member;
  line["arrays"] = described(r.arrays, r.files);
  line["outputs"] = described(r.outputs, r.files);
  if (p.rules.normalised_by == normalizer::alpha_entmax) line["alpha"] = p.alpha;
  if (p.dropout_mask) line["dropout_scale"] = p.dropout_scale;
  if (p.paged.page > 0) line["keys"] = p.dims.keys;  // which no size of k says
  return line.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

recurrence_hello parse_recurrence_hello(std::string_view line, const std::string& where) {
  const json value = parse_line(line, where, "first line");
  const object hello(value, where);
  require_version(hello, "attest_recurrence");
  hello.require_only(recurrence_hello_keys);
  recurrence_hello h;
  h.info.about.name = hello.text("name");
  h.info.about.version = hello.text_or("version", "");
  h.info.about.inputs = parse_inputs(hello, wide_formats, where);
  h.info.about.contracts = parse_contracts(hello, where);
  for (const std::string& name : hello.texts("features")) {
    if (name == name_of(recurrence_feature::strides))
      refuse(where, "the feature strides", "any other: the arrays of files are dense");
    h.info.features =
        recurrence_features(h.info.features.bits() | parse_recurrence_features(name).bits());
  }
  require_answerable(h.info.features, where);
  h.files = parse_files(hello);
  return h;
}

std::string request_line(const command_request& r, const recurrence_problem& p) {
  constexpr std::string_view maps[] = {"identity", "elu_plus_1", "relu", "exp_features"};
  constexpr std::string_view decays[] = {"none", "head", "position", "channel"};
  const ordered_json line{
      {"id", r.id},
      {"problem", r.problem_file},
      {"answer", r.answer_file},
      {"rule", p.posed.rate ? "delta" : "sum"},
      {"feature_map", maps[static_cast<std::size_t>(p.posed.map)]},
      {"decay_of", decays[static_cast<std::size_t>(p.decay)]},
      {"normalised", p.posed.normalised},
      {"scale", p.posed.scale_or_usual()},
      {"arrays", described(r.arrays, r.files)},
      {"outputs", described(r.outputs, r.files)},
  };
  return line.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

answer_outcome parse_reply(std::string_view line, std::int64_t id) {
  try {
    const json value = parse_line(line, "its line", "line");
    const object reply(value, "its line");
    reply.require_only(reply_keys);
    if (reply.has("id") && reply["id"] != json(id))
      return {answer_status::misbehaved,
              fmt::format("answered problem {} when it was asked problem {}",
                          shown(reply["id"].dump()), id)};
    return outcome_of(reply);
  } catch (const input_error& e) {
    return no_answer(line, e.what());
  }
}

std::string last_words_text(std::string_view words) {
  constexpr std::size_t most = 400;
  std::string text;
  for (const char c : words.substr(words.size() - std::min(words.size(), most))) {
    if (c != '\n')
      text += c;
    else if (!text.empty() && !text.ends_with(" | "))
      text += " | ";
  }
  if (text.ends_with(" | ")) text.resize(text.size() - 3);
  return text;
}

}  // namespace attest
