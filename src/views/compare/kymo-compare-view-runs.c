/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where runs lie against each other, and what can be asked of each.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-compare-view-private.h"
#include "kymo-controls.h"
#include "kymo-dialogs.h"
#include "kymo-session-profile.h"
#include "kymo-units.h"

static GtkWindow *
window_of (KymoCompareView *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

/* -- where runs lie ------------------------------------------------------- */

static KymoSpan
stretch_of (KymoCompareView *self, guint run)
{
  return kymo_session_get_stretch (kymo_session_coupling_peek (self->coupling, run + 1));
}

/* Offset of the run, beside the distance of its stretch from that of A. */
static gint64
offset_of (KymoCompareView *self, guint run)
{
  return kymo_session_coupling_get_offset (self->coupling, run + 1)
         - (stretch_of (self, run).begin_ns - stretch_of (self, 0).begin_ns);
}

static gboolean
has_stretches (KymoCompareView *self)
{
  return kymo_span_length (stretch_of (self, 0)) > 0;
}

/* Whether the stretches begin together. */
static gboolean
is_at_start (KymoCompareView *self)
{
  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    if (offset_of (self, i) != offset_of (self, 0))
      return FALSE;
  return has_stretches (self);
}

static char *
dup_offset_words (KymoCompareView *self, guint run)
{
  gint64 offset_ns = offset_of (self, run);
  g_autofree char *length = kymo_format_duration (ABS (offset_ns));

  if (offset_ns == 0 || !kymo_session_coupling_get_shared (self->coupling))
    return g_strdup ("");
  return g_strdup_printf (offset_ns > 0 ? _("%s earlier") : _("%s later"), length);
}

static char *
dup_align_words (KymoCompareView *self)
{
  g_autofree char *align = kymo_comparison_dup_align (self->comparison);

  if (is_at_start (self))
    return g_strdup (_("Aligned at the start"));
  if (g_str_has_prefix (align, "offsets ") || g_str_equal (align, "by hand"))
    return g_strdup (_("Aligned by hand"));
  if (g_str_equal (align, "start"))
    return g_strdup (_("Aligned at the start"));
  if (g_str_equal (align, "end"))
    return g_strdup (_("Aligned at the end"));
  return g_strdup_printf (_("Aligned at %s"), align);
}

/** kymo_compare_view_show_offsets: as comparison and coupling have them */
void
kymo_compare_view_show_offsets (KymoCompareView *self)
{
  g_autofree char *align = dup_align_words (self);

  for (guint i = 0; i < kymo_compare_pictures_get_n (self->pictures); i++)
    {
      g_autofree char *words = dup_offset_words (self, i);

      kymo_compare_pictures_set_words (self->pictures, i, words);
    }
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->align), align);
  gtk_widget_set_sensitive (self->align,
                            kymo_session_coupling_get_shared (self->coupling)
                            && kymo_session_has_time (self->session));
}

/**
 * kymo_compare_view_take_offsets:
 *
 * Moves every run to the offset (ns) that the comparison has for it, and shows the offsets.
 */
void
kymo_compare_view_take_offsets (KymoCompareView *self)
{
  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    kymo_session_coupling_set_offset (self->coupling, i + 1, kymo_comparison_get_offset (
      self->comparison, i));
  kymo_compare_view_show_offsets (self);
}

/** kymo_compare_view_shift: by hand; one run alone */
void
kymo_compare_view_shift (KymoCompareView *self, guint run, gint64 offset_ns)
{
  if (!kymo_session_coupling_get_shared (self->coupling))
    {
      gint64 now = g_get_monotonic_time ();

      /* Once a drag, or a key that is held. */
      if (now - self->said_us > 3 * G_USEC_PER_SEC)
        kymo_compare_view_say (self, _("On scales of their own runs are not moved: choose "
                                       "one time scale first"));
      self->said_us = now;
      return;
    }
  kymo_comparison_set_offset (self->comparison, run, offset_ns);
  kymo_compare_view_take_offsets (self);
}

/* -- aligning ------------------------------------------------------------- */

typedef struct
{
  KymoComparison *comparison;
  char           *how;
  gint64         *offsets_ns;
} Alignment;

static void
alignment_free (gpointer data)
{
  Alignment *alignment = data;

  g_object_unref (alignment->comparison);
  g_free (alignment->offsets_ns);
  g_free (alignment->how);
  g_free (alignment);
}

