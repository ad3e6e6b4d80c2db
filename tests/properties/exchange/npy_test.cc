#include "properties/exchange/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "reference/input_error.h"
#include "reference/random.h"
#include "tests/properties/exchange/file_bytes.h"

namespace attest {
namespace {

using namespace std::string_literals;
using values = std::vector<double>;
using sizes = std::vector<std::int64_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A file around any header text and data, valid or not.
std::string file_of(std::string_view header, std::string_view data, char version = 1) {
  return "\x93NUMPY"s + version + '\0' + little_endian(header.size(), version == 1 ? 2 : 4) +
         std::string(header) + std::string(data);
}

// The bytes numpy 1.24.2's np.save wrote, but for the blanks: it pads the header to 128 bytes in
// all.
std::string numpy_file(std::string header, std::string_view data_hex, char version = 1) {
  header.resize(128 - (version == 1 ? 10 : 12) - 1, ' ');
  return file_of(header + '\n', from_hex(data_hex), version);
}

std::string numpy_file_of(std::string_view descr, std::string_view shape, std::string_view data_hex,
                          bool column_major = false) {
  return numpy_file("{'descr': '" + std::string(descr) +
                        "', 'fortran_order': " + (column_major ? "True" : "False") +
                        ", 'shape': " + std::string(shape) + ", }",
                    data_hex);
}

array read_bytes(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_npy(in, "x.npy");
}

std::string written(const array& a) { return npy_bytes(a); }

std::string message_for(const std::string& bytes) {
  return message_of([&] { read_bytes(bytes); });
}

std::string header_message(std::string_view header) { return message_for(file_of(header, "")); }

std::string file_message(const std::filesystem::path& path) {
  return message_of([&] { read_npy_file(path); });
}

struct temporary_file {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) /
                               ("attest_npy_test" + std::to_string(::getpid()) + ".npy");
  ~temporary_file() { std::filesystem::remove(path); }
};

const values iota6{0, 1, 2, 3, 4, 5};
constexpr std::string_view iota6_f4 = "000000000000803f0000004000004040000080400000a040";
constexpr std::string_view iota6_f8 =
    "0000000000000000000000000000f03f0000000000000040"
    "000000000000084000000000000010400000000000001440";

TEST(npy, reads_every_element_type_numpy_writes) {
  struct row {
    std::string_view descr, data;
    element_kind kind;
    const format* element;
    values expected;
  };
  const row rows[] = {
      {"<f2", "003e00c0", element_kind::floating, &f16, {1.5, -2}},
      {">f2", "3e00c000", element_kind::floating, &f16, {1.5, -2}},
      {"<f4", "0000c03f000000c0", element_kind::floating, &f32, {1.5, -2}},
      {">f4", "3fc00000c0000000", element_kind::floating, &f32, {1.5, -2}},
      {"<f8", "000000000000f83f00000000000000c0", element_kind::floating, &f64, {1.5, -2}},
      {">f8", "3ff8000000000000c000000000000000", element_kind::floating, &f64, {1.5, -2}},
      {"|b1", "0100", element_kind::boolean, nullptr, {1, 0}},
      {"|u1", "03ff", element_kind::integer, nullptr, {3, 255}},
      {"<u2", "0300ffff", element_kind::integer, nullptr, {3, 65535}},
      {">u2", "0003ffff", element_kind::integer, nullptr, {3, 65535}},
      {"<i4", "03000000fbffffff", element_kind::integer, nullptr, {3, -5}},
      {">i4", "00000003fffffffb", element_kind::integer, nullptr, {3, -5}},
      {"<i8", "0300000000000000fbffffffffffffff", element_kind::integer, nullptr, {3, -5}},
      {">i8", "0000000000000003fffffffffffffffb", element_kind::integer, nullptr, {3, -5}},
  };
  for (const row& r : rows) {
    SCOPED_TRACE(r.descr);
    const array a = read_bytes(numpy_file_of(r.descr, "(2,)", r.data));
    EXPECT_EQ(a.kind, r.kind);
    EXPECT_EQ(a.element, r.element);
    EXPECT_EQ(a.sizes, sizes{2});
    EXPECT_EQ(a.values, r.expected);
  }
}

TEST(npy, reads_the_three_versions) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  for (const char version : {1, 2, 3}) {
    const array a = read_bytes(numpy_file(header, iota6_f8, version));
    EXPECT_EQ(a.sizes, (sizes{2, 3}));
    EXPECT_EQ(a.values, iota6);
  }
}

