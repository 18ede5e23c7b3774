/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals, means and deviations of every event over the asked locations, in one pass
 * over the figures, and rows of a picture beside them.
 *
 * Locations are taken 64 at a time; each such block gives sums, and squares of what
 * differs from its own means, and blocks are joined in their order by the formula of
 * Chan, Golub and LeVeque (1979), which does not lose digits as the difference of large
 * squares does. Blocks do not depend on threads, so neither does a figure.
 */
#include "config.h"

#include "kymo-profile-look.h"

#include <math.h>
#include <string.h>

#include "kymo-share.h"
#include "kymo-wide.h"

#define BLOCK 64

/* Memory of the parts of blocks that are held at once, about. */
#define MOST_BYTES (8 << 20)

typedef struct
{
  guint  n;
  double sum, mean;
  double squares;               /* of what differs from the mean */
  double min, max;
} Part;

/* Figures of a block of locations, by event, a column each: locations that have all functions are
   added up several at a time. */
typedef struct
{
  double *n, *sum, *mean, *squares, *min, *max;
} Parts;

#define N_COLUMNS 6

typedef struct
{
  const KymoProfileLook  *look;
  const KymoProfileValue *values;
  guint                   n_values;     /* rows are of the first */
  guint                   n_events;
  guint                   n_blocks;
  guint                   first, end;   /* blocks of this wave */
  double                 *parts;        /* by block of the wave, value, column and event;
                                           NULL: rows alone */
  guint                   group;        /* locations of a row, at most BLOCK; 0 = none */
  double                 *rows;         /* sums, by row and function */
  const gboolean         *wanted;       /* by event; of sums by location */
  double                 *sums;         /* by location; NULL: they are not wanted */
  guint                   next;         /* atomic */
} Work;

static Parts
parts_at (double *columns,
          gsize   n)
{
  return (Parts) { columns, columns + n, columns + 2 * n, columns + 3 * n, columns + 4 * n,
                   columns + 5 * n };
}

/* TRUE if the events follow each other without a gap. */
static gboolean
is_run (const guint32 *events,
        guint          n)
{
  return n > 0 && events[n - 1] - events[0] == n - 1;
}

KYMO_WIDE static void
add_values (double       *restrict sums,
            const double *restrict values,
            guint         n)
{
  for (guint i = 0; i < n; i++)
    sums[i] += values[i];
}

/* Of a location the rows that are functions come first. */
static void
add_to_row (Work           *work,
            guint           place,
            const guint32  *events,
            const double   *values,
            guint           n)
{
  guint n_flat = work->look->n_flat;
  double *row = work->rows + (gsize) (place / work->group) * n_flat;

  if (is_run (events, n))
    {
      add_values (row + events[0], values, MIN (n, n_flat - MIN (events[0], n_flat)));
      return;
    }
  for (guint i = 0; i < n && events[i] < n_flat; i++)
    row[events[i]] += values[i];
}

static void
begin_parts (const Parts *parts,
             guint        n)
{
  memset (parts->n, 0, n * sizeof (double));
  memset (parts->sum, 0, n * sizeof (double));
  memset (parts->squares, 0, n * sizeof (double));
  for (guint i = 0; i < n; i++)
    {
      parts->min[i] = INFINITY;
      parts->max[i] = -INFINITY;
    }
}

/* Of such: the same sums as one by one. */
KYMO_WIDE static void
add_run (const Parts  *parts,
         guint32       first,
         const double *restrict values,
         guint         n)
{
  double *restrict count = parts->n + first, *restrict sum = parts->sum + first;
  double *restrict min = parts->min + first, *restrict max = parts->max + first;

  for (guint i = 0; i < n; i++)
    {
      min[i] = min[i] < values[i] ? min[i] : values[i];
      max[i] = max[i] > values[i] ? max[i] : values[i];
      sum[i] += values[i];
      count[i] += 1;
    }
}

static void
add_sums (const Parts   *parts,
          const guint32 *events,
          const double  *values,
          guint          n)
{
  if (is_run (events, n))
    {
      add_run (parts, events[0], values, n);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      guint32 e = events[i];

      parts->min[e] = MIN (parts->min[e], values[i]);
      parts->max[e] = MAX (parts->max[e], values[i]);
      parts->sum[e] += values[i];
      parts->n[e] += 1;
    }
}

/* A division by event, not by figure. */
static void
find_means (const Parts *parts,
            guint        n)
{
  for (guint i = 0; i < n; i++)
    parts->mean[i] = parts->n[i] > 0 ? parts->sum[i] / parts->n[i] : 0;
}

