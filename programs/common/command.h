/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line. */
#ifndef SPRY_COMMON_COMMAND_H
#define SPRY_COMMON_COMMAND_H

/* As a shell takes it, with the variables of the environment that bear on what is measured (OMP_NUM_THREADS,
   SPRY_DISABLE). Null when memory ran out. The caller frees it. */
char *command_text(int argc, char **argv);

#endif
