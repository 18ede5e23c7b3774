/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a folder with files of any format, opened as a user opens it. An input
 * is files with a number each (see FUZZ_FILE_HEAD), which tells the name. Beside the formats
 * it reaches what lies with them: names, notes of reduced runs, .projrc, and a user's own
 * roles.conf. Of a run of logs a part is written with kymo_extract_write() and read again.
 */
#include "config.h"

#include "fuzz.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "fuzz-mutate.h"
#include "kymo-extract.h"
#include "kymo-open.h"
#include "kymo-profile-data.h"

#define MEMORY_LIMIT (G_GINT64_CONSTANT (64) << 20)
/* One size of an input in so many writes a part of the run, which takes long. */
#define PARTS_IN 4
#define RULES 8

static const char *const names[] =
{
  "run.sts", "run.0.log", "run.1.log", "run.kymo", "run.projrc", "run.0.sum", "run.1.sum",
  "run.0.sumd", "roles.conf", "profile.0.0.0", "profile.0.0.1", "profile.1.0.0", "profile.kymo",
  "MULTI__TIME/profile.0.0.0", "MULTI__PAPI_FP_OPS/profile.0.0.0", "snapshot.0.0.0",
  "tauprofile.xml", "run.ppk", "gprof.txt", "run.mpiP", "tautrace.0.0.0.trc", "events.0.edf",
  "tautrace.kymo",
};

static const FuzzGrammar lines = FUZZ_LINES;

/* All but packed profiles and records of TAU are text. */
static const FuzzGrammar *
grammar_of (guint number)
{
  return g_str_has_suffix (names[number], ".ppk") || g_str_has_suffix (names[number], ".trc")
    ? NULL : &lines;
}

static const FuzzFiles files = { G_N_ELEMENTS (names), grammar_of };
FUZZ_FILES (files)

/* -- files ------------------------------------------------------------------ */

static const char *folder;      /* with the run */
static const char *settings;    /* the user's */
static const char *work;        /* where parts are written */

static void
make_folder (const char *parent,
             const char *name)
{
  g_autofree char *path = g_build_filename (parent, name, NULL);

  fuzz_require (g_mkdir (path, 0700) == 0);
}

static void
make_folders (void)
{
  folder = fuzz_folder ();
  settings = fuzz_folder ();
  work = fuzz_folder ();
  make_folder (settings, "kymo");
  g_setenv ("XDG_CONFIG_HOME", settings, TRUE);
}

/* The folders of metrics are only there with their files: they make a run one of those. */
static void
put_file (guint       which,
          const void *bytes,
          gsize       size)
{
  const char *slash = strchr (names[which], '/');
  g_autofree char *inner = slash != NULL ? g_strndup (names[which], slash - names[which]) : NULL;

  if (which == RULES)
    {
      fuzz_put (settings, "kymo/roles.conf", bytes, size);
      return;
    }
  if (inner != NULL)
    make_folder (folder, inner);
  fuzz_put (folder, names[which], bytes, size);
}

static void
remove_file (guint which)
{
  g_autofree char *path = which == RULES ? g_build_filename (settings, "kymo/roles.conf", NULL)
    : g_build_filename (folder, names[which], NULL);
  g_autofree char *inner = g_path_get_dirname (path);

  g_unlink (path);
  if (strchr (names[which], '/') != NULL)
    g_rmdir (inner);
}

/* Of a file that comes twice the first one counts. */
static void
unpack (const guint8 *data,
        gsize         size)
{
  static gboolean is[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (is[i])
      remove_file (i);
  memset (is, 0, sizeof is);
  while (size >= FUZZ_FILE_HEAD)
    {
      gsize n = fuzz_split_file (data, size, 0);
      guint which = data[0] % G_N_ELEMENTS (names);

      if (!is[which])
        put_file (which, data + FUZZ_FILE_HEAD, n - FUZZ_FILE_HEAD);
      is[which] = TRUE;
      data += n;
      size -= n;
    }
}

/* -- what holds ------------------------------------------------------------- */

static void
check_values (const KymoProfileData *data)
{
  guint64 n_rows = data->first[data->n_locations];

  for (guint64 r = 0; r < n_rows; r++)
    {
      fuzz_require (data->event[r] < data->events->len);
      fuzz_require (isfinite (data->calls[r]) && isfinite (data->subroutines[r]));
      for (guint i = 0; i < 2 * data->metrics->len; i++)
        fuzz_require (isfinite (data->values[r * 2 * data->metrics->len + i]));
    }
}

static void
check_segments (KymoRun *run)
{
  KymoSpan records = kymo_run_get_records_span (run);

  fuzz_require (run->segments->len == run->locations->len);
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = run->segments->pdata[i];

      fuzz_require (segment->span.begin_ns >= records.begin_ns
                    && segment->span.end_ns <= records.end_ns);
      if (segment->bins == NULL)
        fuzz_segment (segment, run->activities->len);
    }
}

