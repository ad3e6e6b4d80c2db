#include "properties/domain/chooser.h"

#include <rapidcheck.h>

namespace attest {

struct chooser::stream {
  rc::Random random;
};

chooser::chooser(std::uint64_t seed) : stream_(new stream{rc::Random(seed)}) {}
chooser::~chooser() = default;

std::int64_t chooser::below(std::int64_t n) {
  const auto drawn = rc::gen::inRange<std::int64_t>(0, n);
  return drawn(stream_->random.split(), rc::kNominalSize).value();
}

std::uint64_t chooser::bits() { return stream_->random.split().next(); }

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace attest
