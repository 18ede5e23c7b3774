/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A choice as a run: the logs of its PEs, and the note beside them
 * (docs/formats/kymo.md).
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-reducer-private.h"

#include <string.h>

#include "kymo-part.h"
#include "kymo-reduce.h"
#include "kymo-run-source.h"

/* The numbers of a nested list of a row. */
static void
note_list (GKeyFile        *file,
           const char      *group,
           const KymoTable *table,
           const char      *name,
           guint            row)
{
  const guint *offsets;
  KymoTable *list = kymo_table_peek_nested (table, name, &offsets);
  const gint64 *values = kymo_table_peek_ints (list, "value", NULL);
  guint n = offsets[row + 1] - offsets[row];
  g_autofree int *numbers = g_new (int, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    numbers[i] = values[offsets[row] + i];
  g_key_file_set_integer_list (file, group, name, numbers, n);
}

static void
note_reduction (GKeyFile        *file,
                const KymoTable *choice)
{
  guint n;
  const gint64 *kept = kymo_table_peek_ints (choice, "kept", &n);
  g_autofree int *numbers = g_new (int, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    numbers[i] = kept[i];
  g_key_file_set_integer (file, KYMO_REDUCED_GROUP, "version", KYMO_REDUCED_VERSION);
  g_key_file_set_int64 (file, KYMO_REDUCED_GROUP, "processors",
                        kymo_table_get_int (choice, "processors", 0));
  g_key_file_set_int64 (file, KYMO_REDUCED_GROUP, "pes",
                        kymo_table_get_int (choice, "stands_for", 0));
  g_key_file_set_integer_list (file, KYMO_REDUCED_GROUP, "kept", numbers, n);
}

static void
note_parameters (GKeyFile        *file,
                 const KymoTable *choice)
{
  static const char *const counts[] = { "begin_ns", "end_ns", "k", "outliers" };
  static const char *const words[] = { "seeding", "scale", "quota", "union", "also" };
  static const char *const flags[] = { "critical_path", "corrected_clocks" };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_key_file_set_int64 (file, "Parameters", counts[i],
                          kymo_table_get_int (choice, counts[i], 0));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_key_file_set_string (file, "Parameters", words[i],
                           kymo_table_get_string (choice, words[i], 0));
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    g_key_file_set_boolean (file, "Parameters", flags[i],
                            kymo_table_get_bool (choice, flags[i], 0));
}

static void
note_clusters (GKeyFile        *file,
               const KymoTable *clusters)
{
  for (guint i = 0; i < kymo_table_get_n_rows (clusters); i++)
    {
      g_autofree char *group = g_strdup_printf ("Cluster %u", i);

      g_key_file_set_int64 (file, group, "representative",
                            kymo_table_get_int (clusters, "representative", i));
      note_list (file, group, clusters, "outliers", i);
      note_list (file, group, clusters, "members", i);
    }
}

/* Six digits, whatever the locale. */
static void
note_weights (GKeyFile        *file,
              const KymoTable *weights)
{
  for (guint i = 0; i < kymo_table_get_n_rows (weights); i++)
    {
      g_autofree char *pe = g_strdup_printf ("%" G_GINT64_FORMAT,
                                             kymo_table_get_int (weights, "location", i));
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (text, sizeof text, "%.6f", kymo_table_get_double (weights, "weight", i));
      g_key_file_set_value (file, "Weights", pe, text);
    }
}

static void
note_quality (GKeyFile        *file,
              const KymoTable *quality)
{
  static const char *const names[] = { "share", "mean_ratio", "stddev" };

  g_key_file_set_int64 (file, "Quality", "pes", kymo_table_get_int (quality, "pes", 0));
  g_key_file_set_int64 (file, "Quality", "pes_kept", kymo_table_get_int (quality, "pes_kept", 0));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_key_file_set_double (file, "Quality", names[i],
                           kymo_table_get_double (quality, names[i], 0));
}

static void
note_error (GKeyFile        *file,
            const KymoTable *choice)
{
  static const char *const counts[] = { "begin_ns", "end_ns", "bars" };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_key_file_set_int64 (file, "Error", counts[i], kymo_table_get_int (choice, counts[i], 0));
  g_key_file_set_double (file, "Error", "time_profile",
                         kymo_table_get_double (choice, "time_profile_error", 0));
  if (kymo_table_find_column (choice, "wished_error") >= 0)
    g_key_file_set_double (file, "Error", "wished",
                           kymo_table_get_double (choice, "wished_error", 0));
}

/* Functions have ids of their own and are left out. */
static void
note_entries (GKeyFile        *file,
              const KymoTable *errors)
{
  for (guint i = 0; i < kymo_table_get_n_rows (errors); i++)
    {
      const char *kind = kymo_table_get_string (errors, "kind", i);
      gint64 id = kymo_table_get_int (errors, "id", i);
      g_autofree char *key = id == KYMO_NULL_INT ? g_strdup (kind)
        : g_strdup_printf ("%" G_GINT64_FORMAT, id);
      g_autofree char *values =
        g_strdup_printf ("%" G_GINT64_FORMAT ";%" G_GINT64_FORMAT ";",
                         kymo_table_get_int (errors, "true_ns", i),
                         kymo_table_get_int (errors, "estimated_ns", i));

      if (id == KYMO_NULL_INT || (strcmp (kind, "entry") == 0 && id >= 0))
        g_key_file_set_value (file, "Error of entries", key, values);
    }
}

/* A part of a run stays one. */
static void
note_selection (GKeyFile        *file,
                const KymoTable *choice)
{
  const gint64 *selection = kymo_table_peek_ints (choice, "selection", NULL);

  if (selection == NULL)
    return;
  g_key_file_set_int64 (file, KYMO_SELECTION_GROUP, "begin_ns", selection[0]);
  g_key_file_set_int64 (file, KYMO_SELECTION_GROUP, "end_ns", selection[1]);
}

static char *
make_note (const KymoTable *choice)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  note_reduction (file, choice);
  note_parameters (file, choice);
  note_clusters (file, kymo_table_peek_nested (choice, "clusters", NULL));
  note_weights (file, kymo_table_peek_nested (choice, "weights", NULL));
  note_quality (file, kymo_table_peek_nested (choice, "quality", NULL));
  note_error (file, choice);
  note_selection (file, choice);
  note_entries (file, kymo_table_peek_nested (choice, "errors", NULL));
  return g_key_file_to_data (file, NULL, NULL);
}

/**
 * kymo_reducer_check_out:
 * @out: where a run is to be written
 * @error: says that there is something
 *
 * Returns: whether nothing is there
 */
gboolean
kymo_reducer_check_out (const char  *out,
                        GError     **error)
{
  return kymo_reduce_check_out (out, error);
}

/**
 * kymo_reducer_write:
 * @source: the run source that chose
 * @path: the run, or a file of it
 * @base: (nullable): which of several
 * @choice: of kymo_reducer_choose()
 * @out: the folder to be made; nothing may be there
 * @result: (out caller-allocates): what was written; to be cleared
 * @job: (nullable): for cancelling
 * @error: where to put the reason
 *
 * Writes the kept PEs as a run of its own, with a note beside them. Whatever goes wrong,
 * there is no @out then.
 *
 * Returns: whether all was written
 */
gboolean
kymo_reducer_write (KymoSource *source, const char *path, const char *base,
                    const KymoTable *choice, const char *out, KymoExtractResult *result,
                    KymoJob *job, GError **error)
{
  g_autoptr (KymoRun) run = kymo_source_ref_run (source);
  guint n;
  const gint64 *kept = kymo_table_peek_ints (choice, "kept", &n);
  g_autofree char *note = make_note (choice);
  const KymoPartWish wish = {
    .path = path, .base = base, .locations = kept, .n_locations = n, .span = run->span,
    .note = note, .out = out,
    .n_threads = kymo_source_get_threads (source),
  };

  kymo_job_set_stage (job, _("Writing"));
  return kymo_part_write (run, &wish, result, job, error);
}

/* Of a record of a trace of TAU, and of one of an OTF2 archive in the mean. */
#define RECORD_BYTES 24
#define OTF2_RECORD_BYTES 12

/**
 * kymo_reducer_count_bytes:
 * @path: the run, or a file of it
 * @pes: (array length=n_pes): that would be kept
 *
 * Returns: bytes of their logs; of runs that are written as traces of TAU or as OTF2
 *   archives, about as many as their records take
 */
gint64
kymo_reducer_count_bytes (KymoSource   *source,
                          const char   *path,
                          const gint64 *pes,
                          guint         n_pes)
{
  g_autoptr (KymoRun) run = kymo_source_ref_run (source);
  gint64 record_bytes = g_strcmp0 (run->format, "otf2") == 0 ? OTF2_RECORD_BYTES : RECORD_BYTES;
  gint64 bytes = 0;

  if (g_strcmp0 (run->format, "projections") == 0)
    return kymo_reduce_count_bytes (path, NULL, pes, n_pes);
  for (guint i = 0; i < n_pes; i++)
    {
      gint location = kymo_run_find_location (run, pes[i]);

      if (location >= 0)
        bytes += kymo_run_peek_location (run, location)->n_records * record_bytes;
    }
  return bytes;
}
