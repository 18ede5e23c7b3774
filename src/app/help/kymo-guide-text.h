/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page of the guide as widgets: a label for each heading, paragraph and cell, a picture with its
 * caption. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-guide.h"

G_BEGIN_DECLS

/**
 * KymoGuideFollow:
 * @url: as the page has it
 *
 * Called where a link is activated.
 */
typedef void (*KymoGuideFollow) (const char *url, gpointer data);

GtkWidget *kymo_guide_text_new (const KymoGuidePage *page,
                                char               **words,
                                KymoGuideFollow      follow,
                                gpointer             data,
                                GtkWidget          **hit);

G_END_DECLS