static void
align_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Alignment *alignment = data;
  GError *error = NULL;

  if (kymo_comparison_find_offsets (alignment->comparison, alignment->how,
                                    alignment->offsets_ns, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_aligned (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoCompareView *self = KYMO_COMPARE_VIEW (object);
  Alignment *alignment = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean found = g_task_propagate_boolean (G_TASK (result), &error);

  if (self->aligning != g_task_get_cancellable (G_TASK (result)))
    return;
  g_clear_object (&self->aligning);
  if (!found)
    {
      kymo_compare_view_say (self, error->message);
      return;
    }
  kymo_comparison_set_aligned (self->comparison, alignment->how, alignment->offsets_ns);
  kymo_compare_view_take_offsets (self);
}

/** kymo_compare_view_align: a new place takes over from one that is looked for */
void
kymo_compare_view_align (KymoCompareView *self, const char *how)
{
  Alignment *alignment;
  g_autoptr (GTask) task = NULL;

  /* The view went while a dialog was open. */
  if (self->comparison == NULL)
    return;
  alignment = g_new0 (Alignment, 1);
  g_cancellable_cancel (self->aligning);
  g_clear_object (&self->aligning);
  self->aligning = g_cancellable_new ();
  alignment->comparison = g_object_ref (self->comparison);
  alignment->how = g_strdup (how);
  alignment->offsets_ns = g_new0 (gint64, kymo_comparison_get_n_runs (self->comparison));
  task = g_task_new (self, self->aligning, on_aligned, NULL);
  g_task_set_task_data (task, alignment, alignment_free);
  g_task_run_in_thread (task, align_thread);
}

/* Marker A of every run, which M sets in its picture. */
static void
align_at_markers (KymoCompareView *self)
{
  guint n = kymo_comparison_get_n_runs (self->comparison);
  g_autofree gint64 *offsets_ns = g_new0 (gint64, n);
  g_autoptr (GString) how = g_string_new ("offsets ");
  gint64 first_ns = 0, time_ns;

  for (guint i = 0; i < n; i++)
    {
      if (!kymo_session_get_marker (kymo_session_coupling_peek (self->coupling, i + 1), 0,
                                    &time_ns))
        {
          kymo_compare_view_say (self, _("Set marker A in the picture of every run first: "
                                         "point at the place and press M"));
          return;
        }
      if (i == 0)
        first_ns = time_ns;
      offsets_ns[i] = time_ns - first_ns;
      g_string_append_printf (how, "%s%" G_GINT64_FORMAT "ns", i > 0 ? "," : "",
                              offsets_ns[i]);
    }
  kymo_comparison_set_aligned (self->comparison, how->str, offsets_ns);
  kymo_compare_view_take_offsets (self);
}

/* Of stretches, in place of their runs. */
static void
align_stretches (KymoCompareView *self, gboolean at_end)
{
  guint n = kymo_comparison_get_n_runs (self->comparison);
  g_autofree gint64 *offsets_ns = g_new0 (gint64, n);

  for (guint i = 0; i < n; i++)
    offsets_ns[i] = at_end ? stretch_of (self, i).end_ns - stretch_of (self, 0).end_ns
                    : stretch_of (self, i).begin_ns - stretch_of (self, 0).begin_ns;
  kymo_comparison_set_aligned (self->comparison, "by hand", offsets_ns);
  kymo_compare_view_take_offsets (self);
}

static void
on_phase_typed (const char *text, gpointer data)
{
  g_autofree char *how = g_strconcat ("phase ", text, NULL);

  kymo_compare_view_align (data, how);
}

static void
on_block_typed (const char *text, gpointer data)
{
  g_autofree char *how = g_strconcat ("block ", text, NULL);

  kymo_compare_view_align (data, how);
}

static void
on_event_typed (const char *text, gpointer data)
{
  g_autofree char *how = g_strconcat ("marker ", text, NULL);

  kymo_compare_view_align (data, how);
}

static void
align_by (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCompareView *self = data;
  const char *how = g_variant_get_string (parameter, NULL);
  const char *name = kymo_session_peek_function (self->session);

  if (g_str_equal (how, "markers"))
    align_at_markers (self);
  else if (g_str_equal (how, "phase"))
    kymo_dialog_ask_text (window_of (self), _("Align at a Phase"),
                          _("Number of the phase that is to begin at the same place in "
                            "all runs"), "0", _("_Align"), on_phase_typed, self);
  else if (g_str_equal (how, "block"))
    kymo_dialog_ask_text (window_of (self), _("Align at a Block"),
                          _("Name of what runs in all runs; #3 behind it takes its third "
                            "block"), name != NULL ? name : "", _("_Align"),
                          on_block_typed, self);
  else if (g_str_equal (how, "event"))
    kymo_dialog_ask_text (window_of (self), _("Align at a User Event"),
                          _("Name of a user event, bracket or note of all runs"), "",
                          _("_Align"), on_event_typed, self);
  else if (has_stretches (self))
    align_stretches (self, g_str_equal (how, "end"));
  else
    kymo_compare_view_align (self, how);
}

/**
 * kymo_compare_view_build_align:
 *
 * Returns: (transfer floating): the menu button for how runs are aligned; its items activate the
 * action "compare.align"
 */
GtkWidget *
kymo_compare_view_build_align (KymoCompareView *self)
{
  static const struct { const char *words, *action; } items[] = {
    { N_("At the _Start"), "compare.align('start')" },
    { N_("At the _End"), "compare.align('end')" },
    { N_("At a _Phase…"), "compare.align('phase')" },
    { N_("At a _Block…"), "compare.align('block')" },
    { N_("At a _User Event…"), "compare.align('event')" },
    { N_("At _Marker A of Each"), "compare.align('markers')" },
  };
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    g_menu_append (menu, _(items[i].words), items[i].action);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, _("What stands at the same place in all runs; a "
                                         "picture can be dragged with Alt"));
  return button;
}

/* -- actions ------------------------------------------------------------- */

static void
arrange_compare_view_runs (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint run = 0, side = 0;

  if (parameter != NULL && g_variant_is_of_type (parameter, G_VARIANT_TYPE_UINT32))
    run = g_variant_get_uint32 (parameter);
  else if (parameter != NULL)
    g_variant_get (parameter, "(uu)", &run, &side);
  else
    side = ((KymoCompareView *) data)->against;
  g_signal_emit_by_name (data, "arrange", g_action_get_name (G_ACTION (action)), run,
                         side);
}

static void
on_shift_typed (const char *text, gpointer data)
{
  KymoCompareView *self = data;
  guint run = GPOINTER_TO_UINT (g_object_get_data (data, "shifting"));
  g_autoptr (GError) error = NULL;
  gboolean negative = *text == '-';
  gint64 ns;

  if (self->comparison == NULL)
    return;
  if (!kymo_parse_time (negative ? text + 1 : text, &ns, &error))
    kymo_compare_view_say (self, error->message);
  else
    kymo_compare_view_shift (self, run, negative ? ns : -ns);
}

static void
ask_shift (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCompareView *self = data;
  guint run = g_variant_get_uint32 (parameter);
  gint64 later_ns = -kymo_session_coupling_get_offset (self->coupling, run + 1);
  g_autofree char *length = kymo_format_duration_exact (ABS (later_ns));
  g_autofree char *text = g_strconcat (later_ns < 0 ? "-" : "", length, NULL);

  g_object_set_data (data, "shifting", GUINT_TO_POINTER (run));
  kymo_dialog_ask_text (window_of (self), _("Move This Run in Time"),
                        _("How much later it is to begin, with a unit, as 12.5 ms; -3 ms "
                          "is earlier"), text, _("_Move"), on_shift_typed, self);
}

static void
go_to_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_compare_view_go_to (data, g_variant_get_uint32 (parameter));
}

static const GActionEntry entries[] = {
  { "align", align_by, "s", NULL, NULL, { 0 } },
  { "add", arrange_compare_view_runs, NULL, NULL, NULL, { 0 } },
  { "swap", arrange_compare_view_runs, NULL, NULL, NULL, { 0 } },
  { "first", arrange_compare_view_runs, "u", NULL, NULL, { 0 } },
  { "remove", arrange_compare_view_runs, "u", NULL, NULL, { 0 } },
  { "apart", arrange_compare_view_runs, "u", NULL, NULL, { 0 } },
  { "repeat", arrange_compare_view_runs, "(uu)", NULL, NULL, { 0 } },
  { "shift", ask_shift, "u", NULL, NULL, { 0 } },
  { "go-to", go_to_run, "u", NULL, NULL, { 0 } },
};

/**
 * kymo_compare_view_add_run_actions:
 *
 * Adds the actions of single runs to the group "compare": align, add, swap, first, remove, apart,
 * repeat, shift and go-to.
 */
void
kymo_compare_view_add_run_actions (KymoCompareView *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries,
                                   G_N_ELEMENTS (entries), self);
}
