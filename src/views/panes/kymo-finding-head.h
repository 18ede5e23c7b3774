/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFindingHead: what stands above the findings: of which part of the run they are, its
 * efficiencies, the way back to the whole run, and the menu that copies. Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-session.h"
#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoFindingHead:
 * @group: of the causes that come first
 * @whole: the button for the whole run
 * @copy: the button of the menu
 */
typedef struct
{
  AdwPreferencesGroup *group;
  GtkWidget           *whole, *copy;
} KymoFindingHead;

KymoFindingHead *kymo_finding_head_new  (AdwPreferencesGroup *group,
                                         KymoSession         *session);
void             kymo_finding_head_tell (KymoFindingHead     *head,
                                         const KymoTable     *answer);

G_END_DECLS
