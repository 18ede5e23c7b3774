/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "meeting.h"

#include "kymo-run-source.h"
#include "program.h"

KymoSource *
meeting_source_new (void)
{
  KymoCollectiveMember members[MEETING_N];
  g_autoptr (KymoRun) run = NULL;
  Program p;

  program_init (&p, MEETING_N);
  for (guint r = 0; r < MEETING_N; r++)
    {
      gint64 begin_ns = r == 5 ? 500 : 100 + 10 * (gint64) r;

      p.process[r] = r / 2;
      program_begin (&p, r, 0, PROGRAM_MAIN);
      program_begin (&p, r, begin_ns, PROGRAM_BARRIER);
      program_leave (&p, r, 600 + r);
      program_leave (&p, r, 990);
      members[r] = (KymoCollectiveMember) { r, begin_ns, 600 + r };
    }
  run = program_end (&p, 1000);
  run->collectives = kymo_collectives_new ();
  kymo_collectives_add (run->collectives, members, MEETING_N, PROGRAM_BARRIER,
                        KYMO_COLLECTIVE_BARRIER, -1);
  kymo_collectives_sort (run->collectives);
  return KYMO_SOURCE (kymo_run_source_new (run, 1));
}
