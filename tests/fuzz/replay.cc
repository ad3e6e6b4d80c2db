// In builds without libFuzzer: puts each file of the folders given to the target, as a test.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void put(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (int n = 1; n < argc; ++n)
    for (const auto& entry : std::filesystem::directory_iterator(argv[n])) {
      std::cout << entry.path().filename().string() << std::endl;  // the last one is the finding
      put(entry.path());
      ++files;
    }
  std::cout << files << " inputs\n";
  return files > 0 ? 0 : 1;
}
