/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pointer moves often, and a table has thousands of cells: a session has one handler
 * that goes over the lines that are bound to widgets (some 200 a list, however long that
 * is), and touches those alone whose mark changes.
 *
 * A line takes back only what it told itself. With what is pointed at in other ways (a
 * picture, the legend) it has nothing to do, and what comes under a resting pointer
 * because lines were sorted anew was not pointed at.
 *
 * A line is called by what stands in it when it gets the focus, and by what it stands for
 * until then: to who does not see it GTK 4.8 tells the name of a class.
 */
#include "config.h"

#include "kymo-hover-row.h"

#include "kymo-accessible.h"
#include "kymo-in-terms.h"
#include "kymo-session-hover.h"

#define KEY "kymo-hover-row"
#define HUB "kymo-hover-rows"
#define LIFTED "kymo-lifted"

typedef struct
{
  KymoSession        *session;         /* a reference */
  GtkWidget          *widget;          /* that owns this */
  GtkWidget          *line;            /* weak; NULL before it is shown */
  GtkEventController *motion, *focus;  /* of the line, references */
  gboolean            by_keys;         /* told with the focus, not with the pointer */
  char               *name, *other;    /* or NULL */
  gint64              location;        /* or -1 */
  KymoIdSet          *locations;       /* or NULL */
  KymoSpan            span;
  gboolean            told, lifted;
} Row;

/* -- marking -------------------------------------------------------------- */

static gboolean
has_time (const Row *row)
{
  return row->span.begin_ns != G_MININT64;
}

static gboolean
has_place (const Row *row)
{
  return row->location >= 0 || row->locations != NULL || has_time (row);
}

static gboolean
is_of_location (const Row *row, gint64 location)
{
  return row->locations != NULL ? kymo_id_set_contains (row->locations, location)
                                : row->location == location;
}

/* All that both tell of a place is the same, and there is some. */
static gboolean
is_at_place (const Row *row)
{
  gint64 location, time_ns;
  gboolean compared = FALSE;

  if (!kymo_session_get_marked_place (row->session, &location, &time_ns))
    return FALSE;
  if (row->locations != NULL && row->locations == kymo_session_peek_hovered_set (row->session))
    return TRUE;
  if (row->location >= 0 && kymo_session_peek_hovered_set (row->session) != NULL)
    return !has_time (row) && kymo_session_marks_location (row->session, row->location);
  if (location >= 0 && (row->location >= 0 || row->locations != NULL))
    {
      if (!is_of_location (row, location))
        return FALSE;
      compared = TRUE;
    }
  if (time_ns != G_MININT64 && has_time (row))
    {
      if (time_ns < row->span.begin_ns
          || time_ns >= MAX (row->span.end_ns, row->span.begin_ns + 1))
        return FALSE;
      compared = TRUE;
    }
  return compared;
}

static gboolean
is_named (const Row *row, const char *hovered)
{
  return hovered != NULL && (g_strcmp0 (row->name, hovered) == 0
                             || g_strcmp0 (row->other, hovered) == 0);
}

/* Of a line with a name and a place the place decides where one is pointed at: blocks of
   one name are many. */
static gboolean
is_pointed_at (const Row *row)
{
  const char *hovered = kymo_session_peek_hovered (row->session);
  gboolean points = kymo_session_get_hovered_location (row->session) >= 0
                    || kymo_session_get_hovered_time (row->session, NULL);

  if (row->name == NULL || !has_place (row))
    return is_named (row, hovered) || (has_place (row) && is_at_place (row));
  return hovered != NULL && !points ? is_named (row, hovered) : is_at_place (row);
}

static void
show_hover_row (Row *row)
{
  gboolean lifted = is_pointed_at (row);

  if (lifted == row->lifted || row->line == NULL)
    return;
  row->lifted = lifted;
  if (lifted)
    gtk_widget_add_css_class (row->line, LIFTED);
  else
    gtk_widget_remove_css_class (row->line, LIFTED);
}

/* -- all lines of a session ----------------------------------------------- */

