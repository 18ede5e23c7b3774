/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFactsGroup: names with their values, a row each. It may be told other values of the
 * same names: then its rows stay, and with them scrolling and the focus. Main thread only.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define KYMO_TYPE_FACTS_GROUP (kymo_facts_group_get_type ())
G_DECLARE_FINAL_TYPE (KymoFactsGroup, kymo_facts_group, KYMO, FACTS_GROUP,
                      AdwPreferencesGroup)

GPtrArray *kymo_facts_new       (void);
void       kymo_facts_add       (GPtrArray      *facts,
                                 const char     *title,
                                 const char     *value);

GtkWidget *kymo_facts_group_new (const char     *title);
void       kymo_facts_group_set (KymoFactsGroup *self,
                                 GPtrArray      *facts);

G_END_DECLS
