/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long blocks had a processor. Begins and ends of blocks tell the processor time of the PE so
 * far. A block whose own processor time is shorter than it lasted had none for the difference: it
 * waited for one, or slept. Sums are kept by entry method and those blocks that lost most, so that
 * memory does not grow with the log.
 *
 * Where PEs are threads of one process, the system counts their times by ticks of milliseconds:
 * then many blocks seem to take none, and others more than they last. find_clock() knows such a log
 * by that. Of its blocks only that counts which no tick can explain.
 *
 * Old runtimes without threads of their own count the time of the whole process: then it is more
 * than the PE had, never less.
 */
#include "config.h"

#include "kymo-fields.h"
#include "kymo-projections-records.h"

/* Of fewer blocks there is no telling. */
#define LEAST_BLOCKS 10

/** KymoCpuSum: of an activity, and of those of its blocks that no tick explains */
typedef struct _KymoCpuSum
{
  gint64 excess_ns, n_blocks;
  gint64 sure_ns, n_sure;
} KymoCpuSum;

/**
 * kymo_log_cpu_new:
 * @n_activities: of the run
 *
 * Returns: (transfer full): the processor times of a log, of which no record came; free with
 *   kymo_log_cpu_free()
 */
KymoLogCpu *
kymo_log_cpu_new (guint n_activities)
{
  KymoLogCpu *cpu = g_new (KymoLogCpu, 1);

  cpu->depth = cpu->n_ignored = 0;
  cpu->flush_ns = -1;
  cpu->enough_ns = 0;
  cpu->n_blocks = cpu->n_still = cpu->wall_ns = cpu->surplus_ns = 0;
  cpu->n_activities = n_activities;
  cpu->sums = g_new0 (KymoCpuSum, MAX (n_activities, 1));
  cpu->heap = g_array_new (FALSE, FALSE, sizeof (KymoStretched));
  cpu->open[0] = (KymoCpuOpen) { 0 };
  return cpu;
}

/** kymo_log_cpu_free: frees @cpu; %NULL is ignored */
void
kymo_log_cpu_free (KymoLogCpu *cpu)
{
  if (cpu == NULL)
    return;
  g_free (cpu->sums);
  g_array_unref (cpu->heap);
  g_free (cpu);
}

/* From the top down, to where the block belongs. */
static void
sink_stretched (GArray        *heap,
                KymoStretched  block)
{
  KymoStretched *all = &g_array_index (heap, KymoStretched, 0);
  guint at = 0, child;

  while ((child = 2 * at + 1) < heap->len)
    {
      if (child + 1 < heap->len && all[child + 1].excess_ns < all[child].excess_ns)
        child++;
      if (all[child].excess_ns >= block.excess_ns)
        break;
      all[at] = all[child];
      at = child;
    }
  all[at] = block;
}

/* Where the heap is full @block takes the place of the first one, which lost less. */
static void
add_stretched (GArray              *heap,
               const KymoStretched *block)
{
  guint at = heap->len;

  if (heap->len == KYMO_STRETCHED_MOST)
    {
      sink_stretched (heap, *block);
      return;
    }
  g_array_append_val (heap, *block);
  for (KymoStretched *all = &g_array_index (heap, KymoStretched, 0); at > 0; at = (at - 1) / 2)
    {
      if (all[(at - 1) / 2].excess_ns <= block->excess_ns)
        break;
      all[at] = all[(at - 1) / 2];
      all[(at - 1) / 2] = *block;
    }
}

static void
note_excess (KymoLogCpu        *cpu,
             const KymoCpuOpen *block,
             gint64             end_ns,
             gint64             cpu_ns,
             gint64             own_ns)
{
  /* What blocks inside it used beyond what they lasted is no time that it lost. */
  gint64 excess_ns = MIN (own_ns, end_ns - block->begin_ns);
  KymoCpuSum *sum;

  if (block->activity >= cpu->n_activities)
    return;
  sum = &cpu->sums[block->activity];
  sum->excess_ns += excess_ns;
  sum->n_blocks++;
  if (excess_ns > KYMO_CPU_TICK_NS)
    {
      sum->sure_ns += excess_ns - KYMO_CPU_TICK_NS;
      sum->n_sure++;
    }
  if (excess_ns <= cpu->enough_ns)
    return;
  add_stretched (cpu->heap, &(KymoStretched) { block->begin_ns, end_ns, cpu_ns, excess_ns, 0,
                                               block->activity });
  if (cpu->heap->len == KYMO_STRETCHED_MOST)
    cpu->enough_ns = g_array_index (cpu->heap, KymoStretched, 0).excess_ns;
}

