// What attest judge found in stored tensors, for people and as JSON.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "properties/dump/judge_dump.h"

namespace attest {

struct dump_report {
  std::string file;
  shape dims;
  std::map<std::string, const format*> stored;
  contract kept;
  bool contract_is_default = false;
  std::string profile;
  std::string reading;  // the options that say how it is read: "--causal top_left", or empty
  std::uint64_t seed = 0;
  dump_judgement judged;
  std::vector<std::string> readings;  // under which the failing rows would be right
  std::string slice;                  // a file; empty: none was written
  std::string slice_command;          // that judges it
  std::int64_t slice_keys = 0;

  // 0 holds; 1 something fails; 3 too little could be decided.
  int exit_code() const;
};

void write_dump_text(std::ostream&, const dump_report&);
// Error: input_error where the file can't be written.
void write_dump_file(const std::string& path, const dump_report&);

}  // namespace attest