TEST(npy, column_major_files_become_row_major) {
  const std::string_view matrix = "00000000000040400000803f00008040000000400000a040";
  EXPECT_EQ(read_bytes(numpy_file_of("<f4", "(2, 3)", matrix, true)).values, iota6);
  const std::string_view cube = "000c04100814010d05110915020e06120a16030f07130b17";
  const array a = read_bytes(numpy_file_of("|u1", "(2, 3, 4)", cube, true));
  ASSERT_EQ(a.values.size(), 24u);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(a.values[i], static_cast<double>(i));
}

TEST(npy, half_precision_keeps_subnormals_signed_zero_infinities_and_nan) {
  const array a = read_bytes(numpy_file_of("<f2", "(8,)", "0100ff030080ff7b007c00fc007e003c"));
  const values expected{0x1p-24, 0x3ffp-24, -0.0, 65504, infinity, -infinity};
  EXPECT_EQ(values(a.values.begin(), a.values.begin() + 6), expected);
  EXPECT_TRUE(std::signbit(a.values[2]));
  EXPECT_TRUE(std::isnan(a.values[6]));
  EXPECT_EQ(a.values[7], 1);
}

TEST(npy, rank_zero_and_empty_arrays_are_arrays) {
  const array scalar = read_bytes(numpy_file_of("<f8", "()", "0000000000000440"));
  EXPECT_EQ(scalar.sizes, sizes{});
  EXPECT_EQ(scalar.values, values{2.5});
  const array empty = read_bytes(numpy_file_of("<f4", "(2, 0, 3)", "", true));
  EXPECT_EQ(empty.sizes, (sizes{2, 0, 3}));
  EXPECT_TRUE(empty.values.empty());
}

TEST(npy, a_header_may_be_written_in_any_order_with_either_quote) {
  const std::string_view headers[] = {
      "{'shape':(2,),'descr':'|u1','fortran_order':False}",
      "{\"fortran_order\" : False ,\n\t\"shape\" : ( 2 , ) , \"descr\" : \"|u1\" , }  \n",
      "  {'descr': '|u1', 'fortran_order': False, \"shape\": (2,)}",
  };
  for (const auto header : headers)
    EXPECT_EQ(read_bytes(file_of(header, "\1\2")).values, (values{1, 2})) << header;
  const array cube =
      read_bytes(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2, 1,)}", "\1\2"));
  EXPECT_EQ(cube.sizes, (sizes{1, 2, 1}));
}

TEST(npy, integers_are_read_up_to_the_last_that_a_double_holds) {
  EXPECT_EQ(read_bytes(numpy_file_of(">i8", "(2,)", "0020000000000000ffe0000000000000")).values,
            (values{0x1p53, -0x1p53}));
  EXPECT_EQ(message_for(numpy_file_of(">i8", "(2,)", "00000000000000000020000000000001")),
            "x.npy: byte 136: >i8 of value 9007199254740993; allowed: integers from -2^53 to 2^53");
  EXPECT_EQ(message_for(numpy_file_of(">i8", "(1,)", "8000000000000000")),
            "x.npy: byte 128: >i8 of value -9223372036854775808; "
            "allowed: integers from -2^53 to 2^53");
  EXPECT_EQ(message_for(numpy_file_of("|b1", "(2,)", "0102")),
            "x.npy: byte 129: |b1 of value 2; allowed: 0 and 1");
}

TEST(npy, the_bytes_written_are_those_numpy_writes) {
  const std::string file = from_hex(
                               "934e554d5059010076007b276465736372273a20273c6634272c2027666f7274726"
                               "16e5f6f72646572273a2046"
                               "616c73652c20277368617065273a2028322c2033292c207d") +
                           std::string(58, ' ') + '\n' + from_hex(iota6_f4);
  EXPECT_EQ(written({&f32, {2, 3}, iota6}), file);
  EXPECT_EQ(written({&f64, {}, {2.5}}), numpy_file_of("<f8", "()", "0000000000000440"));
  EXPECT_EQ(written({&f16, {2}, {1.5, -2}}), numpy_file_of("<f2", "(2,)", "003e00c0"));
  EXPECT_EQ(written({nullptr, {3}, {1, 0, 1}, element_kind::boolean}),
            numpy_file_of("|b1", "(3,)", "010001"));
  EXPECT_EQ(written({nullptr, {2}, {3, -5}, element_kind::integer}),
            numpy_file_of("<i8", "(2,)", "0300000000000000fbffffffffffffff"));
}

