#include "reports/options.h"

#include <CLI/CLI.hpp>

#include "properties/command/command_subject.h"
#include "reference/formats/format.h"
#include "reference/input_error.h"
#include "reports/version.h"

namespace attest {
namespace {

// The options of every subcommand, filled while the line is parsed.
struct all_options {
  audit_command_options audit;
  check_options check;
  compare_options compare;
  corpus_check_options corpus_check;
  corpus_make_options corpus_make;
  derive_options derive;
  explain_options explain;
  gradient_options gradient;
  identify_options identify;
  infer_options infer;
  judge_options judge;
  list_options list;
  module_options module;
  onnx_command_options onnx;
  power_options power;
  recurrence_options recurrence;
  reference_options reference;
  replay_options replay;
};

constexpr const char* about_subject =
    "builtin:NAME, one of attest list subjects, a plugin PATH.so[:NAME], or exec:COMMAND (as "
    "--exec)";
constexpr const char* about_exec =
    "The subject is this command line: a program that speaks the protocol of "
    "docs/command_protocol.md";
constexpr const char* about_reports = "Write a report: FILE.json, FILE.xml (JUnit) or FILE.html";
constexpr const char* about_reproducible = "Leave times and host out of reports";
constexpr const char* about_seed = "Seed of the problems, or random";

void add_reports(CLI::App& command, std::vector<std::string>& paths, const char* about) {
  command.add_option("--report", paths, about)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_contract(CLI::App& command, declarations& declared) {
  command.add_option("--contract", declared.contract,
                     "Judge on this contract: a name as attest list shows it, or FILE.json");
}

// One of SUBJECT and --exec, which is required.
void add_subject(CLI::App& command, std::string& subject) {
  CLI::Option* positional = command.add_option("SUBJECT", subject, about_subject);
  CLI::Option* exec = command.add_option_function<std::string>(
      "--exec",
      [&subject](const std::string& line) { subject = std::string(command_prefix) + line; },
      about_exec);
  exec->excludes(positional);
  command.parse_complete_callback([positional, exec] {
    if (positional->empty() && exec->empty()) throw CLI::RequiredError("SUBJECT or --exec");
  });
}

void add_limits(CLI::App& command, isolation& run) {
  command
      .add_option("--timeout", run.timeout_seconds,
                  "Seconds in which a plugin or command must answer; to a plugin, each 1e8 "
                  "multiply-adds give one more")
      ->check(CLI::Range(0.001, 1e9))
      ->capture_default_str();
  command
      .add_option("--memory", run.memory_mib,
                  "MiB that a plugin, or each process of a command, may allocate, 0: no limit; by "
                  "default three quarters of the machine's memory")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
}

void add_isolation(CLI::App& command, isolation& run) {
  add_limits(command, run);
  command.add_flag(
      "!--no-isolation", run.apart,
      "Run a plugin in attest's own process, for a debugger: if it crashes, attest does");
}

CLI::App& add_audit(CLI::App& app, audit_command_options& o) {
  constexpr std::int64_t most = 1000000000;
  CLI::App& command = *app.add_subcommand(
      "audit", "Puts correct evaluations, as unlucky as contracts allow, to the judge itself");
  command
      .add_option("--contract", o.contract, "Only contracts whose name matches this glob, or all")
      ->capture_default_str();
  command.add_option("--evaluations", o.evaluations, "At least so many a contract")
      ->check(CLI::Range(std::int64_t{1}, most))
      ->capture_default_str();
  command.add_option("--elements", o.elements, "At least so many decided outputs a contract")
      ->check(CLI::Range(std::int64_t{1}, most))
      ->capture_default_str();
  command.add_option("--seed", o.seed, about_seed)->capture_default_str();
  command.add_option("--report", o.report, "Write the audit as JSON to this file");
  return command;
}

void add_profile(CLI::App& command, declarations& declared) {
  command.add_option("--profile", declared.profile,
                     "Judge under these conventions: NAME or NAME,FIELD=VALUE,... as attest list "
                     "shows them, or identify");
}

void add_false_alarm(CLI::App& command, double& false_alarm) {
  command
      .add_option("--false-alarm", false_alarm,
                  "The probability that a correct subject is called improbable, in all of the run")
      ->check(CLI::Range(1e-300, 0.1))
      ->capture_default_str();
}

void add_required(CLI::App& command, std::string& required) {
  command.add_option(
      "--require", required,
      "Features that must be declared and judged, comma-separated (else exit code 3)");
}

CLI::App& add_check(CLI::App& app, check_options& o) {
  CLI::App& command = *app.add_subcommand("check", "Checks a subject against every property");
  add_subject(command, o.subject);
  command.add_option("--property", o.property, "Only properties whose name matches this glob")
      ->capture_default_str();
  command
      .add_option("--shape", o.shape,
                  "Only problems of one shape, of which sampled rows are judged: "
                  "B=1,Hq=32,Hkv=8,Lq=4096,Lk=4096,D=128,Dv=128; what is left out is 1")
      ->excludes("--property");
  command.add_option("--seed", o.seed, about_seed)->capture_default_str();
  command.add_option("--effort", o.effort, "Multiplies the number of problems")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_required(command, o.required);
  add_contract(command, o.declared);
  add_profile(command, o.declared);
  add_isolation(command, o.declared.run);
  add_false_alarm(command, o.false_alarm);
  add_reports(command, o.reports, about_reports);
  command
      .add_option("--rule", o.rule,
                  "Judge by the rule of another test suite instead, to see what it lets through")
      ->excludes("--property")
      ->excludes("--require")
      ->excludes("--report");
  command.add_flag("--reproducible", o.reproducible, about_reproducible);
  return command;
}

CLI::App& add_compare(CLI::App& app, compare_options& o) {
  CLI::App& command =
      *app.add_subcommand("compare", "Compares the errors of subjects on the same problems");
  CLI::Option* subjects =
      command.add_option("SUBJECTS", o.subjects, "Comma-separated: built-in names or plugin paths");
  CLI::Option* commands =
      command.add_option("--exec", o.commands, "A command line, as for check; may stand again")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.parse_complete_callback([subjects, commands] {
    if (subjects->empty() && commands->empty()) throw CLI::RequiredError("SUBJECTS or --exec");
  });
  command.add_option("--seed", o.seed, about_seed)->capture_default_str();
  command.add_option("--problems", o.problems, "How many")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}))
      ->capture_default_str();
  command.add_option("--regime", o.regime, "Of the values, as attest list shows them, or any")
      ->capture_default_str();
  add_isolation(command, o.run);
  command.add_option("--report", o.report, "Write the comparison as JSON to this file");
  return command;
}

