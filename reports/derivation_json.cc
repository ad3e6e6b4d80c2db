#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/derivation_report.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;

constexpr int schema_version = 1;

json to_json(const evidence_table& table) {
  json result{{"title", table.title},
              {"columns", table.columns},
              {"rows", table.rows},
              {"heatmap", table.heatmap}};
  if (table.marked) result["marked"] = *table.marked;
  return result;
}

json to_json(const negative_control& control) {
  return {{"broken", control.broken}, {"seen", control.seen}, {"detected", control.detected}};
}

template <class T>
json list_of(const std::vector<T>& items) {
  json list = json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

json to_json(const claim_result& result) {
  const claim& c = *result.about;
  return {{"id", c.id},
          {"section", c.section},
          {"statement", c.statement},
          {"assumptions", c.assumptions},
          {"evidence", name_of(c.kind)},
          {"source", c.source},
          {"verdict", name_of(result.verdict())},
          {"lines", result.found.lines},
          {"tables", list_of(result.found.tables)},
          {"controls", list_of(result.found.controls)}};
}

}  // namespace

void write_derivation_json(std::ostream& out, std::span<const claim_result> results) {
  json claims = json::array();
  for (const claim_result& r : results) claims.push_back(to_json(r));
  const auto checked = std::count_if(results.begin(), results.end(), [](const claim_result& r) {
    return r.verdict() != claim_verdict::cited;
  });
  const json page{{"schema_version", schema_version},
                  {"headline", derivation_headline(results)},
                  {"passed", all_passed(results)},
                  {"checked", checked},
                  {"claims", claims}};
  out << page.dump(2) << '\n';
}

}  // namespace attest
