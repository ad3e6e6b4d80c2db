#include "reports/replay.h"

#include <algorithm>

#include "reference/input_error.h"

namespace attest {
namespace {

bool is_property(std::string_view word) {
  const auto all = catalogue();
  return std::any_of(all.begin(), all.end(),
                     [&](const property* law) { return law->name == word; });
}

// The first blank before a property's name, as a path may hold blanks; without one, the first of
// all.
std::size_t end_of_address(const std::string& line) {
  for (std::size_t blank = line.find(' '); blank != std::string::npos;
       blank = line.find(' ', blank + 1)) {
    const std::size_t next = line.find(' ', blank + 1);
    if (next != std::string::npos && is_property(line.substr(blank + 1, next - blank - 1)))
      return blank;
  }
  return line.find(' ');
}

// A law is made for the features it admits: on others its method need not work.
void require_admitted(const problem_spec& spec, const property& law) {
  const feature_set asked = materialise(spec).asks();
  if (!law.admits.contains(asked))
    throw input_error("the problem asks for " + to_string(asked) + ", but property " +
                      std::string(law.name) + " admits only " + to_string(law.admits));
}

// A subject is never asked what it does not declare.
void require_declared(const problem_spec& spec, const subject_info& subject) {
  const feature_set asked = materialise(spec).asks();
  if (!subject.features.contains(asked))
    throw input_error("the problem asks for " + to_string(asked) + ", but " + subject.name +
                      " declares " + to_string(subject.features));
  const auto& inputs = subject.inputs;
  if (std::none_of(inputs.begin(), inputs.end(),
                   [&](const format* f) { return *f == *spec.inputs; }))
    throw input_error("the problem has " + std::string(spec.inputs->name) + " inputs, which " +
                      subject.name + " does not declare");
}

// The problem as the law takes it.
problem_spec fitted_problem(const replay_request& request, const property& law,
                            const subject_info& subject) {
  const auto fitted = law.adapt(parse_problem_line(request.problem), subject);
  if (!fitted)
    throw input_error("property " + request.property + " has nothing to say about this problem");
  require_admitted(*fitted, law);
  require_declared(*fitted, subject);
  return *fitted;
}

}  // namespace

replay_request parse_replay_line(const std::string& line) {
  const std::size_t first = end_of_address(line);
  const std::size_t second = first == std::string::npos ? first : line.find(' ', first + 1);
  if (second == std::string::npos)
    throw input_error("replay line '" + line + "' (allowed: SUBJECT PROPERTY KEY=VALUE ...)");
  return {line.substr(0, first), line.substr(first + 1, second - first - 1),
          line.substr(second + 1)};
}

replayed put_again(const replay_request& request, subject& s) {
  const property& law = find_property(request.property);
  examiner subject(s);
  const problem_spec spec = fitted_problem(request, law, subject.info());
  return {&law, spec, law.judge(spec, subject)};
}

replayed put_again(const replay_request& request, const answered_corpus& corpus) {
  const property& law = find_property(request.property);
  const problem_spec spec = fitted_problem(request, law, corpus.info());
  return {&law, spec, corpus.judge(law, spec, {}).found};
}

}  // namespace attest
