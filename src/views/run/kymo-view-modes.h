/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures that are a mode of a view, by the names that people know from other programs:
 * who looks for one of them finds the view, which then shows it. Main thread only.
 */
#pragma once

#include "kymo-run-view.h"

G_BEGIN_DECLS

/**
 * KymoViewMode:
 * @view: of kymo_views
 * @mode: what is chosen in it, see kymo_run_view_set_mode()
 * @words: translatable
 */
typedef struct
{
  const char *view;
  const char *mode;
  const char *words;
} KymoViewMode;

/* Ends with a NULL view. */
extern const KymoViewMode kymo_view_modes[];

/* Of the view that is shown; an unknown mode leaves it as it is. */
void kymo_run_view_set_mode (KymoRunView *self,
                             const char  *mode);

G_END_DECLS
