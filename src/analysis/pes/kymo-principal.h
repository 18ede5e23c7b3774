/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The directions in which rows of numbers differ most: the first two principal
 * components (Pearson, 1901; Hotelling, 1933), eigenvectors of the covariance
 * of the columns. The same to the bit with any number of threads.
 *
 * Life: belongs to who called; the rows are read only while it is made.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define KYMO_N_PRINCIPAL 2

/**
 * KymoPrincipal:
 * @mean: by component
 * @variance: of the population, by component
 * @total: the sum of all variances
 * @directions: unit vectors; the largest of each one's weights is positive (of
 *   equal ones the first). All 0 where the rows do not differ that way
 * @along: variance along each direction; the stronger one first
 */
typedef struct
{
  guint   n_components;
  double *mean;
  double *variance;
  double  total;
  double *directions[KYMO_N_PRINCIPAL];
  double  along[KYMO_N_PRINCIPAL];
} KymoPrincipal;

KymoPrincipal *kymo_principal_new_variances (const double         *rows,
                                             guint                 n_rows,
                                             guint                 n_columns,
                                             guint                 n_components);
gboolean       kymo_principal_find          (KymoPrincipal        *principal,
                                             const double         *rows,
                                             guint                 n_rows,
                                             guint                 n_columns,
                                             guint                 n_threads,
                                             GCancellable         *cancellable,
                                             GError              **error);
double         kymo_principal_score         (const KymoPrincipal  *principal,
                                             guint                 which,
                                             const double         *row);
void           kymo_principal_free          (KymoPrincipal        *principal);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPrincipal, kymo_principal_free)

G_END_DECLS