CLI::App& add_corpus_make(CLI::App& corpus, corpus_make_options& o) {
  CLI::App& command = *corpus.add_subcommand(
      "make", "Writes problems, a manifest and run.py, which answers them on another machine");
  command.add_option("DIR", o.folder, "A new folder")->required();
  command
      .add_option("--contract", o.contract,
                  "What is to be judged keeps this contract, and has its inputs: a name as attest "
                  "list shows it, or FILE.json")
      ->required();
  command.add_option("--count", o.count, "How many problem files at most")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}))
      ->capture_default_str();
  command
      .add_option(
          "--format", o.format,
          "Of the files: safetensors or npz; onnx: test cases of ONNX's Attention, for attest onnx")
      ->check(CLI::IsMember({std::string(name_of(corpus_format::safetensors)),
                             std::string(name_of(corpus_format::npz)), std::string(onnx_format)}))
      ->capture_default_str();
  command.add_option("--features", o.features, "What may be asked, comma-separated, or none")
      ->capture_default_str();
  command
      .add_option("--profile", o.profile,
                  "The conventions that it follows: NAME or NAME,FIELD=VALUE,... as attest list "
                  "shows them")
      ->capture_default_str();
  command.add_option("--property", o.property, "Only properties whose name matches this glob")
      ->capture_default_str();
  command.add_option("--seed", o.seed, about_seed)->capture_default_str();
  return command;
}

