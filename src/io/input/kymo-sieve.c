/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-sieve.h"

#include <string.h>

#define ROW KYMO_SIEVE_ROW
#define STEP_NS KYMO_SIEVE_STEP_NS
/* Number of undamaged records in a row that end damage. */
#define RESUME_ROW 3
/* Without an axis, a time is wrong if it lies beyond the span so far by this many spans. */
#define MOST_JUMP 4
#define LEAST_BEFORE_JUMP 64

typedef struct
{
  gint64   time_ns;
  gint64   index;
  gboolean beside_damage;
} Entry;

typedef struct
{
  gint64   index;
  gboolean move;                /* to the time of the record before it; or left out */
} Wrong;

struct _KymoSieve
{
  gboolean has_axis;
  KymoSpan tight, loose;        /* the axis with little and much slack */
  gboolean trusts_rows;         /* the axis is of the same file */
  gboolean ends_at_once;        /* the last record follows the one before it at once */
  gint64   late_ns;             /* how much later than that is wrong */
  gint64   n_marks;
  gboolean resumes;             /* what follows damage may be right */
  gint64   n;                   /* records so far */
  gint64   n_since_mark;
  Entry    kept[ROW];           /* the last ones that are believed so far */
  guint    n_kept;
  gint64   n_settled;           /* believed ones before those */
  Entry    low[ROW];            /* those after a fall that is not decided */
  guint    n_low;
  KymoSpan span;                /* of all that are believed */
  KymoSpan limits;              /* known after the first reading */
  gint64   cut;                 /* from this record on none is believed */
  gint64   n_outside;           /* times that the program chose beyond the loose axis */
  KymoSpan chosen;              /* around all times that the program chose */
  GArray  *wrong;               /* after kymo_sieve_turn() ascending */
  guint    next_wrong;
  gint64   last_ns;             /* second reading: of the last record that was kept */
  gint64   n_moved, n_raised, n_dropped;
};

/* -- the first reading ----------------------------------------------------- */

/**
 * kymo_sieve_new:
 * @axis: (nullable): span of the locations without damage, if there are any
 * @resumes: %FALSE if damage spoils all that follows it, as in compressed data: then no
 *   record from the first sign of damage on is believed
 *
 * Returns: (transfer full): free with kymo_sieve_free()
 */
KymoSieve *
kymo_sieve_new (const KymoSpan *axis,
                gboolean        resumes)
{
  KymoSieve *sieve = g_new0 (KymoSieve, 1);

  sieve->has_axis = axis != NULL;
  if (axis != NULL)
    {
      sieve->tight = (KymoSpan) { axis->begin_ns - STEP_NS, axis->end_ns + STEP_NS };
      sieve->loose = (KymoSpan) { axis->begin_ns - kymo_reach_slack_of (*axis),
                                  axis->end_ns + kymo_reach_slack_of (*axis) };
      sieve->late_ns = kymo_reach_late_of (*axis);
    }
  sieve->resumes = resumes;
  sieve->n_since_mark = RESUME_ROW;
  sieve->span = sieve->chosen = (KymoSpan) { G_MAXINT64, G_MININT64 };
  sieve->limits = (KymoSpan) { G_MININT64, G_MAXINT64 };
  sieve->cut = G_MAXINT64;
  sieve->wrong = g_array_new (FALSE, FALSE, sizeof (Wrong));
  sieve->last_ns = G_MININT64;
  return sieve;
}

/**
 * kymo_sieve_free:
 *
 * Frees @sieve. %NULL is ignored.
 */
void
kymo_sieve_free (KymoSieve *sieve)
{
  if (sieve == NULL)
    return;
  g_array_unref (sieve->wrong);
  g_free (sieve);
}

/**
 * kymo_sieve_expect_end:
 *
 * The last record of the location should follow the one before it at once: alone and late it
 * is wrong.
 */
void
kymo_sieve_expect_end (KymoSieve *sieve)
{
  sieve->ends_at_once = TRUE;
}

/**
 * kymo_sieve_trust_rows:
 *
 * The axis is of locations in the same file, which the damage may have cut short: a long row
 * of records beyond it is believed.
 */
void
kymo_sieve_trust_rows (KymoSieve *sieve)
{
  sieve->trusts_rows = TRUE;
}

static void
reject (KymoSieve   *sieve,
        const Entry *entry)
{
  Wrong wrong = { entry->index, !entry->beside_damage };

  g_array_append_val (sieve->wrong, wrong);
}

/* The last @n of those that were believed so far are not. */
static void
reject_kept (KymoSieve *sieve,
             guint      n)
{
  while (n-- > 0)
    reject (sieve, &sieve->kept[--sieve->n_kept]);
}

