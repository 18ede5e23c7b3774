/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window lives until a place is chosen or Escape is pressed; it holds a
 * reference to the run view. Each row of the list owns its KymoPlace.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-bookmarks.h"
#include "kymo-go-to.h"
#include "kymo-go-to-place.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-menu-actions.h"
#include "kymo-phases.h"
#include "kymo-run-regions.h"
#include "kymo-run-view-private.h"
#include "kymo-timeline-canvas.h"
#include "kymo-units.h"
#include "kymo-view-groups.h"
#include "kymo-view-modes.h"

#define MOST_NAMES 8
#define MOST_ACTIONS 20
#define WIDTH_PX 420
#define HEIGHT_PX 360
#define WORDS "kymo-words"       /* of a row, to be said */

typedef struct
{
  KymoRunView *view;
  GtkWidget   *window, *entry, *list;
  GtkWidget   *nothing;            /* says that nothing was found */
} GoTo;

static void
choose_go_to (GoTo *self, GtkListBoxRow *row)
{
  g_autoptr (KymoRunView) view = g_object_ref (self->view);
  KymoPlace *place = row != NULL ? g_object_steal_data (G_OBJECT (row), "place")
                             : NULL;

  if (place == NULL)
    return;
  gtk_window_destroy (GTK_WINDOW (self->window));
  if (view->session != NULL)
    kymo_place_go (view, place);
  kymo_place_free (place);
}

/* -- what was typed may mean ---------------------------------------------- */

static GtkWidget *
line_new (const char *words, const char *css_class)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);

  kymo_label_set (label, words);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* @more: (nullable): a second line, of smaller letters */
