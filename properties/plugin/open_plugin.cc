#include <unistd.h>

#include <cmath>

#include "properties/plugin/isolated_plugin.h"
#include "properties/plugin/local_plugin.h"
#include "properties/subject.h"

namespace attest {

std::int64_t default_memory_mib() {
  if (ATTEST_SANITIZED) return 0;  // sanitizers map far more than they use
  const std::int64_t machine = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE) >> 20;
  return machine / 4 * 3;
}

std::unique_ptr<subject> open_plugin(std::string_view address, const isolation& how) {
  return how.apart ? open_isolated_plugin(address, how) : open_local_plugin(address);
}

}  // namespace attest