static void
check_reduction (const KymoRun *run)
{
  if (run->reduction == NULL)
    return;
  fuzz_require (kymo_id_weights_get_sum (run->reduction->weights) > 0);
}

static void
check_run (KymoRun *run)
{
  fuzz_report (run->report);
  fuzz_require (g_utf8_validate (run->title, -1, NULL));
  fuzz_require (run->locations->len > 0 && run->span.begin_ns <= run->span.end_ns);
  for (guint i = 0; i < run->locations->len; i++)
    {
      fuzz_require (g_utf8_validate (kymo_run_peek_location (run, i)->label, -1, NULL));
      fuzz_require (i == 0 || kymo_run_peek_location (run, i - 1)->id
                    < kymo_run_peek_location (run, i)->id);
    }
  for (guint i = 0; i < run->activities->len; i++)
    fuzz_require (g_utf8_validate (kymo_run_peek_activity (run, i)->name, -1, NULL));
  check_reduction (run);
  if (run->kind != KYMO_RUN_PROFILE)
    check_segments (run);
  for (guint i = 0; run->profiles != NULL && i < run->profiles->len; i++)
    check_values (run->profiles->pdata[i]);
}

static KymoRun *
open_run (const char *path)
{
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT,
                              .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (path, &options, NULL, &error);

  fuzz_require ((run == NULL) == (error != NULL));
  if (error != NULL)
    fuzz_require (g_utf8_validate (error->message, -1, NULL)
                  && strchr (error->message, '\n') == NULL);
  if (run != NULL)
    check_run (run);
  return run;
}

/* -- a part of a run -------------------------------------------------------- */

/* Time of activities of one name and number, for a part may have fewer of those that no .sts
   names. */
static gint64
time_of (const KymoRun  *run,
         const KymoSums *sums,
         const KymoRun  *of,
         guint           state)
{
  const KymoActivity *wanted;
  gint64 ns = 0;

  if (state < KYMO_STATE_ACTIVITY)
    return sums->ns[state];
  wanted = kymo_run_peek_activity (of, state - KYMO_STATE_ACTIVITY);
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      if (activity->kind == wanted->kind && activity->id == wanted->id
          && g_str_equal (activity->name, wanted->name))
        ns += sums->ns[KYMO_STATE_ACTIVITY + i];
    }
  return ns;
}

/* In the part a PE did in the range what it did in the run. */
static void
check_location (KymoRun  *run,
                guint     in_run,
                KymoRun  *part,
                guint     in_part,
                KymoSpan  span)
{
  KymoSums was, is;

  kymo_sums_init (&was, KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_sums_init (&is, KYMO_STATE_ACTIVITY + part->activities->len);
  kymo_segment_sum (run->segments->pdata[in_run], span, NULL, &was);
  kymo_segment_sum (part->segments->pdata[in_part], span, NULL, &is);
  for (guint s = 0; s < was.n_states; s++)
    fuzz_require (time_of (run, &was, run, s) == time_of (part, &is, run, s));
  for (guint s = 0; s < is.n_states; s++)
    fuzz_require (time_of (run, &was, part, s) == time_of (part, &is, part, s));
  kymo_sums_clear (&was);
  kymo_sums_clear (&is);
}

static void
check_part (KymoRun  *run,
            KymoRun  *part,
            KymoSpan  span)
{
  for (guint i = 0; i < part->locations->len; i++)
    {
      gint k = kymo_run_find_location (run, kymo_run_peek_location (part, i)->id);

      fuzz_require (k >= 0);
      check_location (run, k, part, i, span);
    }
}

static void
write_part (KymoRun *run,
            gsize    size)
{
  KymoSpan whole = run->span;
  gint64 length = kymo_span_length (whole);
  KymoSpan span = { whole.begin_ns + length / (2 + size % 5), whole.end_ns - length / 4 };
  g_autofree char *out = g_build_filename (work, "part", NULL);
  g_autofree gint64 *pes = g_new (gint64, run->locations->len);
  KymoExtractWish wish = { .path = folder, .pes = pes, .n_pes = run->locations->len,
                           .span = span, .whole = whole, .out = out, .n_threads = 1 };
  g_auto (KymoExtractResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) part = NULL;
  gboolean written;

  if (!kymo_extract_check (run, NULL) || span.begin_ns >= span.end_ns)
    return;
  for (guint i = 0; i < run->locations->len; i++)
    pes[i] = kymo_run_peek_location (run, i)->id;
  written = kymo_extract_write (&wish, &result, NULL, &error);
  fuzz_require (written == (error == NULL));
  if (!written)
    return;
  part = open_run (out);
  fuzz_require (part != NULL);
  check_part (run, part, span);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KymoRun) run = NULL;

  if (folder == NULL)
    make_folders ();
  unpack (data, size);
  run = open_run (folder);
  if (run != NULL && size % PARTS_IN == 0)
    write_part (run, size);
  fuzz_clean (work);
  return 0;
}
