/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a selection are kept with the stretch they were selected with:
 * they hold as long as that is what is selected.
 */
#include "config.h"

#include "kymo-session-private.h"
#include "kymo-session-selected.h"

typedef struct
{
  KymoSpan   span;
  KymoIdSet *rows;
} Rows;

static const char rows_key[] = "kymo-selected-rows";

static void
rows_free (gpointer data)
{
  Rows *rows = data;

  kymo_id_set_unref (rows->rows);
  g_free (rows);
}

/**
 * kymo_session_select_rows:
 * @span: (nullable): in ns; %NULL selects nothing
 * @rows: (nullable) (transfer none): the selected locations; %NULL = the selection is of time alone
 *
 * Selects a range of time with the rows that a drag went over. Emits "selection-changed" where the
 * range or the set of rows is another one.
 */
void
kymo_session_select_rows (KymoSession    *self,
                          const KymoSpan *span,
                          KymoIdSet      *rows)
{
  KymoIdSet *before = kymo_session_peek_selected_rows (self);
  KymoSpan now;
  gboolean same = span != NULL && kymo_session_get_selection (self, &now)
    && kymo_spans_equal (now, *span);
  Rows *kept = NULL;

  if (span != NULL && rows != NULL)
    {
      kept = g_new (Rows, 1);
      *kept = (Rows) { *span, kymo_id_set_ref (rows) };
    }
  g_object_set_data_full (G_OBJECT (self), rows_key, kept,
                          kept != NULL ? rows_free : NULL);
  kymo_session_set_selection (self, span);
  /* Of the same time other rows are another selection, too. */
  if (same && before != rows)
    kymo_session_emit (self, SELECTION_CHANGED);
}

/**
 * kymo_session_peek_selected_rows:
 *
 * Returns: (transfer none) (nullable): the locations of the selection; %NULL where nothing is
 *   selected, or time alone
 */
KymoIdSet *
kymo_session_peek_selected_rows (KymoSession *self)
{
  const Rows *rows = g_object_get_data (G_OBJECT (self), rows_key);
  KymoSpan span;

  return rows != NULL && kymo_session_get_selection (self, &span)
    && kymo_spans_equal (span, rows->span) ? rows->rows : NULL;
}

/**
 * kymo_session_zoom_to_selection:
 *
 * Makes the selected range the visible one and its rows, where it has some, the shown locations;
 * then nothing is selected. The range before goes into the history.
 *
 * Returns: %FALSE, and nothing changed, where nothing is selected
 */
gboolean
kymo_session_zoom_to_selection (KymoSession *self)
{
  KymoIdSet *rows = kymo_session_peek_selected_rows (self);
  g_autoptr (KymoIdSet) kept = rows != NULL ? kymo_id_set_ref (rows) : NULL;
  KymoSpan span;

  if (!kymo_session_get_selection (self, &span))
    return FALSE;
  kymo_session_set_range (self, span, TRUE);
  kymo_session_select_rows (self, NULL, NULL);
  if (kept != NULL)
    kymo_session_set_locations (self, kept);
  return TRUE;
}

/**
 * kymo_session_move_marker:
 * @which: 0 (A) or 1 (B)
 * @time_ns: in ns, taken as it is
 *
 * Emits "markers-changed". Nothing happens where the marker is not set or stands there already.
 */
void
kymo_session_move_marker (KymoSession *self,
                          guint        which,
                          gint64       time_ns)
{
  if (which > 1 || !self->has_marker[which]
      || self->markers[which] == time_ns)
    return;
  self->markers[which] = time_ns;
  kymo_session_emit (self, MARKERS_CHANGED);
}
