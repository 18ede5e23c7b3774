/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoGroupChoice: which groups of functions are on, as a button with a popover of
 * checks. It is the option "groups" of the session. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_GROUP_CHOICE (kymo_group_choice_get_type ())
G_DECLARE_FINAL_TYPE (KymoGroupChoice, kymo_group_choice, KYMO, GROUP_CHOICE,
                      GtkBox)

GtkWidget *kymo_group_choice_new        (KymoSession     *session);
/* The list "groups" of an answer; with none or one there is nothing to choose. */
void       kymo_group_choice_set_groups (KymoGroupChoice *self,
                                         const KymoTable *groups);

G_END_DECLS
