// What attest recurrence found of a subject, for people and as JSON.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "properties/recurrence/recurrence_check.h"
#include "reports/report.h"

namespace attest {

struct recurrence_report {
  recurrence_result result;
  std::string options;           // of the command line, that a replay needs too: "--contract fp16 "
  std::optional<run_block> run;  // nothing: left out
};

void write_recurrence_text(std::ostream&, const recurrence_report&);
// docs/recurrence_report.schema.json describes it. Error: input_error where the file can't be
// written.
void write_recurrence_file(const std::string& path, const recurrence_report&);

}  // namespace attest
