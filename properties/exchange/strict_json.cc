#include "properties/exchange/strict_json.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

using nlohmann::json;

// Watches the parser: the library would keep the last of two equal keys, and nest without end.
class json_watch {
 public:
  explicit json_watch(const json_text& about) : about_(about) {}

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (opens && depth > about_.depth_limit)
      refuse(about_.where, fmt::format("a {} nested too deep", about_.noun), about_.nesting);
    if (event == json::parse_event_t::object_start) keys_[depth + 1].clear();
    if (event == json::parse_event_t::key) require_new(depth, parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void require_new(int depth, const std::string& key) {
    if (!keys_[depth].insert(key).second)
      refuse(about_.where, fmt::format("'{}' twice in the {}", shown(key), about_.noun),
             "each name once");
  }

  const json_text& about_;
  std::map<int, std::set<std::string>> keys_;  // seen in the object that is open at a depth
};

}  // namespace

json parse_strict_json(std::string_view text, const json_text& about) {
  try {
    return json::parse(text, json_watch(about));
  } catch (const json::parse_error& error) {
    const std::uint64_t byte = about.start + error.byte - 1;
    refuse(about.where, fmt::format("byte {}: a {} that is no JSON", byte, about.noun),
           "a JSON object in UTF-8");
  } catch (const json::out_of_range&) {  // 1e999
    refuse(about.where, fmt::format("a number in the {} that no double holds", about.noun),
           about.numbers);
  }
}

}  // namespace attest
