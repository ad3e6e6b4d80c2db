#include "properties/examiner.h"

#include <cstring>
#include <set>

#include "reference/input_error.h"
#include "reference/text.h"

namespace attest {
namespace {

// Two fills of output buffers that no computation leaves by chance: quiet NaNs with a payload in
// the wide formats.
constexpr std::uint64_t first_fill = 0x7ff9a7e57a7e575a;
constexpr std::uint64_t second_fill = 0xfff9c0dec0dec0a5;

// The low bits of a fill must be a NaN of narrower formats too where they have payloads.
std::uint64_t fill_for(const format& element, std::uint64_t fill) {
  switch (element.storage_bits) {
    case 64:
      return fill;
    case 32:
      return (fill & 0x803fffff) | 0x7fc00000;
    case 16:
      return element == f16 ? (fill & 0x81ff) | 0x7e00 : (fill & 0x803f) | 0x7fc0;
    default:
      return fill & 0xff;
  }
}

std::string written_input(const problem& before, const problem& after) {
  if (!before.q.same_bytes(after.q)) return "q";
  if (!before.k.same_bytes(after.k)) return "k";
  if (!before.v.same_bytes(after.v)) return "v";
  if (before.mask && !before.mask->same_bytes(*after.mask)) return "mask";
  if (before.bias && !before.bias->same_bytes(*after.bias)) return "bias";
  if (before.dropout_mask && !before.dropout_mask->same_bytes(*after.dropout_mask))
    return "dropout_mask";
  if (before.lengths != after.lengths) return "lengths";
  if (!(before.paged == after.paged)) return "page_table";
  for (std::size_t n = 0; n < before.parameters.size(); ++n)
    if (!before.parameters[n].same_bytes(after.parameters[n]))
      return "parameter_" + std::to_string(n);
  return before.sink == after.sink ? "" : "sink";
}

std::string place_text(const char* name, const index4& i) {
  return std::string(name) + "[b=" + std::to_string(i[0]) + ",h=" + std::to_string(i[1]) +
         ",i=" + std::to_string(i[2]) + ",d=" + std::to_string(i[3]) + "]";
}

std::optional<index4> first_unwritten(const tensor& t, std::uint64_t fill) {
  std::optional<index4> found;
  for_each_index(t.sizes(), [&](const index4& i) {
    if (!found && t.bits(i) == fill) found = i;
  });
  return found;
}

// An element of the storage that lies outside the tensor and no longer holds the fill.
bool gap_written(const tensor& t, std::uint64_t fill) {
  tensor clean(t.element(), t.where(), fill);
  for_each_index(t.sizes(), [&](const index4& i) { clean.set_bits(i, t.bits(i)); });
  return !clean.same_bytes(t);
}

std::optional<std::string> misuse_of(const char* name, const tensor& t, std::uint64_t fill) {
  if (gap_written(t, fill)) return std::string("wrote between the elements of ") + name;
  if (const auto i = first_unwritten(t, fill)) return place_text(name, *i) + " was never written";
  return std::nullopt;
}

std::optional<std::string> misuse_of(const answer& a, std::uint64_t fill) {
  if (auto found = misuse_of("o", a.o, fill_for(a.o.element(), fill))) return found;
  return a.lse ? misuse_of("lse", *a.lse, fill_for(a.lse->element(), fill)) : std::nullopt;
}

judgement refusal(const answer_outcome& outcome, const problem& p) {
  if (outcome.status == answer_status::crashed) return crashed(outcome.message);
  if (outcome.status == answer_status::timed_out) return timed_out(outcome.message);
  if (outcome.status == answer_status::misbehaved) return misbehaved(outcome.message);
  const std::string message = outcome.message.empty() ? "" : ": " + outcome.message;
  if (outcome.status == answer_status::unsupported)
    return misbehaved("declined a problem of the features it declares (" + to_string(p.asks()) +
                      ", " + std::string(p.q.element().name) + ")" + message);
  return misbehaved("reported an error" + message);
}

tensor output_buffer(const format& element, layout how, const index4& sizes, std::uint64_t fill) {
  return {element, place(how, sizes), fill_for(element, fill)};
}

}  // namespace

answer_outcome examiner::call(manner how, problem& p, answer& a) {
  tensor* lse = a.lse ? &*a.lse : nullptr;
  if (subject_.concurrent()) return subject_.answer_in(how, p, a.o, lse);
  const std::lock_guard lock(one_at_a_time_);
  return subject_.answer_in(how, p, a.o, lse);
}

answer examiner::ask_over(way asked, problem& p, std::uint64_t fill) {
  const contract& c = contract_for(p);
  answer a;
  a.o = output_buffer(*c.output, p.answer_layout, p.dims.o_sizes(), fill);
  if (asked.with_lse && info().features.has(feature::lse))
    a.lse = output_buffer(*c.lse, layout::bhld, p.dims.lse_sizes(), fill);
  try {
    const answer_outcome outcome = call(asked.how, p, a);
    if (outcome.status != answer_status::answered) a.refusal = refusal(outcome, p);
  } catch (const input_error&) {
    throw;  // attest's own: the machine lacks what the call needs, and the subject was not asked
  } catch (const std::exception& e) {
    a.refusal = misbehaved(std::string("threw an exception: ") + e.what());
  } catch (...) {
    a.refusal = misbehaved("threw something that is not a std::exception");
  }
  return a;
}

answer examiner::ask(const problem& p) {
  problem copy = p;
  return ask_watched({}, copy, p);
}

answer examiner::ask_without_lse(const problem& p) {
  problem copy = p;
  return ask_watched({.with_lse = false}, copy, p);
}

answer examiner::ask_on_threads(const problem& p, int threads) {
  problem copy = p;
  return ask_watched({threads == 1 ? manner::one_thread : manner::two_threads}, copy, p);
}

answer examiner::ask_in_place(problem& p) {
  const problem before = p;
  return ask_watched({manner::in_place}, p, before);
}

answer examiner::ask_watched(way asked, problem& p, const problem& before) {
  answer a = ask_over(asked, p, first_fill);
  if (a.refusal) return a;
  if (const std::string input = written_input(before, p); !input.empty()) {
    a.refusal = misbehaved("wrote to its input " + input);
    return a;
  }
  // A value equal to the fill may be the answer (8-bit formats have few others): only what two
  // fills share is unwritten.
  if (!misuse_of(a, first_fill)) return a;
  answer again = ask_over(asked, p, second_fill);
  if (again.refusal) return again;
  if (const auto misuse = misuse_of(again, second_fill)) again.refusal = misbehaved(*misuse);
  return again;
}

}  // namespace attest
