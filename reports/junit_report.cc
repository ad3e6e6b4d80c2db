#include <fmt/format.h>

#include <ostream>
#include <pugixml.hpp>

#include "reports/report.h"
#include "reports/summary.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

// What the tools that read JUnit XML sum up.
struct tally {
  int tests = 0;
  int failures = 0;
  int skipped = 0;
};

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = printable(value).c_str();
}

bool is_skipped(const group_result& group) {
  return !is_failure(group.outcome) && group.judged_problems == 0;
}

tally tally_of(const property_summary& p) {
  tally t;
  for (const group_result* group : p.groups) {
    ++t.tests;
    t.failures += is_failure(group->outcome) ? 1 : 0;
    t.skipped += is_skipped(*group) ? 1 : 0;
  }
  return t;
}

std::string observation_text(const observation& seen) {
  const auto [observed, expected] = telling_apart(seen.observed, seen.expected);
  return fmt::format("at {}: {}\nobserved {}\nexpected {}\nbound    {}\nratio    {}\n",
                     printable(seen.where), printable(seen.what), observed, expected,
                     number_text(seen.bound), ratio_text(seen.ratio));
}

std::string failure_text(const group_result& group) {
  std::string text = printable(group.law->statement) + "\n";
  if (!group.failure) return text + printable(group.reason) + "\n";
  const counterexample& c = *group.failure;
  if (!c.found.reason.empty()) text += printable(c.found.reason) + "\n";
  text += "problem  " + printable(to_line(c.problem)) + "\n";
  if (c.found.worst) text += observation_text(*c.found.worst);
  return text + replay_command(c) + "\n";
}

std::string failure_message(const group_result& group) {
  const std::string verdict(name_of(group.outcome));
  if (group.failure && group.failure->found.worst) {
    const observation& seen = *group.failure->found.worst;
    return verdict + ": " + seen.what + " at " + seen.where + ", ratio " + ratio_text(seen.ratio);
  }
  return group.reason.empty() ? verdict : verdict + ": " + group.reason;
}

void add_failure(pugi::xml_node test, const group_result& group) {
  pugi::xml_node failure = test.append_child("failure");
  set(failure, "message", failure_message(group));
  set(failure, "type", name_of(group.outcome));
  failure.text() = failure_text(group).c_str();
}

void add_skipped(pugi::xml_node test, std::string_view message) {
  set(test.append_child("skipped"), "message", message);
}

std::string skipped_message(const group_result& group) {
  const std::string verdict(name_of(verdict_of(group)));
  return group.reason.empty() ? verdict + ": no problem could be judged"
                              : verdict + ": " + group.reason;
}

pugi::xml_node add_test(pugi::xml_node suite, std::string_view suite_name, std::string_view name) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", "attest." + std::string(suite_name));
  set(test, "name", name);
  return test;
}

void add_group(pugi::xml_node suite, const group_result& group) {
  pugi::xml_node test = add_test(suite, group.law->name, group.group);
  test.append_attribute("assertions") = static_cast<long long>(group.judged);
  if (is_failure(group.outcome)) add_failure(test, group);
  if (is_skipped(group)) add_skipped(test, skipped_message(group));
}

void set_tally(pugi::xml_node node, const tally& t) {
  node.append_attribute("tests") = t.tests;
  node.append_attribute("failures") = t.failures;
  node.append_attribute("errors") = 0;
}

pugi::xml_node add_suite(pugi::xml_node suites, const report& r, std::string_view name,
                         const tally& t) {
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", name);
  set_tally(suite, t);
  suite.append_attribute("skipped") = t.skipped;
  if (!r.run) return suite;
  set(suite, "timestamp", std::string_view(r.run->started).substr(0, 19));  // JUnit has no zones
  set(suite, "hostname", r.run->host);
  return suite;
}

void add_property(pugi::xml_node properties, const char* name, std::string_view value) {
  pugi::xml_node node = properties.append_child("property");
  set(node, "name", name);
  set(node, "value", value);
}

void add_subject(pugi::xml_node suite, const run_result& result) {
  pugi::xml_node properties = suite.append_child("properties");
  add_property(properties, "subject", result.subject.address);
  add_property(properties, "contract", contract_words(result.subject));
  add_property(properties, "profile", profile_words(result.subject));
  add_property(properties, "seed", std::to_string(result.options.seed));
  add_property(properties, "effort", std::to_string(result.options.effort));
}

// What was not judged is no pass: it shows as skipped.
void add_unjudged(pugi::xml_node suites, const report& r,
                  const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  const int n = static_cast<int>(sentences.size());
  pugi::xml_node suite = add_suite(suites, r, "not_judged", {n, 0, n});
  for (const std::string& sentence : sentences)
    add_skipped(add_test(suite, "not_judged", sentence), sentence);
}

tally tally_of(const std::vector<property_summary>& properties, std::size_t unjudged) {
  tally sum{static_cast<int>(unjudged), 0, static_cast<int>(unjudged)};
  for (const property_summary& p : properties) {
    const tally t = tally_of(p);
    sum = {sum.tests + t.tests, sum.failures + t.failures, sum.skipped + t.skipped};
  }
  return sum;
}

void fill(pugi::xml_node suites, const report& r) {
  const std::vector<property_summary> properties = summarise(r.result);
  const std::vector<std::string> sentences = unjudged_sentences(r.result);
  set(suites, "name", "attest");
  set_tally(suites, tally_of(properties, sentences.size()));
  if (r.run) set(suites, "time", fmt::format("{:.3f}", r.run->seconds));
  for (const property_summary& p : properties) {
    pugi::xml_node suite = add_suite(suites, r, p.law->name, tally_of(p));
    add_subject(suite, r.result);
    for (const group_result* group : p.groups) add_group(suite, *group);
  }
  add_unjudged(suites, r, sentences);
}

}  // namespace

void write_junit(std::ostream& out, const report& r) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  fill(document.append_child("testsuites"), r);
  document.save(out, "  ");
}

}  // namespace attest
