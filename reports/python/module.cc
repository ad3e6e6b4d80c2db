// The Python module _attest: what the package `attest` is made of. Its types are in
// attest/_attest.pyi.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <random>
#include <sstream>

#include "properties/command/command_subject.h"
#include "properties/exchange/array_problem.h"
#include "properties/exchange/contract_json.h"
#include "reference/certified/rounded.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/semantics/feature.h"
#include "reference/semantics/profiles.h"
#include "reports/python/callable_check.h"
#include "reports/python/default_environment.h"
#include "reports/python/given_problem.h"
#include "reports/python/stored_answer.h"

namespace attest {
namespace {

namespace py = pybind11;

// A report, and how its callable is called again.
struct python_report {
  report whole;
  callable_check_options asked;
};

struct python_failure {
  counterexample found;
  std::string group;
  verdict outcome = verdict::undecided;
  std::string replay;
};

std::vector<python_failure> failures_of(const python_report& r) {
  std::vector<python_failure> all;
  for (const group_result& g : r.whole.result.groups)
    if (g.failure)
      all.push_back({*g.failure, g.group, g.outcome, replay_call(*g.failure, r.asked)});
  return all;
}

py::object json_of(const report& r) {
  std::ostringstream out;
  write_json(out, r);
  return py::module_::import("json").attr("loads")(out.str());
}

given_array to_given(const py::tuple& pair) {
  return {pair[0].cast<decltype(given_array::values)>(), pair[1].cast<std::string>()};
}

given_arrays to_given(const py::dict& arrays) {
  given_arrays given;
  for (const auto& [name, pair] : arrays)
    given[name.cast<std::string>()] = to_given(py::reinterpret_borrow<py::tuple>(pair));
  return given;
}

// The numbers in their format, or in f32 where NumPy lacks it.
py::object to_numpy(const array& a) {
  py::array_t<double> values(std::vector<py::ssize_t>(a.sizes.begin(), a.sizes.end()));
  std::copy(a.values.begin(), a.values.end(), values.mutable_data());
  const char* const type = *a.element == f64 ? "f8" : *a.element == f16 ? "f2" : "f4";
  return values.attr("astype")(type);
}

const format& rounding_format(const std::string& name) {
  if (const format* f = find_format(name)) return *f;
  std::string names;
  for (const format* f : all_formats) names += (names.empty() ? "" : ", ") + std::string(f->name);
  throw input_error("round is '" + name + "' (allowed: " + names + ")");
}

// Result: (o, lse, how many values are undecided), each number one of the format.
py::tuple reference(const py::dict& arrays, const given_options& options, const std::string& round,
                    int threads) {
  const default_environment environment;  // conversions of subnormal numbers need it too
  const format& f = rounding_format(round);
  array_problem p = to_problem(to_found(to_given(arrays)));
  read_under(options, p.posed);
  rounded_answer a;
  {
    const py::gil_scoped_release others_may_run;
    certified_options how;
    how.threads = threads;
    a = round_correctly(p.posed, f, how);
  }
  const shape& s = p.posed.dims;
  return py::make_tuple(
      to_numpy(to_array(std::move(a.output), {s.batch, s.query_heads, s.queries, s.value_width},
                        p.rank, f)),
      to_numpy(to_array(std::move(a.lse), {s.batch, s.query_heads, s.queries}, p.rank, f)),
      a.undecided);
}

contract contract_about(const std::string& text, const format& inputs) {
  if (text.empty()) return default_contract(inputs);
  const bool is_list = text.front() == '{' || text.front() == '[';
  std::vector<contract> all = is_list ? parse_declared_contracts(text, "contract")
                                      : std::vector<contract>{find_or_read_contract(text)};
  for (contract& c : all)
    if (*c.inputs == inputs) return std::move(c);
  throw input_error("contract " + all.front().name + " is about " +
                    std::string(all.front().inputs->name) + " inputs, but q is " +
                    std::string(inputs.name));
}

void require_output_format(const std::string& kind, const contract& c) {
  if (kind != c.output->name)
    throw input_error("out is " + kind + " (allowed: " + std::string(c.output->name) +
                      ", the output of contract " + c.name + ")");
}

axis_order parse_layout(const std::string& text) {
  if (text == "bhld") return axis_order::bhld;
  if (text == "blhd") return axis_order::blhd;
  throw input_error("layout is '" + text + "' (allowed: 'bhld', 'blhd')");
}

judged_answer judge(const py::dict& arrays, const given_options& options,
                    const std::string& contract_text, const std::string& layout,
                    std::int64_t rows) {
  const default_environment environment;
  const given_arrays given = to_given(arrays);
  const contract kept = contract_about(contract_text, rounding_format(given.at("q").kind));
  require_output_format(given.at("o").kind, kept);
  dump d = to_dump(to_found(given), parse_layout(layout));
  read_under(options, d.posed);
  const py::gil_scoped_release others_may_run;
  return judge_stored(d, kept, rows);
}

// What was seen at the worst element of a judgement, or None.
template <class Member>
py::object worst(const judgement& j, Member member) {
  if (!j.worst) return py::none();
  return py::cast((*j.worst).*member);
}

template <class Of>
void add_judgement(py::class_<Of>& c, const judgement& (*found)(const Of&)) {
  c.def_property_readonly("verdict",
                          [=](const Of& x) { return std::string(name_of(found(x).outcome)); });
  c.def_property_readonly("reason", [=](const Of& x) { return found(x).reason; });
  c.def_property_readonly("where",
                          [=](const Of& x) { return worst(found(x), &observation::where); });
  c.def_property_readonly("observed",
                          [=](const Of& x) { return worst(found(x), &observation::observed); });
  c.def_property_readonly("expected",
                          [=](const Of& x) { return worst(found(x), &observation::expected); });
  c.def_property_readonly("bound",
                          [=](const Of& x) { return worst(found(x), &observation::bound); });
  c.def_property_readonly("ratio",
                          [=](const Of& x) { return worst(found(x), &observation::ratio); });
}

void add_failure(py::module_& m) {
  py::class_<python_failure> c(m, "Failure", "A property that failed, with the smallest problem.");
  add_judgement<python_failure>(
      c, +[](const python_failure& f) -> const judgement& { return f.found.found; });
  c.def_property_readonly("property", [](const python_failure& f) { return f.found.property; });
  c.def_readonly("group", &python_failure::group);
  c.def_property_readonly("problem",
                          [](const python_failure& f) { return to_line(f.found.problem); });
  c.def_readonly("replay", &python_failure::replay);
  c.def("__repr__", [](const python_failure& f) {
    return fmt::format("<attest.Failure {}: {} in {}>", f.found.property, name_of(f.outcome),
                       f.group);
  });
}

void add_report(py::module_& m) {
  py::class_<python_report> c(m, "Report",
                              "What came of a check. print() shows what attest check prints.");
  c.def_property_readonly("verdict", [](const python_report& r) {
    return std::string(name_of(r.whole.result.outcome()));
  });
  c.def_property_readonly("exit_code",
                          [](const python_report& r) { return r.whole.result.exit_code(); });
  c.def_property_readonly("passed",
                          [](const python_report& r) { return r.whole.result.exit_code() == 0; });
  c.def_property_readonly("interrupted",
                          [](const python_report& r) { return r.whole.result.interrupted; });
  c.def_property_readonly("text", [](const python_report& r) { return text_of(r.whole, r.asked); });
  c.def_property_readonly("json", [](const python_report& r) { return json_of(r.whole); });
  c.def_property_readonly("failures", &failures_of);
  c.def(
      "save",
      [](const python_report& r, const std::string& path) { write_report_file(path, r.whole); },
      py::arg("path"), "Writes the report: .json, .xml (JUnit) or .html.");
  c.def("__str__", [](const python_report& r) { return text_of(r.whole, r.asked); });
  c.def("__repr__", [](const python_report& r) {
    return fmt::format("<attest.Report {}, exit code {}>", name_of(r.whole.result.outcome()),
                       r.whole.result.exit_code());
  });
}

void add_judgements(py::module_& m) {
  py::class_<replayed_problem> again(m, "Replayed", "One problem, put again.");
  add_judgement<replayed_problem>(
      again, +[](const replayed_problem& r) -> const judgement& { return r.found; });
  again.def_readonly("text", &replayed_problem::text);
  again.def("__str__", [](const replayed_problem& r) { return r.text; });
  py::class_<judged_answer> judged(m, "Judged", "A stored output, judged.");
  add_judgement<judged_answer>(
      judged, +[](const judged_answer& j) -> const judgement& { return j.found; });
  judged.def_readonly("accepted", &judged_answer::accepted);
  judged.def_readonly("text", &judged_answer::text);
}

std::vector<std::string> input_formats(const callable_declaration& d) {
  std::vector<std::string> names;
  for (const format* f : describe(d).inputs) names.emplace_back(f->name);
  return names;
}

void add_options(py::module_& m) {
  py::class_<callable_declaration>(m, "Declaration")
      .def(py::init([](std::string name, std::string features, std::string inputs,
                       std::string contract, std::string profile) {
             return callable_declaration{std::move(name), std::move(features), std::move(inputs),
                                         std::move(contract), std::move(profile)};
           }),
           py::kw_only(), py::arg("name"), py::arg("features"), py::arg("inputs"),
           py::arg("contract"), py::arg("profile"))
      .def("input_formats", &input_formats);
  py::class_<given_options>(m, "Options")
      .def(py::init([](std::string causal, std::pair<std::int64_t, std::int64_t> window,
                       std::map<std::string, std::int64_t> pattern, std::string profile,
                       std::optional<double> scale, double soft_cap, double dropout_scale,
                       double alpha) {
             return given_options{std::move(causal),  window, std::move(pattern),
                                  std::move(profile), scale,  soft_cap,
                                  dropout_scale,      alpha};
           }),
           py::kw_only(), py::arg("causal"), py::arg("window"), py::arg("pattern"),
           py::arg("profile"), py::arg("scale"), py::arg("soft_cap"), py::arg("dropout_scale"),
           py::arg("alpha"));
}

called_there there(const std::string& command, int timeout) {
  if (timeout < 1)
    throw input_error("timeout is " + std::to_string(timeout) + " (allowed: 1 or more seconds)");
  return {command, static_cast<double>(timeout)};
}

python_report check(const py::function& handler, const callable_declaration& declared,
                    std::uint64_t seed, int effort, const std::string& properties,
                    const std::string& shape, const std::string& call) {
  const callable_check_options asked{seed, effort, properties, shape, call};
  return {check_callable(called_here{handler, declared}, asked), asked};
}

python_report check_command(const std::string& command, int timeout, std::uint64_t seed, int effort,
                            const std::string& properties, const std::string& shape,
                            const std::string& call) {
  const callable_check_options asked{seed, effort, properties, shape, call};
  return {check_callable(there(command, timeout), asked), asked};
}

replayed_problem replay(const py::function& handler, const callable_declaration& declared,
                        const std::string& line) {
  return replay_callable(called_here{handler, declared}, line);
}

replayed_problem replay_command(const std::string& command, int timeout, const std::string& line) {
  return replay_callable(there(command, timeout), line);
}

template <class List>
std::vector<std::string> names_in(const List& all) {
  std::vector<std::string> names;
  for (const auto& each : all) names.emplace_back(each.name);
  return names;
}

void add_lists(py::module_& m) {
  m.attr("default_seed") = default_seed;
  m.attr("default_timeout") = static_cast<int>(isolation().timeout_seconds);
  std::vector<std::string> features;
  for (const feature f : members(feature_set::all())) features.emplace_back(name_of(f));
  m.attr("features") = py::tuple(py::cast(features));
  m.attr("contracts") = py::tuple(py::cast(names_in(all_contracts())));
  m.attr("profiles") = py::tuple(py::cast(names_in(all_profiles())));
}

}  // namespace
}  // namespace attest

PYBIND11_MODULE(_attest, m) {
  m.doc() = "What attest is made of; use the package attest.";
  pybind11::register_exception<attest::input_error>(m, "InputError", PyExc_ValueError);
  attest::add_failure(m);
  attest::add_report(m);
  attest::add_judgements(m);
  attest::add_options(m);
  attest::add_lists(m);
  using pybind11::arg;
  m.def("check", &attest::check, arg("handler"), arg("declared"), arg("seed"), arg("effort"),
        arg("properties"), arg("shape"), arg("call"));
  m.def("check_command", &attest::check_command, arg("command"), arg("timeout"), arg("seed"),
        arg("effort"), arg("properties"), arg("shape"), arg("call"));
  m.def("replay_command", &attest::replay_command, arg("command"), arg("timeout"), arg("line"));
  m.def("replay", &attest::replay, arg("handler"), arg("declared"), arg("line"));
  m.def("reference", &attest::reference, arg("arrays"), arg("options"), arg("round"),
        arg("threads"));
  m.def("judge", &attest::judge, arg("arrays"), arg("options"), arg("contract"), arg("layout"),
        arg("rows"));
}
