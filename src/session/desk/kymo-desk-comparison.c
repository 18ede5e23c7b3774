/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-comparison.h. What is written can be read: no more runs than are compared,
 * no offset beyond that of a comparison.
 */
#include "config.h"

#include "kymo-desk-comparison.h"

#include <glib/gi18n-lib.h>

#include "kymo-comparison.h"
#include "kymo-desk-keys.h"

#define GROUP "Comparison"
#define EACH_RUN "Compared Run %u"

/* -- values --------------------------------------------------------------- */

static void
run_free (gpointer data)
{
  KymoDeskRun *run = data;

  g_free (run->title);
  g_free (run->beside);
  g_free (run->uri);
  g_free (run);
}

/**
 * kymo_desk_comparison_new:
 *
 * Returns: (transfer full): a comparison of no runs, with nothing chosen
 */
KymoDeskComparison *
kymo_desk_comparison_new (void)
{
  KymoDeskComparison *comparison = g_new0 (KymoDeskComparison, 1);

  comparison->runs = g_ptr_array_new_with_free_func (run_free);
  comparison->shared = comparison->stacked = comparison->per_pe = -1;
  comparison->against = KYMO_DESK_NONE;
  return comparison;
}

/**
 * kymo_desk_comparison_free:
 *
 * Frees the comparison with its runs and texts; it must not be %NULL.
 */
void
kymo_desk_comparison_free (KymoDeskComparison *comparison)
{
  g_ptr_array_unref (comparison->runs);
  g_free (comparison->align);
  g_free (comparison->page);
  g_free (comparison->picture);
  g_free (comparison);
}

/**
 * kymo_desk_comparison_add:
 *
 * Appends a run on side 0 (A), with offset 0 and neither texts nor markers, for the caller to fill.
 *
 * Returns: (transfer none): the new run, owned by @comparison
 */
KymoDeskRun *
kymo_desk_comparison_add (KymoDeskComparison *comparison)
{
  KymoDeskRun *run = g_new0 (KymoDeskRun, 1);

  run->markers[0] = run->markers[1] = KYMO_DESK_NONE;
  g_ptr_array_add (comparison->runs, run);
  return run;
}

/* -- reading -------------------------------------------------------------- */

/* A run without a side is none of the comparison. */
static gboolean
read_side (KymoDeskRun *run, GKeyFile *file, const char *group, GError **error)
{
  return kymo_desk_read_number (file, group, "side", 0, &run->side, error)
         && (run->side < KYMO_MOST_RUNS
             || kymo_desk_refuse (error, _("%s of [%s] is no number that it could be"), "side",
                                  group));
}

static gboolean
read_offset (KymoDeskRun *run, GKeyFile *file, const char *group, GError **error)
{
  gint64 offset = 0;

  if (!kymo_desk_read_number (file, group, "offset", -KYMO_MOST_OFFSET_NS, &offset, error))
    return FALSE;
  if (offset > KYMO_MOST_OFFSET_NS)
    return kymo_desk_refuse (error, _("%s of [%s] is no number that it could be"), "offset",
                             group);
  run->offset_ns = offset;
  return TRUE;
}

/* Both ends or none. */
static gboolean
read_stretch (KymoDeskRun *run, GKeyFile *file, const char *group, GError **error)
{
  KymoSpan span = { KYMO_DESK_NONE, KYMO_DESK_NONE };

  if (!kymo_desk_read_number (file, group, "stretch-begin", G_MININT64 / 4, &span.begin_ns, error)
      || !kymo_desk_read_number (file, group, "stretch-end", G_MININT64 / 4, &span.end_ns, error))
    return FALSE;
  if (span.begin_ns == KYMO_DESK_NONE && span.end_ns == KYMO_DESK_NONE)
    return TRUE;
  if (span.begin_ns == KYMO_DESK_NONE || span.end_ns == KYMO_DESK_NONE
      || span.end_ns > G_MAXINT64 / 4 || span.begin_ns >= span.end_ns)
    return kymo_desk_refuse (error, _("%s of [%s] is no number that it could be"), "stretch-end",
                             group);
  run->stretch = span;
  return TRUE;
}

