/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-source-facts.h"

/**
 * kymo_source_facts_new:
 *
 * Returns: (transfer full): facts without a path, a title or locations, to be filled by who made
 *   them before anybody else sees them
 */
KymoSourceFacts *
kymo_source_facts_new (void)
{
  KymoSourceFacts *facts = g_new0 (KymoSourceFacts, 1);

  g_atomic_ref_count_init (&facts->ref_count);
  facts->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  facts->workers = g_array_new (FALSE, FALSE, sizeof (gint64));
  facts->report = kymo_report_new ();
  return facts;
}

/** kymo_source_facts_ref: Returns: (transfer full): @facts */
KymoSourceFacts *
kymo_source_facts_ref (KymoSourceFacts *facts)
{
  g_atomic_ref_count_inc (&facts->ref_count);
  return facts;
}

/** kymo_source_facts_unref: @facts: (nullable) (transfer full): freed with its last reference */
void
kymo_source_facts_unref (KymoSourceFacts *facts)
{
  if (facts == NULL || !g_atomic_ref_count_dec (&facts->ref_count))
    return;
  g_free (facts->path);
  g_free (facts->title);
  g_array_unref (facts->ids);
  g_array_unref (facts->workers);
  kymo_report_unref (facts->report);
  g_free (facts);
}
