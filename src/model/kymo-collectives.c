/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-collectives.h"

#include "kymo-run.h"

KymoCollectives *
kymo_collectives_new (void)
{
  KymoCollectives *collectives = g_new0 (KymoCollectives, 1);

  collectives->list = g_array_new (FALSE, FALSE, sizeof (KymoCollective));
  collectives->members = g_array_new (FALSE, FALSE, sizeof (KymoCollectiveMember));
  return collectives;
}

/**
 * kymo_collectives_free:
 * @collectives: (nullable): whatever was in it is gone
 */
void
kymo_collectives_free (KymoCollectives *collectives)
{
  if (collectives == NULL)
    return;
  g_array_unref (collectives->list);
  g_array_unref (collectives->members);
  g_free (collectives);
}

/**
 * kymo_run_peek_collectives:
 *
 * Returns: (transfer none) (nullable): the collective operations of the run
 */
const KymoCollectives *
kymo_run_peek_collectives (const KymoRun *run)
{
  return run->collectives;
}