// Eight sizes of 2^63 bytes at most can't fill the second 64 bytes of the preamble.
TEST(npy, data_starts_at_byte_128_whatever_the_shape) {
  for (std::size_t rank = 0; rank <= 8; ++rank) {
    const array a{&f32, sizes(rank, 1), {1}};
    EXPECT_EQ(written(a).size(), 128u + 4) << rank;
    EXPECT_EQ(read_bytes(written(a)).sizes, a.sizes);
  }
  const sizes longest{0, 1, 1, 1, 1, 1, 1, 1'000'000'000'000'000'000};
  EXPECT_EQ(written({&f32, longest, {}}).size(), 128u);
  EXPECT_EQ(read_bytes(written({&f32, longest, {}})).sizes, longest);
}

TEST(npy, formats_that_numpy_lacks_are_written_as_f4_exactly) {
  for (const format* element : {&tf32, &bf16, &f8_e4m3fn, &f8_e4m3, &f8_e5m2}) {
    const values all{0, -0.0, 1.25, -0x1p-6, 240};
    const array a = read_bytes(written({element, {5}, all}));
    EXPECT_EQ(a.element, &f32);
    EXPECT_EQ(a.values, all);
  }
}

TEST(npy, formats_that_numpy_lacks_may_be_written_as_their_bits) {
  struct {
    const format* element;
    values bits;
  } rows[] = {{&bf16, {0x3fc0, 0xc000}}, {&f8_e4m3fn, {0x3c, 0xc0}}, {&f8_e5m2, {0x3e, 0xc0}}};
  for (const auto& row : rows) {
    std::istringstream in(npy_bytes({row.element, {2}, {1.5, -2}}, numpy_lacks::as_bits));
    const array a = read_npy(in, "a.npy");
    EXPECT_EQ(a.kind, element_kind::integer) << row.element->name;
    EXPECT_EQ(a.values, row.bits) << row.element->name;
  }
  const array half{&f16, {1}, {1.5}};
  EXPECT_EQ(npy_bytes(half, numpy_lacks::as_bits), npy_bytes(half));
}

TEST(npy, a_file_round_trips) {
  const temporary_file file;
  const array a{&f64, {2, 2}, {0x1p-1074, -0.0, infinity, 0x1.fffffffffffffp1023}};
  write_npy_file(file.path, a);
  const array b = read_npy_file(file.path);
  EXPECT_EQ(b.sizes, a.sizes);
  EXPECT_EQ(b.values, a.values);
}

// Longer than one chunk of reading.
TEST(npy, a_large_array_round_trips) {
  array a{&f64, {300, 100}, {}};
  for (std::uint64_t i = 0; i < 30000; ++i) a.values.push_back(random_unit(1, 0, i));
  EXPECT_EQ(read_bytes(written(a)).values, a.values);
}

TEST(npy, a_path_that_is_no_readable_file_is_refused) {
  EXPECT_EQ(file_message("/nowhere/q.npy"),
            "/nowhere/q.npy: No such file or directory; allowed: a readable .npy file");
  EXPECT_EQ(file_message("/tmp"), "/tmp: a directory; allowed: a readable .npy file");
  EXPECT_EQ(file_message("/dev/null"),
            "/dev/null: not a regular file; allowed: a readable .npy file");
}

TEST(npy, a_file_that_cannot_be_written_is_refused) {
  const array a{&f64, {}, {1}};
  EXPECT_THROW(write_npy_file("/nowhere/q.npy", a), input_error);
  EXPECT_THROW(write_npy_file("/dev/full", a), input_error);
}

