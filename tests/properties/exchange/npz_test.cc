#include "properties/exchange/npz.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "properties/exchange/npy.h"
#include "properties/exchange/zip_archive.h"
#include "tests/properties/exchange/file_bytes.h"

namespace attest {
namespace {

using values = std::vector<double>;
using sizes = std::vector<std::int64_t>;

// A member as its headers tell it, true or not.
struct claimed_member {
  std::string name;
  std::string packed;
  std::uint64_t size = 0;
  int method = 0;
  int flags = 0;
  std::uint32_t checksum = 0;
};

// What both headers of a member say of it.
std::string claims_of(const claimed_member& m) {
  return little_endian(20, 2) + little_endian(static_cast<unsigned>(m.flags), 2) +
         little_endian(static_cast<unsigned>(m.method), 2) + little_endian(0x00210000, 4) +
         little_endian(m.checksum, 4) + little_endian(m.packed.size(), 4) +
         little_endian(m.size, 4) + little_endian(m.name.size(), 2) + little_endian(0, 2);
}

std::string archive_of(const std::vector<claimed_member>& members) {
  std::string bytes, directory;
  for (const claimed_member& m : members) {
    directory += "PK\1\2" + little_endian(20, 2) + claims_of(m) + std::string(10, '\0') +
                 little_endian(bytes.size(), 4) + m.name;
    bytes += "PK\3\4" + claims_of(m) + m.name + m.packed;
  }
  return bytes + directory + "PK\5\6" + std::string(4, '\0') + little_endian(members.size(), 2) +
         little_endian(members.size(), 2) + little_endian(directory.size(), 4) +
         little_endian(bytes.size(), 4) + little_endian(0, 2);
}

named_arrays read_bytes(const std::string& bytes) { return read_npz(bytes, "x.npz"); }

std::string message_for(const std::string& bytes) {
  return message_of([&] { read_bytes(bytes); });
}

// What numpy 1.24.2 wrote: q = arange(6, '<f4') of (2, 3), keep = [True, False].
const std::string by_savez = from_hex(
    "504b0304140000000000000021004fe9002a980000009800000005001400712e6e70790100100098000000000000"
    "009800000000000000934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f"
    "72646572273a2046616c73652c20277368617065273a2028322c2033292c207d2020202020202020202020202020"
    "20202020202020202020202020202020202020202020202020202020202020202020202020202020202020200a00"
    "0000000000803f0000004000004040000080400000a040504b030414000000000000002100ee19bb5d8200000082"
    "000000080014006b6565702e6e70790100100082000000000000008200000000000000934e554d5059010076007b"
    "276465736372273a20277c6231272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065"
    "273a2028322c292c207d202020202020202020202020202020202020202020202020202020202020202020202020"
    "2020202020202020202020202020202020202020202020200a0100504b01021403140000000000000021004fe900"
    "2a9800000098000000050000000000000000000000800100000000712e6e7079504b010214031400000000000000"
    "2100ee19bb5d82000000820000000800000000000000000000008001cf0000006b6565702e6e7079504b05060000"
    "000002000200690000008b0100000000");
const std::string by_savez_compressed = from_hex(
    "504b0304140000000800000021004fe9002a550000009800000005001400712e6e70790100100098000000000000"
    "0055000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f"
    "5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64032e063068b007120e4004c40d40bcc0"
    "0100504b030414000000080000002100ee19bb5d4600000082000000080014006b6565702e6e7079010010008200"
    "00000000000046000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05e9364a8aea3a09e965f54"
    "529498179f5f94920a12774bcc294e058a17672416a402f91a463a9a3a0ab50a14002e460600504b010214031400"
    "00000800000021004fe9002a5500000098000000050000000000000000000000800100000000712e6e7079504b01"
    "02140314000000080000002100ee19bb5d460000008200000008000000000000000000000080018c0000006b6565"
    "702e6e7079504b05060000000002000200690000000c0100000000");

void expect_numpys_arrays(const named_arrays& all) {
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.at("q").sizes, (sizes{2, 3}));
  EXPECT_EQ(all.at("q").values, (values{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(all.at("q").element, &f32);
  EXPECT_EQ(all.at("keep").kind, element_kind::boolean);
  EXPECT_EQ(all.at("keep").values, (values{1, 0}));
}

TEST(npz, reads_what_numpy_writes_stored_and_deflated) {
  expect_numpys_arrays(read_bytes(by_savez));
  expect_numpys_arrays(read_bytes(by_savez_compressed));
}

TEST(npz, what_is_written_reads_back_and_is_stored_plainly) {
  const named_arrays all{{"o", {&f64, {2}, {1.5, -2}}}, {"lse", {&f16, {}, {0.25}}}};
  const std::string bytes = npz_bytes(all);
  EXPECT_NE(bytes.find(npy_bytes(all.at("o"))), std::string::npos);
  const named_arrays again = read_bytes(bytes);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again.at("o").values, (values{1.5, -2}));
  EXPECT_EQ(again.at("lse").element, &f16);
}

TEST(npz, the_same_arrays_give_the_same_bytes_at_any_time_and_place) {
  const named_arrays all{{"o", {&f64, {1}, {1.5}}}};
  setenv("TZ", "Asia/Tokyo", 1);
  const std::string there = npz_bytes(all);
  setenv("TZ", "UTC", 1);
  EXPECT_EQ(npz_bytes(all), there);
  const std::string data = npy_bytes(all.at("o"));
  const std::string no_time_first_day("\0\0\x21\0", 4);
  EXPECT_EQ(there.substr(10, 4), no_time_first_day);
  EXPECT_EQ(there.size(), 30u + 5 + data.size() + 46 + 5 + 22);
}

struct bad_file {
  std::string bytes, message, why;
};

TEST(npz, archives_that_are_none_or_hold_something_else_are_refused) {
  const std::string npy = npy_bytes({&f64, {1}, {1}});
  const bad_file files[] = {
      {"", ": an empty file; allowed: an .npz file", "empty"},
      {npy, ": Not a zip archive; allowed: an .npz file", "a .npy file"},
      {by_savez.substr(0, 300), ": Not a zip archive; allowed: an .npz file", "cut"},
      {zip_bytes({{"q.txt", "1 2"}}), ": q.txt: no .npy file; allowed: members named NAME.npy",
       "text"},
      {zip_bytes({{"q.npy", "1 2"}}),
       ": q.npy: byte 0: magic string truncated, 3 bytes found; allowed: 6 bytes", "no .npy"},
      {zip_bytes({{"q.npy", npy.substr(0, 130)}}),
       ": q.npy: byte 128: data truncated, 2 bytes found; allowed: 8 bytes, as 'descr' and 'shape' "
       "say",
       "a cut member"},
      {archive_of({{"a.npy", "12", 2, 12}}),
       ": a.npy: compression method 12; allowed: 0 (stored) and 8 (deflated)", "bzip2"},
      {archive_of({{"a.npy", "12", 2, 0, 1}}),
       ": a.npy: an encrypted member; allowed: members that are not encrypted", "encrypted"},
      {archive_of({{"a.npy", "12", 2}, {"a.npy", "12", 2}}),
       ": a member's name that stands twice; allowed: an .npz file", "twice"},
  };
  for (const bad_file& f : files) EXPECT_EQ(message_for(f.bytes), "x.npz" + f.message) << f.why;
}

TEST(npz, sizes_that_no_packing_explains_are_refused_before_anything_is_inflated) {
  const std::string packed(100, 'x');
  EXPECT_EQ(message_for(archive_of({{"a.npy", packed, 101, 0}})),
            "x.npz: a.npy: 101 bytes, of 100 in the file; allowed: at most 100");
  EXPECT_EQ(message_for(archive_of({{"a.npy", packed, 103201, 8}})),
            "x.npz: a.npy: 103201 bytes, of 100 in the file; allowed: at most 103200");
  EXPECT_EQ(message_for(archive_of({{"a.npy", packed, 4294967294, 8}})),
            "x.npz: a.npy: 4294967294 bytes, of 100 in the file; allowed: at most 103200");
}

TEST(npz, members_that_inflate_to_more_than_the_limit_are_refused) {
  const std::string packed(1'100'000, 'x');
  EXPECT_EQ(message_for(archive_of({{"a.npy", packed, 1'100'000'000, 8}})),
            "x.npz: a.npy: deflated members of 1100000000 bytes up to here; allowed: at most "
            "1073741824");
  EXPECT_EQ(message_for(
                archive_of({{"a.npy", packed, 600'000'000, 8}, {"b.npy", packed, 600'000'000, 8}})),
            "x.npz: b.npy: deflated members of 1200000000 bytes up to here; allowed: at most "
            "1073741824");
}

// Both entries of the directory point at the one member of the file.
TEST(npz, members_that_share_their_bytes_are_refused) {
  const claimed_member m{"a.npy", std::string(300, 'x'), 300};
  const std::string local = "PK\3\4" + claims_of(m) + m.name + m.packed;
  std::string directory;
  for (const char* name : {"a.npy", "b.npy", "c.npy"})
    directory += "PK\1\2" + little_endian(20, 2) + claims_of(m) + std::string(14, '\0') + name;
  const std::string bytes = local + directory + "PK\5\6" + std::string(4, '\0') +
                            little_endian(3, 2) + little_endian(3, 2) +
                            little_endian(directory.size(), 4) + little_endian(local.size(), 4) +
                            little_endian(0, 2);
  EXPECT_NE(message_for(bytes), "accepted");
}

TEST(npz, a_wrong_checksum_or_length_is_refused) {
  std::string damaged = by_savez;
  damaged[180] ^= 1;  // in the numbers of q
  EXPECT_EQ(message_for(damaged), "x.npz: q.npy: CRC error; allowed: a sound .npz file");
  std::string squeezed = by_savez_compressed;
  squeezed[70] ^= 1;
  EXPECT_NE(message_for(squeezed), "accepted");
}

TEST(npz, an_archive_cut_anywhere_is_refused) {
  for (const std::string& good : {by_savez, by_savez_compressed})
    for (std::size_t n = 0; n < good.size(); ++n)
      EXPECT_NE(message_for(good.substr(0, n)), "accepted") << n;
}

}  // namespace
}  // namespace attest
