// What the examiner notices while a subject answers.
#include "properties/examiner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "reference/problems/problem_spec.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

problem small_problem(std::string_view words = "") {
  return materialise(
      parse_problem_line(std::string("B=2 Hq=3 Hkv=3 Lq=2 Lk=3 D=4 Dv=5 ").append(words)));
}

using script = scripted_subject::script;

judgement refusal_of(const script& s, const problem& p) {
  scripted_subject subject;
  subject.does(s);
  const answer a = examiner(subject).ask(p);
  return a.refusal.value_or(judgement());
}

// Answers rightly, then does something else too.
script rightly_and(std::function<void(problem&, tensor&, tensor*)> more) {
  return [more](problem& p, tensor& o, tensor* lse) {
    const answer_outcome outcome = scripted_subject::answer_rightly(p, o, lse);
    more(p, o, lse);
    return outcome;
  };
}

TEST(examiner, has_nothing_against_a_right_answer) {
  for (const char* placed :
       {"", "layout=blhd", "layout=fused", "layout=reversed", "layout=spread", "layout=shared"}) {
    scripted_subject subject;
    const answer a = examiner(subject).ask(small_problem(placed));
    EXPECT_FALSE(a.refusal) << placed;
    EXPECT_TRUE(a.lse) << "lse is declared";
    EXPECT_EQ(a.o.sizes(), (index4{2, 3, 2, 5}));
  }
}

TEST(examiner, asks_for_lse_only_where_it_is_declared) {
  scripted_subject subject(feature_set::all().without(feature::lse));
  subject.does([](problem& p, tensor& o, tensor* lse) {
    EXPECT_EQ(lse, nullptr);
    return scripted_subject::answer_rightly(p, o, lse);
  });
  EXPECT_FALSE(examiner(subject).ask(small_problem()).lse);
}

struct misuse {
  const char* name;
  script does;
  const char* reason;
};

const std::vector<misuse>& misuses() {
  static const std::vector<misuse> list{
      {"throws", [](auto&, auto&, auto*) -> answer_outcome { throw std::runtime_error("boom"); },
       "threw an exception: boom"},
      {"throws a number", [](auto&, auto&, auto*) -> answer_outcome { throw 42; },
       "threw something that is not a std::exception"},
      {"reports an error",
       [](auto&, auto&, auto*) {
         return answer_outcome{answer_status::failed, "on fire"};
       },
       "reported an error: on fire"},
      {"reports an error and no reason",
       [](auto&, auto&, auto*) {
         return answer_outcome{answer_status::failed, ""};
       },
       "reported an error"},
      {"breaks a rule of the call",
       [](auto&, auto&, auto*) {
         return answer_outcome{answer_status::misbehaved, "answered a letter"};
       },
       "answered a letter"},
      {"declines",
       [](auto&, auto&, auto*) {
         return answer_outcome{answer_status::unsupported, "not today"};
       },
       "declined a problem of the features it declares "
       "(mask,bias,lengths,sink,cross_lengths,value_width,strides, f32): not today"},
      {"writes nothing", [](auto&, auto&, auto*) { return answer_outcome{}; },
       "o[b=0,h=0,i=0,d=0] was never written"},
      {"leaves one element",
       [](problem& p, tensor& o, tensor* lse) {
         const std::uint64_t before = o.bits({1, 2, 0, 3});
         scripted_subject::answer_rightly(p, o, lse);
         o.set_bits({1, 2, 0, 3}, before);
         return answer_outcome{};
       },
       "o[b=1,h=2,i=0,d=3] was never written"},
      {"leaves one lse",
       [](problem& p, tensor& o, tensor* lse) {
         const std::uint64_t before = lse->bits({1, 0, 1, 0});
         scripted_subject::answer_rightly(p, o, lse);
         lse->set_bits({1, 0, 1, 0}, before);
         return answer_outcome{};
       },
       "lse[b=1,h=0,i=1,d=0] was never written"},
      {"writes q", rightly_and([](problem& p, tensor&, tensor*) {
         p.q.set({0, 0, 1, 2}, 7);
       }),
       "wrote to its input q"},
      {"writes k", rightly_and([](problem& p, tensor&, tensor*) {
         p.k.set({1, 2, 2, 3}, 7);
       }),
       "wrote to its input k"},
      {"writes v", rightly_and([](problem& p, tensor&, tensor*) {
         p.v.set({0, 0, 0, 0}, 7);
       }),
       "wrote to its input v"},
      {"writes a gap of v",
       rightly_and([](problem& p, tensor&, tensor*) { p.v.data()[4] = std::byte{1}; }),
       "wrote to its input v"},
      {"writes the mask",
       rightly_and([](problem& p, tensor&, tensor*) { p.mask->data()[0] = !p.mask->data()[0]; }),
       "wrote to its input mask"},
      {"writes the bias", rightly_and([](problem& p, tensor&, tensor*) {
         p.bias->set({0, 0, 0, 0}, 7);
       }),
       "wrote to its input bias"},
      {"writes lengths", rightly_and([](problem& p, tensor&, tensor*) { p.lengths[1] = 99; }),
       "wrote to its input lengths"},
      {"writes the sink", rightly_and([](problem& p, tensor&, tensor*) { p.sink[0] += 1; }),
       "wrote to its input sink"},
      {"writes between outputs",
       rightly_and([](problem&, tensor& o, tensor*) { o.data()[4] = std::byte{1}; }),
       "wrote between the elements of o"},
  };
  return list;
}

