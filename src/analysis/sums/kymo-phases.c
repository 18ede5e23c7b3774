/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-phases.h"

#include <string.h>

#include "kymo-engine.h"
#include "kymo-run-index.h"

/**
 * kymo_phases_of_run:
 *
 * Returns: (transfer full): rows of phase (its number in the files), begin_ns
 * and end_ns in order of time; empty where the program marked none
 */
KymoTable *
kymo_phases_of_run (const KymoRun *run)
{
  KymoTable *table = kymo_table_new_list ("phase begin_ns end_ns");
  const GArray *phases = kymo_run_peek_phases (run);

  for (guint i = 0; i < phases->len; i++)
    {
      const KymoPhase *here = &g_array_index (phases, KymoPhase, i);

      kymo_table_append_row (table, here->phase, here->span.begin_ns, here->span.end_ns);
    }
  return table;
}

/**
 * kymo_phases_find:
 * @phases: (nullable): rows of kymo_phases_of_run()
 * @span: (out): its range
 *
 * Returns: whether there is a phase of that number
 */
gboolean
kymo_phases_find (const KymoTable *phases,
                  gint64           phase,
                  KymoSpan        *span)
{
  guint n = phases != NULL ? kymo_table_get_n_rows (phases) : 0;

  for (guint i = 0; i < n; i++)
    if (kymo_table_get_int (phases, "phase", i) == phase)
      {
        span->begin_ns = kymo_table_get_int (phases, "begin_ns", i);
        span->end_ns = kymo_table_get_int (phases, "end_ns", i);
        return TRUE;
      }
  return FALSE;
}

/**
 * kymo_phases_parse:
 * @text: "phase 2", in any case
 * @phase: (out): the number
 * @span: (out): its range
 *
 * Returns: whether @text names a phase of the run
 */
gboolean
kymo_phases_parse (const KymoTable *phases,
                   const char      *text,
                   gint64          *phase,
                   KymoSpan        *span)
{
  g_autofree char *number = NULL;

  text += strspn (text, " ");
  if (g_ascii_strncasecmp (text, "phase", 5) != 0)
    return FALSE;
  number = g_strstrip (g_strdup (text + 5));
  return g_ascii_string_to_signed (number, 10, G_MININT32, G_MAXINT32, phase, NULL)
    && kymo_phases_find (phases, *phase, span);
}