TEST(npy, a_damaged_preamble_is_refused_with_its_byte) {
  const std::string good = numpy_file_of("|u1", "(2,)", "0102");
  struct row {
    std::string bytes, message, why;
  };
  const row rows[] = {
      {"", "x.npy: an empty file; allowed: a .npy file", "empty"},
      {"\x93NUM", "x.npy: byte 0: magic string truncated, 4 bytes found; allowed: 6 bytes",
       "short"},
      {"PK\3\4\24\0\0\0"s,
       "x.npy: byte 0: magic string 50 4b 03 04 14 00; allowed: 93 4e 55 4d 50 59, a .npy file",
       "an .npz archive"},
      {good.substr(0, 7), "x.npy: byte 6: version truncated, 1 bytes found; allowed: 2 bytes",
       "short"},
      {file_of("", "", 4), "x.npy: byte 6: version 4.0; allowed: 1.0, 2.0 and 3.0", "future"},
      {"\x93NUMPY\1\1\0\0"s, "x.npy: byte 6: version 1.1; allowed: 1.0, 2.0 and 3.0", "minor"},
      {good.substr(0, 9), "x.npy: byte 8: header length truncated, 1 bytes found; allowed: 2 bytes",
       "short"},
      {good.substr(0, 100), "x.npy: byte 10: header truncated, 90 bytes found; allowed: 118 bytes",
       "short"},
      {"\x93NUMPY\2\0\xff\xff\xff\xff"s,
       "x.npy: byte 8: header of 4294967295 bytes; allowed: at most 1048576", "never allocated"},
  };
  for (const row& r : rows) EXPECT_EQ(message_for(r.bytes), r.message) << r.why;
}

constexpr std::string_view keys_allowed =
    "; allowed: the keys 'descr', 'fortran_order' and 'shape', once each";
constexpr std::string_view types_allowed =
    "; allowed: <f2 <f4 <f8 >f2 >f4 >f8 |b1 |u1 <u2 >u2 <i4 <i8 >i4 >i8";
constexpr std::string_view sizes_allowed = "; allowed: integers from 0 to 2^63 - 1";

struct header_row {
  std::string header, given;
  std::string_view allowed;
};

void expect_messages(std::initializer_list<header_row> rows) {
  for (const header_row& r : rows)
    EXPECT_EQ(header_message(r.header), "x.npy: byte " + r.given + std::string(r.allowed));
}

TEST(npy, a_header_that_is_no_dictionary_is_refused) {
  expect_messages({
      {"", "10: end of the header", "; allowed: '{'"},
      {"[]", "10: '['", "; allowed: '{'"},
      {"{'descr' '<f4'", "19: '''", "; allowed: ':'"},
      {"{descr", "11: 'd'", "; allowed: '''"},
      {"{'descr", "12: unfinished string or an escape in it", "; allowed: a plain quoted string"},
      {"{'descr\\n'", "12: unfinished string or an escape in it",
       "; allowed: a plain quoted string"},
      {"{'shape': () 'descr'", "23: '''", "; allowed: ',' or '}'"},
      {"{'shape': (),, }", "23: ','", "; allowed: '''"},
      {"{'shape': ()} 1", "24: '1'", "; allowed: only blanks after the header's dictionary"},
      {"{'sh\xc3\xa4pe': ()}", "14: 0xc3 in the header", "; allowed: printable ASCII and blanks"},
      {"{}\x7f", "12: 0x7f in the header", "; allowed: printable ASCII and blanks"},
      {"{}\0"s, "12: 0x00 in the header", "; allowed: printable ASCII and blanks"},
  });
}

TEST(npy, missing_unknown_and_repeated_keys_are_refused) {
  expect_messages({
      {"{}", "10: header without 'descr'", keys_allowed},
      {"{'descr': '<f4', 'shape': ()}", "10: header without 'fortran_order'", keys_allowed},
      {"{'descr': '<f4', 'fortran_order': False}", "10: header without 'shape'", keys_allowed},
      {"{'order': 'C'}", "11: unknown key 'order'", keys_allowed},
      {"{'shape': (), 'shape': ()}", "24: repeated key 'shape'", keys_allowed},
  });
}

TEST(npy, other_element_types_are_refused_with_the_allowed_ones_named) {
  expect_messages({
      {"{'descr': '<c8'", "20: 'descr' is '<c8'", types_allowed},
      {"{'descr': 'f4'", "20: 'descr' is 'f4'", types_allowed},
      {"{'descr': '\t'", "20: 'descr' is ' '", types_allowed},
      {"{'descr': ''", "20: 'descr' is ''", types_allowed},
      {"{'descr': '|O'", "20: 'descr' is '|O', pickled objects, never read", types_allowed},
      {"{'descr': [('a', '<f4')]", "20: structured 'descr'", types_allowed},
      {"{'descr': ('<f4', (2,))", "20: structured 'descr'", types_allowed},
      {"{'descr': '" + std::string(50, 'x') + "'",
       "20: 'descr' is '" + std::string(40, 'x') + "...'", types_allowed},
      {"{'fortran_order': 0", "28: 'fortran_order' is '0'", "; allowed: True or False"},
  });
}

