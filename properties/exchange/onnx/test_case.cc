#include "properties/exchange/onnx/test_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* model_name = "model.onnx";
constexpr std::string_view set_prefix = "test_data_set_";

bool begins_with(const std::string& text, std::string_view beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

// The files and folders of a folder whose names are PREFIX0ENDING, PREFIX1ENDING, ..., in that
// order.
std::vector<fs::path> numbered(const fs::path& folder, std::string_view prefix,
                               std::string_view ending) {
  std::vector<fs::path> found;
  std::size_t given = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    if (begins_with(entry.path().filename().string(), prefix)) ++given;
  while (fs::exists(folder / fmt::format("{}{}{}", prefix, found.size(), ending)))
    found.push_back(folder / fmt::format("{}{}{}", prefix, found.size(), ending));
  if (given != found.size())
    refuse(folder.string(),
           fmt::format("{} entries {}*, of which {} follow each other from 0", given, prefix,
                       found.size()),
           fmt::format("{0}0{1}, {0}1{1}, ...", prefix, ending));
  return found;
}

std::vector<onnx_tensor> read_numbered(const fs::path& folder, std::string_view prefix) {
  std::vector<onnx_tensor> tensors;
  for (const fs::path& path : numbered(folder, prefix, ".pb"))
    tensors.push_back(read_onnx_tensor_file(path));
  return tensors;
}

void create(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder.string(), error.message(), "a folder that can be created");
}

void write_numbered(const fs::path& folder, std::string_view prefix,
                    const std::vector<onnx_tensor>& tensors,
                    const std::vector<onnx_value>& values) {
  for (std::size_t n = 0; n < tensors.size(); ++n)
    write_bytes(folder / fmt::format("{}{}.pb", prefix, n),
                onnx_tensor_bytes({values.at(n).name, tensors[n].held}));
}

}  // namespace

std::vector<fs::path> find_onnx_cases(const fs::path& folder) {
  constexpr std::string_view allowed = "a folder with a model.onnx in it or below";
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse(folder.string(), "no folder", allowed);
  std::vector<fs::path> cases;
  if (fs::exists(folder / model_name)) cases.push_back(folder);
  for (fs::recursive_directory_iterator i(folder, error), end; !error && i != end;
       i.increment(error))
    if (i->is_directory(error) && fs::exists(i->path() / model_name)) cases.push_back(i->path());
  if (error) refuse(folder.string(), error.message(), "a readable folder");
  if (cases.empty()) refuse(folder.string(), "a folder without a model.onnx", allowed);
  std::sort(cases.begin(), cases.end());
  return cases;
}

std::vector<onnx_data_set> read_onnx_data_sets(const fs::path& case_folder) {
  std::vector<onnx_data_set> sets;
  for (const fs::path& folder : numbered(case_folder, set_prefix, ""))
    sets.push_back({folder.filename().string(), read_numbered(folder, "input_"),
                    read_numbered(folder, "output_")});
  if (sets.empty())
    refuse(case_folder.string(), "a folder without test_data_set_0", "one with stored answers");
  return sets;
}

void write_onnx_case(const fs::path& case_folder, const onnx_model& model,
                     const std::vector<onnx_data_set>& sets) {
  create(case_folder);
  write_bytes(case_folder / model_name, onnx_model_bytes(model));
  for (std::size_t n = 0; n < sets.size(); ++n) {
    const fs::path folder = case_folder / fmt::format("{}{}", set_prefix, n);
    create(folder);
    write_numbered(folder, "input_", sets[n].inputs, model.inputs);
    write_numbered(folder, "output_", sets[n].outputs, model.outputs);
  }
}

}  // namespace attest
