// attest replay: one problem of one property again, from the line that a failure printed.
#include "reports/replay.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "properties/command/command_subject.h"
#include "reports/commands/command.h"
#include "reports/exit_code.h"
#include "reports/judgement_text.h"

namespace attest {
namespace {

replayed put_again(const replay_request& request, const declarations& declared) {
  if (std::filesystem::is_directory(request.address))
    return put_again(request, answered_corpus(request.address));
  const std::unique_ptr<subject> s = open_subject(request.address, declared);
  return put_again(request, *s);
}

int replay(const std::string& line, const declarations& declared) {
  const replay_request request = parse_replay_line(line);
  find_property(request.property);  // a wrong line is told before the subject is opened
  parse_problem_line(request.problem);
  const replayed again = put_again(request, declared);
  write_judgement(std::cout, *again.law, again.problem, again.found);
  if (is_failure(again.found.outcome)) return something_failed;
  return again.found.outcome == verdict::holds ? all_hold : not_judged;
}

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

int run(const replay_options& o) {
  const std::string address =
      o.command.empty() ? "" : std::string(command_prefix) + o.command + " ";
  return replay(address + join(o.words), o.declared);
}

}  // namespace attest
