// Where the elements of each layout lie, and that nothing else is touched.
#include "reference/tensors/tensor.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string_view>

namespace attest {
namespace {

constexpr index4 sizes{2, 3, 5, 4};  // B, H, L, D
constexpr std::int64_t heads = sizes[1], length = sizes[2], width = sizes[3];
constexpr std::uint64_t fill = 0x7fc0dead;

struct layout_case {
  std::string_view name;
  layout how;
  std::int64_t elements;
  std::function<std::int64_t(std::int64_t b, std::int64_t h, std::int64_t l, std::int64_t d)> at;
  std::string_view why;
};

const std::vector<layout_case>& layout_cases() {
  static const std::vector<layout_case> cases{
      {"bhld", layout::bhld, 120,
       [](auto b, auto h, auto l, auto d) { return ((b * heads + h) * length + l) * width + d; },
       "row-major"},
      {"blhd", layout::blhd, 120,
       [](auto b, auto h, auto l, auto d) { return ((b * length + l) * heads + h) * width + d; },
       "heads inside the sequence"},
      {"fused", layout::fused, 360,
       [](auto b, auto h, auto l, auto d) {
         return (((b * length + l) * 3 + 1) * heads + h) * width + d;
       },
       "the middle of three [H, D] blocks a row"},
      {"reversed", layout::reversed, 120,
       [](auto b, auto h, auto l, auto d) {
         return ((b * heads + h) * length + (length - 1 - l)) * width + d;
       },
       "the last position comes first"},
      {"spread", layout::spread, 240,
       [](auto b, auto h, auto l, auto d) {
         return 2 * (((b * heads + h) * length + l) * width + d);
       },
       "every second element"},
      {"mirrored", layout::mirrored, 120,
       [](auto b, auto h, auto l, auto d) {
         return ((b * heads + h) * length + l) * width + (width - 1 - d);
       },
       "the last element comes first"},
      {"shared", layout::shared, 60,
       [](auto, auto h, auto l, auto d) { return (h * length + l) * width + d; },
       "all batch rows are one"},
  };
  return cases;
}

TEST(tensor, each_layout_puts_elements_where_it_says) {
  for (const layout_case& c : layout_cases()) {
    const placement p = place(c.how, sizes);
    EXPECT_EQ(p.elements, c.elements) << c.name;
    EXPECT_EQ(p.sizes, sizes) << c.name;
    for_each_index(sizes, [&](const index4& i) {
      EXPECT_EQ(p.at(i), c.at(i[0], i[1], i[2], i[3])) << c.name << ": " << c.why;
    });
  }
}

TEST(tensor, only_shared_elements_lie_on_one_another) {
  for (const layout_case& c : layout_cases()) {
    std::set<std::int64_t> places;
    for_each_index(sizes, [&](const index4& i) { places.insert(place(c.how, sizes).at(i)); });
    EXPECT_EQ(places.size(), c.how == layout::shared ? 60u : 120u) << c.name;
    EXPECT_GE(*places.begin(), 0) << c.name;
    EXPECT_LT(*places.rbegin(), c.elements) << c.name;
  }
}

std::uint32_t word_at(const tensor& t, std::int64_t position) {
  std::uint32_t word = 0;
  for (int k = 3; k >= 0; --k)
    word = word << 8 | std::to_integer<std::uint32_t>(t.data()[4 * position + k]);
  return word;
}

TEST(tensor, gaps_keep_their_fill_when_every_element_is_set) {
  for (const layout_case& c : layout_cases()) {
    tensor t(f32, place(c.how, sizes), fill);
    std::set<std::int64_t> places;
    for_each_index(sizes, [&](const index4& i) {
      t.set(i, 1);
      places.insert(t.where().at(i));
    });
    for (std::int64_t n = 0; n < c.elements; ++n)
      EXPECT_EQ(word_at(t, n), places.count(n) ? 0x3f800000u : fill) << c.name << " at " << n;
  }
}

TEST(tensor, an_element_read_is_the_one_written) {
  for (const layout_case& c : layout_cases()) {
    tensor t(f32, place(c.how, sizes), fill);
    const index4 once = c.how == layout::shared ? index4{1, 3, 5, 4} : sizes;
    double next = 0;
    for_each_index(once, [&](const index4& i) { t.set(i, ++next); });
    next = 0;
    for_each_index(once, [&](const index4& i) { EXPECT_EQ(t.at(i), ++next) << c.name; });
  }
}

TEST(tensor, origin_is_the_address_of_the_first_element) {
  for (const layout_case& c : layout_cases()) {
    tensor t(f16, place(c.how, sizes), 0);
    EXPECT_EQ(t.origin() - t.data(), 2 * t.where().at({0, 0, 0, 0})) << c.name;
  }
}

TEST(tensor, storage_is_as_wide_as_the_format) {
  for (const format* element : all_formats) {
    tensor t(*element, place(layout::bhld, {1, 1, 1, 3}), ~std::uint64_t{0});
    t.set({0, 0, 0, 1}, 1.5);
    EXPECT_EQ(t.storage_bytes(), static_cast<std::size_t>(3 * element->storage_bits / 8))
        << element->name;
    EXPECT_EQ(t.at(0, 0, 0, 1), 1.5) << element->name;
    for (const std::int64_t d : {0, 2})  // the neighbours keep every bit
      EXPECT_EQ(t.bits({0, 0, 0, d}), ~std::uint64_t{0} >> (64 - element->storage_bits))
          << element->name;
  }
}

TEST(tensor, a_broadcast_axis_does_not_move) {
  for (unsigned axes = 0; axes < 16; ++axes) {
    const placement p = broadcast(sizes, axes);
    std::int64_t stored = 1;
    for (unsigned k = 0; k < 4; ++k)
      if (axes >> k & 1) stored *= sizes[k];
    EXPECT_EQ(p.elements, stored) << axes;
    for_each_index(sizes, [&](const index4& i) {
      std::int64_t at = 0;
      for (unsigned k = 0; k < 4; ++k)
        if (axes >> k & 1) at = at * sizes[k] + i[k];
      EXPECT_EQ(p.at(i), at) << axes;
    });
  }
}

TEST(tensor, a_size_of_0_needs_no_storage) {
  for (const layout_case& c : layout_cases())
    for (const index4& none : {index4{2, 3, 0, 4}, index4{0, 3, 5, 4}}) {
      if (c.how == layout::shared && none[0] == 0)
        continue;  // the shared row is there all the same
      EXPECT_EQ(tensor(f32, place(c.how, none), 0).storage_bytes(), 0u) << c.name;
    }
}

}  // namespace
}  // namespace attest
