/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for segment files. While fuzzing the hashes are taken as
 * right, so that what is tried is whether a file that was made to deceive can
 * lead its readers astray: each that is accepted is asked some questions.
 */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "kymo-run-index.h"
#include "kymo-run-source.h"
#include "kymo-segment-file.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Levels of the mosaic from the first piece on, also of a tiny run. */
static const KymoMosaicLimits tiny = { 1, 1 << 20, 2, 2, 1, 1e6, 500 };

/* Few columns ask the pyramid, many the pieces, dense ones on the grid the
   mosaic; a part of the run walks where the whole has sums. */
static const struct
{
  const char *kind;
  guint       columns, rows;
  gboolean    dense, part;
} questions[] =
{
  { "info", 7, 3 }, { "profile", 7, 3 }, { "profile", 7, 3, FALSE, TRUE }, { "usage", 7, 3 },
  { "usage", 7, 3, FALSE, TRUE }, { "time-profile", 7, 3 }, { "histogram", 7, 3 },
  { "communication", 7, 3 }, { "messages", 7, 3 }, { "events", 7, 3 }, { "timeline", 7, 3 },
  { "timeline", 60, 0, FALSE, TRUE }, { "timeline", 2, 1, TRUE }, { "timeline", 40, 1, TRUE },
  { "timeline", 40, 0, TRUE, TRUE }, { "clocks", 7, 3 },
  { "collectives", 7, 3 }, { "waiting", 7, 3 },
};

/* Of packed cells each has a name. */
static void
check_dense (const KymoTable *answer)
{
  KymoTable *dense = kymo_table_peek_nested (answer, "dense", NULL);
  guint n_names, n_cells;
  const guint32 *cells;

  if (dense == NULL)
    return;
  cells = kymo_table_peek_packed (dense, "cell", &n_cells);
  n_names = kymo_table_get_n_rows (kymo_table_peek_nested (answer, "names", NULL));
  for (guint i = 0; i < n_cells; i++)
    if (cells[i] != KYMO_NO_CELL && cells[i] >> 16 >= n_names)
      g_error ("A cell without a name: %x", cells[i]);
}

static void
ask (KymoSource *source,
     KymoSpan    span,
     guint       i)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (questions[i].kind);
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_resolution (question, questions[i].columns, questions[i].rows);
  if (questions[i].part)
    kymo_question_set_span (question, (KymoSpan) {
      span.begin_ns + (span.end_ns - span.begin_ns) / 4,
      span.end_ns - (span.end_ns - span.begin_ns) / 3 });
  kymo_question_set_int (question, "grid", questions[i].dense);
  kymo_question_set_int (question, "dense", questions[i].dense);
  answer = kymo_source_ask (source, question, NULL, NULL);
  if (answer != NULL)
    check_dense (answer);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  KymoRun *run;

  if (fd < 0 || write (fd, data, size) != (gssize) size)
    g_error ("cannot keep %zu bytes", size);
  run = kymo_segment_file_read (fd, NULL, 0, NULL, NULL, NULL, NULL);
  close (fd);
  if (run != NULL)
    {
      KymoSource *source;

      run->path = g_strdup ("fuzz");
      run->index->limits = tiny;
      source = KYMO_SOURCE (kymo_run_source_new (run, 1));
      for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
        ask (source, run->span, i);
      g_object_unref (source);
      kymo_run_unref (run);
    }
  return 0;
}
