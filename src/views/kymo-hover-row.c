/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-hover-row.h"

#include "kymo-session-hover.h"

#define KEY "kymo-hover-row"
#define LIFTED "kymo-lifted"

typedef struct
{
  KymoSession *session;            /* a reference */
  char        *name;               /* or NULL */
  gint64       location;           /* or -1 */
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;

  g_object_unref (row->session);
  g_free (row->name);
  g_free (row);
}

static Row *
row_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), KEY);
}

static void
show (GtkWidget *widget)
{
  Row *row = row_of (widget);
  gboolean lifted = (row->name != NULL
                     && g_strcmp0 (row->name, kymo_session_peek_hovered (row->session)) == 0)
                    || (row->location >= 0 && row->location
                        == kymo_session_get_marked_location (row->session));

  if (lifted != gtk_widget_has_css_class (widget, LIFTED))
    {
      if (lifted)
        gtk_widget_add_css_class (widget, LIFTED);
      else
        gtk_widget_remove_css_class (widget, LIFTED);
    }
}

static void
tell (Row *row, gboolean inside)
{
  if (row->name != NULL)
    kymo_session_set_hovered (row->session, inside ? row->name : NULL);
  if (row->location >= 0)
    kymo_session_set_hovered_place (row->session, inside ? row->location : -1, G_MININT64);
}

static void
on_enter (GtkEventController *motion, double x, double y, GtkWidget *widget)
{
  tell (row_of (widget), TRUE);
}

static void
on_leave (GtkEventController *motion, GtkWidget *widget)
{
  tell (row_of (widget), FALSE);
}

/** kymo_hover_row_attach: */
void
kymo_hover_row_attach (GtkWidget *widget, KymoSession *session)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  Row *row = g_new0 (Row, 1);

  row->session = g_object_ref (session);
  row->location = -1;
  g_object_set_data_full (G_OBJECT (widget), KEY, row, row_free);
  g_signal_connect (motion, "enter", G_CALLBACK (on_enter), widget);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), widget);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_object (session, "notify::hovered-name", G_CALLBACK (show), widget,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "hover-changed", G_CALLBACK (show), widget,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (show), widget,
                           G_CONNECT_SWAPPED);
}

/** kymo_hover_row_set: @name: (nullable) */
void
kymo_hover_row_set (GtkWidget *widget, const char *name, gint64 location)
{
  Row *row = row_of (widget);

  if (g_strcmp0 (row->name, name) != 0)
    {
      g_free (row->name);
      row->name = g_strdup (name);
    }
  row->location = location;
  show (widget);
}