static void
add_row (GoTo *self, KymoPlaceKind kind, const char *words, const char *more, KymoPlace place)
{
  KymoPlace *own = g_new (KymoPlace, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *row = gtk_list_box_row_new ();
  g_autofree char *whole = more != NULL ? g_strdup_printf ("%s. %s", words, more)
                           : g_strdup (words);

  *own = place;
  own->kind = kind;
  gtk_box_append (GTK_BOX (box), line_new (words, NULL));
  if (more != NULL)
    gtk_box_append (GTK_BOX (box), line_new (more, "kymo-question"));
  gtk_widget_set_margin_start (box, 8);
  gtk_widget_set_margin_end (box, 8);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  kymo_accessible_name (row, whole);
  g_object_set_data_full (G_OBJECT (row), "place", own, kymo_place_free);
  g_object_set_data_full (G_OBJECT (row), WORDS, g_steal_pointer (&whole), g_free);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

/* "3", "PE 3" and "pe3" (or "rank 3"), when the timeline shows it: its words, or NULL. */
static char *
dup_location (KymoRunView *view, const char *text, gint64 *id)
{
  KymoTable *answer = NULL, *rows;
  KymoCanvas *canvas;
  const char *label;
  int row;
  const char *row_word = kymo_in_terms_of (view->session, "{row}");

  if (g_ascii_strncasecmp (text, row_word, strlen (row_word)) == 0)
    text += strlen (row_word);
  text += strspn (text, " ");
  if (!g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, id, NULL)
      || view->canvases->len == 0)
    return NULL;
  canvas = view->canvases->pdata[0];
  answer = kymo_canvas_peek_answer (canvas);
  rows = answer != NULL ? kymo_table_peek_nested (answer, "rows", NULL) : NULL;
  row = rows != NULL ? kymo_timeline_canvas_row_of (rows, *id) : -1;
  /* A timeline that shows every row has no others. */
  if (row < 0 && (canvas->shown.all_rows
                  || *id >= MAX (canvas->n_locations, kymo_table_get_int (
                       view->info, "locations_original", 0))))
    return NULL;
  /* The label of a row of one location; several share a row otherwise. */
  label = row >= 0 ? kymo_table_peek_label (rows, "label", row) : NULL;
  return label != NULL && kymo_timeline_canvas_is_single (rows, row)
         ? g_strdup (label) : g_strdup_printf (
             kymo_in_terms_of (view->session, _("{Row} %" PRId64)), *id);
}

static void
add_location (GoTo *self, const char *text)
{
  gint64 id;
  g_autofree char *words = dup_location (self->view, text, &id);

  if (words != NULL)
    add_row (self, KYMO_PLACE_LOCATION, words, NULL, (KymoPlace) { .location = id });
}

/**
 * kymo_go_to_typed:
 * @text: a row, as "PE 3" or "3", or a single time with its unit
 *
 * Goes there at once, where it is one that the timeline shows.
 *
 * Returns: whether @text was a place
 */
gboolean
kymo_go_to_typed (KymoRunView *view, const char *text)
{
  g_autofree char *typed = g_strstrip (g_strdup (text)), *words = NULL;
  gint64 id, time_ns;

  words = dup_location (view, typed, &id);
  if (words != NULL)
    kymo_place_go_to_location (view, id);
  else if (kymo_parse_time (typed, &time_ns, NULL))
    kymo_place_go_to_time (view, time_ns);
  else
    return FALSE;
  return TRUE;
}

/* What follows a word and blanks, or NULL. */
static const char *
after_go_to (const char *text, const char *word)
{
  gsize length = strlen (word);

  if (g_ascii_strncasecmp (text, word, length) != 0)
    return NULL;
  return text + length + strspn (text + length, " ");
}

/* "only PE 17", "only 0-15,32": those alone. */
static void
add_only (GoTo *self, const char *text)
{
  const char *list = after_go_to (text, _("only"));
  const char *without = NULL;
  g_autoptr (KymoIdSet) set = NULL;
  g_autofree char *words = NULL;

  if (list == NULL)
    return;
  without = after_go_to (list, kymo_in_terms_of (self->view->session, "{rows}"));
  if (without == NULL)
    without = after_go_to (list, kymo_in_terms_of (self->view->session, "{row}"));
  list = without != NULL ? without : list;
  set = *list != '\0' ? kymo_id_set_parse (list, NULL) : NULL;
  if (set == NULL)
    return;
  words = g_strdup_printf (kymo_in_terms_of (self->view->session, _("Show only {rows} %s")),
                           list);
  add_row (self, KYMO_PLACE_ROWS, words, NULL, (KymoPlace) { .name = g_strdup (list) });
}

/* "every 16th", "PEs every 16": a sample of them. */
static void
add_every (GoTo *self, const char *text)
{
  const char *rest = after_go_to (text, kymo_in_terms_of (self->view->session, "{rows}"));
  const char *number = after_go_to (rest != NULL ? rest : text, _("every"));
  guint64 step = number != NULL ? g_ascii_strtoull (number, NULL, 10) : 0;
  g_autofree char *words = NULL;

  if (step < 2 || step > G_MAXINT32)
    return;
  words = g_strdup_printf (kymo_in_terms_of (self->view->session,
                                             _("Show {rows} 0, %" PRIu64 ", %" PRIu64 ", …")),
                           step, 2 * step);
  add_row (self, KYMO_PLACE_ROWS, words, NULL,
           (KymoPlace) { .name = g_strdup_printf ("0-%d:%" G_GUINT64_FORMAT, G_MAXINT32, step) });
}

/* Which rows are shown, in all views. */
static void
add_rows (GoTo *self, const char *text)
{
  const char *all = kymo_in_terms_of (self->view->session, _("Show all {rows}"));
  g_autofree char *folded = g_utf8_casefold (all, -1), *wanted = g_utf8_casefold (text, -1);

  add_only (self, text);
  add_every (self, text);
  if (kymo_session_peek_locations (self->view->session) != NULL
      && strstr (folded, wanted) != NULL)
    add_row (self, KYMO_PLACE_ROWS, all, NULL, (KymoPlace) { .name = NULL });
}

static void
add_actions (GoTo *self, const char *text)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self->view)));
  g_autoptr (GPtrArray) found = NULL;

  if (window == NULL)
    return;
  found = kymo_menu_actions_find (window, text, MOST_ACTIONS);
  for (guint i = 0; i < found->len; i++)
    {
      KymoMenuAction *action = found->pdata[i];
      g_autofree char *words = g_strdup_printf (_("Command: %s"), action->label);

      add_row (self, KYMO_PLACE_ACTION, words, NULL,
               (KymoPlace) { .name = g_steal_pointer (&action->action),
                         .target = g_steal_pointer (&action->target) });
    }
}

static void
add_time (GoTo *self, const char *text)
{
  KymoSpan span;
  g_autofree char *begin = NULL, *end = NULL, *words = NULL;

  if (kymo_parse_time (text, &span.begin_ns, NULL))
    {
      span.end_ns = span.begin_ns;
      begin = kymo_format_duration_exact (span.begin_ns);
      words = g_strdup_printf (_("Time %s"), begin);
      add_row (self, KYMO_PLACE_TIME, words, NULL, (KymoPlace) { .span = span });
    }
  else if (kymo_parse_span (text, &span, NULL))
    {
      words = g_strdup_printf (_("Range %s"), text);
      add_row (self, KYMO_PLACE_RANGE, words, NULL, (KymoPlace) { .span = span });
    }
}

