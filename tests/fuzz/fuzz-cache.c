/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for segment files. While fuzzing the hashes are taken as
 * right, so that what is tried is whether a file that was made to deceive can
 * lead its readers astray: each that is accepted is asked some questions.
 */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "kymo-run-source.h"
#include "kymo-segment-file.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
ask (KymoSource *source, const char *kind)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_resolution (question, 7, 3);
  answer = kymo_source_ask (source, question, NULL, NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char *const kinds[] =
    { "info", "profile", "usage", "time-profile", "histogram", "communication", "messages",
      "events", "timeline" };
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  KymoRun *run;

  if (fd < 0 || write (fd, data, size) != (gssize) size)
    g_error ("cannot keep %zu bytes", size);
  run = kymo_segment_file_read (fd, NULL, NULL, NULL, NULL, NULL);
  close (fd);
  if (run != NULL)
    {
      KymoSource *source;

      run->path = g_strdup ("fuzz");
      source = KYMO_SOURCE (kymo_run_source_new (run, 1));
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        ask (source, kinds[i]);
      g_object_unref (source);
      kymo_run_unref (run);
    }
  return 0;
}
