// attest onnx: the stored answers of ONNX's backend tests, or a subject on them.
#include <fstream>
#include <iostream>
#include <memory>

#include "properties/onnx/folder.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/onnx_report.h"
#include "reports/progress_bar.h"

namespace attest {
namespace {

std::unique_ptr<subject> open_given(const onnx_command_options& o) {
  if (!o.subject.empty()) return open_subject(o.subject, o.declared);
  if (!o.declared.contract.empty() || !o.declared.profile.empty())
    throw input_error(
        "--contract and --profile say what a subject keeps (allowed: with --subject)");
  return nullptr;
}

}  // namespace

int run(const onnx_command_options& o) {
  const std::unique_ptr<subject> s = open_given(o);
  onnx_folder_result result;
  {
    progress_bar bar("judging", "cases");
    result = judge_onnx_folder(o.folder,
                               {.edition = o.edition, .subject = s.get(), .watch = std::ref(bar)});
  }
  write_onnx_text(std::cout, result);
  if (!o.report.empty()) {
    std::ofstream file(o.report);
    write_onnx_json(file, result);
    if (!file.flush()) throw input_error("report " + o.report + " can't be written");
  }
  return result.exit_code();
}

}  // namespace attest
