/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRunOffer: a list of runs to choose from where a folder is not one run. It is
 * empty and hidden until it was looked for them.
 *
 * Main thread; it looks on a thread of its own.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define KYMO_TYPE_RUN_OFFER (kymo_run_offer_get_type ())
G_DECLARE_FINAL_TYPE (KymoRunOffer, kymo_run_offer, KYMO, RUN_OFFER, AdwBin)

/**
 * KymoRunOfferFunc:
 * @n_choices: that are shown, more than none
 * @below: they lie in folders of the folder
 */
typedef void (*KymoRunOfferFunc) (gpointer data,
                                  guint    n_choices,
                                  gboolean below);

GtkWidget *kymo_run_offer_new   (void);
void       kymo_run_offer_clear (KymoRunOffer     *self);
void       kymo_run_offer_look  (KymoRunOffer     *self,
                                 const char       *path,
                                 KymoRunOfferFunc  shown,
                                 gpointer          data);

G_END_DECLS
