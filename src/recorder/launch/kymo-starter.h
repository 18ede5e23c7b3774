/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the program kymo-record. One thread; strings that functions return are allocated
 * with malloc() and live until the program becomes another, unless it is said otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Which library a program needs. */
typedef enum
{
  KYMO_STARTER_SERIAL,
  KYMO_STARTER_OPENMPI,
  KYMO_STARTER_MPICH
} KymoStarterMpi;

/* What an ELF file says of itself. */
typedef struct
{
  bool is_elf;
  bool is_static;               /* needs no loader: nothing can be preloaded */
  bool is_recorder;             /* linked with the recorder: nothing has to be */
  KymoStarterMpi mpi;
} KymoStarterElf;

_Noreturn void kymo_starter_die (int         status,
                                const char *format,
                                ...) __attribute__ ((format (printf, 2, 3)));
char         *kymo_starter_print (const char *format,
                                 ...) __attribute__ ((format (printf, 1, 2)));

char         *kymo_starter_find    (const char *program);
char         *kymo_starter_script  (const char *path);
void          kymo_starter_elf     (const char    *path,
                                   KymoStarterElf *elf);
KymoStarterMpi kymo_starter_choose (const char    *path,
                                   const char    *interpreter,
                                   KymoStarterElf *elf);
KymoStarterMpi kymo_starter_ask_launcher (void);

char         *kymo_starter_job     (void);
char         *kymo_starter_suffix  (const char *job);
char         *kymo_starter_folder  (const char *asked,
                                   const char *program,
                                   const char *job,
                                   bool        overwrite);

char         *kymo_starter_library (KymoStarterMpi mpi);
char         *kymo_starter_memory_library (void);
char         *kymo_starter_probe_program (KymoStarterMpi mpi);
void          kymo_starter_print_known (void);
void          kymo_starter_tell_stream (const char *folder);