CLI::App& add_corpus_check(CLI::App& corpus, corpus_check_options& o) {
  CLI::App& command = *corpus.add_subcommand(
      "check", "Judges the answers to a corpus, and writes a follow-up where more must be asked");
  command.add_option("DIR", o.folder, "The corpus, with its answers")->required();
  add_required(command, o.required);
  add_false_alarm(command, o.false_alarm);
  add_reports(command, o.reports, about_reports);
  command.add_flag("--reproducible", o.reproducible, about_reproducible);
  return command;
}

CLI::App& add_corpus(CLI::App& app) {
  CLI::App& corpus = *app.add_subcommand("corpus", "Judges what runs on another machine, by files");
  corpus.require_subcommand(1);
  return corpus;
}

CLI::App& add_derive(CLI::App& app, derive_options& o) {
  CLI::App& command =
      *app.add_subcommand("derive", "Checks the claims of the derivation of attention");
  command.add_option("--claim", o.claim, "Only claims whose id matches this glob")
      ->capture_default_str();
  add_reports(command, o.reports, "Write a report: FILE.json, FILE.md, FILE.html or FILE.txt");
  return command;
}

CLI::App& add_explain(CLI::App& app, explain_options& o) {
  CLI::App& command =
      *app.add_subcommand("explain",
                          "Explains a property: statement, method, bound, proof; or a "
                          "contract, field by field");
  command
      .add_option("NAME", o.name,
                  "A property or a contract, as attest list shows it; a contract's FILE.json; or "
                  "contract, for what the fields mean")
      ->required();
  return command;
}

CLI::App& add_identify(CLI::App& app, identify_options& o) {
  CLI::App& command = *app.add_subcommand(
      "identify", "Finds the conventions of a subject, and prints the inputs that settle them");
  add_subject(command, o.subject);
  add_contract(command, o.declared);
  add_isolation(command, o.declared.run);
  add_reports(command, o.reports, "Write a report: FILE.json");
  return command;
}

CLI::App& add_infer(CLI::App& app, infer_options& o) {
  CLI::App& command = *app.add_subcommand(
      "infer", "Finds the tightest contract that a subject's answers satisfy, and says why");
  add_subject(command, o.subject);
  command.add_option("--seed", o.seed, about_seed)->capture_default_str();
  command.add_option("--problems", o.problems, "How many for each format of inputs")
      ->check(CLI::Range(14, 100000))
      ->capture_default_str();
  command.add_option("--out", o.out, "Write the contract to FILE.json, for a person to confirm");
  add_isolation(command, o.run);
  return command;
}

CLI::App& add_list(CLI::App& app, list_options& o) {
  CLI::App& command = *app.add_subcommand(
      "list", "Lists properties, subjects, contracts, profiles, features, rules, claims");
  command.add_option("WHAT", o.what, "subjects: only those, each by its name")
      ->check(CLI::IsMember({"subjects"}));
  return command;
}

CLI::App& add_onnx(CLI::App& app, onnx_command_options& o) {
  CLI::App& command = *app.add_subcommand(
      "onnx",
      "Judges the answers stored in ONNX's backend tests of Attention, or a subject on them");
  command
      .add_option("DIR", o.folder,
                  "A case (model.onnx, test_data_set_*/*.pb), or a folder with cases in it")
      ->required();
  command.add_option("--edition", o.edition,
                     "Judge under the conventions of this edition of ONNX: 1.18, 1.19, 1.19.1 or "
                     "1.22; otherwise the newest of those with which most cases agree");
  command.add_option("--subject", o.subject,
                     std::string("Judge the answers of this subject instead: ") + about_subject);
  add_contract(command, o.declared);
  add_profile(command, o.declared);
  add_isolation(command, o.declared.run);
  command.add_option("--report", o.report, "Write the result as JSON to this file");
  return command;
}

