/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the desk: views beside and below each other, each in a KymoDeskPart, and
 * GtkPaned between them. The tree is that of the widgets: what lies in `desk` is a
 * part, or a paned with two of such.
 *
 * Invariant: there is at least one part, and `current` is one of them: that which the
 * keyboard was in last. Handles keep their share of the length when the window changes.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-desk-layout.h"
#include "kymo-desk-part.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"
#include "kymo-user-events-view.h"
#include "kymo-view-groups.h"

/* Less is no picture any more. */
#define LEAST_WIDTH_PX 280
#define LEAST_HEIGHT_PX 130
#define HANDLE "kymo-handle"

/** Handle: of a paned: the share of its first side, and the length it is a share of */
typedef struct
{
  double share;
  int    length;
} Handle;

/* -- the tree ------------------------------------------------------------- */

static void
collect_run_view_desk (GtkWidget *at, GPtrArray *parts)
{
  if (KYMO_IS_DESK_PART (at))
    g_ptr_array_add (parts, at);
  else if (GTK_IS_PANED (at))
    {
      collect_run_view_desk (gtk_paned_get_start_child (GTK_PANED (at)), parts);
      collect_run_view_desk (gtk_paned_get_end_child (GTK_PANED (at)), parts);
    }
}

/** kymo_run_view_list_parts: Returns: (transfer container): in the order of reading */
GPtrArray *
kymo_run_view_list_parts (KymoRunView *self)
{
  GPtrArray *parts = g_ptr_array_new ();

  collect_run_view_desk (adw_bin_get_child (ADW_BIN (self->desk)), parts);
  return parts;
}

/* Before the tree changes: a GtkPaned that loses the widget with the focus warns. */
static void
let_go_of_focus (KymoRunView *self)
{
  GtkRoot *root = gtk_widget_get_root (self->desk);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, self->desk))
    gtk_root_set_focus (root, NULL);
}

/* Puts a widget in the place of another one, which the caller holds. */
static void
replace_run_view_desk (GtkWidget *old, GtkWidget *fresh)
{
  GtkWidget *parent = gtk_widget_get_parent (old);

  if (ADW_IS_BIN (parent))
    adw_bin_set_child (ADW_BIN (parent), fresh);
  else if (gtk_paned_get_start_child (GTK_PANED (parent)) == old)
    gtk_paned_set_start_child (GTK_PANED (parent), fresh);
  else
    gtk_paned_set_end_child (GTK_PANED (parent), fresh);
}

/* -- handles -------------------------------------------------------------- */

static int
length_of (GtkWidget *paned)
{
  int most = 0;

  g_object_get (paned, "max-position", &most, NULL);
  return most == G_MAXINT ? 0 : most;
}

static Handle *
handle_of (GtkWidget *paned)
{
  return g_object_get_data (G_OBJECT (paned), HANDLE);
}

/* With another length the handle goes where its share is. */
static void
on_length (GtkWidget *paned)
{
  Handle *handle = handle_of (paned);

  handle->length = length_of (paned);
  if (handle->length > 0)
    gtk_paned_set_position (GTK_PANED (paned), round (handle->length * handle->share));
}

/* Where the length is another one too GTK moved it, and on_length() comes. */
static void
on_position (GtkWidget *paned)
{
  Handle *handle = handle_of (paned);
  int at = gtk_paned_get_position (GTK_PANED (paned));

  if (handle->length > 0 && handle->length == length_of (paned)
      && fabs (handle->length * handle->share - at) > 1)
    handle->share = CLAMP ((double) at / handle->length, KYMO_LEAST_SHARE,
                           1 - KYMO_LEAST_SHARE);
}

static GtkWidget *
paned_new (gboolean below, double share)
{
  GtkWidget *paned = gtk_paned_new (below ? GTK_ORIENTATION_VERTICAL
                                          : GTK_ORIENTATION_HORIZONTAL);
  Handle *handle = g_new0 (Handle, 1);

  handle->share = share;
  g_object_set_data_full (G_OBJECT (paned), HANDLE, handle, g_free);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (on_length), NULL);
  g_signal_connect (paned, "notify::position", G_CALLBACK (on_position), NULL);
  return paned;
}

/* -- what a change of the parts changes ----------------------------------- */

