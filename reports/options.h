// The command line as plain values: one struct a subcommand. options.cc alone knows CLI11.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "properties/corpus/make_corpus.h"
#include "properties/exchange/problem_files.h"
#include "properties/peers/power.h"
#include "properties/run.h"
#include "properties/subject.h"

namespace attest {

struct audit_command_options {
  std::string contract = "all";
  std::string seed = std::to_string(default_seed);
  std::int64_t evaluations = 200;
  std::int64_t elements = 20000;
  std::string report;
};

struct check_options {
  std::string subject;
  std::string property = "*";
  std::string shape;  // empty: the domain's own
  std::string seed = std::to_string(default_seed);
  int effort = 1;
  std::string required;
  std::string rule;  // of another suite, instead of the properties; empty: none
  declarations declared;
  double false_alarm = assurance{}.false_alarm;
  std::vector<std::string> reports;
  bool reproducible = false;
};

struct compare_options {
  std::string subjects;
  isolation run;
  std::vector<std::string> commands;
  std::string seed = std::to_string(default_seed);
  std::int64_t problems = 100;
  std::string regime = "normal";
  std::string report;
};

struct corpus_check_options {
  std::string folder;
  std::string required;
  double false_alarm = assurance{}.false_alarm;
  std::vector<std::string> reports;
  bool reproducible = false;
};

// Of corpus make, beside those of files that attest corpus check reads: ONNX's backend tests.
inline constexpr const char* onnx_format = "onnx";

struct corpus_make_options {
  std::string folder;
  std::string contract;
  std::string profile = "attest";
  std::string features = to_string(usual_corpus_features);
  std::string property = "*";
  std::string format = std::string(name_of(corpus_format::safetensors));
  std::string seed = std::to_string(default_seed);
  std::int64_t count = usual_corpus_count;
};

struct derive_options {
  std::string claim = "*";
  std::vector<std::string> reports;
};

struct example_options {};

struct explain_options {
  std::string name;
};

struct identify_options {
  std::string subject;
  declarations declared;
  std::vector<std::string> reports;
};

struct infer_options {
  std::string subject;
  isolation run;
  std::string seed = std::to_string(default_seed);
  int problems = 84;
  std::string out;
};

// Tensors in files and how they are to be read.
struct posing_options {
  problem_files files;
  std::string causal = "none";
  std::string window;
  std::string profile = "attest";
  double alpha = 1.5;
  std::optional<double> scale;
  double soft_cap = 0;
  key_pattern pattern;
  double dropout_scale = 1;
};

struct judge_options {
  posing_options posed;
  std::string layout = "bhld";
  std::string contract;
  std::int64_t rows = 0;  // 0: all
  std::string seed = std::to_string(default_seed);
  std::string slice;
  std::string report;
};

struct list_options {
  std::string what;  // "subjects"; empty: everything
};

struct onnx_command_options {
  std::string folder;
  std::string edition;  // empty: found
  std::string subject;  // empty: the stored answers are judged
  declarations declared;
  std::string report;
};

struct power_options {
  std::vector<std::string> wrong, right;  // addresses, and folders of plugins
  isolation run;
  std::string seed = std::to_string(default_seed);
  std::int64_t problems = power_settings{}.problems;
  std::string property = power_settings{}.property;
  std::string report;
};

struct gradient_options {
  posing_options posed;
  std::string layout = "bhld";
  std::string contract;
};

struct module_options {
  std::string in;
  std::int64_t heads = 1, kv_heads = 0;  // 0: as many
  bool bidirectional = false;
  std::optional<double> scale;
  std::string weights = "in_out";
  std::string contract;
};

// A subject, or what a program stored.
struct recurrence_options {
  std::string subject;
  std::string law = "*";
  std::string problem;  // empty: those that the seed draws
  std::string seed = std::to_string(default_seed);
  int effort = 1;
  isolation run;
  std::string report;
  bool reproducible = false;
  std::string in;
  std::string features = "identity";
  bool normalised = false;
  std::optional<double> scale;
  std::string layout = "bhld";
  std::string contract;
};

struct reference_options {
  posing_options posed;
  std::string round;  // a format's name; empty: f64, and nothing said of ties there are none of
  bool enclosures = false;
  int digits = 0;   // 0: not asked for
  int threads = 0;  // 0: one a core
  std::string out;
  std::string lse;
};

struct replay_options {
  std::string command;  // instead of the subject in the line
  declarations declared;
  std::vector<std::string> words;
};

using command_options =
    std::variant<audit_command_options, check_options, compare_options, corpus_check_options,
                 corpus_make_options, derive_options, example_options, explain_options,
                 gradient_options, identify_options, infer_options, judge_options, list_options,
                 module_options, onnx_command_options, power_options, recurrence_options,
                 reference_options, replay_options>;

// Result: what was chosen; nothing where the line asked for help or the version, which is printed.
// Error: input_error for a line that is no command.
std::optional<command_options> parse_options(int argc, char** argv);

}  // namespace attest
