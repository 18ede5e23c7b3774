/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of lists and tables that stand for an entry method, a location, several of them
 * or a stretch of time: pointed at, or with the focus of the keys, they mark it in all
 * views; and they are marked (the style "kymo-lifted") while it is pointed at elsewhere.
 *
 * One widget of a line is attached: the first cell, or the child of its list item. The
 * whole line around it is what the pointer enters and what is marked. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-id-set.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/**
 * KymoHoverSubject: what a line stands for; all of it is borrowed
 * @name: or %NULL
 * @other: a second name by which the line is marked, too, or %NULL
 * @location: or -1
 * @locations: or %NULL
 * @span: begins at %G_MININT64 where the line has no time
 */
typedef struct
{
  const char *name, *other;
  gint64      location;
  KymoIdSet  *locations;
  KymoSpan    span;
} KymoHoverSubject;

#define KYMO_HOVER_SUBJECT_INIT { .location = -1, .span = { G_MININT64, G_MININT64 } }

/* Once for a widget of a line; it stands for nothing yet. */
void kymo_hover_row_attach (GtkWidget              *row,
                            KymoSession            *session);
/* What it stands for from now on: a name, or NULL; a location, or -1. */
void kymo_hover_row_set    (GtkWidget              *row,
                            const char             *name,
                            gint64                  location);
void kymo_hover_row_stand_for
                           (GtkWidget              *row,
                            const KymoHoverSubject *subject);

G_END_DECLS