KYMO_WIDE static void
square_run (const Parts  *parts,
            guint32       first,
            const double *restrict values,
            guint         n)
{
  double *restrict squares = parts->squares + first;
  const double *restrict mean = parts->mean + first;

  for (guint i = 0; i < n; i++)
    squares[i] += (values[i] - mean[i]) * (values[i] - mean[i]);
}

static void
add_squares (const Parts   *parts,
             const guint32 *events,
             const double  *values,
             guint          n)
{
  if (is_run (events, n))
    {
      square_run (parts, events[0], values, n);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      double off = values[i] - parts->mean[events[i]];

      parts->squares[events[i]] += off * off;
    }
}

/* Adds up a value over a block of locations; `room` is for all its figures. */
static void
add_value (Work   *work,
           guint   block,
           guint   v,
           GArray *room)
{
  const KymoAsk *ask = work->look->ask;
  const KymoProfileData *data = work->look->data;
  gsize size = (gsize) N_COLUMNS * work->n_events;
  Parts parts = { 0 };
  guint begin = block * BLOCK, end = MIN (begin + BLOCK, ask->n_locations);
  gsize at = 0;

  g_array_set_size (room, 0);
  if (work->parts != NULL)
    {
      parts = parts_at (work->parts + ((gsize) (block - work->first) * work->n_values + v) * size,
                        work->n_events);
      begin_parts (&parts, work->n_events);
    }
  for (guint i = begin; i < end; i++)
    {
      guint64 first = data->first[ask->locations[i]];
      guint n = data->first[ask->locations[i] + 1] - first;
      double *out;

      if (n == 0)               /* then the room may have no memory */
        continue;
      g_array_set_size (room, room->len + n);
      out = (double *) room->data + room->len - n;
      kymo_profile_look_read (work->look, work->values[v], first, n, out);
      if (work->parts != NULL)
        add_sums (&parts, data->event + first, out, n);
      if (work->group > 0 && v == 0)
        add_to_row (work, i, data->event + first, out, n);
    }
  if (work->parts == NULL)
    return;
  find_means (&parts, work->n_events);
  for (guint i = begin; i < end; i++)
    {
      guint64 first = data->first[ask->locations[i]];
      guint n = data->first[ask->locations[i] + 1] - first;

      if (n > 0)
        add_squares (&parts, data->event + first, (double *) room->data + at, n);
      at += n;
    }
}

/* All values of a block, while its figures are at hand. */
static void
add_block (Work   *work,
           guint   block,
           GArray *room)
{
  for (guint v = 0; v < work->n_values; v++)
    add_value (work, block, v, room);
}

static void
sum_block (Work   *work,
           guint   block,
           GArray *values)
{
  const KymoAsk *ask = work->look->ask;
  const KymoProfileData *data = work->look->data;

  for (guint i = block * BLOCK; i < MIN ((block + 1) * BLOCK, ask->n_locations); i++)
    {
      guint64 first = data->first[ask->locations[i]];
      guint n = data->first[ask->locations[i] + 1] - first;
      const double *out;

      work->sums[i] = NAN;
      g_array_set_size (values, n);
      out = (const double *) values->data;
      kymo_profile_look_read (work->look, work->values[0], first, n, (double *) values->data);
      for (guint r = 0; r < n; r++)
        if (work->wanted[data->event[first + r]])
          work->sums[i] = (isnan (work->sums[i]) ? 0 : work->sums[i]) + out[r];
    }
}

static gpointer
work_some (gpointer data)
{
  Work *work = data;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  guint block;

  while ((block = g_atomic_int_add (&work->next, 1)) < work->end
         && !g_cancellable_is_cancelled (work->look->ask->cancellable))
    if (work->sums != NULL)
      sum_block (work, block, values);
    else
      add_block (work, block, values);
  return NULL;
}

/* A thread for what takes more than a millisecond. */
static guint
choose_threads (const KymoProfileLook *look)
{
  return look->data->first[look->data->n_locations] < 100000 ? 1
    : look->ask->n_threads;
}

static void
run_work (Work  *work,
          guint  first,
          guint  end)
{
  guint n = choose_threads (work->look);

  work->first = work->next = first;
  work->end = end;
  kymo_share_run ("kymo-figures", n, work_some, work, 0);
}

static void
join_profile_figures (Part       *into,
                      const Part *from)
{
  double n = (double) into->n + from->n, apart;

  if (from->n == 0)
    return;
  if (into->n == 0)
    {
      *into = *from;
      return;
    }
  apart = from->mean - into->sum / into->n;
  into->squares += from->squares + apart * apart * into->n * from->n / n;
  into->sum += from->sum;
  into->min = MIN (into->min, from->min);
  into->max = MAX (into->max, from->max);
  into->n += from->n;
}

