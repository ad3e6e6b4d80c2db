#include <fstream>

#include "reference/input_error.h"
#include "reports/report.h"

namespace attest {
namespace {

using writer = void (*)(std::ostream&, const report&);

struct ending {
  std::string_view text;
  writer write;
};

constexpr ending endings[] = {
    {".json", write_json}, {".xml", write_junit}, {".html", write_html}, {".md", write_markdown}};

writer writer_for(std::string_view path) {
  for (const ending& e : endings)
    if (path.size() > e.text.size() && path.substr(path.size() - e.text.size()) == e.text)
      return e.write;
  throw input_error("report file '" + std::string(path) +
                    "' (allowed: a name that ends in .json, .xml, .html or .md)");
}

}  // namespace

void write_report_file(const std::string& path, const report& r) {
  const writer write = writer_for(path);
  std::ofstream out(path, std::ios::binary);
  if (out) write(out, r);
  out.close();
  if (!out) throw input_error("report file '" + path + "' can't be written");
}

}  // namespace attest
