/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of keys and gestures, in the words of the run that is in front: it scrolls,
 * and what is typed searches it. (That of GTK 4.8 cannot scroll.) Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-terms.h"

G_BEGIN_DECLS

void kymo_shortcuts_present (GtkWindow *parent,
                             KymoTerms  terms);

G_END_DECLS