static void
show_all (KymoSession *session)
{
  GHashTable *rows = g_object_get_data (G_OBJECT (session), HUB);
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, &row, NULL))
    show_hover_row (row);
}

static GHashTable *
rows_of (KymoSession *session)
{
  GHashTable *rows = g_object_get_data (G_OBJECT (session), HUB);

  if (rows != NULL)
    return rows;
  rows = g_hash_table_new (NULL, NULL);
  g_object_set_data_full (G_OBJECT (session), HUB, rows, (GDestroyNotify) g_hash_table_unref);
  g_signal_connect (session, "notify::hovered-name", G_CALLBACK (show_all), NULL);
  g_signal_connect (session, "hover-changed", G_CALLBACK (show_all), NULL);
  g_signal_connect (session, "selection-changed", G_CALLBACK (show_all), NULL);
  return rows;
}

/* -- telling -------------------------------------------------------------- */

static gboolean
is_hovered_place (const Row *row)
{
  gint64 time_ns = G_MININT64;

  kymo_session_get_hovered_time (row->session, &time_ns);
  return kymo_session_get_hovered_location (row->session) == row->location
         && time_ns == row->span.begin_ns;
}

static void
take_back (Row *row, gboolean rests)
{
  if (!row->told)
    return;
  row->told = FALSE;
  kymo_session_point_away (row->session, row, rests);
  if (row->locations != NULL
      && row->locations == kymo_session_peek_hovered_set (row->session))
    kymo_session_set_hovered_set (row->session, NULL);
  else if (has_place (row) && is_hovered_place (row))
    kymo_session_set_hovered_place (row->session, -1, G_MININT64);
  show_hover_row (row);
}

static void
tell_hover_row (Row *row)
{
  row->told = TRUE;
  if (row->name != NULL)
    kymo_session_point_at (row->session, row, row->name, !row->by_keys);
  if (row->locations != NULL)
    kymo_session_set_hovered_set (row->session, row->locations);
  else if (has_place (row))
    kymo_session_set_hovered_place (row->session, row->location, row->span.begin_ns);
  show_hover_row (row);
}

static Row *
row_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), KEY);
}

static void
on_enter (GtkWidget *widget)
{
  row_of (widget)->by_keys = FALSE;
  tell_hover_row (row_of (widget));
}

/* With the keys one chooses: nothing is passed on the way. */
static void
on_focus_enter (GtkWidget *widget)
{
  row_of (widget)->by_keys = TRUE;
  tell_hover_row (row_of (widget));
}

static void
on_leave (GtkWidget *widget)
{
  Row *row = row_of (widget);

  take_back (row, !row->by_keys);
}

static void
on_unmap (GtkWidget *widget)
{
  take_back (row_of (widget), FALSE);
}

/* -- for who does not see it ---------------------------------------------- */

