/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which views and panes a run has: that goes by what its source can answer,
 * never by its format. While a run is read it can answer less; views that come with
 * the exact run are added then.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-explain-view.h"
#include "kymo-in-terms.h"
#include "kymo-navigate.h"
#include "kymo-run-view-private.h"
#include "kymo-selected-block.h"
#include "kymo-session-profile.h"
#include "kymo-view-groups.h"

/**
 * kymo_run_view_title_of:
 * @id: of a view
 *
 * Returns: (transfer none): its title in the run's own terms, kept for good
 */
const char *
kymo_run_view_title_of (KymoRunView *self, const char *id)
{
  const KymoViewInfo *info = kymo_view_find (id);

  return info != NULL ? kymo_in_terms_of (self->session, _(info->title)) : id;
}

/* Now; "live" comes with a feed. */
static gboolean
can_be (KymoRunView *self, const KymoViewInfo *info)
{
  KymoCapabilities can = kymo_source_get_capabilities (
    kymo_session_peek_source (self->session));

  if (g_strcmp0 (info->id, "live") == 0)
    return self->feed != NULL;
  if ((info->flags & KYMO_VIEW_OF_TIME)
      && !kymo_session_has_time (self->session))
    return FALSE;
  /* A stream is the mean of PEs. */
  if ((info->flags & KYMO_VIEW_OF_ROWS) && (can & KYMO_CAN_STREAM))
    return FALSE;
  if ((info->flags & KYMO_VIEW_OF_MESSAGES) && !(can & KYMO_CAN_GROWING)
      && kymo_run_view_is_exact (self) && kymo_table_get_int (self->info, "messages", 0) == 0)
    return FALSE;
  return info->needs == 0 || (can & info->needs) != 0;
}

/** kymo_run_view_add_views: what the run can be seen in now; once it can, it can */
void
kymo_run_view_add_views (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  guint n = 0;

  while (kymo_views[n].id != NULL)
    n++;
  if (self->known == NULL)
    self->known = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++)
    self->known[i] = self->known[i] || can_be (self, &kymo_views[i]);
  for (guint i = 0; i < parts->len; i++)
    kymo_desk_part_do_wish (parts->pdata[i]);
}

/** kymo_run_view_has_view: @id: of kymo_views */
gboolean
kymo_run_view_has_view (KymoRunView *self, const char *id)
{
  const KymoViewInfo *info = kymo_view_find (id);

  return info != NULL && self->known[info - kymo_views];
}

/** kymo_run_view_has_time: whether there is a time axis to zoom on */
gboolean
kymo_run_view_has_time (KymoRunView *self)
{
  return kymo_session_has_time (self->session);
}

/* The view of the command line, or NULL. */
static const char *opens_with;

/**
 * kymo_run_view_open_with:
 * @id: (nullable): of kymo_views; %NULL: their findings
 *
 * Lets runs open with this view from now on; a run that lacks it opens with its findings. Nothing
 * changes where there is no such view.
 */
void
kymo_run_view_open_with (const char *id)
{
  const KymoViewInfo *info = kymo_view_find (id);

  if (info != NULL || id == NULL)
    opens_with = info != NULL ? info->id : NULL;
}

/**
 * kymo_run_view_peek_opens_with:
 *
 * Returns: (transfer none) (nullable): the view of kymo_run_view_open_with(); %NULL if nobody
 *   called it
 */
const char *
kymo_run_view_peek_opens_with (void)
{
  return opens_with;
}

/**
 * kymo_run_view_first_view:
 *
 * Returns: (transfer none): what is to be seen when the run opens: its findings, or the view of
 *   kymo_run_view_open_with() if the run has it; of a recording that is played, how it plays
 */
const char *
kymo_run_view_first_view (KymoRunView *self)
{
  if (opens_with != NULL && kymo_run_view_has_view (self, opens_with))
    return opens_with;
  return self->feed != NULL && kymo_feed_is_playback (self->feed) ? "live" : "findings";
}

/* What a timeline is linked with: the selected block, whose function and thread are
   those that the views of profiles show. */

static void
on_details (KymoRunView *self)
{
  KymoTable *answer = kymo_selected_block_peek_details (kymo_selected_block_of (self->session));
  const char *name = answer != NULL && kymo_table_find_column (answer, "name") >= 0
                     ? kymo_table_get_string (answer, "name", 0) : NULL;

  if (self->links_function && name != NULL)
    kymo_session_set_function (self->session, name);
  self->links_function = FALSE;
}

