/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-recorder-path.h"

#define PROGRAM "kymo-record"
/* From the folder of a program where both were built and not installed. */
#define BUILT "../recorder/launch/" PROGRAM

char *
kymo_recorder_dup_path (void)
{
  static const char *const places[] = { PROGRAM, BUILT };
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self != NULL ? self : ".");

  for (guint i = 0; self != NULL && i < G_N_ELEMENTS (places); i++)
    {
      char *path = g_build_filename (folder, places[i], NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR)
          && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
        return path;
      g_free (path);
    }
  return g_find_program_in_path (PROGRAM);
}
