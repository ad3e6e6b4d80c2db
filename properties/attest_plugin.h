/* The C ABI through which attest judges an attention implementation.
 *
 * A plugin is a shared object that exports attest_plugin_at(). This header is all that it needs:
 * plain C99, no other header of attest. Copy tests/subjects/minimal.c to begin.
 *
 * Evolution. Every struct begins with its size as the writer knew it and only grows at the end; a
 * reader never looks past that size. Bits and enumerators are never reused. A change that breaks
 * this raises ATTEST_ABI_VERSION.
 *
 * Semantics, for batch row b, query head h, query i; g is the KV head of h, and in a tensor index
 * the first entry varies slowest:
 *   r_j = scale * sum_t q[b,h,i,t] k[b,g,j,t]
 *   p_j = soft_cap * tanh(r_j / soft_cap)                         (if soft_cap > 0, otherwise r_j)
 *   t_j = p_j + bias[b,h,i,j]                                     (if bias; see slopes)
 *   S   = keys j that are kept: j < lengths[b] and inside the causal triangle, the window, the
 *         patterns and the mask (nonzero keeps), and bias[b,h,i,j] is not -inf
 *   a_j = exp(t_j) / (sum over S of exp(t_k) + exp(sink[h]))      (the sink term only if sink)
 *   o[b,h,i,:]  = sum over S of a_j v[b,g,j,:]                    (see dropout)
 *   lse[b,h,i]  = ln(sum over S of exp(t_j) + exp(sink[h]))
 * A query stands at position i + offset, offset = valid keys - Lq when causal is
 * ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT, otherwise 0. causal: j <= position. window: position -
 * window_left <= j <= position + window_right, -1 leaves a side open.
 *
 * Patterns. A key is near when it is inside the window, position - j is a multiple of dilation, j
 * and position lie in the same chunk (floor(j / chunk) = floor(position / chunk), if chunk > 0),
 * and block_mask[b,h,i / block_queries,j / block_keys] is nonzero (if block_mask). Kept are keys
 * that are near and the first global_keys keys, of those that length, causal triangle, segments and
 * mask leave. segments: query_segments[b,i] = key_segments[b,j]. slopes (ALiBi): t_j = p_j -
 * slopes[h] |j - position|, and never a bias too.
 *
 * Dropout. With a dropout mask o[b,h,i,:] = dropout_scale * sum over S of m_j a_j v[b,g,j,:], m_j 1
 * where dropout_mask[b,h,i,j] is nonzero, otherwise 0: a dropped key has counted in a_j of the
 * others and in lse. The scale is at least 1, as 1 / (1 - p) is. A row whose keys are all dropped
 * is 0, which is no empty row.
 *
 * Conventions. The profile names what is left open, and what is done otherwise: the empty key set,
 * base and sink of the lse, the head map, where the soft cap acts, what true means in a mask,
 * biases of -inf and of the lowest finite number, what masked K and V may hold, NaN inputs, the
 * ends of the window. `attest list` shows the profiles and their fields; `attest identify PLUGIN`
 * finds those that a plugin follows. A profile is "NAME", or "NAME,FIELD=VALUE,..." where it is
 * left in some fields. NULL is judged as "attest", whose conventions are those above: silence is no
 * excuse. "identify" has them found by probes, each time that the plugin is opened.
 *
 * Other members of the family. The profile's fields scorer and normalizer say which function is
 * computed ("attest,scorer=additive", "attest,normalizer=sparsemax"): a plugin is asked the one
 * that it names, in every call. With c = scale, W, b, w, cos and sin the parameters, of which each
 * query head has a set:
 *   scaled_dot, dot  r_j = c q.k_j
 *   general          r_j = c q.(W k_j)                        W [D,D]
 *   additive         r_j = c w.tanh(W_q q + W_k k_j)          W_q, W_k [A,D], w [1,A]
 *   concat           r_j = c w.tanh(W [q;k_j])                W [A,2D], w [1,A]
 *   cosine           r_j = c q.k_j / (|q| |k_j|), 0 where a norm is 0
 *   mlp              r_j = c (w.relu(W [q;k_j] + b) + d)      W [A,2D], b, w [1,A], d [1,1]
 *   rotary_halves    r_j = c q'.k_j'                          cos, sin [L,R], L >= Lq and Lk
 *   rotary_pairs     r_j = c q'.k_j'                          likewise
 *   elu_features     r_j = c f(q).f(k_j), f(x) = x + 1, below 0 exp(x)
 *   relu_features    r_j = c f(q).f(k_j), f(x) = max(x, 0)
 *   exp_features     r_j = c f(q).f(k_j), f(x)_a = exp(w_a.x - x.x / 2)      w [A,D]
 * where q' is q with the coordinates (a, b) = (t, t + R), or (2t, 2t + 1), of each pair t < R <=
 * D / 2 turned by the query's position p: q_a' = q_a cos[p,t] - q_b sin[p,t] and q_b' = q_b
 * cos[p,t] + q_a sin[p,t]; k_j' likewise by j. Its tables are the same for all heads. Unless
 * given, c is 1 / sqrt(D) of scaled_dot and the rotary scorers, otherwise 1.
 *
 * Cap, bias and key set act on r_j as above. Instead of the softmax a_j of the t_j of S is
 *   sparsemax     max(t_j - tau, 0)                                   tau such that they sum to 1
 *   entmax_1_5    max(t_j / 2 - tau, 0)^2                             likewise
 *   alpha_entmax  max((alpha - 1) t_j - tau, 0)^(1 / (alpha - 1))     likewise
 *   relu_ratio    max(t_j, 0) / sum of max(t_k, 0)
 *   ratio         t_j / sum of t_k
 *   uniform       1 / number of keys
 *   identity      t_j
 * A sum of 0 makes a row as one without keys. Only softmax has a sink and an lse.
 *
 * Pages. Where reserved[ATTEST_PAGE_TABLE] is there, k and v are pools of pages, [pages of the
 * pool, Hkv, page, D] and [pages of the pool, Hkv, page, Dv], and what the equations call
 * k[b,g,j,:] and v[b,g,j,:] lies in page table[b,0,0,j / page] of its pool, at slot j % page.
 * lengths is always given beside a table: it says how many keys a batch row has. The number of
 * entries of a row says nothing: those of pages without a valid key are -1. Several entries may
 * name one page, and some pages no entry: those, and slots without a valid key, are never to be
 * read.
 *
 * k and v at or beyond lengths[b] and the gaps between strided elements are never to be read: they
 * may hold NaN. Masked k and v hold finite numbers, unless the profile says that they are never
 * read.
 */