/* "phase 2", and every phase where the text is the beginning of the word. */
static void
add_phases (GoTo *self, const char *text)
{
  KymoTable *phases = kymo_table_peek_nested (self->view->info, "phases",
                                              NULL);
  guint n = phases != NULL ? kymo_table_get_n_rows (phases) : 0;

  for (guint i = 0, found = 0; i < n && found < MOST_NAMES; i++)
    {
      gint64 phase = kymo_table_get_int (phases, "phase", i);
      g_autofree char *name = g_strdup_printf ("phase %" G_GINT64_FORMAT,
                                               phase);
      g_autofree char *words = g_strdup_printf (_("Phase %" PRId64),
                                                phase);
      KymoPlace place = { .kind = KYMO_PLACE_RANGE };

      if (g_ascii_strncasecmp (name, text, strlen (text)) != 0
          || !kymo_phases_find (phases, phase, &place.span))
        continue;
      add_row (self, KYMO_PLACE_RANGE, words, NULL, place);
      found++;
    }
}

/* Whose names begin with the text. Phases with a number have rows of their own. */
static void
add_regions (GoTo *self, const char *text)
{
  KymoRunRegions *regions = kymo_run_regions_of (self->view->session);
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (guint i = 0, found = 0; i < kymo_run_regions_get_n (regions) && found < MOST_NAMES; i++)
    {
      g_autofree char *words = kymo_run_regions_dup_name (regions, i);
      g_autofree char *folded = g_utf8_casefold (words, -1);

      if (!g_str_has_prefix (folded, wanted)
          || strcmp (kymo_run_regions_peek_kind (regions, i), "phase") == 0)
        continue;
      add_row (self, KYMO_PLACE_RANGE, words, NULL,
               (KymoPlace) { .span = kymo_run_regions_get_span (regions, i) });
      found++;
    }
}

static void
add_names (GoTo *self, const char *text)
{
  g_auto (GStrv) names
    = kymo_legend_pane_dup_matches (KYMO_LEGEND_PANE (self->view->legend),
                                    text, MOST_NAMES);

  for (guint i = 0; names[i] != NULL; i++)
    add_row (self, KYMO_PLACE_NAME, names[i], NULL,
             (KymoPlace) { .name = g_strdup (names[i]) });
}

/* Those with the text in their name or note; without one the first of all. */
static void
add_bookmarks (GoTo *self, const char *text)
{
  KymoSession *session = self->view->session;
  int last = -1;

  for (guint found = 0; found < MOST_NAMES; found++)
    {
      int index = kymo_session_count_bookmarks (session) == 0 ? -1
                  : kymo_session_find_bookmark (session, text, last + 1);
      g_autofree char *words = NULL;
      const KymoBookmark *bookmark;

      /* It looks on from the begin; so there is no other one. */
      if (index <= last)
        return;
      bookmark = kymo_session_peek_bookmark (session, index);
      words = (guint) index < kymo_session_get_n_bookmarks (session)
        ? g_strdup_printf (_("Bookmark: %s"), bookmark->name)
        : g_strdup_printf (_("Marker of the run: %s – %s"), bookmark->name, bookmark->note);
      add_row (self, KYMO_PLACE_BOOKMARK, words, NULL, (KymoPlace) { .location = index });
      last = index;
    }
}

/* How well a view fits what was typed: its title, the begin of it, a part of it, a part of the
   question it answers, or nothing. */
typedef enum
{
  FITS_TITLE,
  FITS_BEGIN,
  FITS_PART,
  FITS_QUESTION,
  FITS_NOT
} Fit;

static Fit
fit_of (const char *title, const char *question, const char *wanted)
{
  g_autofree char *folded = g_utf8_casefold (title, -1);
  g_autofree char *asked = g_utf8_casefold (question, -1);

  if (strcmp (folded, wanted) == 0)
    return FITS_TITLE;
  if (g_str_has_prefix (folded, wanted))
    return FITS_BEGIN;
  if (strstr (folded, wanted) != NULL)
    return FITS_PART;
  return strstr (asked, wanted) != NULL ? FITS_QUESTION : FITS_NOT;
}

static void
add_view (GoTo *self, const KymoViewInfo *view)
{
  g_autofree char *words = g_strdup_printf (
    _("View: %s"), kymo_run_view_title_of (self->view, view->id));

  add_row (self, KYMO_PLACE_VIEW, words, kymo_run_view_question_of (self->view, view->id),
           (KymoPlace) { .name = g_strdup (view->id) });
}

/* What fits best comes first. */
static void
add_views (GoTo *self, const char *text)
{
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (Fit fit = FITS_TITLE; fit < FITS_NOT; fit++)
    for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
      if (kymo_run_view_has_view (self->view, view->id)
          && fit_of (kymo_run_view_title_of (self->view, view->id),
                     kymo_run_view_question_of (self->view, view->id), wanted) == fit)
        add_view (self, view);
}