static void
call_line (Row *row, const char *name)
{
  if (row->line == NULL)
    return;
  if (name != NULL && *name != '\0')
    kymo_accessible_name (row->line, name);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (row->line), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static gboolean
call_later (GtkWidget *line, GdkFrameClock *clock, gpointer data)
{
  kymo_accessible_name_line (line);
  return G_SOURCE_REMOVE;
}

/* Before its other cells are filled: by its words where those are all that it has. */
static void
call_first (Row *row)
{
  if (row->line != NULL && gtk_widget_is_focus (row->line))
    gtk_widget_add_tick_callback (row->line, call_later, NULL, NULL);
  else
    call_line (row, GTK_IS_LABEL (row->widget) ? gtk_label_get_text (GTK_LABEL (row->widget))
                                               : kymo_shown_name (row->name));
}

/* By all its cells. */
static void
on_focus (GtkWidget *widget)
{
  Row *row = row_of (widget);

  if (row->line != NULL)
    kymo_accessible_name_line (row->line);
}

/* -- the line around a cell ----------------------------------------------- */

static GtkEventController *
add_hover_row (GtkWidget *widget, GtkWidget *line, GtkEventController *controller,
               GCallback on_entered)
{
  g_signal_connect_object (controller, "enter", on_entered, widget, G_CONNECT_SWAPPED);
  kymo_follow (controller, "leave", on_leave, widget);
  gtk_widget_add_controller (line, g_object_ref (controller));
  return controller;
}

/* A list item, and only then its line, comes to be when it is shown. */
static void
find_line (Row *row)
{
  GtkWidget *line = row->widget;

  while (line != NULL && g_strcmp0 (gtk_widget_get_css_name (line), "row") != 0)
    line = gtk_widget_get_parent (line);
  if (line == NULL || line == row->line)
    return;
  g_set_weak_pointer (&row->line, line);
  row->motion = add_hover_row (row->widget, line, gtk_event_controller_motion_new (),
                               G_CALLBACK (on_enter));
  row->focus = add_hover_row (row->widget, line, gtk_event_controller_focus_new (),
                              G_CALLBACK (on_focus_enter));
  kymo_follow (row->focus, "enter", on_focus, row->widget);
}

static void
drop (GtkEventController **controller)
{
  GtkWidget *line = *controller != NULL ? gtk_event_controller_get_widget (*controller) : NULL;

  if (line != NULL)
    gtk_widget_remove_controller (line, *controller);
  g_clear_object (controller);
}

static void
row_free (gpointer data)
{
  Row *row = data;

  g_hash_table_remove (rows_of (row->session), row);
  take_back (row, FALSE);
  drop (&row->motion);
  drop (&row->focus);
  if (row->line != NULL && row->lifted)
    gtk_widget_remove_css_class (row->line, LIFTED);
  g_clear_weak_pointer (&row->line);
  g_free (row->name);
  g_free (row->other);
  g_clear_pointer (&row->locations, kymo_id_set_unref);
  g_object_unref (row->session);
  g_free (row);
}

/**
 * kymo_hover_row_attach:
 * @widget: the first cell of a line, or the child of its list item
 * @session: the widget holds a reference
 *
 * Prepares a widget for kymo_hover_row_stand_for(). Call it once for a widget; the line stands for
 * nothing yet.
 */
void
kymo_hover_row_attach (GtkWidget *widget, KymoSession *session)
{
  Row *row = g_new0 (Row, 1);

  row->session = g_object_ref (session);
  row->widget = widget;
  row->location = -1;
  row->span.begin_ns = row->span.end_ns = G_MININT64;
  g_hash_table_add (rows_of (session), row);
  g_object_set_data_full (G_OBJECT (widget), KEY, row, row_free);
  g_signal_connect (widget, "unmap", G_CALLBACK (on_unmap), NULL);
}

/**
 * kymo_hover_row_stand_for:
 * @widget: attached
 * @subject: copied
 *
 * Sets the subject of the line around the widget: the line marks it in all views while it is
 * pointed at. A mark of the subject before is taken back.
 */
void
kymo_hover_row_stand_for (GtkWidget *widget, const KymoHoverSubject *subject)
{
  Row *row = row_of (widget);

  if (g_strcmp0 (row->name, subject->name) == 0 && row->location == subject->location
      && row->locations == subject->locations
      && row->span.begin_ns == subject->span.begin_ns && row->span.end_ns == subject->span.end_ns
      && g_strcmp0 (row->other, subject->other) == 0 && row->line != NULL)
    {
      call_first (row);
      return;
    }
  take_back (row, FALSE);
  find_line (row);
  g_free (row->name);
  row->name = g_strdup (subject->name);
  g_free (row->other);
  row->other = g_strdup (subject->other);
  row->location = MAX (subject->location, -1);
  g_clear_pointer (&row->locations, kymo_id_set_unref);
  if (subject->locations != NULL)
    row->locations = kymo_id_set_ref (subject->locations);
  row->span = subject->span;
  call_first (row);
  show_hover_row (row);
}

/** kymo_hover_row_set: @name: (nullable) */
void
kymo_hover_row_set (GtkWidget *widget, const char *name, gint64 location)
{
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  subject.name = name;
  subject.location = location;
  kymo_hover_row_stand_for (widget, &subject);
}
