// attest replay: one problem of one property again, from the line that a failure printed.
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "properties/run.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/commands/command.h"
#include "reports/exit_code.h"
#include "reports/judgement_text.h"

namespace attest {
namespace {

// "ADDRESS PROPERTY KEY=VALUE ..."; as one argument or many.
struct replay_request {
  std::string address;
  std::string property;
  std::string problem;
};

replay_request parse_replay_line(const std::string& line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string::npos ? first : line.find(' ', first + 1);
  if (second == std::string::npos)
    throw input_error("replay line '" + line + "' (allowed: SUBJECT PROPERTY KEY=VALUE ...)");
  return {line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

int replay(const std::string& line) {
  const replay_request request = parse_replay_line(line);
  const property& law = find_property(request.property);
  const problem_spec spec = parse_problem_line(request.problem);
  const std::unique_ptr<subject> s = open_subject(request.address);
  examiner subject(*s);
  const auto fitted = law.adapt(spec, subject.info());
  if (!fitted) throw input_error("property " + request.property + " has nothing to say about this problem");
  const judgement found = law.judge(*fitted, subject);
  write_judgement(std::cout, law, *fitted, found);
  if (is_failure(found.outcome)) return something_failed;
  return found.outcome == verdict::holds ? all_hold : not_judged;
}

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

void add_replay(CLI::App& app, outcome& result) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("replay", "Puts one problem to a subject again");
  command->add_option("LINE", *words, "The line that a failure printed: SUBJECT PROPERTY KEY=VALUE ...")->required();
  command->callback([words, &result] { result.exit_code = replay(join(*words)); });
}

}  // namespace attest