#ifndef ATTEST_PLUGIN_H
#define ATTEST_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATTEST_ABI_VERSION 1u

#if defined(_WIN32)
#define ATTEST_EXPORT __declspec(dllexport)
#else
#define ATTEST_EXPORT __attribute__((visibility("default")))
#endif

/* Features: what a subject can be asked beyond dense attention. Undeclared ones are never asked,
 * and the report says that they were not. A declared one that is answered ATTEST_UNSUPPORTED is
 * misbehaved. */
/* clang-format off */
#define ATTEST_MASK ((uint64_t)1 << 0)               /* boolean mask, broadcast in any of 16 patterns */
#define ATTEST_BIAS ((uint64_t)1 << 1)               /* additive bias, broadcast likewise */
#define ATTEST_INFINITE_BIAS ((uint64_t)1 << 2)      /* -inf in the bias removes the key */
#define ATTEST_CAUSAL_TOP_LEFT ((uint64_t)1 << 3)    /* keeps j <= i */
#define ATTEST_CAUSAL_BOTTOM_RIGHT ((uint64_t)1 << 4)/* keeps j <= i + valid keys - Lq */
#define ATTEST_WINDOW ((uint64_t)1 << 5)             /* window_left, window_right */
#define ATTEST_LENGTHS ((uint64_t)1 << 6)            /* a number of valid keys a batch row */
#define ATTEST_GROUPED_HEADS ((uint64_t)1 << 7)      /* Hq a proper multiple of Hkv */
#define ATTEST_SCALE ((uint64_t)1 << 8)              /* any scale, zero and negative too */
#define ATTEST_SOFT_CAP ((uint64_t)1 << 9)           /* soft_cap > 0 */
#define ATTEST_SINK ((uint64_t)1 << 10)              /* a logit per query head in the sum */
#define ATTEST_LSE ((uint64_t)1 << 11)               /* writes lse */
#define ATTEST_CROSS_LENGTHS ((uint64_t)1 << 12)     /* Lq != Lk */
#define ATTEST_VALUE_WIDTH ((uint64_t)1 << 13)       /* Dv != D */
#define ATTEST_STRIDES ((uint64_t)1 << 14)           /* any strides of q, k, v, o */
#define ATTEST_SEGMENTS ((uint64_t)1 << 15)          /* query_segments, key_segments */
#define ATTEST_DILATION ((uint64_t)1 << 16)          /* dilation > 1 */
#define ATTEST_CHUNKS ((uint64_t)1 << 17)            /* chunk > 0 */
#define ATTEST_GLOBAL_KEYS ((uint64_t)1 << 18)       /* global_keys > 0, beside what leaves keys out by place */
#define ATTEST_BLOCK_MASK ((uint64_t)1 << 19)        /* block_mask, broadcast over batch rows and heads or not */
#define ATTEST_ALIBI ((uint64_t)1 << 20)             /* slopes */
#define ATTEST_PAGES ((uint64_t)1 << 21)             /* k and v in pages that a page table names, and lengths */
#define ATTEST_DROPOUT ((uint64_t)1 << 22)           /* a dropout mask, broadcast in any of 16 patterns, and dropout_scale */
/* clang-format on */