CLI::App& add_power(CLI::App& app, power_options& o) {
  CLI::App& command = *app.add_subcommand(
      "power",
      "Counts the wrong subjects that each suite's rule misses and the right ones it rejects");
  constexpr const char* about = ": addresses as for check, or folders of plugins";
  command.add_option("--wrong", o.wrong, std::string("Subjects known to be wrong") + about)
      ->required();
  command.add_option("--right", o.right, std::string("Subjects known to be right") + about)
      ->required();
  command.add_option("--seed", o.seed, about_seed)->capture_default_str();
  command
      .add_option("--problems", o.problems,
                  "How many problems of the usual kind each subject gets beside attest's")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}))
      ->capture_default_str();
  command
      .add_option("--property", o.property,
                  "attest judges by the properties whose name matches this glob")
      ->capture_default_str();
  command.add_option("--report", o.report, "Write the table as JSON to this file");
  add_isolation(command, o.run);
  return command;
}

void add_semantics(CLI::App& command, posing_options& o) {
  command.add_option("--causal", o.causal, "Which triangle of keys is kept")
      ->check(CLI::IsMember({"none", "top_left", "bottom_right"}))
      ->capture_default_str();
  command.add_option("--window", o.window, "LEFT,RIGHT keys around the query's position, -1: open");
  command.add_option("--alpha", o.alpha, "Of a profile with normalizer=alpha_entmax: above 1")
      ->capture_default_str();
  const auto add_pattern = [&](const char* name, std::int64_t key_pattern::*member,
                               const char* about) {
    command.add_option(name, o.pattern.*member, about)->check(CLI::Range(1, 1 << 30));
  };
  add_pattern("--dilation", &key_pattern::dilation,
              "Keys at distances from the query that are multiples of it");
  add_pattern("--chunk", &key_pattern::chunk, "Keys in the query's own chunk of so many positions");
  add_pattern("--global-keys", &key_pattern::global_keys,
              "So many first keys whatever window, dilation, chunk and blocks say");
  add_pattern("--block-queries", &key_pattern::block_queries,
              "Queries to a block of the array block_mask");
  add_pattern("--block-keys", &key_pattern::block_keys, "Keys to one");
  command.add_option("--scale", o.scale, "Instead of 1 / sqrt(D)");
  command.add_option("--soft-cap", o.soft_cap, "cap * tanh(score / cap)")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--dropout-scale", o.dropout_scale,
                     "Of the weights that the array dropout_mask keeps: 1 / (1 - p)");
  command.add_option("--profile", o.profile, "Conventions, as attest list shows them")
      ->capture_default_str();
}

constexpr const char* about_inputs =
    "One .npz or .safetensors file of arrays named q, k, v and, optionally, mask, bias, sink, "
    "lengths, slopes, query_segments, key_segments, block_mask, page_table, dropout_mask; or three "
    "files of one "
    "array each: q.npy k.npy v.npy. q, k, v: rank 2 [L, D], 3 [H, L, D] or 4 [B, H, L, D], the "
    "same for all; beside page_table k and v are pools [pages, H, page, D]";
constexpr const char* about_dump =
    "One .npz or .safetensors file of arrays named q, k, v, o and, optionally, lse, mask, bias, "
    "sink, lengths, slopes, query_segments, key_segments, block_mask, page_table, dropout_mask; or "
    "three files "
    "of one array each: q.npy k.npy v.npy. q, k, v, o: rank 2 [L, D], 3 [H, L, D] or 4 [B, H, L, "
    "D], the same for all; beside page_table k and v are pools [pages, H, page, D]";

