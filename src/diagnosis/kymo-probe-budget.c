/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-error.h"
#include "kymo-probe-budget.h"
#include "kymo-units.h"

/** START_NS: what a launcher takes to start and to end a job, beside the measuring */
#define START_NS (2 * G_GINT64_CONSTANT (1000000000))

/** MEASURING_NS: of each part */
#define MEASURING_NS G_GINT64_CONSTANT (1000000000)

/** PATIENCE_NS: how much longer than it needs a probe may take, if the budget allows it */
#define PATIENCE_NS (20 * G_GINT64_CONSTANT (1000000000))

/**
 * Entry:
 * @metric: the first that needed it
 * @is_started: FALSE: refused
 * @why: (nullable): why there is no value
 */
typedef struct
{
  KymoSource    *source;
  KymoProbePart  part;
  char          *metric, *why;
  gboolean       is_started;
  KymoProbed     probed;
} Entry;

struct _KymoProbeBudget
{
  gint64           left_ns;
  KymoProbeStart  start;
  gpointer         data;
  GPtrArray       *entries;     /* Entry */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_object_unref (entry->source);
  g_free (entry->metric);
  g_free (entry->why);
  g_clear_pointer (&entry->probed.lines, kymo_table_unref);
  g_free (entry->probed.command);
  g_free (entry->probed.kept);
  g_free (entry);
}

/** kymo_probe_part_get_word: the word of a part in rules and answers, static */
const char *
kymo_probe_part_get_word (KymoProbePart part)
{
  static const char *const words[] = { "none", "noise", "pingpong", "memory" };

  return words[part];
}

/** kymo_probe_part_get_need_ns: how long a probe of @part takes about, with its start and end */
gint64
kymo_probe_part_get_need_ns (KymoProbePart part)
{
  return part == KYMO_PROBE_PART_NONE ? 0 : START_NS + MEASURING_NS;
}

/**
 * kymo_probe_part_dup_need:
 *
 * Returns: (transfer full): the need for a probe that was not allowed, in words
 */
char *
kymo_probe_part_dup_need (KymoProbePart part)
{
  gint64 seconds = (kymo_probe_part_get_need_ns (part) + 999999999) / 1000000000;

  return g_strdup_printf (_("a probe of about %" PRId64 " s (--probe-time %" PRId64 "s)"), seconds,
                          seconds);
}

/**
 * kymo_probe_part_parse_need:
 * @need: (nullable): what something needs, in words
 *
 * Returns: how long the probe takes that it needs; 0 if it needs something else
 */
gint64
kymo_probe_part_parse_need (const char *need)
{
  for (KymoProbePart part = KYMO_PROBE_PART_NOISE; part <= KYMO_PROBE_PART_MEMORY; part++)
    {
      g_autofree char *own = kymo_probe_part_dup_need (part);

      if (g_strcmp0 (need, own) == 0)
        return kymo_probe_part_get_need_ns (part);
    }
  return 0;
}

/**
 * kymo_probe_budget_new:
 * @budget_ns: how long all probes together may take
 * @start: starts one; @data must outlive the result
 *
 * Returns: (transfer full): nothing was started yet
 */
KymoProbeBudget *
kymo_probe_budget_new (gint64           budget_ns,
                 KymoProbeStart  start,
                 gpointer         data)
{
  KymoProbeBudget *budget = g_new0 (KymoProbeBudget, 1);

  budget->left_ns = budget_ns;
  budget->start = start;
  budget->data = data;
  budget->entries = g_ptr_array_new_with_free_func (entry_free);
  return budget;
}

/**
 * kymo_probe_budget_free:
 *
 * Frees @budget with all that it measured. %NULL is ignored.
 */
void
kymo_probe_budget_free (KymoProbeBudget *budget)
{
  if (budget == NULL)
    return;
  g_ptr_array_unref (budget->entries);
  g_free (budget);
}

