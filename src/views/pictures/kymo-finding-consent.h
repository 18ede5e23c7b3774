/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFindingConsent: a group with one switch, which lets the causes of a running job ask its
 * recorder for more data. Each cause asks once, and a job is asked a few times at most. Main thread
 * only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FINDING_CONSENT (kymo_finding_consent_get_type ())
G_DECLARE_FINAL_TYPE (KymoFindingConsent, kymo_finding_consent, KYMO, FINDING_CONSENT,
                      AdwPreferencesGroup)

GtkWidget *kymo_finding_consent_new  (void);
void       kymo_finding_consent_tell (KymoFindingConsent *self,
                                      const KymoTable    *answer);

G_END_DECLS