static void
reject_low (KymoSieve *sieve,
            guint      n)
{
  while (n-- > 0)
    reject (sieve, &sieve->low[--sieve->n_low]);
}

static void
settle_sieve (KymoSieve   *sieve,
              const Entry *entry)
{
  sieve->span.begin_ns = MIN (sieve->span.begin_ns, entry->time_ns);
  sieve->span.end_ns = MAX (sieve->span.end_ns, entry->time_ns);
  sieve->n_settled++;
}

/* Number of entries at the end of the list that lie above the time. */
static guint
count_above (const Entry *entries,
             guint        n,
             gint64       time_ns)
{
  guint above = 0;

  while (above < n && entries[n - 1 - above].time_ns > time_ns)
    above++;
  return above;
}

/* Beyond which a few first or last records are wrong: where there is other damage, all that
   would stretch the axis by more than a step. */
static KymoSpan
bounds_of (const KymoSieve *sieve)
{
  return sieve->n_marks > 0 ? sieve->tight : sieve->loose;
}

static guint
count_beyond (const KymoSieve *sieve)
{
  return sieve->has_axis
    ? count_above (sieve->kept, sieve->n_kept, bounds_of (sieve).end_ns) : 0;
}

/* A few first ones far before the axis. */
static void
check_first (KymoSieve *sieve)
{
  guint n = 0;

  while (n < sieve->n_kept && sieve->kept[n].time_ns < bounds_of (sieve).begin_ns)
    n++;
  if (!sieve->has_axis || sieve->n_settled > 0 || n == sieve->n_kept)
    return;
  for (guint i = 0; i < n; i++)
    reject (sieve, &sieve->kept[i]);
  sieve->n_kept -= n;
  memmove (sieve->kept, sieve->kept + n, sieve->n_kept * sizeof (Entry));
}

static void
push (KymoSieve   *sieve,
      const Entry *entry)
{
  if (sieve->n_kept == ROW)
    check_first (sieve);
  if (sieve->n_kept == ROW)
    {
      settle_sieve (sieve, &sieve->kept[0]);
      memmove (sieve->kept, sieve->kept + 1, --sieve->n_kept * sizeof (Entry));
    }
  sieve->kept[sieve->n_kept++] = *entry;
}

/* A row of records has followed the fall, or the end has come: the few above it are wrong.
   Where as many stand above, the clock was set back. */
static void
believe_low (KymoSieve *sieve)
{
  guint n_above = count_above (sieve->kept, sieve->n_kept, sieve->low[0].time_ns + STEP_NS);
  Entry low[ROW];
  guint n_low = sieve->n_low;

  if (n_above < ROW)
    reject_kept (sieve, n_above);
  memcpy (low, sieve->low, sizeof low);
  sieve->n_low = 0;
  for (guint i = 0; i < n_low; i++)
    push (sieve, &low[i]);
}

static void
feed_low (KymoSieve   *sieve,
          const Entry *entry)
{
  gint64 top_ns = sieve->kept[sieve->n_kept - 1].time_ns;

  if (entry->time_ns >= top_ns - STEP_NS)
    {
      reject_low (sieve, sieve->n_low);
      push (sieve, entry);
      return;
    }
  reject_low (sieve, count_above (sieve->low, sieve->n_low, entry->time_ns + STEP_NS));
  sieve->low[sieve->n_low++] = *entry;
  if (sieve->n_low == ROW)
    believe_low (sieve);
}

static gboolean
is_beyond (const KymoSieve *sieve,
           gint64           time_ns)
{
  gint64 first_ns = MIN (sieve->span.begin_ns, sieve->kept[0].time_ns);
  gint64 last_ns = sieve->n_kept > 0 ? sieve->kept[sieve->n_kept - 1].time_ns : first_ns;

  if (sieve->has_axis)
    return time_ns > sieve->loose.end_ns;
  return sieve->n_settled >= LEAST_BEFORE_JUMP
    && (time_ns - last_ns - KYMO_REACH_LEAST_SLACK_NS) / MOST_JUMP > last_ns - first_ns;
}

/* Nothing behind damage can be told from what is right: the first record that does not fit
   is the last that is looked at. */
static void
feed_until_damage (KymoSieve   *sieve,
                   const Entry *entry)
{
  guint n_above = count_above (sieve->kept, sieve->n_kept, entry->time_ns + STEP_NS);

  if (n_above == 0 && !is_beyond (sieve, entry->time_ns))
    {
      push (sieve, entry);
      return;
    }
  sieve->cut = entry->index;
  if (n_above == 0 || n_above == ROW)
    return;
  sieve->n_kept -= n_above;
  sieve->cut = sieve->kept[sieve->n_kept].index;
}