static void
read_run (KymoDesk *desk, KymoDeskRun *run, GKeyFile *file, const char *group)
{
  const struct { const char *key; gsize most; char **text; } texts[] = {
    { "title", KYMO_DESK_TEXT_MOST, &run->title },
    { "beside", KYMO_DESK_LONG_MOST, &run->beside },
    { "uri", KYMO_DESK_LONG_MOST, &run->uri },
  };
  static const char *const markers[] = { "marker-a", "marker-b" };
  GError *why = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!kymo_desk_read_text (file, group, texts[i].key, texts[i].most, texts[i].text, &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  for (guint i = 0; i < G_N_ELEMENTS (markers); i++)
    if (!kymo_desk_read_number (file, group, markers[i], G_MININT64 / 4, &run->markers[i], &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  if (!read_offset (run, file, group, &why))
    kymo_desk_leave_out (desk, g_steal_pointer (&why));
  if (!read_stretch (run, file, group, &why))
    kymo_desk_leave_out (desk, why);
}

static gboolean
read_runs (KymoDesk *desk, GKeyFile *file, GError **error)
{
  GPtrArray *runs = desk->comparison->runs;
  GError *why = NULL;

  for (guint i = 1; i <= KYMO_MOST_RUNS; i++)
    {
      g_autofree char *group = g_strdup_printf (EACH_RUN, i);
      KymoDeskRun *run;

      if (!g_key_file_has_group (file, group))
        break;
      run = kymo_desk_comparison_add (desk->comparison);
      if (read_side (run, file, group, &why))
        read_run (desk, run, file, group);
      else
        {
          kymo_desk_leave_out (desk, g_steal_pointer (&why));
          g_ptr_array_remove_index (runs, runs->len - 1);
        }
    }
  return runs->len >= 2 || kymo_desk_refuse (error, _("it compares fewer than two runs"));
}

/** kymo_desk_read_comparison: where there is one; FALSE where it cannot be shown */
gboolean
kymo_desk_read_comparison (KymoDesk *desk, GKeyFile *file, GError **error)
{
  KymoDeskComparison *own;
  GError *why = NULL;

  if (!g_key_file_has_group (file, GROUP))
    return TRUE;
  own = desk->comparison = kymo_desk_comparison_new ();
  const struct { const char *key; gsize most; char **text; } texts[] = {
    { "align", KYMO_DESK_TEXT_MOST, &own->align },
    { "page", KYMO_DESK_SHORT_MOST, &own->page },
    { "picture", KYMO_DESK_SHORT_MOST, &own->picture },
  };
  const struct { const char *key; int *flag; } flags[] = {
    { "one-scale", &own->shared }, { "stacked", &own->stacked }, { "per-pe", &own->per_pe },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!kymo_desk_read_text (file, GROUP, texts[i].key, texts[i].most, texts[i].text, &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (!kymo_desk_read_flag (file, GROUP, flags[i].key, flags[i].flag, &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  if (!kymo_desk_read_number (file, GROUP, "against", 0, &own->against, &why))
    kymo_desk_leave_out (desk, why);
  return read_runs (desk, file, error);
}

/* -- writing -------------------------------------------------------------- */

static void
write_flag (GKeyFile *file, const char *key, int flag)
{
  if (flag >= 0)
    g_key_file_set_boolean (file, GROUP, key, flag);
}

static void
write_run (const KymoDeskRun *run, GKeyFile *file, guint number)
{
  g_autofree char *group = g_strdup_printf (EACH_RUN, number);

  g_key_file_set_int64 (file, group, "side", CLAMP (run->side, 0, KYMO_MOST_RUNS - 1));
  g_key_file_set_int64 (file, group, "offset", CLAMP (run->offset_ns, -KYMO_MOST_OFFSET_NS,
                                                      KYMO_MOST_OFFSET_NS));
  kymo_desk_write_text (file, group, "title", KYMO_DESK_TEXT_MOST, run->title);
  kymo_desk_write_text (file, group, "beside", KYMO_DESK_LONG_MOST, run->beside);
  kymo_desk_write_text (file, group, "uri", KYMO_DESK_LONG_MOST, run->uri);
  kymo_desk_write_number (file, group, "marker-a", G_MININT64 / 4, run->markers[0]);
  kymo_desk_write_number (file, group, "marker-b", G_MININT64 / 4, run->markers[1]);
  if (kymo_span_length (run->stretch) > 0)
    {
      kymo_desk_write_number (file, group, "stretch-begin", G_MININT64 / 4, run->stretch.begin_ns);
      kymo_desk_write_number (file, group, "stretch-end", G_MININT64 / 4, run->stretch.end_ns);
    }
}

/** kymo_desk_write_comparison: where there is one */
void
kymo_desk_write_comparison (const KymoDesk *desk, GKeyFile *file)
{
  const KymoDeskComparison *own = desk->comparison;

  if (own == NULL || own->runs->len < 2)
    return;
  kymo_desk_write_group (file, GROUP);
  kymo_desk_write_text (file, GROUP, "align", KYMO_DESK_TEXT_MOST, own->align);
  kymo_desk_write_text (file, GROUP, "page", KYMO_DESK_SHORT_MOST, own->page);
  kymo_desk_write_text (file, GROUP, "picture", KYMO_DESK_SHORT_MOST, own->picture);
  write_flag (file, "one-scale", own->shared);
  write_flag (file, "stacked", own->stacked);
  write_flag (file, "per-pe", own->per_pe);
  kymo_desk_write_number (file, GROUP, "against", 0, own->against);
  for (guint i = 0; i < MIN (own->runs->len, KYMO_MOST_RUNS); i++)
    write_run (own->runs->pdata[i], file, i + 1);
}
