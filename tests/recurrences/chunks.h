/* Linear attention in chunks of positions: what lies before a chunk comes from the state, what lies
 * in it from products of queries and keys. A file says before it includes this how a number is held
 * between stages, `stored`; by default as it is. */
#ifndef ATTEST_TESTS_RECURRENCES_CHUNKS_H
#define ATTEST_TESTS_RECURRENCES_CHUNKS_H

#include "tests/recurrences/head.h"

#ifndef STORED
#define STORED(x) (x)
#endif

/* Positions first, ..., first + size - 1 of a head. Matrices are [size, size], [size, D], [size,
 * Dv]. */
typedef struct chunk {
  head* h;
  int64_t first, size;
  number* G; /* sums of logs from the beginning of the chunk, [size, D] */
  number* A; /* what of key j the key of i looks up: lower triangle */
  number* T; /* the inverse of I + diag(rate) A */
  number* u; /* what is new at each position, [size, Dv] */
} chunk;

static inline number* key(const chunk* c, int64_t i) { return row_of(c->h, c->h->k, c->first + i); }

static inline number left(const chunk* c, int64_t i, int64_t j, int64_t t) {
  const int64_t D = c->h->width;
  return exp(c->G[i * D + t] - c->G[j * D + t]);
}

/* sum_t x_t exp(G_i - G_j)_t k_jt */
static inline number product(const chunk* c, const number* x, int64_t i, int64_t j) {
  number sum = 0;
  for (int64_t t = 0; t < c->h->width; ++t) sum += x[t] * left(c, i, j, t) * key(c, j)[t];
  return sum;
}

/* sum_t x_t exp(G_i)_t S_td */
static inline number from_state(const chunk* c, const number* x, int64_t i, int64_t d) {
  const head* h = c->h;
  number sum = 0;
  for (int64_t t = 0; t < h->width; ++t)
    sum += x[t] * exp(c->G[i * h->width + t]) * h->S[t * h->columns + d];
  return sum;
}

static inline void erased_key(const chunk* c, int64_t i, number* x) {
  const number* const e = row_of(c->h, c->h->erase, c->first + i);
  for (int64_t t = 0; t < c->h->width; ++t) x[t] = e[t] * key(c, i)[t];
}

static inline void sum_logs(chunk* c) {
  const int64_t D = c->h->width;
  for (int64_t i = 0; i < c->size; ++i)
    for (int64_t t = 0; t < D; ++t)
      c->G[i * D + t] =
          (i > 0 ? c->G[(i - 1) * D + t] : 0) + row_of(c->h, c->h->log, c->first + i)[t];
}

static inline void multiply_keys(chunk* c) {
  number* const x = numbers(c->h->width);
  for (int64_t i = 0; i < c->size; ++i) {
    erased_key(c, i, x);
    for (int64_t j = 0; j < i; ++j) c->A[i * c->size + j] = product(c, x, i, j);
  }
  free(x);
}

/* By rows: T_ij = - rate_i sum over m of A_im T_mj. */
static inline void invert(chunk* c) {
  const int64_t n = c->size;
  for (int64_t i = 0; i < n; ++i) {
    c->T[i * n + i] = 1;
    for (int64_t j = 0; j < i; ++j) {
      number sum = 0;
      for (int64_t m = j; m < i; ++m) sum += c->A[i * n + m] * c->T[m * n + j];
      c->T[i * n + j] = -c->h->rate[c->first + i] * sum;
    }
  }
}

/* u = T diag(rate) (V - K S), with the products by T of V and of K taken first: U - W S. */
static inline void solve_by_inverse(chunk* c) {
  const head* h = c->h;
  const int64_t n = c->size, D = h->width, Dv = h->columns;
  number *const W = numbers(n * D), *const x = numbers(D);
  multiply_keys(c);
  invert(c);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      const number factor = STORED(c->T[i * n + j]) * h->rate[c->first + j];
      erased_key(c, j, x);
      for (int64_t t = 0; t < D; ++t) W[i * D + t] += factor * x[t] * exp(c->G[j * D + t]);
      for (int64_t d = 0; d < Dv; ++d) c->u[i * Dv + d] += factor * h->v[(c->first + j) * Dv + d];
    }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t d = 0; d < Dv; ++d) {
      number sum = 0;
      for (int64_t t = 0; t < D; ++t) sum += STORED(W[i * D + t]) * h->S[t * Dv + d];
      c->u[i * Dv + d] = STORED(c->u[i * Dv + d] - sum);
    }
  free(W);
  free(x);
}