TEST(examiner, calls_each_misuse_by_its_name) {
  const problem p = small_problem("layout=spread mask=bqk bias=hk lengths=1 sink=1");
  for (const misuse& m : misuses()) {
    const judgement j = refusal_of(m.does, p);
    EXPECT_EQ(j.outcome, verdict::misbehaved) << m.name;
    EXPECT_EQ(j.reason, m.reason) << m.name;
  }
}

TEST(examiner, does_not_blame_an_answer_that_equals_the_fill) {
  scripted_subject subject;
  std::optional<std::uint64_t> first_fill;
  subject.does([&](problem& p, tensor& o, tensor* lse) {
    if (!first_fill) first_fill = o.bits({0, 0, 0, 0});
    scripted_subject::answer_rightly(p, o, lse);
    o.set_bits({0, 0, 0, 0}, *first_fill);
    return answer_outcome{};
  });
  const answer a = examiner(subject).ask(small_problem());
  EXPECT_FALSE(a.refusal) << a.refusal->reason;
  EXPECT_EQ(a.o.bits({0, 0, 0, 0}), *first_fill);
}

TEST(examiner, fills_outputs_with_what_reads_as_nan) {
  for (const format* inputs : {&f64, &f32, &f16, &bf16, &f8_e4m3fn, &f8_e5m2}) {
    scripted_subject subject;
    subject.declares().inputs = {inputs};
    subject.does([&](problem& p, tensor& o, tensor* lse) {
      EXPECT_TRUE(std::isnan(o.at({0, 0, 0, 0}))) << inputs->name;
      EXPECT_TRUE(std::isnan(lse->at({0, 0, 0, 0}))) << inputs->name;
      return scripted_subject::answer_rightly(p, o, lse);
    });
    problem_spec spec;
    spec.inputs = inputs;
    EXPECT_FALSE(examiner(subject).ask(materialise(spec)).refusal) << inputs->name;
  }
}

TEST(examiner, leaves_the_problem_as_it_was) {
  const problem p = small_problem();
  const std::uint64_t before = p.q.bits({0, 0, 0, 0});
  refusal_of(rightly_and([](problem& asked, tensor&, tensor*) {
               asked.q.set({0, 0, 0, 0}, 7);
             }),
             p);
  EXPECT_EQ(p.q.bits({0, 0, 0, 0}), before);
}

// The greatest number of calls that were under way at once, of four threads asking.
int calls_at_once(bool concurrent) {
  scripted_subject subject(feature_set::all(), concurrent);
  std::atomic<int> under_way{0}, most{0};
  subject.does([&](problem& p, tensor& o, tensor* lse) {
    most = std::max<int>(most, ++under_way);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    --under_way;
    return scripted_subject::answer_rightly(p, o, lse);
  });
  examiner e(subject);
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) threads.emplace_back([&] { e.ask(small_problem()); });
  for (std::thread& t : threads) t.join();
  return most;
}

TEST(examiner, gives_a_subject_that_is_not_concurrent_one_call_at_a_time) {
  EXPECT_EQ(calls_at_once(false), 1);
  EXPECT_GT(calls_at_once(true), 1);
}

}  // namespace
}  // namespace attest
