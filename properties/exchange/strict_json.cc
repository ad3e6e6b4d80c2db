#include "properties/exchange/strict_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

using nlohmann::json;

// Makes the value of what the parser comes across. The library's own would keep the last of two
// equal keys, and nest without end.
class strict_builder {
 public:
  explicit strict_builder(const json_text& about) : about_(about) {}

  json made() { return std::move(whole_); }
  [[noreturn]] void refuse_it() const { refuse(about_.where, fault_, allowed_); }

  // The events, by the names that the library asks for. Result: whether to go on.
  bool null() { return put(nullptr); }
  bool boolean(bool b) { return put(b); }
  bool number_integer(std::int64_t n) { return put(n); }
  bool number_unsigned(std::uint64_t n) { return put(n); }
  bool number_float(double x, const std::string&) { return put(x); }
  bool string(std::string& text) { return put(std::move(text)); }
  bool binary(json::binary_t&) { return false; }  // JSON holds none
  bool start_object(std::size_t) { return open(json::value_t::object); }
  bool start_array(std::size_t) { return open(json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& members = open_.back()->get_ref<json::object_t&>();
    const auto [member, is_new] = members.try_emplace(name);
    if (!is_new)
      return stop(fmt::format("'{}' twice in the {}", shown(name), about_.noun), "each name once");
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const json::exception& error) {
    if (dynamic_cast<const json::out_of_range*>(&error) != nullptr)  // 1e999
      return stop(fmt::format("a number in the {} that no double holds", about_.noun),
                  about_.numbers);
    const std::uint64_t byte = about_.start + read - 1;
    return stop(fmt::format("byte {}: a {} that is no JSON", byte, about_.noun),
                "a JSON object in UTF-8");
  }

 private:
  bool stop(std::string fault, std::string_view allowed) {
    fault_ = std::move(fault);
    allowed_ = allowed;
    return false;
  }

  // Where the next value belongs.
  json& place() {
    if (open_.empty()) return whole_;
    return open_.back()->is_object() ? *member_ : open_.back()->emplace_back();
  }

  template <class Value>
  bool put(Value&& value) {
    place() = std::forward<Value>(value);
    return true;
  }

  bool open(json::value_t kind) {
    if (static_cast<int>(open_.size()) > about_.depth_limit)
      return stop(fmt::format("a {} nested too deep", about_.noun), about_.nesting);
    open_.push_back(&place());
    *open_.back() = kind;
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  const json_text& about_;
  json whole_;
  std::vector<json*> open_;  // the objects and lists around; only the innermost grows
  json* member_ = nullptr;   // of the innermost, where that is an object
  std::string fault_;
  std::string_view allowed_;
};

}  // namespace

json parse_strict_json(std::string_view text, const json_text& about) {
  strict_builder builder(about);
  if (!json::sax_parse(text, &builder)) builder.refuse_it();
  return builder.made();
}

}  // namespace attest
