#include "properties/corpus/onnx_cases.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/onnx/test_case.h"
#include "properties/onnx/posed_case.h"
#include "reference/certified/rounded.h"
#include "reference/input_error.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// What posed_case means.
constexpr const char* conventions = "onnx-attention-23-1.22";

std::vector<double> due_answer(problem p) {
  p.rules = find_profile(conventions);
  return round_correctly(p, p.q.element()).output;
}

void write_case(const fs::path& folder, const posed_case& c, const problem& p) {
  write_onnx_case(folder, c.model, {c.with_output(due_answer(p))});
}

onnx_case_entry entry_of(const trial& t) {
  return {"", "", std::string(t.law->name), to_line(t.spec)};
}

made_onnx_cases write_cases(const fs::path& folder, const chosen_trials& chosen) {
  made_onnx_cases made;
  for (std::size_t n = 0; n < chosen.problems.size(); ++n) {
    const asked_problem& asked = chosen.problems[n];
    if (asked.repeat > 0) continue;
    onnx_case_entry entry = entry_of(chosen.trials[chosen.trial_of[n]]);
    const posed_case c = to_onnx_case(asked.posed);
    if (!c.refused.empty()) {
      entry.refused = c.refused;
      made.left_out.push_back(std::move(entry));
      continue;
    }
    entry.folder = fmt::format("test_attention_{:06}", made.cases.size() + 1);
    write_case(folder / entry.folder, c, asked.posed);
    made.cases.push_back(std::move(entry));
  }
  return made;
}

json to_json(const onnx_case_entry& e) {
  const bool is_in = e.refused.empty();
  return {{is_in ? "case" : "left_out", is_in ? e.folder : e.refused},
          {"law", e.law},
          {"problem", e.problem}};
}

json to_json(const std::vector<onnx_case_entry>& entries) {
  json list = json::array();
  for (const onnx_case_entry& e : entries) list.push_back(to_json(e));
  return list;
}

void write_list(const fs::path& path, const made_onnx_cases& made, const corpus_request& asked) {
  const json page{{"attest", asked.version},      {"seed", asked.seed},
                  {"contract", asked.kept.name},  {"conventions", conventions},
                  {"cases", to_json(made.cases)}, {"left_out", to_json(made.left_out)}};
  write_bytes(path, page.dump(2) + "\n");
}

}  // namespace

made_onnx_cases make_onnx_cases(const fs::path& folder, const corpus_request& asked) {
  const chosen_trials chosen = choose_corpus(folder, asked);
  const made_onnx_cases made = write_cases(folder, chosen);
  if (made.cases.empty())
    throw input_error("no problem can be said in ONNX: it has no " + made.left_out.front().refused);
  write_list(folder / onnx_cases_name, made, asked);
  return made;
}

}  // namespace attest
