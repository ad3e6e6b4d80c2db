#include "properties/exchange/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/npy.h"
#include "properties/exchange/npz.h"
#include "properties/exchange/safetensors.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

named_arrays read_npy_alone(const fs::path& path) {
  return {{path.stem().string(), read_npy_file(path)}};
}

std::string npy_bytes_alone(const named_arrays& arrays) {
  return npy_bytes(arrays.begin()->second);
}

std::string npz_bytes_in_numbers(const named_arrays& arrays) { return npz_bytes(arrays); }

struct file_format {
  std::string_view ending;
  bool named;
  named_arrays (*read)(const fs::path&);
  std::string (*bytes)(const named_arrays&);
};

constexpr file_format formats[] = {
    {".npy", false, read_npy_alone, npy_bytes_alone},
    {".npz", true, read_npz_file, npz_bytes_in_numbers},
    {".safetensors", true, read_safetensors_file, safetensors_bytes},
};

std::string endings() {
  std::string all;
  for (const file_format& f : formats) all += (all.empty() ? "" : ", ") + std::string(f.ending);
  return all;
}

const file_format& format_of(const fs::path& path) {
  const std::string ending = path.extension().string();
  const auto* found = std::find_if(std::begin(formats), std::end(formats),
                                   [&](const file_format& f) { return f.ending == ending; });
  if (found == std::end(formats))
    refuse(path.string(), ending.empty() ? "a path without an ending" : "the ending " + ending,
           endings());
  return *found;
}

}  // namespace

bool names_its_arrays(const fs::path& path) { return format_of(path).named; }

named_arrays read_arrays(const fs::path& path) { return format_of(path).read(path); }

array read_array(const fs::path& path) {
  named_arrays arrays = read_arrays(path);
  if (arrays.size() != 1)
    refuse(path.string(), fmt::format("{} arrays", arrays.size()), "a file of one array");
  return std::move(arrays.begin()->second);
}

void write_arrays(const fs::path& path, const named_arrays& arrays) {
  const file_format& f = format_of(path);
  if (!f.named && arrays.size() != 1)
    refuse(path.string(), fmt::format("{} arrays in a .npy file", arrays.size()),
           "one, or a .npz or .safetensors file");
  write_bytes(path, f.bytes(arrays));
}

}  // namespace attest
