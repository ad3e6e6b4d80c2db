// The law of far offsets on subjects that keep them in 32 bits, and the storage that it stands on.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>

#include "properties/property.h"
#include "reference/problems/problem_spec.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

const property& law() { return find_property("far_offsets_are_followed"); }

problem_spec far_spec(const format& inputs, std::uint64_t seed, const subject_info& subject) {
  problem_spec spec;
  spec.inputs = &inputs;
  spec.seed = seed;
  return *law().adapt(spec, subject);
}

using offset_kept = std::int64_t (*)(std::int64_t);

// The tensor as it is read with offsets that are kept so.
tensor read_with(tensor& t, offset_kept kept) {
  tensor dense(t.element(), place(layout::bhld, t.sizes()), 0);
  for_each_index(t.sizes(), [&](const index4& i) {
    const std::int64_t offset = kept(t.where().at(i) - t.where().offset);
    std::uint64_t bits = 0;
    std::memcpy(&bits, t.origin() + offset * t.width(), static_cast<std::size_t>(t.width()));
    dense.set_bits(i, bits);
  });
  return dense;
}

verdict judged(offset_kept kept, std::uint64_t seed) {
  scripted_subject narrow;
  narrow.does([=](problem& p, tensor& o, tensor* lse) {
    problem seen = p;
    seen.q = read_with(p.q, kept);
    seen.k = read_with(p.k, kept);
    seen.v = read_with(p.v, kept);
    return scripted_subject::answer_rightly(seen, o, lse);
  });
  examiner subject(narrow);
  return law().judge(far_spec(f32, seed, narrow.info()), subject).outcome;
}

TEST(far_offsets, are_followed_in_64_bits) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    EXPECT_EQ(judged([](std::int64_t x) { return x; }, seed), verdict::holds);
}

TEST(far_offsets, are_not_in_32_bits_with_or_without_a_sign) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(
        judged([](std::int64_t x) -> std::int64_t { return static_cast<std::int32_t>(x); }, seed),
        verdict::violated);
    EXPECT_EQ(
        judged([](std::int64_t x) -> std::int64_t { return static_cast<std::uint32_t>(x); }, seed),
        verdict::violated);
  }
}

TEST(far_offsets, pass_2_to_31_elements_and_2_to_32_bytes_in_every_format) {
  const scripted_subject able;
  for (const format* inputs : {&f64, &f32, &f16, &f8_e4m3fn}) {
    problem p = materialise(far_spec(*inputs, 1, able.info()));
    for (const tensor* t : {&p.q, &p.k, &p.v}) {
      const index4& n = t->sizes();
      const std::int64_t last =
          t->where().at({0, 0, n[2] - 1, 0}) - t->where().offset;  // within one head
      EXPECT_GT(last, std::int64_t{1} << 31) << inputs->name;
      EXPECT_GT(last * t->width(), std::int64_t{1} << 32) << inputs->name;
    }
  }
}

// For a process of its own, which keeps the limit. Exit status: 0 where the law was skipped.
void judge_within_4_gib() {
  const rlimit limit{std::size_t{4} << 30, std::size_t{4} << 30};
  setrlimit(RLIMIT_AS, &limit);
  scripted_subject able;
  examiner subject(able);
  const judgement j = law().judge(far_spec(f32, 1, able.info()), subject);
  const bool skipped =
      j.outcome == verdict::undecided && j.reason.find("GiB of address space") != std::string::npos;
  std::_Exit(skipped ? 0 : 1);
}

TEST(far_offsets_death_test, are_skipped_with_a_reason_where_address_space_is_limited) {
  EXPECT_EXIT(judge_within_4_gib(), testing::ExitedWithCode(0), "");
}

TEST(byte_storage, reserved_copies_hold_the_elements_of_their_tensor) {
  tensor one(f32, place(layout::far, {1, 1, 3, 2}), 0);
  one.set({0, 0, 2, 1}, 7);
  tensor other = one;
  EXPECT_TRUE(one.same_bytes(other));
  EXPECT_EQ(other.at({0, 0, 2, 1}), 7);
  other.set({0, 0, 2, 1}, 8);
  EXPECT_FALSE(one.same_bytes(other));
  EXPECT_EQ(one.at({0, 0, 2, 1}), 7);
  one = other;
  EXPECT_TRUE(one.same_bytes(other));
  EXPECT_FALSE(one.same_bytes(tensor(f32, place(layout::bhld, {1, 1, 3, 2}), 0)));
}

}  // namespace
}  // namespace attest
