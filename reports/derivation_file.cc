#include <filesystem>
#include <fstream>

#include "reference/input_error.h"
#include "reports/derivation_report.h"

namespace attest {
namespace {

using writer = void (*)(std::ostream&, std::span<const claim_result>);

writer writer_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".json") return write_derivation_json;
  if (ending == ".md") return write_derivation_markdown;
  if (ending == ".html") return write_derivation_html;
  if (ending == ".txt") return write_derivation_text;
  throw input_error("derivation report '" + path +
                    "': the name must end in .json, .md, .html or .txt");
}

}  // namespace

void write_derivation_file(const std::string& path, std::span<const claim_result> results) {
  const writer write = writer_of(path);
  std::ofstream out(path, std::ios::binary);
  if (!out) throw input_error("derivation report '" + path + "' can't be opened for writing");
  write(out, results);
  out.close();
  if (!out) throw input_error("derivation report '" + path + "' can't be written");
}

}  // namespace attest
