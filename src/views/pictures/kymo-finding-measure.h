/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFindingMeasure: a group with one row, which offers to start the probes that causes of the
 * run need to be tested. A dialog asks first. The work is done in the background and can be
 * stopped; then the run is read again, with the figures. Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FINDING_MEASURE (kymo_finding_measure_get_type ())
G_DECLARE_FINAL_TYPE (KymoFindingMeasure, kymo_finding_measure, KYMO, FINDING_MEASURE,
                      AdwPreferencesGroup)

GtkWidget *kymo_finding_measure_new  (void);
void       kymo_finding_measure_tell (KymoFindingMeasure *self,
                                      KymoSource         *source,
                                      KymoQuestion       *question,
                                      const KymoTable    *answer);

G_END_DECLS
