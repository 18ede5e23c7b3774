/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Causes of a run that a person knows about, with a note. They stay quiet: they stand below the
 * others and fail no build. They are kept in files of their own, one a run, in the folder
 * `kymo/acknowledged` of the person's data (docs/formats/acknowledged.md), so that the window and
 * the command line may change them at the same time.
 *
 * A cause is known by its rule and by the rows that its evidence names: if the load is not balanced
 * because of rank 3, the same rule for rank 5 is another cause. Any thread.
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/** KYMO_ACKNOWLEDGED_MOST: causes that are kept of a run; the oldest go first */
#define KYMO_ACKNOWLEDGED_MOST 1000

/** KYMO_ACKNOWLEDGED_NOTE_MOST: bytes of a note; the rest is cut off */
#define KYMO_ACKNOWLEDGED_NOTE_MOST 65536

/**
 * KymoAcknowledgement:
 * @rule: name of the diagnosis
 * @locations: (nullable): as "0-3,7"; %NULL: no row
 * @note: may be empty
 * @when: ISO 8601, in UTC
 */
typedef struct
{
  char *rule, *locations, *note, *when;
} KymoAcknowledgement;

char      *kymo_acknowledged_dup_key
                                    (KymoSource      *source);
GPtrArray *kymo_acknowledged_load   (const char *key);
gboolean   kymo_acknowledged_add    (const char *key,
                                     const char *rule,
                                     const char *locations,
                                     const char *note,
                                     GError    **error);
gboolean   kymo_acknowledged_remove (const char *key,
                                     const char *rule,
                                     const char *locations,
                                     GError    **error);
char      *kymo_acknowledged_dup_locations
                                    (const KymoTable *findings,
                                     guint            row);
KymoTable *kymo_acknowledged_part   (const KymoTable *answer,
                                     GPtrArray       *list);

G_END_DECLS