/* By the names that pictures have elsewhere; only what was typed brings them. */
static void
add_modes (GoTo *self, const char *text)
{
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (guint i = 0; *text != '\0' && kymo_view_modes[i].view != NULL; i++)
    {
      const char *title = _(kymo_view_modes[i].words);
      g_autofree char *folded = g_utf8_casefold (title, -1);
      g_autofree char *words = g_strdup_printf (_("View: %s"), title);

      if (strstr (folded, wanted) != NULL
          && kymo_run_view_has_view (self->view, kymo_view_modes[i].view))
        add_row (self, KYMO_PLACE_VIEW, words, NULL,
                 (KymoPlace) { .name = g_strdup (kymo_view_modes[i].view),
                           .mode = kymo_view_modes[i].mode });
    }
}

/* The entry keeps the keyboard, so it is the entry that tells which row Enter would choose. */
static void
say_choice (GoTo *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  const char *words = row != NULL ? g_object_get_data (G_OBJECT (row), WORDS)
                      : _("Nothing found");

  kymo_accessible_describe (self->entry, words);
}

static void
renew_go_to (GoTo *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (
    GTK_EDITABLE (self->entry)));
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  if (self->view->session == NULL)
    return;
  g_strstrip (text);
  if (*text != '\0')
    {
      add_location (self, text);
      if (kymo_run_view_has_time (self->view))
        add_time (self, text);
      add_phases (self, text);
      add_regions (self, text);
      add_rows (self, text);
      add_names (self, text);
    }
  add_bookmarks (self, text);
  add_views (self, text);
  add_modes (self, text);
  if (*text != '\0')
    add_actions (self, text);
  row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0));
  gtk_widget_set_visible (self->nothing, row == NULL);
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), GTK_LIST_BOX_ROW (row));
  say_choice (self);
}

/* -- the window ----------------------------------------------------------- */

static void
on_activate (GoTo *self)
{
  choose_go_to (self, gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list)));
}

static void
on_row_activated (GoTo *self, GtkListBoxRow *row)
{
  choose_go_to (self, row);
}

/* Up and Down walk the list while the entry keeps the keyboard. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code,
        GdkModifierType state, GoTo *self)
{
  GtkListBox *list = GTK_LIST_BOX (self->list);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);
  int index = row != NULL ? gtk_list_box_row_get_index (row) : -1;

  if (key == GDK_KEY_Escape)
    {
      gtk_window_destroy (GTK_WINDOW (self->window));
      return GDK_EVENT_STOP;
    }
  if (key != GDK_KEY_Up && key != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  index = MAX (index + (key == GDK_KEY_Down ? 1 : -1), 0);
  row = gtk_list_box_get_row_at_index (list, index);
  if (row != NULL)
    gtk_list_box_select_row (list, row);
  say_choice (self);
  return GDK_EVENT_STOP;
}

static void
go_to_free (gpointer data)
{
  GoTo *self = data;

  g_object_unref (self->view);
  g_free (self);
}

static GtkWidget *
build_go_to (GoTo *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text",
                kymo_in_terms_of (self->view->session,
                                  _("{Row} 3, {code}, 1.15s..1.40s, phase 2")),
                NULL);
  kymo_accessible_name (self->entry, _("Go to"));
  self->list = gtk_list_box_new ();
  kymo_accessible_name (self->list, _("Places"));
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list),
                                   GTK_SELECTION_BROWSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  self->nothing = gtk_label_new (_("Nothing found"));
  gtk_widget_add_css_class (self->nothing, "dim-label");
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), scroller);
  return box;
}

/** kymo_go_to_show: asks where to go, over the window of @view */
void
kymo_go_to_show (KymoRunView *view)
{
  GoTo *self = g_new0 (GoTo, 1);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->view = g_object_ref (view);
  self->window = gtk_window_new ();
  gtk_window_set_title (GTK_WINDOW (self->window), _("Go To"));
  gtk_window_set_modal (GTK_WINDOW (self->window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self->window), TRUE);
  gtk_window_set_transient_for (GTK_WINDOW (self->window), GTK_WINDOW (
    gtk_widget_get_root (GTK_WIDGET (view))));
  gtk_window_set_default_size (GTK_WINDOW (self->window), WIDTH_PX, HEIGHT_PX);
  gtk_window_set_child (GTK_WINDOW (self->window), build_go_to (self));
  g_object_set_data_full (G_OBJECT (self->window), "go-to", self, go_to_free);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->window, keys);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (renew_go_to), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate),
                            self);
  g_signal_connect_swapped (self->list, "row-activated",
                            G_CALLBACK (on_row_activated), self);
  renew_go_to (self);
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (self->entry);
}
