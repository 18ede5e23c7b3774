/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PROGRAM NAME [ARGUMENT...] runs main() of test-NAME.c with these arguments (own_main.h).
 */
#define OWN_MAIN_ITSELF
#include "own_main.h"

#include <stdio.h>

#define MOST_FILES 200

static struct
{
  const char *path;
  OwnMain     run;
} files[MOST_FILES];

static guint n_files;

/**
 * own_main_add:
 * @file: (transfer none): path of a source file test-NAME.c, for as long as the process lives
 * @run: its main()
 *
 * Called before main(), by each file that own_main.h was put before.
 */
void
own_main_add (const char *file,
              OwnMain     run)
{
  if (n_files == MOST_FILES)
    g_error ("more than %d files with a main()", MOST_FILES);
  files[n_files].path = file;
  files[n_files++].run = run;
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *file = g_strdup_printf ("/test-%s.c", argc < 2 ? "" : argv[1]);

  for (guint i = 0; i < n_files; i++)
    if (g_str_has_suffix (files[i].path, file))
      {
        argv[1] = argv[0];
        return files[i].run (argc - 1, argv + 1);
      }
  fprintf (stderr, "usage: %s NAME [ARGUMENT...]\n", argv[0]);
  return 2;
}