/**
 * kymo_sieve_feed:
 * @time_ns: of the next record of the first reading
 */
void
kymo_sieve_feed (KymoSieve *sieve,
                 gint64     time_ns)
{
  Entry entry = { time_ns, sieve->n++, sieve->n_since_mark++ < RESUME_ROW };

  if (entry.index >= sieve->cut)
    return;
  if (!sieve->resumes)
    feed_until_damage (sieve, &entry);
  else if (sieve->n_low > 0)
    feed_low (sieve, &entry);
  else if (sieve->n_kept > 0 && time_ns < sieve->kept[sieve->n_kept - 1].time_ns - STEP_NS)
    sieve->low[sieve->n_low++] = entry;
  else
    push (sieve, &entry);
}

/* Too few records since the last damage: they are part of it. */
static void
drop_since_mark (KymoSieve *sieve)
{
  gint64 first = sieve->n - sieve->n_since_mark;

  while (sieve->n_low > 0 && sieve->low[sieve->n_low - 1].index >= first)
    reject_low (sieve, 1);
  while (sieve->n_kept > 0 && sieve->kept[sieve->n_kept - 1].index >= first)
    reject_kept (sieve, 1);
}

/**
 * kymo_sieve_mark:
 *
 * Damage was met between the record that was fed last and the next one.
 */
void
kymo_sieve_mark (KymoSieve *sieve)
{
  if (!sieve->resumes)
    sieve->cut = MIN (sieve->cut, sieve->n);
  else if (sieve->n_since_mark > 0 && sieve->n_since_mark < RESUME_ROW)
    drop_since_mark (sieve);
  sieve->n_since_mark = 0;
  sieve->n_marks++;
}

/* -- the second reading ---------------------------------------------------- */

static int
compare_wrong (gconstpointer a,
               gconstpointer b)
{
  gint64 x = ((const Wrong *) a)->index, y = ((const Wrong *) b)->index;

  return (x > y) - (x < y);
}

/* A fall that no row of records followed. */
static void
decide_low (KymoSieve *sieve)
{
  guint n_above = count_above (sieve->kept, sieve->n_kept, sieve->low[0].time_ns + STEP_NS);
  guint n_beyond = count_beyond (sieve);
  gboolean fits_before = n_above < sieve->n_kept || sieve->n_settled > 0;

  if (n_above < ROW && fits_before && (n_beyond > 0 || n_above <= sieve->n_low))
    believe_low (sieve);
  else
    reject_low (sieve, sieve->n_low);
}

/**
 * kymo_sieve_feed_chosen:
 * @time_ns: of a record whose time the program chose itself
 *
 * In the first reading. The time need not ascend and so tells nothing of its neighbours, but
 * where many of them lie beyond the axis and nothing else is damaged, the location was there.
 */
void
kymo_sieve_feed_chosen (KymoSieve *sieve,
                        gint64     time_ns)
{
  sieve->n_outside += sieve->has_axis
    && (time_ns < sieve->loose.begin_ns || time_ns > sieve->loose.end_ns);
  sieve->chosen.begin_ns = MIN (sieve->chosen.begin_ns, time_ns);
  sieve->chosen.end_ns = MAX (sieve->chosen.end_ns, time_ns);
}

static gboolean
is_confirmed_outside (const KymoSieve *sieve)
{
  return sieve->n_marks == 0 && sieve->n_outside >= ROW;
}

static gboolean
is_last_late (const KymoSieve *sieve)
{
  const Entry *last = sieve->kept + sieve->n_kept - 1;

  return sieve->ends_at_once && sieve->has_axis && sieve->n_kept > 1
    && last->time_ns - last[-1].time_ns > sieve->late_ns
    && last->time_ns > sieve->tight.end_ns + sieve->late_ns;
}

/* Beyond which nothing of the location is believed, however many records in a row say so: one
   damaged log must not stretch the axis of the run. A location that has no damage, but a clock
   that was set back or a late end, may reach further. */
static KymoSpan
limits_of (const KymoSieve *sieve)
{
  if (!sieve->has_axis || sieve->trusts_rows)
    return (KymoSpan) { G_MININT64, G_MAXINT64 };
  if (sieve->n_marks == 0 && sieve->wrong->len == 0)
    return sieve->loose;
  return (KymoSpan) { sieve->tight.begin_ns - sieve->late_ns,
                      sieve->tight.end_ns + sieve->late_ns };
}

/**
 * kymo_sieve_turn:
 *
 * The first reading is over, the second begins.
 */