/**
 * kymo_log_cpu_judge:
 * @block: that ended
 * @id: of the entry method that the record names
 * @us: the processor time so far, -1 where it is not known
 *
 * Where the record names another entry method, or something inside is not known, nothing is.
 */
void
kymo_log_cpu_judge (KymoLogCpu  *cpu,
                    KymoCpuOpen *block,
                    gint64       end_ns,
                    gint32       id,
                    gint64       us)
{
  gint64 wall_ns = end_ns - block->begin_ns;
  gint64 cpu_ns = (us - block->cpu_us) * KYMO_LOG_UNIT_NS, own_ns;

  if (us < block->cpu_us || block->cpu_us < 0 || block->id != id
      || cpu_ns > wall_ns + KYMO_CPU_SURPLUS_NS)
    {
      block[-1].cpu_us = -1;
      return;
    }
  own_ns = wall_ns - cpu_ns - block->inner_ns;
  block[-1].inner_ns += wall_ns - cpu_ns;
  block[-1].slack_ns += block->slack_ns;
  cpu->wall_ns += wall_ns;
  cpu->n_blocks++;
  cpu->n_still += cpu_ns == 0;
  if (own_ns < -block->slack_ns)
    cpu->surplus_ns -= own_ns;
  else if (own_ns > block->slack_ns)
    note_excess (cpu, block, end_ns, cpu_ns, own_ns);
}

/**
 * kymo_log_cpu_parse:
 * @text: "ev srcPe len cpuEnd", up to a newline
 *
 * Returns: the processor time, or -1
 */
gint64
kymo_log_cpu_parse (const char *text)
{
  gint64 fields[4];

  return kymo_next_ints (&text, fields, G_N_ELEMENTS (fields)) && fields[3] >= 0
    && fields[3] <= KYMO_MAX_US ? fields[3] : -1;
}

/**
 * kymo_log_cpu_flush:
 * @begins: whether writing the log to disk begins, else it ends
 *
 * That time is no one's: a block around it waited for the disk.
 */
void
kymo_log_cpu_flush (KymoLogCpu *cpu,
                    gint64      time_ns,
                    gboolean    begins)
{
  KymoCpuOpen *open = &cpu->open[cpu->depth];

  if (!begins && cpu->flush_ns >= 0 && time_ns > cpu->flush_ns && cpu->flush_ns >= open->begin_ns)
    {
      open->inner_ns += time_ns - cpu->flush_ns;
      open->slack_ns += time_ns - cpu->flush_ns;
    }
  cpu->flush_ns = begins ? time_ns : -1;
}

static KymoCpuClock
find_clock (const KymoLogCpu *cpu)
{
  if (cpu->n_blocks == 0)
    return KYMO_CPU_CLOCK_NONE;
  return cpu->n_blocks >= LEAST_BLOCKS && cpu->n_still < cpu->n_blocks / 8
    && cpu->surplus_ns <= cpu->wall_ns / 8 ? KYMO_CPU_CLOCK_FINE : KYMO_CPU_CLOCK_COARSE;
}

/**
 * kymo_log_cpu_finish:
 * @blocks: (out) (transfer full): #KymoStretched that lost most, sorted
 * @sums: (out) (transfer full): #KymoStretchSum, by activity
 *
 * To be called once, after the last record.
 *
 * Returns: how well the processor times fit single blocks
 */
KymoCpuClock
kymo_log_cpu_finish (KymoLogCpu  *cpu,
                     GArray     **blocks,
                     GArray     **sums)
{
  KymoCpuClock clock = find_clock (cpu);
  gboolean is_fine = clock == KYMO_CPU_CLOCK_FINE;

  *blocks = g_array_new (FALSE, FALSE, sizeof (KymoStretched));
  *sums = g_array_new (FALSE, FALSE, sizeof (KymoStretchSum));
  for (guint i = 0; clock != KYMO_CPU_CLOCK_NONE && i < cpu->heap->len; i++)
    {
      KymoStretched one = g_array_index (cpu->heap, KymoStretched, i);

      one.excess_ns -= is_fine ? 0 : KYMO_CPU_TICK_NS;
      if (one.excess_ns > 0)
        g_array_append_val (*blocks, one);
    }
  kymo_stretched_sort (*blocks);
  for (guint i = 0; clock != KYMO_CPU_CLOCK_NONE && i < cpu->n_activities; i++)
    {
      const KymoCpuSum *sum = &cpu->sums[i];
      KymoStretchSum one = { is_fine ? sum->excess_ns : sum->sure_ns,
                             is_fine ? sum->n_blocks : sum->n_sure, 0, i };

      if (one.n_blocks > 0)
        g_array_append_val (*sums, one);
    }
  return clock;
}
