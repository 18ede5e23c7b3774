/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of keys, in the words of the run that is in front. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-terms.h"

G_BEGIN_DECLS

/* Returns: (transfer none): not yet presented; it goes with its parent or when closed */
GtkWindow *kymo_shortcuts_new (KymoTerms terms);

G_END_DECLS
