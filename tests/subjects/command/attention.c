/* Attention in plain C99 as a command that attest can check:
 *
 *   cc -std=c99 -O2 attention.c -o attention -lm
 *   attest check --exec ./attention
 *
 * Its files are raw: the elements of the arrays and nothing else, whose types, sizes and offsets
 * stand in the request. Replace answer_row() by a call of your own code, then say in `hello` what
 * that can do. The protocol is described in docs/command_protocol.md. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const hello =
    "{\"attest\": 1, \"name\": \"attention.c\", \"version\": \"1\", \"files\": \"raw\", "
    "\"inputs\": [\"f32\"], \"features\": [\"causal_top_left\", \"causal_bottom_right\", "
    "\"grouped_heads\", \"scale\", \"cross_lengths\", \"value_width\", \"lse\"]}";

/* ---- one request ---- */

/* Requests are written without blanks, with their keys in the order of the documentation: a search
 * for "key": finds what comes first after `from`. */
static const char* after(const char* from, const char* key) {
  const char* found = strstr(from, key);
  if (found == NULL) {
    fprintf(stderr, "the request has no %s\n", key);
    exit(1);
  }
  return found + strlen(key);
}

/* The text between the quotes that start here; names of files hold no quotes and no backslashes
 * unless TMPDIR does. */
static void copy_text(char* to, size_t room, const char* from) {
  const size_t length = strcspn(from, "\"");
  if (length >= room) exit(1);
  memcpy(to, from, length);
  to[length] = '\0';
}

typedef struct {
  float* data;
  int64_t sizes[4];
  int64_t offset; /* in the file, in bytes */
} tensor;

static tensor describe(const char* entry) {
  tensor t = {NULL, {1, 1, 1, 1}, 0};
  const char* size = after(entry, "\"sizes\":[");
  for (int axis = 0; axis < 4 && *size != ']'; ++axis) {
    char* end;
    t.sizes[axis] = strtoll(size, &end, 10);
    size = *end == ',' ? end + 1 : end;
  }
  t.offset = strtoll(after(entry, "\"offset\":"), NULL, 10);
  return t;
}

static size_t count(const tensor* t) {
  return (size_t)(t->sizes[0] * t->sizes[1] * t->sizes[2] * t->sizes[3]);
}

static void allocate(tensor* t) {
  t->data = malloc((count(t) + 1) * sizeof *t->data);
  if (t->data == NULL) exit(1);
}

static tensor read_tensor(FILE* file, const char* entry) {
  tensor t = describe(entry);
  allocate(&t);
  if (fseek(file, (long)t.offset, SEEK_SET) != 0 ||
      fread(t.data, sizeof *t.data, count(&t), file) != count(&t)) {
    fprintf(stderr, "the problem's file is too short\n");
    exit(1);
  }
  return t;
}

/* ---- attention ---- */

enum causal { none, top_left, bottom_right };

typedef struct {
  tensor q, k, v, o, lse;
  enum causal causal;
  float scale;
} problem;

static float* row(const tensor* t, int64_t b, int64_t h, int64_t i) {
  return t->data + ((b * t->sizes[1] + h) * t->sizes[2] + i) * t->sizes[3];
}

static int64_t keys_seen(const problem* p, int64_t i) {
  const int64_t queries = p->q.sizes[2], keys = p->k.sizes[2];
  if (p->causal == none) return keys;
  const int64_t seen = i + 1 + (p->causal == bottom_right ? keys - queries : 0);
  return seen < 0 ? 0 : seen < keys ? seen : keys;
}

static float score(const problem* p, const float* q, const float* k) {
  float sum = 0;
  for (int64_t t = 0; t < p->q.sizes[3]; ++t) sum += q[t] * k[t];
  return p->scale * sum;
}

/* Writes o[b,h,i,:] and lse[b,h,i]. When no key is seen they are 0 and -infinity. */
static void answer_row(problem* p, int64_t b, int64_t h, int64_t i) {
  const int64_t g = h / (p->q.sizes[1] / p->k.sizes[1]), keys = keys_seen(p, i);
  const float* q = row(&p->q, b, h, i);
  float* o = row(&p->o, b, h, i);
  float max = -INFINITY, sum = 0;
  for (int64_t d = 0; d < p->v.sizes[3]; ++d) o[d] = 0;
  for (int64_t j = 0; j < keys; ++j) max = fmaxf(max, score(p, q, row(&p->k, b, g, j)));
  for (int64_t j = 0; j < keys; ++j) {
    const float weight = expf(score(p, q, row(&p->k, b, g, j)) - max);
    const float* v = row(&p->v, b, g, j);
    sum += weight;
    for (int64_t d = 0; d < p->v.sizes[3]; ++d) o[d] += weight * v[d];
  }
  for (int64_t d = 0; keys > 0 && d < p->v.sizes[3]; ++d) o[d] /= sum;
  p->lse.data[(b * p->q.sizes[1] + h) * p->q.sizes[2] + i] = keys > 0 ? max + logf(sum) : -INFINITY;
}

static void answer(const char* line) {
  char path[4096];
  copy_text(path, sizeof path, after(line, "\"problem\":\""));
  FILE* file = fopen(path, "rb");
  if (file == NULL) exit(1);
  const char* arrays = after(line, "\"arrays\":");
  const char* outputs = after(line, "\"outputs\":");
  problem p = {.q = read_tensor(file, after(arrays, "\"q\":")),
               .k = read_tensor(file, after(arrays, "\"k\":")),
               .v = read_tensor(file, after(arrays, "\"v\":")),
               .o = describe(after(outputs, "\"o\":")),
               .lse = describe(after(outputs, "\"lse\":")),
               .scale = strtof(after(line, "\"scale\":"), NULL)};
  fclose(file);
  const char* causal = after(line, "\"causal\":\"");
  p.causal = causal[0] == 't' ? top_left : causal[0] == 'b' ? bottom_right : none;
  allocate(&p.o);
  allocate(&p.lse);
  for (int64_t b = 0; b < p.q.sizes[0]; ++b)
    for (int64_t h = 0; h < p.q.sizes[1]; ++h)
      for (int64_t i = 0; i < p.q.sizes[2]; ++i) answer_row(&p, b, h, i);

  copy_text(path, sizeof path, after(line, "\"answer\":\""));
  file = fopen(path, "wb");
  if (file == NULL) exit(1);
  fwrite(p.o.data, sizeof *p.o.data, count(&p.o), file); /* lse begins where o ends */
  fwrite(p.lse.data, sizeof *p.lse.data, count(&p.lse), file);
  if (fclose(file) != 0) exit(1);
  tensor* all[] = {&p.q, &p.k, &p.v, &p.o, &p.lse};
  for (size_t n = 0; n < sizeof all / sizeof *all; ++n) free(all[n]->data);
}

int main(void) {
  static char line[1 << 16];
  puts(hello);
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    answer(line);
    puts("{\"ok\": true}");
    fflush(stdout);
  }
  return 0;
}