static void
on_block (KymoRunView *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  gint64 location;
  g_autofree char *of = NULL;

  self->links_function = (kymo_source_get_capabilities (source) & KYMO_CAN_METRICS)
                         && kymo_session_get_block (self->session, &location, NULL);
  if (!self->links_function)
    return;
  of = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  kymo_session_set_thread (self->session, of);
}

/* A function that is chosen before the details come is newer than the block. */
static void
on_function (KymoRunView *self)
{
  self->links_function = FALSE;
}

/**
 * kymo_run_view_link_block:
 *
 * Links the selected block with the views of profiles: of a run that has metrics, selecting a
 * block makes its thread the thread of the session, and its function, when the answer has come,
 * the function of the session. A function that is chosen meanwhile stays.
 */
void
kymo_run_view_link_block (KymoRunView *self)
{
  KymoSelectedBlock *block = kymo_selected_block_of (self->session);

  kymo_follow (block, "changed", on_block, self);
  kymo_follow (block, "details", on_details, self);
  kymo_follow (self->session, "function-changed", on_function, self);
}

/* Why some PEs stick out: a pane below the pictures that stays while one looks
   at the instances it names. */

/* A row that is hidden cannot be gone to. */
static void
on_go_to (KymoRunView *self, gint64 location, gint64 time_ns)
{
  if (!kymo_id_set_contains (kymo_session_peek_locations (self->session),
                             location))
    kymo_session_set_locations (self->session, NULL);
  kymo_run_view_show_view (self, "timeline");
  kymo_session_set_block (self->session, location, time_ns);
  kymo_navigate_zoom_to_block (self->session, location, time_ns);
  kymo_run_view_focus (self);
}

static void
on_close (KymoRunView *self)
{
  gtk_widget_set_visible (self->explain, FALSE);
  kymo_run_view_focus (self);
}

static GtkWidget *
build_run_view_explain (KymoRunView *self)
{
  GtkWidget *view = kymo_explain_view_new (self->session);

  kymo_follow (view, "go-to", on_go_to, self);
  kymo_follow (view, "close", on_close, self);
  gtk_box_insert_child_after (GTK_BOX (self), view,
                              gtk_widget_get_prev_sibling (self->details));
  return view;
}

/**
 * kymo_run_view_explain:
 * @pes: as text, "17" or "0-3,8"
 *
 * Shows why these PEs stick out, over the visible time.
 */
void
kymo_run_view_explain (KymoRunView *self, const char *pes)
{
  g_autoptr (KymoIdSet) of = kymo_id_set_parse (pes, NULL);
  g_autofree char *title = NULL;

  if (of == NULL)
    return;
  if (self->explain == NULL)
    self->explain = build_run_view_explain (self);
  title = g_strdup_printf (
    strpbrk (pes, ",-") != NULL
    ? kymo_in_terms_of (self->session, _("Why {rows} %s stick out"))
    : kymo_in_terms_of (self->session, _("Why {row} %s sticks out")), pes);
  gtk_widget_set_visible (self->explain, TRUE);
  kymo_explain_view_set_pes (KYMO_EXPLAIN_VIEW (self->explain), of, title);
}

/**
 * kymo_run_view_explain_chosen:
 *
 * The same for the PEs that are chosen in the picture; else for those that are shown, where they
 * are not all; else for the PE of the selected block.
 */
void
kymo_run_view_explain_chosen (KymoRunView *self)
{
  KymoIdSet *shown = kymo_session_peek_locations (self->session);
  KymoCanvas *canvas = kymo_run_view_current_canvas (self);
  KymoIdSet *picks = canvas != NULL ? kymo_canvas_peek_picks (canvas) : NULL;
  g_autofree char *pes = NULL;
  gint64 location, time_ns;

  if (picks != NULL)
    pes = kymo_id_set_to_text (picks);
  else if (shown != NULL)
    pes = kymo_id_set_to_text (shown);
  else if (kymo_session_get_block (self->session, &location, &time_ns))
    pes = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  if (pes != NULL)
    kymo_run_view_explain (self, pes);
  else
    kymo_run_view_say (self, kymo_in_terms_of (
      self->session, _("Choose {rows} in the list of {rows}, or a block of one, to see "
                       "why they stick out")));
}
