#include "properties/exchange/contract_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/strict_json.h"
#include "reference/contract/fields.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int depth_limit = 2;  // a list of contracts, a contract, a stage
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double exact_integers = 0x1p31;

constexpr std::array modes{rounding_mode::nearest_even, rounding_mode::up, rounding_mode::down,
                           rounding_mode::to_zero, rounding_mode::stochastic};
constexpr std::array subnormal_modes{subnormal_mode::kept, subnormal_mode::flushed};
constexpr std::array overflow_modes{overflow_mode::to_infinity, overflow_mode::saturate};
constexpr std::array shifts{exponent_shift::maximum, exponent_shift::constant};

// One value and the place it has in a file: "c.json: 'exp_ulps'".
struct given_value {
  const json& value;
  std::string where;

  [[noreturn]] void refuse_it(std::string_view allowed) const {
    refuse(where, shown(value.dump()), allowed);
  }
};

template <class Enumerator, std::size_t N>
Enumerator read_name(const given_value& given, const std::array<Enumerator, N>& all) {
  std::string allowed;
  for (const Enumerator e : all) {
    if (given.value.is_string() && given.value.get_ref<const std::string&>() == name_of(e))
      return e;
    allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(e));
  }
  given.refuse_it(allowed);
}

const format* read_format(const given_value& given) {
  const format* found =
      given.value.is_string() ? find_format(given.value.get_ref<const std::string&>()) : nullptr;
  if (found != nullptr) return found;
  std::string allowed;
  for (const format* f : all_formats)
    allowed += (allowed.empty() ? "" : ", ") + std::string(f->name);
  given.refuse_it(allowed);
}

int read_count(const given_value& given) {
  if (!given.value.is_number_integer() || given.value.get<double>() < 0 ||
      given.value.get<double>() >= exact_integers)
    given.refuse_it("an integer from 0 to 2^31 - 1");
  return given.value.get<int>();
}

void read(const given_value& given, rounding_mode& m) { m = read_name(given, modes); }
void read(const given_value& given, subnormal_mode& m) { m = read_name(given, subnormal_modes); }
void read(const given_value& given, overflow_mode& m) { m = read_name(given, overflow_modes); }
void read(const given_value& given, exponent_shift& s) { s = read_name(given, shifts); }
void read(const given_value& given, int& n) { n = read_count(given); }
void read(const given_value& given, const format*& f) {
  f = given.value.is_null() ? nullptr : read_format(given);
}
void read(const given_value& given, bool& b) {
  if (!given.value.is_boolean()) given.refuse_it("true, false");
  b = given.value.get<bool>();
}
void read(const given_value& given, double& x) {
  if (!given.value.is_number() && !given.value.is_null())
    given.refuse_it("a number, or null for -infinity");
  x = given.value.is_null() ? -infinity : given.value.get<double>();
}

// An object whose members are read one by one; what is left over is unknown.
class members_of {
 public:
  members_of(const given_value& given, std::string_view allowed)
      : given_(given), allowed_(allowed) {}
  members_of(const members_of&) = delete;
  members_of& operator=(const members_of&) = delete;

  template <class T>
  void take(const char* name, T& to) {
    if (!given_.value.contains(name)) return;
    read({given_.value[name], fmt::format("{}, '{}'", given_.where, name)}, to);
    taken_.push_back(name);
  }
  void require_all_taken() const {
    for (const auto& item : given_.value.items())
      if (std::find(taken_.begin(), taken_.end(), item.key()) == taken_.end())
        refuse(given_.where, fmt::format("'{}'", shown(item.key())), allowed_);
  }

 private:
  const given_value& given_;
  std::string_view allowed_;
  std::vector<std::string> taken_;
};

void take_stage(members_of& members, stage& s) {
  members.take("format", s.number);
  members.take("rounding", s.mode);
  members.take("subnormals", s.subnormals);
}

void read(const given_value& given, stage& s) {
  if (given.value.is_string()) return static_cast<void>(s.number = read_format(given));
  if (!given.value.is_object()) given.refuse_it("a format, or an object");
  members_of members(given, "format, rounding, subnormals");
  take_stage(members, s);
  members.require_all_taken();
}

void read(const given_value& given, conversion& c) {
  if (!given.value.is_object()) given.refuse_it("an object");
  members_of members(given, "format, rounding, subnormals, times");
  take_stage(members, c.to);
  members.take("times", c.times);
  members.require_all_taken();
}

std::string_view text_member(const given_value& given, const char* name, std::string_view other) {
  if (!given.value.contains(name)) return other;
  const json& value = given.value[name];
  if (!value.is_string())
    refuse(given.where, fmt::format("'{}' is {}", name, shown(value.dump())), "a text");
  return value.get_ref<const std::string&>();
}

// Where a contract begins: the preset that it names, or the one of its inputs.
contract beginning_of(const given_value& given) {
  try {
    if (given.value.contains("from")) return find_contract(text_member(given, "from", ""));
  } catch (const input_error& e) {
    throw input_error(fmt::format("{}: 'from': {}", given.where, e.what()));
  }
  if (!given.value.contains("inputs"))
    refuse(given.where, "neither 'from' nor 'inputs'", "a preset, or a format of the inputs");
  return default_contract(*read_format({given.value["inputs"], given.where + ", 'inputs'"}));
}