/* Finishes figures: locations without the function count as zeros if values add up, else they do
   not count. */
static KymoFigures
profile_figures_finish (const Part *part,
                        guint       n_locations,
                        gboolean    additive)
{
  KymoFigures figures = { part->n, part->sum, n_locations > 0 ? part->sum / n_locations : NAN,
                          NAN, NAN, NAN, n_locations > 0 ? 0 : NAN };
  double squares = part->squares;

  if (part->n == 0)
    return figures;
  figures.mean_present = part->sum / part->n;
  figures.min = part->min;
  figures.max = part->max;
  if (additive)
    squares += figures.mean_present * figures.mean_present * part->n
      * (n_locations - part->n) / n_locations;
  figures.stddev = sqrt (squares / (additive ? n_locations : part->n));
  return figures;
}

static void
join_parts (Part        *all,
            const Parts *parts,
            guint        n)
{
  for (guint e = 0; e < n; e++)
    {
      Part part = { (guint) parts->n[e], parts->sum[e], parts->mean[e], parts->squares[e],
                    parts->min[e], parts->max[e] };

      join_profile_figures (&all[e], &part);
    }
}

/**
 * kymo_figures_of:
 * @values: by asked location; NaN = it has none
 * @n: number of asked locations
 * @additive: whether values add up: then a location without a value counts as 0
 *
 * Returns: the same figures, to the last bit, as kymo_profile_look_figures() gives of an
 *   event that has these values
 */
KymoFigures
kymo_figures_of (const double *values,
                 guint         n,
                 gboolean      additive)
{
  Part all = { 0 };
  double columns[N_COLUMNS];
  Parts part = parts_at (columns, 1);

  for (guint first = 0; first < n; first += BLOCK)
    {
      begin_parts (&part, 1);
      for (guint i = first; i < MIN (first + BLOCK, n); i++)
        if (!isnan (values[i]))
          add_sums (&part, &(guint32) { 0 }, &values[i], 1);
      find_means (&part, 1);
      for (guint i = first; i < MIN (first + BLOCK, n); i++)
        if (!isnan (values[i]))
          add_squares (&part, &(guint32) { 0 }, &values[i], 1);
      join_parts (&all, &part, 1);
    }
  return profile_figures_finish (&all, n, additive);
}

/* Rows of more locations than a block has: sums of rows. */
static void
fold_rows (Work  *work,
           guint *group,
           guint  wanted)
{
  guint n_locations = work->look->ask->n_locations;
  guint n = (n_locations + *group - 1) / *group, times = wanted / *group;
  guint n_flat = work->look->n_flat;

  for (guint i = 1; times > 1 && i < n; i++)
    {
      double *from = work->rows + (gsize) i * n_flat;
      double *into = work->rows + (gsize) (i / times) * n_flat;

      if (i % times == 0)
        memmove (into, from, n_flat * sizeof (double));
      else
        for (guint e = 0; e < n_flat; e++)
          into[e] += from[e];
    }
  *group = wanted;
}

static void
make_means (const Work *work,
            guint       group)
{
  guint n_locations = work->look->ask->n_locations, n_flat = work->look->n_flat;

  for (guint first = 0, row = 0; group > 1 && first < n_locations; first += group, row++)
    for (guint e = 0; e < n_flat; e++)
      work->rows[(gsize) row * n_flat + e] /= MIN (group, n_locations - first);
}

/* Parts of all blocks at once would be as many as blocks times events, and there may be a
   million paths: so blocks are taken in waves, whose parts are joined in their order. */
static void
figure_out (Work         *work,
            KymoFigures **figures)
{
  gsize n_events = work->n_events, n_parts = n_events * work->n_values;
  gsize block_bytes = MAX (n_parts, 1) * N_COLUMNS * sizeof (double);
  guint wave = MAX (MOST_BYTES / block_bytes, 2 * choose_threads (work->look));
  g_autofree Part *all = g_new0 (Part, MAX (n_parts, 1));

  wave = MIN (wave, MAX (work->n_blocks, 1));
  work->parts = g_malloc_n (wave, block_bytes);
  for (guint first = 0; first < work->n_blocks; first += wave)
    {
      guint end = MIN (first + wave, work->n_blocks);

      run_work (work, first, end);
      if (g_cancellable_is_cancelled (work->look->ask->cancellable))
        break;
      for (guint i = 0; i < (end - first) * work->n_values; i++)
        {
          Parts parts = parts_at (work->parts + i * N_COLUMNS * n_events, n_events);

          join_parts (all + i % work->n_values * n_events, &parts, n_events);
        }
    }
  for (guint v = 0; v < work->n_values; v++)
    {
      gboolean additive = kymo_profile_look_is_additive (work->look, work->values[v]);

      figures[v] = g_new0 (KymoFigures, MAX (n_events, 1));
      for (gsize e = 0; e < n_events; e++)
        figures[v][e] = profile_figures_finish (&all[v * n_events + e],
                                                work->look->ask->n_locations, additive);
      if (!additive)
        kymo_profile_look_settle (work->look, work->values[v], figures[v]);
      kymo_profile_look_keep (work->look, work->values[v], figures[v]);
    }
  g_free (work->parts);
}