/* Element types. f16, bf16 and 8-bit formats travel as raw bits, least significant byte first. */
enum attest_dtype {
  ATTEST_F64 = 0,
  ATTEST_F32 = 1,
  ATTEST_F16 = 2,
  ATTEST_BF16 = 3,
  ATTEST_F8_E4M3FN = 4, /* no infinities, largest 448 */
  ATTEST_F8_E4M3 = 5,   /* IEEE-like, largest 240     */
  ATTEST_F8_E5M2 = 6,
  ATTEST_BOOL = 7, /* one byte, 0 or 1 */
  ATTEST_I64 = 8
};

/* The bit of an element type in attest_plugin.dtypes. */
#define ATTEST_DTYPE_BIT(dtype) ((uint64_t)1 << (dtype))

enum attest_causal {
  ATTEST_CAUSAL_NONE = 0,
  ATTEST_CAUSAL_ANCHOR_TOP_LEFT = 1,
  ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT = 2
};

/* What attest_forward.reserved holds by now, by its index. */
enum attest_reserved {
  ATTEST_PAGE_TABLE = 0,  /* ATTEST_I64 [B, 1, 1, pages of a row]; k and v are pools then */
  ATTEST_DROPOUT_MASK = 3 /* ATTEST_BOOL [B, Hq, Lq, Lk], nonzero keeps, stride 0 where it is
                             broadcast; NULL: no dropout */
};

enum attest_status {
  ATTEST_OK = 0,
  ATTEST_UNSUPPORTED = 1, /* this combination is not implemented; nothing was computed */
  ATTEST_ERROR = 2        /* something failed; the message says what */
};

/* A tensor of rank 4. Element [i0,i1,i2,i3] lies at data + (i0 strides[0] + ... + i3 strides[3])
 * elements. Strides may be 0 (broadcast) or negative. Data is aligned as its element type needs,
 * and not more; nothing outside of what strides and sizes span may be touched. */
typedef struct attest_tensor {
  uint32_t size;  /* sizeof(attest_tensor) */
  uint32_t dtype; /* enum attest_dtype */
  void* data;     /* of element [0,0,0,0] */
  int64_t sizes[4];
  int64_t strides[4]; /* in elements */
} attest_tensor;

/* One forward call. Pointers that are not "always" may be NULL: the part is absent. All memory
 * belongs to the caller; inputs must not be written. What a call changes of the process around it
 * (rounding mode, signal mask, working directory, locale, timers, child processes) it puts back. */
