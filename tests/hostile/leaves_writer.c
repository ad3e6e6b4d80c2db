/* A thread of it goes on writing to o when the call has returned. */
#define _GNU_SOURCE
#include <pthread.h>

#include "tests/hostile/hostile.h"

static float* volatile target;

static void* write_on(void* unused) {
  (void)unused;
  for (;;) {
    volatile float* o = target;
    *o = *o;
  }
  return NULL;
}

static void start(const attest_forward* call) {
  target = call->o->data;
  pthread_t thread;
  if (pthread_create(&thread, NULL, write_on, NULL) != 0) abort();
}

HOSTILE("leaves-writer", nothing, start)