TEST(npy, shapes_that_are_no_shape_are_refused) {
  expect_messages({
      {"{'shape': (-3,)", "21: size '-3' in 'shape'", sizes_allowed},
      {"{'shape': (-0,)", "21: size '-0' in 'shape'", sizes_allowed},
      {"{'shape': (2, 3L)", "24: size '3L' in 'shape'", sizes_allowed},
      {"{'shape': (07,)", "21: size '07' in 'shape'", sizes_allowed},
      {"{'shape': (9223372036854775808,)", "21: size '9223372036854775808' in 'shape'",
       sizes_allowed},
      {"{'shape': (,)", "21: size '' in 'shape'", sizes_allowed},
      {"{'shape': (3)", "22: ')'", "; allowed: ','"},
      {"{'shape': 3", "20: '3'", "; allowed: '('"},
      {"{'shape': [3]", "20: '['", "; allowed: '('"},
      {"{'shape': (1,1,1,1,1,1,1,1,1)", "37: 'shape' of more than 8 sizes",
       "; allowed: 0 to 8 sizes"},
  });
}

TEST(npy, a_shape_whose_bytes_overflow_is_refused_even_beside_a_zero) {
  EXPECT_EQ(message_for(numpy_file_of("<f8", "(4294967296, 4294967296)", "")),
            "x.npy: 'shape' (4294967296, 4294967296) overflows; "
            "allowed: at most 2^63 - 1 bytes of data");
  EXPECT_EQ(message_for(numpy_file_of("<f8", "(0, 9223372036854775807)", "")),
            "x.npy: 'shape' (0, 9223372036854775807) overflows; "
            "allowed: at most 2^63 - 1 bytes of data");
}

TEST(npy, the_data_must_be_as_long_as_the_shape_says) {
  EXPECT_EQ(message_for(numpy_file_of("<f4", "(2,)", "0000c03f0000")),
            "x.npy: byte 128: data truncated, 6 bytes found; "
            "allowed: 8 bytes, as 'descr' and 'shape' say");
  EXPECT_EQ(message_for(numpy_file_of("<f8", "(1152921504606846975,)", "00")),
            "x.npy: byte 128: data truncated, 1 bytes found; "
            "allowed: 9223372036854775800 bytes, as 'descr' and 'shape' say");
  EXPECT_EQ(message_for(numpy_file_of("|u1", "(1,)", "010203")),
            "x.npy: byte 128: 2 bytes after the data, 3 found; "
            "allowed: 1 bytes, as 'descr' and 'shape' say");
}

// One seeded edit: a bit flipped, a byte replaced or inserted, a byte removed, the end cut off.
void mutate(std::string& bytes, std::uint64_t stream, std::uint64_t step) {
  const auto draw = [&](std::uint64_t index, std::size_t n) {
    return static_cast<std::size_t>(random_bits(7, stream, 8 * step + index) % n);
  };
  const std::size_t at = draw(0, bytes.size() + 1);
  const auto byte = static_cast<char>(draw(1, 2) == 0 ? draw(2, 256) : "(),'0-9<:"[draw(2, 9)]);
  if (at == bytes.size() || draw(3, 5) == 0) {
    bytes.insert(at, 1, byte);
    return;
  }
  switch (draw(4, 4)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw(5, 8)));
      break;
    case 1:
      bytes[at] = byte;
      break;
    case 2:
      bytes.erase(at, 1);
      break;
    default:
      bytes.resize(at);
  }
}

TEST(npy, damaged_files_are_read_or_refused_and_nothing_else) {
  const std::string originals[] = {
      numpy_file_of("<f4", "(2, 3)", iota6_f4, true),
      numpy_file_of(">f8", "(2,)", "3ff8000000000000c000000000000000"),
      numpy_file_of("|b1", "(3,)", "010001"),
      file_of("{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}", "\1\0\0\0\0\0\0\0"s, 2),
      file_of("{'shape': (), 'descr': '<f2', 'fortran_order': True}", "\0\x3c"s, 3),
  };
  int read = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    std::string bytes = originals[i % std::size(originals)];
    for (std::uint64_t step = 0; step <= i % 3; ++step) mutate(bytes, i, step);
    std::string message;
    ASSERT_NO_THROW(message = message_for(bytes)) << "mutation " << i;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    read += message == "accepted";
  }
  EXPECT_GT(read, 200);    // the edits are mild enough to reach the data,
  EXPECT_LT(read, 19000);  // and harsh enough to be seen
}

}  // namespace
}  // namespace attest
