// attest corpus make: problems for an implementation on another machine.
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "properties/corpus/onnx_cases.h"
#include "properties/corpus/runner.h"
#include "properties/exchange/contract_json.h"
#include "reference/semantics/profiles.h"
#include "reports/commands/command.h"
#include "reports/commands/corpus_words.h"
#include "reports/commands/seed.h"
#include "reports/exit_code.h"
#include "reports/version.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

corpus_request request_of(const corpus_make_options& o) {
  corpus_request r;
  r.version = version;
  r.kept = find_or_read_contract(o.contract);
  find_profile(o.profile);
  r.profile = o.profile;
  r.features = parse_feature_set(o.features);
  r.property = o.property;
  r.seed = parse_seed(o.seed);
  r.count = o.count;
  return r;
}

std::string left_out_lines(const std::vector<onnx_case_entry>& left_out) {
  std::map<std::string, std::int64_t> reasons;
  for (const onnx_case_entry& e : left_out) ++reasons[e.refused];
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += fmt::format("left out, as Attention can't be asked {}: {}\n", reason,
                        counted(count, "problem", "problems"));
  return text;
}

int make_onnx(const corpus_make_options& o) {
  const corpus_request request = request_of(o);
  const made_onnx_cases made = make_onnx_cases(o.folder, request);
  const auto cases = static_cast<std::int64_t>(made.cases.size());
  std::cout << fmt::format("{}: {} of Attention, named in {}, seed {}\n", o.folder,
                           counted(cases, "test case", "test cases"), onnx_cases_name, request.seed)
            << left_out_lines(made.left_out)
            << fmt::format(
                   "run them:   model.onnx on test_data_set_0/input_*.pb; put the answer in place "
                   "of output_0.pb\n"
                   "and judge:  attest onnx {}\n",
                   o.folder);
  return all_hold;
}

int make_files(const corpus_make_options& o) {
  corpus_request request = request_of(o);
  request.files = find_corpus_format(o.format);
  const made_corpus made = make_corpus(o.folder, request);
  std::cout << fmt::format("{}: {}, seed {}\n", o.folder, corpus_words(made.holds),
                           made.holds.seed);
  if (!made.holds.left_out.empty()) std::cout << left_out_sentence(made.holds.left_out) << '\n';
  if (!made.needs_live.empty()) std::cout << needs_live_sentence(made.needs_live) << '\n';
  if (!made.scarce.empty()) std::cout << scarce_sentence(made.scarce) << '\n';
  std::cout << fmt::format(
      "answer them:  python3 {0}/{1} --callable MODULE:FUNCTION\n"
      "              python3 {0}/{1} --backend math|flash|efficient|cudnn\n"
      "and judge:    attest corpus check {0}\n",
      o.folder, runner_name);
  return all_hold;
}

}  // namespace

int run(const corpus_make_options& o) {
  return o.format == onnx_format ? make_onnx(o) : make_files(o);
}

}  // namespace attest