static Entry *
find_entry (KymoProbeBudget    *budget,
            KymoSource    *source,
            KymoProbePart  part)
{
  for (guint i = 0; i < budget->entries->len; i++)
    {
      Entry *entry = budget->entries->pdata[i];

      if (entry->source == source && entry->part == part)
        return entry;
    }
  return NULL;
}

static void
start_probe (KymoProbeBudget   *budget,
             Entry        *entry,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  gint64 need_ns = kymo_probe_part_get_need_ns (entry->part);
  g_autofree char *need = kymo_format_duration (need_ns);
  g_autofree char *left = kymo_format_duration (budget->left_ns);

  if (need_ns > budget->left_ns)
    {
      entry->why = g_strdup_printf (_("more time for probes, refused by budget: %s needed, "
                                      "%s left"), need, left);
      return;
    }
  entry->is_started = TRUE;
  if (!budget->start (budget->data, entry->source, kymo_probe_part_get_word (entry->part),
                      MIN (budget->left_ns, need_ns + PATIENCE_NS), &entry->probed, cancellable,
                      &error))
    {
      entry->is_started = entry->probed.command != NULL;
      entry->why = g_strdup_printf (entry->is_started ? _("a probe, which failed: %s")
                                    : _("a probe, which cannot be started: %s"), error->message);
    }
  budget->left_ns = MAX (budget->left_ns - entry->probed.took_ns, 0);
}

/**
 * kymo_probe_budget_measure:
 * @source: the run
 * @part: what to measure where the run was
 * @metric: name of the metric that needs it
 * @cancellable: (nullable): ends the probe
 * @why: (out): why nothing was measured
 *
 * Starts a probe if the budget allows it, and waits for it. It is started once for a run.
 *
 * Returns: (transfer none) (nullable): the lines that it measured
 */
const KymoTable *
kymo_probe_budget_measure (KymoProbeBudget     *budget,
                     KymoSource     *source,
                     KymoProbePart   part,
                     const char     *metric,
                     GCancellable   *cancellable,
                     const char    **why)
{
  Entry *entry = find_entry (budget, source, part);

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->source = g_object_ref (source);
      entry->part = part;
      entry->metric = g_strdup (metric);
      g_ptr_array_add (budget->entries, entry);
      start_probe (budget, entry, cancellable);
    }
  *why = entry->why;
  return entry->why == NULL ? entry->probed.lines : NULL;
}

/**
 * kymo_probe_budget_list:
 *
 * Returns: (transfer full): a list of what was started or refused, in this order
 */
KymoTable *
kymo_probe_budget_list (KymoProbeBudget *budget)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint probe = kymo_table_add_column (table, "probe", KYMO_COLUMN_STRING, 1);
  guint metric = kymo_table_add_column (table, "metric", KYMO_COLUMN_STRING, 1);
  guint state = kymo_table_add_column (table, "state", KYMO_COLUMN_STRING, 1);
  guint command = kymo_table_add_column (table, "command", KYMO_COLUMN_STRING, 1);
  guint took = kymo_table_add_column (table, "took_ns", KYMO_COLUMN_INT, 1);
  guint values = kymo_table_add_column (table, "values", KYMO_COLUMN_INT, 1);
  guint kept = kymo_table_add_column (table, "kept", KYMO_COLUMN_STRING, 1);
  guint why = kymo_table_add_column (table, "why", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < budget->entries->len; i++)
    {
      const Entry *entry = budget->entries->pdata[i];

      kymo_table_append_string (table, probe, kymo_probe_part_get_word (entry->part));
      kymo_table_append_string (table, metric, entry->metric);
      kymo_table_append_string (table, state, !entry->is_started ? "refused"
                                : entry->why != NULL ? "failed" : "measured");
      kymo_table_append_string (table, command, entry->probed.command);
      kymo_table_append_int (table, took, entry->probed.took_ns);
      kymo_table_append_int (table, values, entry->probed.lines == NULL ? 0
                             : kymo_table_get_n_rows (entry->probed.lines));
      kymo_table_append_string (table, kept, entry->probed.kept);
      kymo_table_append_string (table, why, entry->why);
    }
  return table;
}
