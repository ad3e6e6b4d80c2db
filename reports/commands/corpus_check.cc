// attest corpus check: the answers to a corpus, judged as those of a subject at hand.
#include <iostream>

#include "properties/corpus/check_corpus.h"
#include "reports/commands/command.h"
#include "reports/commands/corpus_words.h"
#include "reports/commands/run_clock.h"
#include "reports/progress_meter.h"
#include "reports/report.h"
#include "reports/version.h"

namespace attest {

int run(const corpus_check_options& o) {
  corpus_check_settings settings;
  settings.version = version;
  settings.sure.false_alarm = o.false_alarm;
  settings.required = parse_feature_set(o.required);
  const run_clock clock;
  const answered_corpus corpus(o.folder);
  report r;
  {
    progress_meter meter("checking " + corpus.info().name);
    const corpus_check check = check_corpus(corpus, settings, std::ref(meter));
    r.hint = corpus_hint(corpus.holds(), check);
    r.result = check.result;
  }
  if (!o.reproducible) r.run = clock.block();
  write_text(std::cout, r);
  for (const std::string& path : o.reports) write_report_file(path, r);
  return r.result.exit_code();
}

}  // namespace attest