/* Of a view with several modes the one that is shown tells. */
static gboolean
is_of_time (KymoDeskPart *part)
{
  const char *id = kymo_desk_part_get_view (part);
  GtkWidget *shown = kymo_desk_part_peek_shown (part);
  const KymoPlotClass *klass = id != NULL ? kymo_plot_find (id) : NULL;

  if (KYMO_IS_USER_EVENTS_VIEW (shown))
    return kymo_user_events_view_has_axis (KYMO_USER_EVENTS_VIEW (shown));
  return klass != NULL && klass->time_axis;
}

/* A ruler stands over the first chart with a time axis of each column.
   Returns whether there is one for what lies below. */
static gboolean
place_rulers (GtkWidget *at, gboolean above)
{
  gboolean time;

  if (KYMO_IS_DESK_PART (at))
    {
      time = is_of_time (KYMO_DESK_PART (at));
      kymo_desk_part_show_ruler (KYMO_DESK_PART (at), time && !above);
      return time || above;
    }
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (at)) == GTK_ORIENTATION_VERTICAL)
    {
      above = place_rulers (gtk_paned_get_start_child (GTK_PANED (at)), above);
      return place_rulers (gtk_paned_get_end_child (GTK_PANED (at)), above);
    }
  place_rulers (gtk_paned_get_start_child (GTK_PANED (at)), FALSE);
  place_rulers (gtk_paned_get_end_child (GTK_PANED (at)), FALSE);
  return FALSE;
}

/** kymo_run_view_place_rulers: a view has a time axis now, or has none any more */
void
kymo_run_view_place_rulers (KymoRunView *self)
{
  GtkWidget *top = adw_bin_get_child (ADW_BIN (self->desk));

  if (top != NULL)
    place_rulers (top, FALSE);
}

static void
show_current (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  kymo_session_use_options (self->session, kymo_desk_part_peek_options (self->current));
  for (guint i = 0; i < parts->len; i++)
    {
      kymo_desk_part_show_head (parts->pdata[i], parts->len > 1);
      kymo_desk_part_set_current (parts->pdata[i], parts->pdata[i] == self->current);
    }
}

static void
on_entered (KymoRunView *self, KymoDeskPart *part)
{
  if (part == self->current)
    return;
  self->current = part;
  show_current (self);
  kymo_run_view_tell_turned (self);
}

static void
on_turned (KymoRunView *self)
{
  kymo_run_view_place_rulers (self);
  kymo_run_view_tell_turned (self);
}

static void
on_kept (KymoRunView *self)
{
  g_signal_emit_by_name (self, "kept");
}

/* -- parts ---------------------------------------------------------------- */

static GtkWidget *
build_run_view_desk (gpointer self, const char *id)
{
  return kymo_run_view_build_view (self, id);
}

static gboolean
has_run_view_desk (gpointer self, const char *id)
{
  return kymo_run_view_has_view (self, id);
}

static const char *
title_of (gpointer self, const char *id)
{
  return kymo_run_view_title_of (self, id);
}

static GtkWidget *
part_new (KymoRunView *self)
{
  KymoDeskOwner owner = { build_run_view_desk, has_run_view_desk, title_of, self };
  GtkWidget *part = kymo_desk_part_new (self->session, &owner);

  kymo_desk_part_set_phases (KYMO_DESK_PART (part),
                             kymo_table_peek_nested (self->info, "phases", NULL));
  kymo_desk_part_set_marks (KYMO_DESK_PART (part),
                            kymo_table_peek_nested (self->info, "marks", NULL));
  kymo_follow (part, "kept", on_kept, self);
  kymo_follow (part, "entered", on_entered, self);
  kymo_follow (part, "closed", kymo_run_view_close_part, self);
  return part;
}

/* From now on it tells; before, its views were those of a desk to be. */
static void
follow_part (KymoRunView *self, GtkWidget *part)
{
  kymo_follow (part, "turned", on_turned, self);
}

/** kymo_run_view_build_parts: Returns: (transfer floating): the desk, one part */
GtkWidget *
kymo_run_view_build_parts (KymoRunView *self)
{
  GtkWidget *part = part_new (self);

  self->desk = adw_bin_new ();
  self->current = KYMO_DESK_PART (part);
  kymo_session_use_options (self->session, kymo_desk_part_peek_options (self->current));
  adw_bin_set_child (ADW_BIN (self->desk), part);
  follow_part (self, part);
  gtk_widget_set_vexpand (self->desk, TRUE);
  return self->desk;
}

/* What was seen before in the part that is split, else what no part shows: a picture to look
   at beside it. The timeline has a time profile of its own. */
