#include <algorithm>

#include "properties/catalogue/catalogue.h"
#include "properties/row_pairs.h"
#include "properties/selection.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { chunk_sizes = 320, flag_of_decoding };

// Positions are counted from both ends: as many queries as keys, on which the anchors agree.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  constexpr std::int64_t most_tokens = 17;
  const auto needed = feature_set().with(feature::causal_bottom_right).with(feature::cross_lengths);
  if (!subject.features.contains(needed)) return std::nullopt;
  if (spec.causal == causal_anchor::none) spec.causal = causal_anchor::bottom_right;
  spec.ragged = false;
  spec.dims.keys = spec.dims.queries = std::clamp<std::int64_t>(spec.dims.keys, 2, most_tokens);
  return spec;
}

// Queries first, ..., last - 1 with all keys up to theirs, as a cache holds them. A single query
// sees every key, with the causal flag and, where no window asks for its position, without.
problem chunk(const problem& p, std::int64_t first, std::int64_t last, bool flagged,
              layout placed) {
  selection part = everything(p);
  part.queries = interval(first, last);
  part.keys = interval(0, last);
  problem result = select(p, part, placed);
  result.causal = flagged ? causal_anchor::bottom_right : causal_anchor::none;
  return result;
}

// Sizes of the chunks, in turn.
using rhythm = std::function<std::int64_t()>;

class chunked_judge {
 public:
  chunked_judge(const problem_spec& spec, examiner& subject)
      : spec_(spec), subject_(subject), whole_(materialise(spec)), once_(subject.ask(whole_)) {
    refusal_ = once_.refusal;
  }

  // Adds the comparison of the answers to chunks of those sizes with the one shot.
  void judge_chunks(const rhythm& next_size, bool flagged, const char* what) {
    for (std::int64_t first = 0; first < whole_.dims.queries && !refusal_;) {
      const std::int64_t last = std::min(whole_.dims.queries, first + next_size());
      judge_chunk(chunk(whole_, first, last, flagged, spec_.placed), first, what);
      first = last;
    }
  }

  judgement result() const { return refusal_ ? *refusal_ : judgement_; }

 private:
  void judge_chunk(const problem& part, std::int64_t first, const char* what) {
    const answer a = subject_.ask(part);
    refusal_ = a.refusal;
    if (refusal_) return;
    row_pairs pairs(judgement_, subject_.terms_for(whole_), {whole_, once_}, {part, a},
                    same_bits::not_expected, what);
    for_each_row(part.dims, [&](const row_index& row) {
      pairs.judge({row.b, row.h, first + row.i}, row);
    });
  }

  const problem_spec& spec_;
  examiner& subject_;
  const problem whole_;
  const answer once_;
  std::optional<judgement> refusal_;
  judgement judgement_;
};

judgement judge(const problem_spec& spec, examiner& subject) {
  constexpr std::uint64_t longest_chunk = 6;
  chunked_judge shots(spec, subject);
  std::uint64_t turn = 0;
  shots.judge_chunks(
      [&] {
        return 1 + static_cast<std::int64_t>(
                       random_below(spec.seed, chunk_sizes, turn++, longest_chunk));
      },
      true, "output of a chunk");
  const bool counts_positions = !spec.sliding.open() || !spec.pattern.open() || spec.alibi;
  const bool flagged = counts_positions || random_below(spec.seed, flag_of_decoding, 0, 2) == 0;
  shots.judge_chunks([] { return 1; }, flagged, "output of a token by itself");
  return shots.result();
}

}  // namespace

const property chunks_equal_one_shot{
    .name = "chunks_equal_one_shot",
    .theme = "split",
    .statement =
        "Causal attention over a sequence gives the same rows at once, chunk by chunk and token "
        "by token.",
    .method =
        "Each chunk of queries is asked with all keys up to its own, anchored at the bottom "
        "right: chunks of 1 to 6 tokens, then every token by itself, with the causal flag or "
        "without.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/same_rows.md#prefixes-and-chunks",
    .claim = "kv_cache",
    .needs =
        "the bottom-right anchor and Lq != Lk, no lengths. Empty rows that hold the mean of all "
        "V are left out",
    .catches =
        "anchors and windows that are wrong only where Lq < Lk, code paths for one query, biases "
        "and masks sliced wrongly, state left over from the chunk before",
    .admits = feature_set::all().without(feature::lengths).without(feature::block_mask),
    .groups = feature_set()
                  .with(feature::causal_bottom_right)
                  .with(feature::window)
                  .with(feature::segments)
                  .with(feature::dilation)
                  .with(feature::chunks)
                  .with(feature::global_keys)
                  .with(feature::alibi)
                  .with(feature::grouped_heads)
                  .with(feature::mask)
                  .with(feature::sink),
    .plain_group = false,
    .base_problems = 3,
    .scorers = scorers_without_positions,
    .normalizers = every_normalizer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest
