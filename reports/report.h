// The result of a run, written for machines and people. Every writer renders the same data.
#pragma once

#include <iosfwd>
#include <string>

#include "properties/run.h"

namespace attest {

// What is true of this run and no other; left out of a reproducible report.
struct run_block {
  std::string version;  // of attest
  std::string started;  // UTC, ISO 8601
  double seconds = 0;
  std::string host;
  unsigned threads = 0;
};

struct report {
  run_result result;
  std::optional<run_block> run;  // absent with --reproducible
  std::string hint = {};         // what the reader may do about a failure, a sentence
};

// JSON of the schema in docs/report.schema.json: stable keys, the vocabulary of the project.
void write_json(std::ostream&, const report&);
// JUnit XML: a test suite a property, a test case a feature group. A failure's text holds observed,
// expected, ratio and replay line; a group of which nothing could be judged is skipped.
void write_junit(std::ostream&, const report&);
// One HTML page without network: verdict first, then the table of properties and groups, the
// coverage of features, the counterexamples.
void write_html(std::ostream&, const report&);
// Markdown to be committed or pasted into an issue: the verdict, what was judged and how, the table
// of properties, the counterexamples with their replay lines.
void write_markdown(std::ostream&, const report&);
// What `attest check` prints.
void write_text(std::ostream&, const report&);

// Writes by the ending of the path: .json, .xml, .html or .md.
// Error: input_error for another ending, or a file that can't be written.
void write_report_file(const std::string& path, const report&);

}  // namespace attest