static const char *
choose_view (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  g_autoptr (GHashTable) shown = g_hash_table_new (g_str_hash, g_str_equal);
  const char *before = kymo_desk_part_get_before (self->current);

  for (guint i = 0; i < parts->len; i++)
    g_hash_table_add (shown, (char *) kymo_view_tab_of (kymo_desk_part_get_view (
      parts->pdata[i])));
  /* Pages of words are no charts beside another one. */
  g_hash_table_add (shown, (char *) "findings");
  g_hash_table_add (shown, (char *) "summary");
  g_hash_table_add (shown, (char *) "findings");
  if (g_hash_table_contains (shown, "timeline"))
    g_hash_table_add (shown, (char *) "time-profile");
  if (before != NULL && !g_hash_table_contains (shown, kymo_view_tab_of (before)))
    return before;
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (kymo_run_view_has_view (self, kymo_views[i].id)
        && !g_hash_table_contains (shown, kymo_view_tab_of (kymo_views[i].id)))
      return kymo_views[i].id;
  return kymo_desk_part_get_view (self->current);
}

static const char *
why_no_split (KymoRunView *self, gboolean below)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  int width = gtk_widget_get_width (GTK_WIDGET (self->current));
  int height = gtk_widget_get_height (GTK_WIDGET (self->current));

  if (parts->len >= KYMO_MOST_PARTS)
    return _("There are six parts already: close one of them first");
  if (width > 0 && (below ? height < 2 * LEAST_HEIGHT_PX : width < 2 * LEAST_WIDTH_PX))
    return _("There is no room here for another part");
  return NULL;
}

/**
 * kymo_run_view_split:
 * @below: whether the new part is below the current one, else right of it
 *
 * The new part becomes the current one. Where there is no room, a sentence says so.
 */
void
kymo_run_view_split (KymoRunView *self, gboolean below)
{
  const char *why = why_no_split (self, below);
  GtkWidget *old = GTK_WIDGET (self->current), *paned, *part;

  if (why != NULL)
    {
      kymo_run_view_say (self, why);
      return;
    }
  part = part_new (self);
  kymo_desk_part_set_view (KYMO_DESK_PART (part), choose_view (self));
  paned = paned_new (below, 0.5);
  let_go_of_focus (self);
  g_object_ref (old);
  replace_run_view_desk (old, paned);
  gtk_paned_set_start_child (GTK_PANED (paned), old);
  gtk_paned_set_end_child (GTK_PANED (paned), part);
  g_object_unref (old);
  follow_part (self, part);
  self->current = KYMO_DESK_PART (part);
  show_current (self);
  on_turned (self);
  kymo_run_view_focus (self);
}

static GtkWidget *
sibling_of (GtkWidget *part)
{
  GtkPaned *paned = GTK_PANED (gtk_widget_get_parent (part));
  GtkWidget *first = gtk_paned_get_start_child (paned);

  return first == part ? gtk_paned_get_end_child (paned) : first;
}

/**
 * kymo_run_view_close_part:
 * @part: one of the desk; the last one stays
 */
void
kymo_run_view_close_part (KymoRunView *self, KymoDeskPart *part)
{
  GtkWidget *paned = gtk_widget_get_parent (GTK_WIDGET (part)), *rest;
  g_autoptr (GPtrArray) left = g_ptr_array_new ();

  if (!GTK_IS_PANED (paned))
    return;
  rest = g_object_ref (sibling_of (GTK_WIDGET (part)));
  collect_run_view_desk (rest, left);
  if (part == self->current)
    self->current = left->pdata[0];
  let_go_of_focus (self);
  gtk_paned_set_start_child (GTK_PANED (paned), NULL);
  gtk_paned_set_end_child (GTK_PANED (paned), NULL);
  replace_run_view_desk (paned, rest);
  g_object_unref (rest);
  show_current (self);
  on_turned (self);
  kymo_desk_part_focus (self->current);
}

/**
 * kymo_run_view_close_current:
 *
 * Closes the current part; the only part of a desk stays.
 */
void
kymo_run_view_close_current (KymoRunView *self)
{
  kymo_run_view_close_part (self, self->current);
}

/**
 * kymo_run_view_get_n_parts:
 *
 * Returns: the number of parts on the desk, at least 1
 */
guint
kymo_run_view_get_n_parts (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  return parts->len;
}

/**
 * kymo_run_view_list_built:
 * @id: of kymo_views
 *
 * Returns: (transfer container) (element-type GtkWidget): this view in each part that has built
 * it; empty where none has
 */