void
kymo_sieve_turn (KymoSieve *sieve)
{
  guint n_beyond;

  if (sieve->n_low > 0)
    decide_low (sieve);
  check_first (sieve);
  n_beyond = is_confirmed_outside (sieve) ? 0 : count_beyond (sieve);
  if (n_beyond == 0 && is_last_late (sieve))
    n_beyond = 1;
  if (n_beyond < sieve->n_kept || (sieve->n_settled > 0 && n_beyond < ROW))
    reject_kept (sieve, n_beyond);
  while (sieve->n_kept > 0)
    settle_sieve (sieve, &sieve->kept[--sieve->n_kept]);
  if (is_confirmed_outside (sieve))
    {
      sieve->span.begin_ns = MIN (sieve->span.begin_ns, sieve->chosen.begin_ns);
      sieve->span.end_ns = MAX (sieve->span.end_ns, sieve->chosen.end_ns);
    }
  g_array_sort (sieve->wrong, compare_wrong);
  if (!is_confirmed_outside (sieve))
    sieve->limits = limits_of (sieve);
  sieve->span.begin_ns = MAX (sieve->span.begin_ns, sieve->limits.begin_ns);
  sieve->span.end_ns = MIN (sieve->span.end_ns, sieve->limits.end_ns);
  sieve->n = 0;
}

/**
 * kymo_sieve_pass:
 * @time_ns: (inout): of the next record of the second reading; becomes the time at which it
 *   counts
 *
 * A wrong time far from other damage is moved to the time of the record before it, so that begins
 * and ends still stand in pairs; beside other damage the whole record is wrong.
 *
 * Returns: %FALSE where the record is to be left out
 */
gboolean
kymo_sieve_pass (KymoSieve *sieve,
                 gint64    *time_ns)
{
  gint64 index = sieve->n++;
  const Wrong *wrong = sieve->next_wrong < sieve->wrong->len
    ? &g_array_index (sieve->wrong, Wrong, sieve->next_wrong) : NULL;
  gint64 before_ns;

  if (index >= sieve->cut)
    return FALSE;
  before_ns = sieve->last_ns != G_MININT64 ? sieve->last_ns : sieve->span.begin_ns;
  if (wrong == NULL || wrong->index != index)
    {
      if (*time_ns >= sieve->limits.begin_ns && *time_ns <= sieve->limits.end_ns)
        {
          sieve->last_ns = *time_ns;
          return TRUE;
        }
      sieve->n_moved++;
      *time_ns = before_ns;
      return sieve->span.begin_ns <= sieve->span.end_ns;
    }
  sieve->next_wrong++;
  sieve->n_moved += wrong->move && *time_ns > before_ns;
  sieve->n_raised += wrong->move && *time_ns <= before_ns;
  sieve->n_dropped += !wrong->move;
  *time_ns = before_ns;
  return wrong->move && sieve->span.begin_ns <= sieve->span.end_ns;
}

/**
 * kymo_sieve_is_cut:
 *
 * Returns: %TRUE where no record of the second reading is believed any more
 */
gboolean
kymo_sieve_is_cut (const KymoSieve *sieve)
{
  return sieve->n >= sieve->cut;
}

/**
 * kymo_sieve_holds:
 * @time_ns: of a record whose time the program chose itself, so that it need not ascend
 *
 * Returns: whether the time lies among those of the records that are believed
 */
gboolean
kymo_sieve_holds (const KymoSieve *sieve,
                  gint64           time_ns)
{
  return time_ns >= sieve->span.begin_ns && time_ns <= sieve->span.end_ns
    && !kymo_sieve_is_cut (sieve);
}

/** kymo_sieve_get_raised: Returns: how many records were moved forward to the time before them */
gint64
kymo_sieve_get_raised (const KymoSieve *sieve)
{
  return sieve->n_raised;
}

static void
tell_sieve (KymoReport *report,
            const char *file,
            gint64      count,
            const char *what)
{
  if (count > 0)
    kymo_report_add (report, file, KYMO_SEVERITY_LOST, count, -1, "%s", what);
}

/**
 * kymo_sieve_report:
 * @file: that the records are of
 *
 * After the second reading: what was not believed.
 */
void
kymo_sieve_report (const KymoSieve *sieve,
                   KymoReport      *report,
                   const char      *file)
{
  tell_sieve (
    report, file, sieve->n_moved,
    N_("Records have times that do not fit the records around them; moved to the time of the "
       "record before them"));
  tell_sieve (report, file, sieve->n_dropped,
              N_("Records beside damaged ones do not fit the rest of the file and were left out"));
  tell_sieve (report, file, MAX (sieve->n - sieve->cut, 0),
              N_("Records after the first damaged one of a compressed file were left out"));
}