/**
 * kymo_profile_look_figures_of:
 * @figures: (out caller-allocates): of each value as kymo_profile_look_figures() gives
 *   it; free each
 *
 * Several values at once: the figures of a profile are many, and those of one function lie
 * beside each other.
 */
void
kymo_profile_look_figures_of (const KymoProfileLook  *look,
                              const KymoProfileValue *values,
                              guint                   n_values,
                              KymoFigures           **figures)
{
  Work work = { .look = look, .values = values, .n_values = n_values,
                .n_events = look->data->events->len,
                .n_blocks = (look->ask->n_locations + BLOCK - 1) / BLOCK };
  gboolean known = TRUE;

  for (guint v = 0; v < n_values; v++)
    {
      figures[v] = kymo_profile_look_get_kept (look, values[v]);
      known &= figures[v] != NULL;
    }
  if (known)
    return;
  for (guint v = 0; v < n_values; v++)
    g_clear_pointer (&figures[v], g_free);
  figure_out (&work, figures);
}

/**
 * kymo_profile_look_figures:
 * @n_rows: most rows of a picture; 0 = as many as there are locations
 * @rows: (out) (optional): by row and function (n_flat of them) the mean over the row's
 *   locations, what is missing counts as 0
 * @group: (out) (optional): locations of a row, a power of two; the last may have fewer
 *
 * Returns: (transfer full): figures by event
 */
KymoFigures *
kymo_profile_look_figures (const KymoProfileLook *look,
                           KymoProfileValue       value,
                           guint                  n_rows,
                           double               **rows,
                           guint                 *group)
{
  guint n_locations = look->ask->n_locations, n_events = look->data->events->len, wanted = 1;
  Work work = { .look = look, .values = &value, .n_values = 1, .n_events = n_events,
                .n_blocks = (n_locations + BLOCK - 1) / BLOCK };
  KymoFigures *figures = kymo_profile_look_get_kept (look, value);
  gboolean known = figures != NULL;

  if (known && rows == NULL)
    return figures;
  while (n_rows > 0 && (n_locations + wanted - 1) / wanted > n_rows)
    wanted *= 2;
  if (rows != NULL)
    {
      work.group = MIN (wanted, BLOCK);
      work.rows = g_new0 (double, (gsize) (n_locations / work.group + 1) * MAX (look->n_flat, 1));
    }
  if (known)
    run_work (&work, 0, work.n_blocks);
  else
    figure_out (&work, &figures);
  if (rows != NULL)
    {
      fold_rows (&work, &work.group, wanted);
      make_means (&work, work.group);
      if (!kymo_profile_look_is_additive (look, value))
        kymo_profile_look_settle_rows (look, value, work.group, work.rows);
      *rows = work.rows;
      *group = work.group;
    }
  return figures;
}

/**
 * kymo_profile_look_sum:
 * @wanted: by event
 * @sums: (out caller-allocates): by asked location the sum of the wanted events, or what
 *   stands for it where values do not add up; NaN where it has none of them. Not whole
 *   where the question was cancelled
 */
void
kymo_profile_look_sum (const KymoProfileLook *look,
                       KymoProfileValue       value,
                       const gboolean        *wanted,
                       double                *sums)
{
  guint n_locations = look->ask->n_locations;
  Work work = { .look = look, .values = &value, .n_values = 1, .wanted = wanted, .sums = sums };

  for (guint i = 0; i < n_locations; i++)
    sums[i] = NAN;
  if (!kymo_profile_look_is_additive (look, value))
    for (guint i = 0; i < n_locations; i++)
      sums[i] = kymo_profile_look_combine (look, value, i, i + 1, wanted, FALSE);
  else
    run_work (&work, 0, (n_locations + BLOCK - 1) / BLOCK);
}
