// attest corpus make: problems for an implementation on another machine.
#include <fmt/format.h>

#include <iostream>

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
  r.files = find_corpus_format(o.format);
  r.property = o.property;
  r.seed = parse_seed(o.seed);
  r.count = o.count;
  return r;
}

}  // namespace

int run(const corpus_make_options& o) {
  const made_corpus made = make_corpus(o.folder, request_of(o));
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

}  // namespace attest
