/* The C ABI through which attest judges an implementation of linear attention: of weights that are
 * products of features, so that all keys and values of the past add up to one state.
 *
 * Such a plugin is a shared object that exports attest_recurrence_at(); one that exports
 * attest_plugin_at() besides is a subject of attest check too. Structs evolve, memory is owned and
 * calls are made as attest_plugin.h says; tests/recurrences/recurrent.c is one to copy.
 *
 * Semantics, for batch row b and KV head g, with all keys and values of that head, position l
 * after position l - 1; phi is the feature map:
 *   k_l = phi(k[b,g,l,:]),  q_l = phi(q[b,h,l,:])   C numbers: D, or A of ATTEST_MAP_EXP_FEATURES
 *   F_l = diag(exp(d_l)) S_{l-1}           d_l = decay: one number, or one a channel; 0: none
 *   u_l = v_l                              rule ATTEST_RULE_SUM
 *   u_l = rate_l (v_l - F_l^T (e_l k_l))   rule ATTEST_RULE_DELTA; e_l = erase, 1 where absent
 *   S_l = F_l + k_l u_l^T                  [C, Dv]; S_{-1} = state, 0 where absent
 *   o_l = scale S_l^T q_l                  for each query head h that g serves, g = h / (Hq / Hkv)
 *   o_l = S_l^T q_l / (z_l . q_l)          normalised: z_l = exp(d_l) z_{l-1} + k_l, z_{-1} = 0;
 *                                          0 where z_l . q_l is 0
 * state_out is the state after the last position. Normalised calls have ATTEST_RULE_SUM and
 * ATTEST_MAP_ELU_PLUS_1 or ATTEST_MAP_EXP_FEATURES, no state before, and no use for their scale.
 */
#ifndef ATTEST_RECURRENCE_H
#define ATTEST_RECURRENCE_H

#include "attest_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ATTEST_RECURRENCE_VERSION 1u

/* What a subject can be asked: at least one rule and one feature map. */
/* clang-format off */
#define ATTEST_RECURRENCE_SUM ((uint64_t)1 << 0)           /* keys and values just add up */
#define ATTEST_RECURRENCE_DELTA ((uint64_t)1 << 1)         /* the delta rule, with rate */
#define ATTEST_RECURRENCE_HEAD_DECAY ((uint64_t)1 << 2)    /* decay_of ATTEST_DECAY_HEAD */
#define ATTEST_RECURRENCE_POSITION_DECAY ((uint64_t)1 << 3)/* decay_of ATTEST_DECAY_POSITION */
#define ATTEST_RECURRENCE_CHANNEL_DECAY ((uint64_t)1 << 4) /* decay_of ATTEST_DECAY_CHANNEL */
#define ATTEST_RECURRENCE_ERASE ((uint64_t)1 << 5)         /* erase, of the delta rule */
#define ATTEST_RECURRENCE_IDENTITY ((uint64_t)1 << 6)      /* phi(x) = x */
#define ATTEST_RECURRENCE_ELU_PLUS_1 ((uint64_t)1 << 7)    /* phi(x) = x + 1, below 0 exp(x) */
#define ATTEST_RECURRENCE_RELU ((uint64_t)1 << 8)          /* phi(x) = max(x, 0) */
#define ATTEST_RECURRENCE_NORMALISED ((uint64_t)1 << 9)    /* normalised, of positive features */
#define ATTEST_RECURRENCE_STATE_IN ((uint64_t)1 << 10)     /* state */
#define ATTEST_RECURRENCE_STATE_OUT ((uint64_t)1 << 11)    /* state_out */
#define ATTEST_RECURRENCE_SCALE ((uint64_t)1 << 12)        /* any scale, negative ones too */
#define ATTEST_RECURRENCE_GROUPED_HEADS ((uint64_t)1 << 13)/* Hq a proper multiple of Hkv */
#define ATTEST_RECURRENCE_VALUE_WIDTH ((uint64_t)1 << 14)  /* Dv != D */
#define ATTEST_RECURRENCE_STRIDES ((uint64_t)1 << 15)      /* any strides of q, k, v, o */
#define ATTEST_RECURRENCE_EXP_FEATURES ((uint64_t)1 << 16) /* phi(x)_a = exp(w_a.x - x.x / 2) */
/* clang-format on */