typedef struct attest_forward {
  uint32_t size;   /* sizeof(attest_forward) */
  uint32_t causal; /* enum attest_causal */
  double scale; /* always the c to use: 1 / sqrt(D), or another one if ATTEST_SCALE is declared */
  double soft_cap; /* 0: none */
  int64_t window_left;
  int64_t window_right;
  const attest_tensor* q;    /* always: [B, Hq, Lq, D] */
  const attest_tensor* k;    /* always: [B, Hkv, Lk, D], or a pool of pages */
  const attest_tensor* v;    /* always: [B, Hkv, Lk, Dv], or a pool of pages */
  const attest_tensor* mask; /* ATTEST_BOOL [B, Hq, Lq, Lk], stride 0 where it is broadcast */
  const attest_tensor*
      bias; /* [B, Hq, Lq, Lk], stride 0 where it is broadcast; f32 beside 8-bit inputs */
  const attest_tensor* lengths; /* ATTEST_I64 [B, 1, 1, 1] */
  const attest_tensor* sink;    /* [1, Hq, 1, 1], of the type of the bias */
  const attest_tensor* o;   /* always, to be written: [B, Hq, Lq, Dv]; bf16 beside 8-bit inputs */
  const attest_tensor* lse; /* to be written: [B, Hq, Lq, 1], f64 beside f64 inputs, otherwise f32;
                               NULL: not asked */
  /* By enum attest_reserved: [ATTEST_PAGE_TABLE], [ATTEST_DROPOUT_MASK]. The others are NULL in
   * version 1: [1..2] state in and out, [4] weights, [5] scores. */
  const attest_tensor* reserved[8];
  int64_t dilation;      /* 1: none */
  int64_t chunk;         /* 0: none */
  int64_t global_keys;   /* 0: none */
  int64_t block_queries; /* queries and keys to a block of block_mask; 0: there is none */
  int64_t block_keys;
  const attest_tensor* block_mask; /* ATTEST_BOOL [B, Hq, blocks of queries, blocks of keys], the
                                      last blocks shorter; stride 0 where it is broadcast */
  const attest_tensor* slopes;     /* [1, Hq, 1, 1], of the type of the bias */
  /* Of the scorer, in the order above, each [1, Hq, rows, columns] of the type of the bias, stride
   * 0 where heads share it; NULL where the scorer has no more. */
  const attest_tensor* parameters[4];
  double alpha;                        /* of alpha_entmax, above 1; otherwise 0 */
  const attest_tensor* query_segments; /* ATTEST_I64 [B, 1, 1, Lq] */
  const attest_tensor* key_segments;   /* ATTEST_I64 [B, 1, 1, Lk] */
  double dropout_scale;                /* 1 or more; 1 without a dropout mask */
} attest_forward;

typedef struct attest_plugin {
  uint32_t size;        /* sizeof(attest_plugin) */
  uint32_t abi_version; /* ATTEST_ABI_VERSION */
  const char* name;     /* of the subject, as in path.so:name */
  const char* version;  /* of the implementation, for the report */
  uint64_t features;    /* ATTEST_MASK | ... */
  uint64_t dtypes;      /* ATTEST_DTYPE_BIT(ATTEST_F32) | ... */
  const char* profile;  /* conventions; NULL: "attest"; "identify": found by probes */
  /* Names of contracts, comma-separated, each for the inputs that it is about; or a contract as a
   * JSON object, or a list of them (properties/exchange/contract_json.h); NULL: the default of each
   * type (float64, float32, fp16-flash, bf16-flash, fp8-flash). */
  const char* contract;
  /* Answers one call. Result: enum attest_status. message: room for a text of message_size bytes
   * with its terminator, to say why. */
  int32_t (*forward)(const attest_forward* call, char* message, uint64_t message_size);
  /* Reserved for gradients; NULL in version 1. */
  int32_t (*backward)(const void* call, char* message, uint64_t message_size);
} attest_plugin;

/* The only symbol a plugin exports. Result: its index-th subject, alive as long as the library, or
 * NULL past the last one. */
ATTEST_EXPORT const attest_plugin* attest_plugin_at(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif /* ATTEST_PLUGIN_H */