constexpr const char* about_gradients =
    "One .npz or .safetensors file of arrays named q, k, v, do (the gradient of the output) and "
    "one "
    "or more of dq, dk, dv, dbias, dsink, dslopes; optionally dlse, o and lse as the backward pass "
    "was given "
    "them, and what attest judge reads beside q, k and v";

void add_inputs(CLI::App& command, problem_files& files, const char* about) {
  command.add_option("--in", files.in, about)->expected(1, 3)->required();
  command.add_option(
      "--mask", files.mask,
      "File of booleans, broadcast to [B, Hq, Lq, Lk]; true keeps, but as the profile "
      "says");
  command.add_option("--bias", files.bias,
                     "File of numbers added to the scores, broadcast to [B, Hq, Lq, Lk]");
  command.add_option("--sink", files.sink, "File of one number a query head: the score of a sink");
  command.add_option("--lengths", files.lengths,
                     "File of one integer a batch row: how many keys are valid");
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const format* f : all_formats) names.emplace_back(f->name);
  return names;
}

void add_outputs(CLI::App& command, reference_options& o) {
  command
      .add_option("--round", o.round,
                  "Round each value once, to nearest even, to this format, and tell the ties")
      ->check(CLI::IsMember(format_names()));
  command
      .add_option("--digits", o.digits,
                  "Give so many significant decimal digits, each proved, as text")
      ->check(CLI::Range(1, 90));
  command.add_option("--out", o.out,
                     "Write instead of printing: .npy (o), .npz or .safetensors (o, lse); with "
                     "--digits .txt or .json");
  command.add_option("--lse", o.lse, "Write lse to this file");
  command.add_flag("--enclosures", o.enclosures,
                   "Write o_high, o_low, o_radius and the same of lse too: |exact - (high + low)| "
                   "<= radius");
  command.add_option("--threads", o.threads, "How many at most; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

CLI::App& add_reference(CLI::App& app, reference_options& o) {
  CLI::App& command = *app.add_subcommand(
      "reference",
      "Computes the exact answer for tensors in files; prints the digits that are certain, or "
      "writes it, correctly rounded (to f64 unless --round says otherwise)");
  add_inputs(command, o.posed.files, about_inputs);
  add_semantics(command, o.posed);
  add_outputs(command, o);
  return command;
}

// of: the tensor whose type the default goes by.
void add_judging_contract(CLI::App& command, std::string& name, const std::string& of) {
  command.add_option("--contract", name,
                     "Judge on this contract: a name as attest list shows it, or FILE.json; "
                     "otherwise the default of " +
                         of + "'s type");
}

CLI::App& add_judge(CLI::App& app, judge_options& o) {
  CLI::App& command = *app.add_subcommand(
      "judge", "Judges an output that a program stored with its inputs: is it right?");
  add_inputs(command, o.posed.files, about_dump);
  command.add_option("--o", o.posed.files.o, "File of the output, where --in does not hold it");
  command.add_option("--lse", o.posed.files.lse, "File of the lse, likewise");
  command.add_option("--layout", o.layout, "Of q, k, v and o: [B, H, L, D] or [B, L, H, D]")
      ->check(CLI::IsMember({"bhld", "blhd"}))
      ->capture_default_str();
  add_semantics(command, o.posed);
  add_judging_contract(command, o.contract, "q");
  command
      .add_option("--rows", o.rows,
                  "Judge so many rows, the first, the last and others at random; 0: all")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
      ->capture_default_str();
  command.add_option("--seed", o.seed, "Of the choice of rows, or random")->capture_default_str();
  command.add_option("--slice", o.slice,
                     "Where something fails: write the worst row, with the keys that it sees, to "
                     "this .npz or .safetensors file");
  command.add_option("--report", o.report, "Write what was found as JSON to this file");
  return command;
}

CLI::App& add_gradient(CLI::App& app, gradient_options& o) {
  CLI::App& command = *app.add_subcommand(
      "gradient", "Judges the gradients that a program stored of a backward pass of attention");
  add_inputs(command, o.posed.files, about_gradients);
  command
      .add_option("--layout", o.layout, "Of q, k, v, o and theirs: [B, H, L, D] or [B, L, H, D]")
      ->check(CLI::IsMember({"bhld", "blhd"}))
      ->capture_default_str();
  add_semantics(command, o.posed);
  add_judging_contract(command, o.contract, "q");
  return command;
}

CLI::App& add_module(CLI::App& app, module_options& o) {
  CLI::App& command = *app.add_subcommand(
      "module", "Judges what a program stored of a module of attention: projections and heads");
  command
      .add_option(
          "--in", o.in,
          "A .npz or .safetensors file of arrays x [B, T, C], w_q, w_k, w_v [C, H D] or one "
          "a head [H, C, D], o [B, T, E] and, where there are any, b_q, b_k, b_v [H D], w_o "
          "[H D, E], b_o [E]")
      ->required();
  command.add_option("--heads", o.heads, "How many query heads")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command.add_option("--kv-heads", o.kv_heads, "How many heads of w_k and w_v, otherwise as many")
      ->check(CLI::Range(1, 1 << 20));
  command.add_flag("--bidirectional", o.bidirectional,
                   "Every position sees all, not the past alone");
  command.add_option("--scale", o.scale, "Instead of 1 / sqrt(D)");
  command.add_option("--weights", o.weights, "Of matrices: [in, out], or [out, in] as in PyTorch")
      ->check(CLI::IsMember({"in_out", "out_in"}))
      ->capture_default_str();
  add_judging_contract(command, o.contract, "x");
  return command;
}

// What is put to a subject.
void add_recurrence_run(CLI::App& command, recurrence_options& o, CLI::Option* in) {
  command.add_option("--law", o.law, "Only laws whose name matches this glob")
      ->capture_default_str()
      ->excludes(in);
  command
      .add_option("--problem", o.problem,
                  "Only this problem, the line that a failure printed: 'B=1 Hq=1 ...'")
      ->excludes(in);
  command.add_option("--seed", o.seed, about_seed)->capture_default_str()->excludes(in);
  command.add_option("--effort", o.effort, "Multiplies the number of problems")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->excludes(in);
  add_limits(command, o.run);
  command.add_option("--report", o.report, "Write what was found as JSON to this file")
      ->excludes(in);
  command.add_flag("--reproducible", o.reproducible, about_reproducible);
}

CLI::App& add_recurrence(CLI::App& app, recurrence_options& o) {
  CLI::App& command = *app.add_subcommand(
      "recurrence",
      "Checks a linear attention with its states: a plugin or command against every law, or what "
      "a program stored");
  CLI::Option* subject = command.add_option(
      "SUBJECT", o.subject,
      "A plugin PATH.so[:NAME] of attest_recurrence.h, or exec:COMMAND (docs/recurrence.md)");
  CLI::Option* exec = command.add_option_function<std::string>(
      "--exec", [&o](const std::string& line) { o.subject = std::string(command_prefix) + line; },
      "The subject is this command line");
  exec->excludes(subject);
  CLI::Option* in =
      command
          .add_option(
              "--in", o.in,
              "A .npz or .safetensors file of arrays q, k, v [B, H, L, D] and o, state_out [B, "
              "H, D, Dv] or both; where there are any, decay (logs) [B, H, L] or [B, H, L, D], "
              "rate [B, H, L] of a delta rule, erase [B, H, L, D], state [B, H, D, Dv]; beside "
              "--features exp_features draws [H, A, D], and A in place of D in what follows them")
          ->excludes(subject)
          ->excludes(exec);
  command.parse_complete_callback([subject, exec, in] {
    if (subject->empty() && exec->empty() && in->empty())
      throw CLI::RequiredError("SUBJECT, --exec or --in");
  });
  add_recurrence_run(command, o, in);
  command.add_option("--features", o.features, "Of --in: what is done to q and k first")
      ->check(CLI::IsMember({"identity", "elu_plus_1", "relu", "exp_features"}))
      ->capture_default_str()
      ->needs(in);
  command
      .add_flag("--normalised", o.normalised,
                "Of --in: outputs are divided by the sum of their weights")
      ->needs(in);
  command.add_option("--scale", o.scale, "Of --in: instead of 1 / sqrt(D)")->needs(in);
  command
      .add_option("--layout", o.layout,
                  "Of --in, of all but the states: [B, H, L, D] or [B, L, H, D]")
      ->check(CLI::IsMember({"bhld", "blhd"}))
      ->capture_default_str()
      ->needs(in);
  add_judging_contract(command, o.contract, "q");
  return command;
}

CLI::App& add_replay(CLI::App& app, replay_options& o) {
  CLI::App& command = *app.add_subcommand("replay", "Puts one problem to a subject again");
  command
      .add_option("LINE", o.words,
                  "The line that a failure printed: SUBJECT PROPERTY KEY=VALUE ...")
      ->required();
  command.add_option("--exec", o.command, "This command line, instead of a SUBJECT in the line");
  add_contract(command, o.declared);
  add_profile(command, o.declared);
  add_isolation(command, o.declared.run);
  return command;
}

std::string names_of(const std::vector<CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands)
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

// A subcommand leaves its options here when the line has chosen it.
template <class Options>
void choose(CLI::App& command, const Options& options, std::optional<command_options>& chosen) {
  command.callback([&options, &chosen] { chosen = options; });
}

void add_commands(CLI::App& app, all_options& all, std::optional<command_options>& chosen) {
  static const example_options example;
  choose(add_audit(app, all.audit), all.audit, chosen);
  choose(add_check(app, all.check), all.check, chosen);
  choose(add_compare(app, all.compare), all.compare, chosen);
  CLI::App& corpus = add_corpus(app);
  choose(add_corpus_check(corpus, all.corpus_check), all.corpus_check, chosen);
  choose(add_corpus_make(corpus, all.corpus_make), all.corpus_make, chosen);
  choose(add_derive(app, all.derive), all.derive, chosen);
  choose(add_gradient(app, all.gradient), all.gradient, chosen);
  choose(add_identify(app, all.identify), all.identify, chosen);
  choose(add_infer(app, all.infer), all.infer, chosen);
  choose(add_judge(app, all.judge), all.judge, chosen);
  choose(add_module(app, all.module), all.module, chosen);
  choose(add_onnx(app, all.onnx), all.onnx, chosen);
  choose(add_power(app, all.power), all.power, chosen);
  choose(add_recurrence(app, all.recurrence), all.recurrence, chosen);
  choose(add_reference(app, all.reference), all.reference, chosen);
  choose(add_replay(app, all.replay), all.replay, chosen);
  choose(add_list(app, all.list), all.list, chosen);
  choose(add_explain(app, all.explain), all.explain, chosen);
  choose(*app.add_subcommand("example",
                             "Prints a worked example: 4 tokens of width 2 under a causal mask"),
         example, chosen);
}

}  // namespace

std::optional<command_options> parse_options(int argc, char** argv) {
  CLI::App app{"attest decides whether an attention implementation is right", "attest"};
  app.set_version_flag("--version", std::string("attest ") + version);
  app.require_subcommand(0, 1);  // none is said below, with what is allowed
  app.footer(
      "exit codes: 0 all hold, 1 something failed, 2 usage or bad input, 3 something was not "
      "judged");
  all_options all;
  std::optional<command_options> chosen;
  add_commands(app, all, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    app.exit(e);  // prints the help or the version
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    throw input_error(std::string(e.what()) + " (see attest --help)");
  }
  if (!chosen)
    throw input_error("no subcommand given (allowed: " + names_of(app.get_subcommands({})) + ")");
  return chosen;
}

}  // namespace attest