GPtrArray *
kymo_run_view_list_built (KymoRunView *self, const char *id)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  GPtrArray *views = g_ptr_array_new ();

  for (guint i = 0; i < parts->len; i++)
    {
      GtkWidget *view = kymo_desk_part_peek_built (parts->pdata[i], id);

      if (view != NULL)
        g_ptr_array_add (views, view);
    }
  return views;
}

/**
 * kymo_run_view_go_to_part:
 * @step: 1 to the next in the order of reading, -1 to the one before, and round
 */
void
kymo_run_view_go_to_part (KymoRunView *self, int step)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  guint at = 0;

  g_ptr_array_find (parts, self->current, &at);
  at = (at + parts->len + step) % parts->len;
  on_entered (self, parts->pdata[at]);
  kymo_desk_part_focus (parts->pdata[at]);
}

/** kymo_run_view_show_view: where a part shows it, there; else in the current one */
void
kymo_run_view_show_view (KymoRunView *self, const char *id)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  if (g_strcmp0 (kymo_desk_part_get_view (self->current), id) == 0)
    return;
  for (guint i = 0; i < parts->len; i++)
    if (g_strcmp0 (kymo_desk_part_get_view (parts->pdata[i]), id) == 0)
      {
        on_entered (self, parts->pdata[i]);
        return;
      }
  kymo_run_view_set_view (self, id);
}

/* -- as text -------------------------------------------------------------- */

static KymoDeskLayout *
layout_of (KymoRunView *self, GtkWidget *at)
{
  GtkPaned *paned;

  if (KYMO_IS_DESK_PART (at))
    return kymo_desk_layout_new_part (kymo_desk_part_get_wanted (KYMO_DESK_PART (at)),
                                      at == GTK_WIDGET (self->current));
  paned = GTK_PANED (at);
  return kymo_desk_layout_new_split (
    gtk_orientable_get_orientation (GTK_ORIENTABLE (at)) == GTK_ORIENTATION_VERTICAL,
    handle_of (at)->share, layout_of (self, gtk_paned_get_start_child (paned)),
    layout_of (self, gtk_paned_get_end_child (paned)));
}

/**
 * kymo_run_view_dup_layout:
 *
 * Returns: (transfer full): which views stand where, see kymo-desk-layout.h
 */
char *
kymo_run_view_dup_layout (KymoRunView *self)
{
  g_autoptr (KymoDeskLayout) layout
    = layout_of (self, adw_bin_get_child (ADW_BIN (self->desk)));

  return kymo_desk_layout_to_text (layout);
}

/* What the run does not have (yet) is wished for, in the place of its first view. */
static GtkWidget *
build_part (KymoRunView *self, const KymoDeskLayout *layout, KymoDeskPart **current)
{
  GtkWidget *part = part_new (self);

  if (*current == NULL || layout->current)
    *current = KYMO_DESK_PART (part);
  kymo_desk_part_wish (KYMO_DESK_PART (part), layout->view);
  if (kymo_desk_part_get_view (KYMO_DESK_PART (part)) == NULL)
    {
      kymo_desk_part_set_view (KYMO_DESK_PART (part), kymo_run_view_first_view (self));
      kymo_desk_part_wish (KYMO_DESK_PART (part), layout->view);
    }
  follow_part (self, part);
  return part;
}

static GtkWidget *
build_tree (KymoRunView *self, const KymoDeskLayout *layout, KymoDeskPart **current)
{
  GtkWidget *paned;

  if (layout->view != NULL)
    return build_part (self, layout, current);
  paned = paned_new (layout->below, layout->share);
  gtk_paned_set_start_child (GTK_PANED (paned), build_tree (self, layout->first, current));
  gtk_paned_set_end_child (GTK_PANED (paned), build_tree (self, layout->second, current));
  return paned;
}

/**
 * kymo_run_view_set_layout:
 * @text: see kymo-desk-layout.h; it is not trusted
 *
 * A view that the run does not have is left out until it has it.
 *
 * Returns: whether the text is a layout; where not, nothing changes
 */
gboolean
kymo_run_view_set_layout (KymoRunView *self, const char *text)
{
  g_autoptr (KymoDeskLayout) layout = kymo_desk_layout_parse (text, NULL);
  GtkWidget *tree;
  KymoDeskPart *current = NULL;

  if (layout == NULL)
    return FALSE;
  tree = build_tree (self, layout, &current);
  self->current = current;
  let_go_of_focus (self);
  adw_bin_set_child (ADW_BIN (self->desk), tree);
  show_current (self);
  on_turned (self);
  return TRUE;
}
