/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoDeskPart, shared by kymo-desk-part.c (its views) and -head (the buttons above
 * them).
 */
#pragma once

#include <adwaita.h>

#include "kymo-desk-part.h"

G_BEGIN_DECLS

struct _KymoDeskPart
{
  GtkBox         parent_instance;

  KymoDeskOwner  owner;
  KymoSession   *session;
  KymoProfileOptions *options;
  GHashTable    *words;            /* of views that are not built yet, and of others
                                      as they were */
  AdwViewStack  *stack;            /* views that were seen */
  GtkWidget     *head;
  GtkWidget     *choice;           /* the drop-down of views */
  GMenu         *menu;
  GtkWidget     *bar, *shared;     /* buttons of the views that share the tab */
  const char    *tab;              /* whose buttons these are, or NULL */
  guint          n_shared;         /* how many */
  GtkWidget     *ruler;
  GSimpleAction *action;           /* "part.view" */
  char          *before;           /* the view before, or NULL */
  char          *wish;             /* what is to be shown once there is one */
};

/* What tells of the visible view; the buttons of the views that share its tab. */
void       kymo_desk_part_say_view     (KymoDeskPart *self);
void       kymo_desk_part_fill_shared  (KymoDeskPart *self);
GtkWidget *kymo_desk_part_build_head   (KymoDeskPart *self);
GtkWidget *kymo_desk_part_build_shared (KymoDeskPart *self);

G_END_DECLS