/* The same by substitution, row after row. */
static inline void solve_by_rows(chunk* c) {
  const head* h = c->h;
  const int64_t Dv = h->columns;
  number* const x = numbers(h->width);
  multiply_keys(c);
  for (int64_t i = 0; i < c->size; ++i) {
    erased_key(c, i, x);
    for (int64_t d = 0; d < Dv; ++d) {
      number sum = h->v[(c->first + i) * Dv + d] - from_state(c, x, i, d);
      for (int64_t j = 0; j < i; ++j) sum -= c->A[i * c->size + j] * c->u[j * Dv + d];
      c->u[i * Dv + d] = h->rate[c->first + i] * sum;
    }
  }
  free(x);
}

static inline void take_values(chunk* c) {
  const int64_t Dv = c->h->columns;
  for (int64_t n = 0; n < c->size * Dv; ++n) c->u[n] = c->h->v[c->first * Dv + n];
}

static inline void write_chunk(const chunk* c) {
  const head* h = c->h;
  for (int64_t r = 0; r < h->served; ++r)
    for (int64_t i = 0; i < c->size; ++i) {
      const number* const q = query(h, r, c->first + i);
      number weight = 0;
      for (int64_t t = 0; t < h->width; ++t) weight += q[t] * exp(c->G[i * h->width + t]) * h->z[t];
      for (int64_t j = 0; j <= i; ++j) weight += product(c, q, i, j);
      for (int64_t d = 0; d < h->columns; ++d) {
        number sum = from_state(c, q, i, d);
        for (int64_t j = 0; j <= i; ++j)
          sum += STORED(product(c, q, i, j)) * c->u[j * h->columns + d];
        write_output(h, r, c->first + i, d, sum, weight);
      }
    }
}

static inline void carry_state(const chunk* c) {
  head* const h = c->h;
  const int64_t last = c->size - 1;
  for (int64_t t = 0; t < h->width; ++t) {
    const number factor = exp(c->G[last * h->width + t]);
    h->z[t] *= factor;
    for (int64_t d = 0; d < h->columns; ++d) h->S[t * h->columns + d] *= factor;
    for (int64_t j = 0; j < c->size; ++j) {
      const number kept = left(c, last, j, t) * key(c, j)[t];
      h->z[t] += kept;
      for (int64_t d = 0; d < h->columns; ++d)
        h->S[t * h->columns + d] += STORED(kept) * c->u[j * h->columns + d];
    }
  }
}

static inline chunk begin_chunk(head* h, int64_t first, int64_t size) {
  const int64_t n = first + size < h->positions ? size : h->positions - first;
  return (chunk){
      h, first, n, numbers(n * h->width), numbers(n * n), numbers(n * n), numbers(n * h->columns)};
}

static inline void end_chunk(chunk* c) {
  number* const all[] = {c->G, c->A, c->T, c->u};
  for (size_t n = 0; n < sizeof all / sizeof *all; ++n) free(all[n]);
}

typedef void solution(chunk* c);

static inline void pass_in_chunks(head* h, int64_t size, solution* solve) {
  for (int64_t first = 0; first < h->positions; first += size) {
    chunk c = begin_chunk(h, first, size);
    sum_logs(&c);
    if (h->rate)
      solve(&c);
    else
      take_values(&c);
    write_chunk(&c);
    carry_state(&c);
    end_chunk(&c);
  }
}

#endif /* ATTEST_TESTS_RECURRENCES_CHUNKS_H */
