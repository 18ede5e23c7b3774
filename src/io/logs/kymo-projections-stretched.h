/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor times of the blocks of one log, as its records come. Begins and ends are on the way of
 * every record: what nearly all blocks need is here, the rest in kymo-projections-stretched.c.
 */
#pragma once

#include "kymo-stretched.h"

G_BEGIN_DECLS

/* Both times are truncated to microseconds: a difference of two is off by less than 2 us. */
#define KYMO_CPU_ROUNDING_NS 2000
/* No system counts by longer ticks: 10 ms with Linux at 100 Hz, 15.6 ms elsewhere. */
#define KYMO_CPU_TICK_NS 16000000
/* Shorter blocks are not looked at: who takes a processor away takes it for longer. */
#define KYMO_CPU_LEAST_NS 20000
/* No tick makes a block seem to take so much more than it lasted; and sums cannot overflow. */
#define KYMO_CPU_SURPLUS_NS G_GINT64_CONSTANT (4000000000)
#define KYMO_CPU_DEPTH 256

/** KymoCpuOpen: a block that has not ended; @inner_ns: what blocks inside it lasted longer than
 * their processor times, @slack_ns: by how much less or more it may be; @cpu_us -1 = not known */
typedef struct
{
  gint64 begin_ns;
  gint64 cpu_us;
  gint64 inner_ns;
  gint64 slack_ns;
  gint32 id;
  guint32 activity;
} KymoCpuOpen;

/** KymoLogCpu: open[0] stands for what is around all blocks; sums are by activity */
typedef struct
{
  guint       depth;
  guint       n_ignored;
  gint64      n_blocks, n_still;        /* that were looked at; without any processor time */
  gint64      wall_ns, surplus_ns;      /* of these; how much less than their processor times */
  gint64      flush_ns;                 /* when writing the log to disk began, or -1 */
  gint64      enough_ns;                /* what a block must have lost more than to be kept */
  guint       n_activities;
  struct _KymoCpuSum *sums;
  GArray     *heap;                     /* KymoStretched, the least excess first */
  KymoCpuOpen open[KYMO_CPU_DEPTH];
} KymoLogCpu;

KymoLogCpu *kymo_log_cpu_new    (guint               n_activities);
void        kymo_log_cpu_free   (KymoLogCpu         *cpu);
void        kymo_log_cpu_judge  (KymoLogCpu         *cpu,
                                 KymoCpuOpen        *block,
                                 gint64              end_ns,
                                 gint32              id,
                                 gint64              us);
gint64      kymo_log_cpu_parse  (const char         *text);
void        kymo_log_cpu_flush  (KymoLogCpu         *cpu,
                                 gint64              time_ns,
                                 gboolean            begins);
KymoCpuClock kymo_log_cpu_finish (KymoLogCpu        *cpu,
                                  GArray           **blocks,
                                  GArray           **sums);

/**
 * kymo_log_cpu_begin:
 * @id: of the entry method in the log
 * @activity: the same in the run
 * @us: the processor time so far, -1 where it is not known
 */
static inline void
kymo_log_cpu_begin (KymoLogCpu *cpu,
                    gint64      time_ns,
                    gint32      id,
                    guint32     activity,
                    gint64      us)
{
  KymoCpuOpen *open;

  if (G_UNLIKELY (cpu->depth + 1 >= KYMO_CPU_DEPTH))
    {
      cpu->n_ignored++;
      return;
    }
  open = &cpu->open[++cpu->depth];
  *open = (KymoCpuOpen) { time_ns, us, 0, KYMO_CPU_ROUNDING_NS, id, activity };
}

/**
 * kymo_log_cpu_end:
 * @id: of the entry method in the log
 * @us: the processor time so far, -1 where it is not known
 * @text: (nullable): where that stands, as the end of a line, which is read only if it is needed
 *
 * The innermost block ends.
 */
static inline void
kymo_log_cpu_end (KymoLogCpu *cpu,
                  gint64      time_ns,
                  gint32      id,
                  gint64      us,
                  const char *text)
{
  KymoCpuOpen *open = &cpu->open[cpu->depth];
  gint64 wall_ns = time_ns - open->begin_ns;

  if (G_UNLIKELY (cpu->n_ignored > 0))
    {
      cpu->n_ignored--;
      return;
    }
  if (G_UNLIKELY (cpu->depth == 0))
    return;
  cpu->depth--;
  if (G_LIKELY (wall_ns < KYMO_CPU_LEAST_NS))
    open[-1].slack_ns += ABS (wall_ns);
  else
    kymo_log_cpu_judge (cpu, open, time_ns, id, text != NULL ? kymo_log_cpu_parse (text) : us);
}

G_END_DECLS
