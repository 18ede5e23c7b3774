/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoDeskPart: a part of the desk with one of the run's views to be seen. It has a view
 * from the time on when that was first seen in it, and keeps it; a ruler where the
 * desk says so; and, where it is not alone, a head with the drop-down of its views.
 *
 * What a view is made of, and which there are, its owner knows (KymoDeskOwner).
 * Actions: "part.view", "part.close", "part.kept" (what a view keeps is another).
 * Signals: "turned" (another view is to be seen), "entered" (by keyboard or pointer),
 * "closed" (it is to be taken away), "kept" (what is chosen in it is another).
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-profile-options.h"
#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_DESK_PART (kymo_desk_part_get_type ())
G_DECLARE_FINAL_TYPE (KymoDeskPart, kymo_desk_part, KYMO, DESK_PART, GtkBox)

/**
 * KymoDeskOwner:
 * @build: (transfer floating): a view by its id
 * @has: whether there is such a view now
 * @title: its name
 */
typedef struct
{
  GtkWidget  *(*build) (gpointer data, const char *id);
  gboolean    (*has)   (gpointer data, const char *id);
  const char *(*title) (gpointer data, const char *id);
  gpointer      data;
} KymoDeskOwner;

GtkWidget  *kymo_desk_part_new          (KymoSession         *session,
                                    const KymoDeskOwner *owner);
/* (nullable): id of the view that is to be seen; NULL before the first one */
const char *kymo_desk_part_get_view     (KymoDeskPart            *self);
/* The one before it, or NULL. */
const char *kymo_desk_part_get_before   (KymoDeskPart            *self);
void        kymo_desk_part_set_view     (KymoDeskPart            *self,
                                    const char          *id);
/* A view that the run may have later: it is shown then, unless the person turns to
   another one meanwhile. */
void        kymo_desk_part_wish         (KymoDeskPart            *self,
                                    const char          *id);
void        kymo_desk_part_do_wish      (KymoDeskPart            *self);
/* What it is to show: the wish, else the view. */
const char *kymo_desk_part_get_wanted   (KymoDeskPart            *self);
/* (nullable): the view to be seen, without what it is packed in */
GtkWidget  *kymo_desk_part_peek_shown   (KymoDeskPart            *self);
/* (nullable): a view that was seen in this part */
GtkWidget  *kymo_desk_part_peek_built   (KymoDeskPart            *self,
                                    const char          *id);
/* Drops a view: it is made anew, now or when it is to be seen again. */
void        kymo_desk_part_renew        (KymoDeskPart            *self,
                                    const char          *id);
/* Which figures its views of a profile show. */
KymoProfileOptions *
            kymo_desk_part_peek_options (KymoDeskPart        *self);
/* What is chosen in its views, see KymoDeskPlace; (transfer none), as it is now */
GHashTable *kymo_desk_part_peek_words   (KymoDeskPart        *self);
void        kymo_desk_part_set_words    (KymoDeskPart        *self,
                                         GHashTable          *words);
void        kymo_desk_part_show_head    (KymoDeskPart            *self,
                                    gboolean             visible);
void        kymo_desk_part_set_current  (KymoDeskPart            *self,
                                    gboolean             current);
void        kymo_desk_part_show_ruler   (KymoDeskPart            *self,
                                    gboolean             visible);
gboolean    kymo_desk_part_shows_ruler  (KymoDeskPart            *self);
GtkWidget  *kymo_desk_part_peek_ruler   (KymoDeskPart            *self);
/* Both (nullable): rows of the info answer. */
void        kymo_desk_part_set_phases   (KymoDeskPart            *self,
                                    KymoTable           *phases);
void        kymo_desk_part_set_marks    (KymoDeskPart            *self,
                                    KymoTable           *marks);
/* Gives the keyboard to what can take it. */
gboolean    kymo_desk_part_focus        (KymoDeskPart            *self);

G_END_DECLS
