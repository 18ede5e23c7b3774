/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clipboard: the visible view as a picture, and in words what is selected
 * or under the pointer. Main thread only.
 */
#pragma once

#include "kymo-run-view.h"

G_BEGIN_DECLS

gboolean kymo_copy_widget  (GtkWidget   *widget);
void     kymo_copy_picture (KymoRunView *view);
void     kymo_copy_figures (KymoRunView *view);

G_END_DECLS