enum attest_rule { ATTEST_RULE_SUM = 0, ATTEST_RULE_DELTA = 1 };

enum attest_feature_map {
  ATTEST_MAP_IDENTITY = 0,
  ATTEST_MAP_ELU_PLUS_1 = 1,
  ATTEST_MAP_RELU = 2,
  ATTEST_MAP_EXP_FEATURES = 3 /* phi(x)_a = exp(w_a.x - x.x / 2), w_a = draws[0,g,a,:]; C = A */
};

/* What has a number of its own in decay. */
enum attest_decay {
  ATTEST_DECAY_NONE = 0,
  ATTEST_DECAY_HEAD = 1,     /* a KV head: strides of b, l and d are 0 */
  ATTEST_DECAY_POSITION = 2, /* a KV head at a position of a batch row */
  ATTEST_DECAY_CHANNEL = 3   /* and there each channel of a state */
};

/* One call. Pointers that are not "always" may be NULL: the part is absent, or not asked. */
typedef struct attest_recurrence {
  uint32_t size;              /* sizeof(attest_recurrence) */
  uint32_t rule;              /* enum attest_rule */
  uint32_t feature_map;       /* enum attest_feature_map */
  uint32_t decay_of;          /* enum attest_decay */
  uint32_t normalised;        /* 0 or 1 */
  uint32_t unused;            /* 0 */
  double scale;               /* always the one to use where normalised is 0 */
  const attest_tensor* q;     /* always: [B, Hq, L, D] */
  const attest_tensor* k;     /* always: [B, Hkv, L, D] */
  const attest_tensor* v;     /* always: [B, Hkv, L, Dv] */
  const attest_tensor* decay; /* logarithms: [B, Hkv, L, C], or [B, Hkv, L, 1]; f64 beside f64
                                 inputs, otherwise f32 */
  const attest_tensor* rate;  /* of the delta rule: [B, Hkv, L, 1], of the inputs' type */
  const attest_tensor* erase; /* [B, Hkv, L, C], likewise */
  const attest_tensor* state; /* before the first position: [B, Hkv, C, Dv]; f64 beside f64 inputs,
                                 otherwise f32 */
  const attest_tensor* o; /* always, to be written: [B, Hq, L, Dv], of the type of the contract's
                                output: by default that of the inputs */
  const attest_tensor* state_out;   /* to be written, as state */
  const attest_tensor* reserved[8]; /* NULL in version 1 */
  const attest_tensor* draws;       /* w of ATTEST_MAP_EXP_FEATURES: [1, Hkv, A, D], of the inputs'
                                       type */
} attest_recurrence;

typedef struct attest_recurrence_plugin {
  uint32_t size;        /* sizeof(attest_recurrence_plugin) */
  uint32_t abi_version; /* ATTEST_RECURRENCE_VERSION */
  const char* name;     /* of the subject, as in path.so:name */
  const char* version;  /* of the implementation, for the report */
  uint64_t features;    /* ATTEST_RECURRENCE_SUM | ... */
  uint64_t dtypes;      /* of q, k, v: ATTEST_DTYPE_BIT(ATTEST_F32) | ..., no 8-bit ones */
  /* As of attest_plugin. A state's elements are stored in its own type, whatever the contract's
   * output is. */
  const char* contract;
  /* Answers one call. Result: enum attest_status. message: as of attest_plugin. */
  int32_t (*forward)(const attest_recurrence* call, char* message, uint64_t message_size);
} attest_recurrence_plugin;

/* Result: the library's index-th subject, alive as long as the library, or NULL past the last. */
ATTEST_EXPORT const attest_recurrence_plugin* attest_recurrence_at(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif /* ATTEST_RECURRENCE_H */
