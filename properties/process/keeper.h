/* What attest-keeper (keeper.c) tells attest. */
#ifndef ATTEST_PROCESS_KEEPER_H
#define ATTEST_PROCESS_KEEPER_H

enum keeper_kind {
  keeper_exit = 1,        /* number: the exit code */
  keeper_signal = 2,      /* number: the signal that ended the program */
  keeper_not_started = 3, /* number: errno of chdir or exec */
  keeper_stopped = 4      /* number: the signal that stopped the program */
};

struct keeper_report {
  int kind; /* enum keeper_kind */
  int number;
};

/* The exit code of a program that could not be started; the report line says why. */
#define KEEPER_FAILED 125

#endif