void require(bool holds, const given_value& given, const char* field, std::string_view allowed) {
  if (!holds) refuse(given.where, fmt::format("'{}' out of range", field), allowed);
}

constexpr std::string_view formats_alone[] = {"inputs", "output", "lse"};

void require_in_range(const contract& c, const given_value& given) {
  const auto is_count = [](double x) { return std::isfinite(x) && x >= 0; };
  for (const contract_field& field : contract_fields())
    if (std::find(std::begin(formats_alone), std::end(formats_alone), field.name) !=
            std::end(formats_alone) &&
        value_text(field, c) == "none")
      refuse(given.where, fmt::format("'{}' is null", field.name), "a format");
  require(c.q_conversion.times <= 16 && c.k_conversion.times <= 16 && c.v_conversion.times <= 16,
          given, "times", "0 to 16");
  require(c.fused_terms == 0 || (c.fused_terms >= 4 && c.fused_terms <= 4096), given, "fused_terms",
          "0, or 4 to 4096");
  require(is_count(c.tanh_error) && c.tanh_error < 0.5, given, "tanh_error", "0 to 0.5");
  require(is_count(c.tanh_absolute_error) && c.tanh_absolute_error < 0.5, given,
          "tanh_absolute_error", "0 to 0.5");
  require(c.exponent_constants <= 64, given, "exponent_constants", "0 to 64");
  require(std::isfinite(c.shift_by), given, "shift_by", "a finite number");
  require(is_count(c.exp_ulps), given, "exp_ulps", "0 or a positive number");
  require(is_count(c.rescale_ulps), given, "rescale_ulps", "0 or a positive number");
  require(c.exp_zero_below <= 0, given, "exp_zero_below", "null, or a number up to 0");
  require(c.block_keys >= 1, given, "block_keys", "1 or more");
  require(is_count(c.rescale_threshold), given, "rescale_threshold", "0 or a positive number");
  require(is_count(c.weight_of_one) && c.weight_of_one > 0, given, "weight_of_one",
          "a positive number");
  require(is_count(c.division_ulps), given, "division_ulps", "0 or a positive number");
}

contract read_contract(const given_value& given) {
  if (!given.value.is_object()) given.refuse_it("an object of the fields of a contract");
  contract c = beginning_of(given);
  const std::string preset = c.name;
  c.name = text_member(given, "name", preset + ", changed");
  c.about = text_member(given, "about", "as " + preset + ", with changes");
  for (const auto& item : given.value.items()) {
    if (item.key() == "name" || item.key() == "about" || item.key() == "from") continue;
    const auto fields = contract_fields();
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const auto& f) { return f.name == item.key(); });
    if (field == fields.end())
      refuse(given.where, fmt::format("unknown field '{}'", shown(item.key())),
             "name, about, from, and the fields that attest explain contract lists");
    const given_value value{item.value(), fmt::format("{}: '{}'", given.where, item.key())};
    std::visit([&](auto member) { read(value, c.*member); }, field->member);
  }
  require_in_range(c, given);
  return c;
}

json parse(std::string_view text, std::string_view where) {
  return parse_strict_json(text, {where, "contract", depth_limit, "a list of objects of objects",
                                  "numbers up to 1.8e308"});
}

// --- Writing ---

ordered_json written(const stage& s) {
  return {{"format", s.number->name},
          {"rounding", name_of(s.mode)},
          {"subnormals", name_of(s.subnormals)}};
}
ordered_json written(const conversion& c) {
  ordered_json value = written(c.to);
  value["times"] = c.times;
  return value;
}
ordered_json written(const format* f) {
  return f == nullptr ? ordered_json() : ordered_json(f->name);
}
ordered_json written(double x) { return std::isinf(x) ? ordered_json() : ordered_json(x); }
ordered_json written(int n) { return n; }
ordered_json written(bool b) { return b; }
template <class Enumerator>
ordered_json written(Enumerator e) {
  return name_of(e);
}

}  // namespace

contract parse_contract(std::string_view text, std::string_view where) {
  const json value = parse(text, where);
  return read_contract({value, std::string(where)});
}

contract find_or_read_contract(std::string_view name_or_path) {
  constexpr std::string_view ending = ".json";
  if (!name_or_path.ends_with(ending)) return find_contract(name_or_path);
  const std::string path(name_or_path);
  std::ifstream in = open_array_file(path, ending);
  byte_source source(in, path, ending);
  return parse_contract(source.take(source.left(), "the contract"), path);
}

std::vector<contract> parse_declared_contracts(std::string_view text, std::string_view where) {
  std::vector<contract> list;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) {
    for (std::string_view name : split(text, ',')) list.push_back(find_contract(name));
    return list;
  }
  const json value = parse(text, where);
  if (value.is_object()) return {read_contract({value, std::string(where)})};
  for (const json& each : value) list.push_back(read_contract({each, std::string(where)}));
  return list;
}

std::string to_json_text(const contract& c, const contract& preset) {
  ordered_json value{{"name", c.name}, {"about", c.about}, {"from", preset.name}};
  for (const contract_field* field : differences(c, preset))
    std::visit([&](auto member) { value[std::string(field->name)] = written(c.*member); },
               field->member);
  return value.dump(2) + "\n";
}

}  // namespace attest
