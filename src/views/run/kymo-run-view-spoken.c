/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a screen reader speaks of a run beside the messages that everyone sees: where a walk along
 * a path has come, that a path is shown, and where a marker was put. Who looks at the pictures
 * sees these.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-accessible.h"
#include "kymo-in-terms.h"
#include "kymo-run-view-private.h"
#include "kymo-session-path.h"
#include "kymo-units.h"

static void
speak (KymoRunView *self, const char *words)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    kymo_accessible_say (GTK_WIDGET (self), words);
}

/* -- paths ---------------------------------------------------------------- */

/* (transfer full): "PE 3", or the label that the answer has for it */
static char *
dup_place (KymoRunView *self, KymoTable *steps, gint step)
{
  if (kymo_table_find_column (steps, "label") >= 0)
    return g_strdup (kymo_table_peek_label (steps, "label", step));
  return g_strdup_printf (kymo_in_terms_of (self->session, _("{Row} %" PRId64)),
                          kymo_table_get_int (steps, "location", step));
}

static void
speak_step (KymoRunView *self, KymoTable *steps, gint step)
{
  KymoSpan range = kymo_session_get_range (self->session);
  const char *name = kymo_table_get_string (steps, "name", step);
  g_autofree char *place = dup_place (self, steps, step);
  g_autofree char *time = kymo_range_time_text (kymo_table_get_int (steps, "begin_ns", step),
                                                range);
  /* Step 3 of 12: PE 5, 1.2 s, Cell::run. */
  g_autofree char *words = g_strdup_printf (_("Step %d of %u: %s, %s, %s"), step + 1,
                                            kymo_table_get_n_rows (steps), place, time,
                                            name != NULL ? name : "");

  speak (self, words);
}

static void
speak_path (KymoRunView *self, guint n)
{
  static const char *const titles[KYMO_N_PATH_KINDS] = {
    [KYMO_PATH_CRITICAL] = N_("Critical path shown, %u steps"),
    [KYMO_PATH_BACK] = N_("Chain back from the selected block shown, %u steps"),
    [KYMO_PATH_FORWARD] = N_("Chain forward from the selected block shown, %u steps"),
  };
  KymoPathKind kind = kymo_session_get_path_kind (self->session);
  g_autofree char *words = kind == KYMO_PATH_NONE ? g_strdup (_("No path shown"))
                           : g_strdup_printf (_(titles[kind]), n);

  speak (self, words);
}

static void
on_path_changed (KymoRunView *self)
{
  KymoTable *answer = kymo_session_peek_path (self->session);
  KymoTable *steps = answer != NULL ? kymo_table_peek_nested (answer, "steps", NULL) : NULL;
  gint step = kymo_session_get_path_step (self->session);

  if (steps != NULL && step >= 0)
    speak_step (self, steps, step);
  else if (steps != NULL || kymo_session_get_path_kind (self->session) == KYMO_PATH_NONE)
    speak_path (self, steps != NULL ? kymo_table_get_n_rows (steps) : 0);
}

/* -- markers -------------------------------------------------------------- */

static void
on_markers_changed (KymoRunView *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  gint64 a_ns, b_ns;
  gboolean has_a = kymo_session_get_marker (self->session, 0, &a_ns);
  gboolean has_b = kymo_session_get_marker (self->session, 1, &b_ns);
  g_autofree char *a = has_a ? kymo_range_time_text (a_ns, range) : NULL;
  g_autofree char *b = has_b ? kymo_range_time_text (b_ns, range) : NULL;
  g_autofree char *apart = has_a && has_b ? kymo_format_duration (ABS (b_ns - a_ns)) : NULL;
  g_autofree char *words = NULL;

  if (has_a && has_b)
    words = g_strdup_printf (_("Marker A at %s, marker B at %s, %s apart"), a, b, apart);
  else if (has_a)
    words = g_strdup_printf (_("Marker A at %s"), a);
  else if (has_b)
    words = g_strdup_printf (_("Marker B at %s"), b);
  speak (self, words != NULL ? words : _("Markers cleared"));
}

/**
 * kymo_run_view_speak:
 *
 * Lets a screen reader speak of the paths and markers of the session from now on. To be called
 * once, when the view is made.
 */
void
kymo_run_view_speak (KymoRunView *self)
{
  kymo_follow (self->session, "path-changed", on_path_changed, self);
  kymo_follow (self->session, "markers-changed", on_markers_changed, self);
}
