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

#define BLOCK 64

typedef struct
{
  guint  n;
  double sum, mean;
  double squares;               /* of what differs from the mean */
  double min, max;
} Part;

typedef struct
{
  const KymoProfileLook *look;
  KymoProfileValue       value;
  guint                  n_events;
  guint                  n_blocks;
  Part                  *parts;         /* by block and event; NULL: rows alone */
  guint                  group;         /* locations of a row, at most BLOCK; 0 = none */
  double                *rows;          /* sums, by row and event */
  gint                   next;          /* atomic */
} Work;

static void
add_to_row (Work           *work,
            guint           place,
            const guint32  *events,
            const double   *values,
            guint           n)
{
  double *row = work->rows + (gsize) (place / work->group) * work->n_events;

  for (guint i = 0; i < n; i++)
    row[events[i]] += values[i];
}

static void
begin_parts (Part  *parts,
             guint  n)
{
  for (guint i = 0; i < n; i++)
    parts[i] = (Part) { .min = INFINITY, .max = -INFINITY };
}

static void
add_sums (Part          *parts,
          const guint32 *events,
          const double  *values,
          guint          n)
{
  for (guint i = 0; i < n; i++)
    {
      Part *part = &parts[events[i]];

      part->min = MIN (part->min, values[i]);
      part->max = MAX (part->max, values[i]);
      part->sum += values[i];
      part->n++;
    }
}

/* A division by event, not by figure. */
static void
find_means (Part  *parts,
            guint  n)
{
  for (guint i = 0; i < n; i++)
    if (parts[i].n > 0)
      parts[i].mean = parts[i].sum / parts[i].n;
}

static void
add_squares (Part          *parts,
             const guint32 *events,
             const double  *values,
             guint          n)
{
  for (guint i = 0; i < n; i++)
    {
      Part *part = &parts[events[i]];
      double off = values[i] - part->mean;

      part->squares += off * off;
    }
}

/* One block; `values` is room for all its figures. */
static void
add_block (Work   *work,
           guint   block,
           GArray *values)
{
  const KymoAsk *ask = work->look->ask;
  const KymoProfileData *data = work->look->data;
  Part *parts = work->parts == NULL ? NULL : work->parts + (gsize) block * work->n_events;
  guint begin = block * BLOCK, end = MIN (begin + BLOCK, ask->n_locations);
  gsize at = 0;

  g_array_set_size (values, 0);
  if (parts != NULL)
    begin_parts (parts, work->n_events);
  for (guint i = begin; i < end; i++)
    {
      guint64 first = data->first[ask->locations[i]];
      guint n = data->first[ask->locations[i] + 1] - first;
      double *out;

      g_array_set_size (values, values->len + n);
      out = (double *) values->data + values->len - n;
      kymo_profile_look_read (work->look, work->value, first, n, out);
      if (parts != NULL)
        add_sums (parts, data->event + first, out, n);
      if (work->group > 0)
        add_to_row (work, i, data->event + first, out, n);
    }
  if (parts == NULL)
    return;
  find_means (parts, work->n_events);
  for (guint i = begin; i < end; i++)
    {
      guint64 first = data->first[ask->locations[i]];
      guint n = data->first[ask->locations[i] + 1] - first;

      add_squares (parts, data->event + first, (double *) values->data + at, n);
      at += n;
    }
}

static gpointer
work_some (gpointer data)
{
  Work *work = data;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  gint block;

  while ((block = g_atomic_int_add (&work->next, 1)) < (gint) work->n_blocks
         && !g_cancellable_is_cancelled (work->look->ask->cancellable))
    add_block (work, block, values);
  return NULL;
}

/* A thread for what takes more than a millisecond. */
static void
run_work (Work *work)
{
  const KymoProfileLook *look = work->look;
  guint n = look->ask->n_threads;
  g_autofree GThread **threads = g_new0 (GThread *, n);
  guint64 n_figures = look->data->first[look->data->n_locations];

  if (n_figures < 100000)
    n = 1;
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_new ("kymo-figures", work_some, work);
  work_some (work);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
}

static void
join (Part       *into,
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

/* Those that have it beside as many zeros as there are others. */
static KymoFigures
finish (const Part *part,
        guint       n_locations)
{
  KymoFigures figures = { part->n, part->sum, n_locations > 0 ? part->sum / n_locations : NAN,
                          NAN, NAN, NAN, n_locations > 0 ? 0 : NAN };
  double squares = part->squares;

  if (part->n == 0)
    return figures;
  figures.mean_present = part->sum / part->n;
  figures.min = part->min;
  figures.max = part->max;
  squares += figures.mean_present * figures.mean_present * part->n
    * (n_locations - part->n) / n_locations;
  figures.stddev = sqrt (squares / n_locations);
  return figures;
}

/**
 * kymo_figures_of:
 * @values: by asked location; NaN = it has none
 *
 * Returns: the same figures, to the last bit, as kymo_profile_look_figures() gives of
 * an event that has these values
 */
KymoFigures
kymo_figures_of (const double *values,
                 guint         n)
{
  Part all = { 0 };

  for (guint first = 0; first < n; first += BLOCK)
    {
      Part part;

      begin_parts (&part, 1);
      for (guint i = first; i < MIN (first + BLOCK, n); i++)
        if (!isnan (values[i]))
          add_sums (&part, &(guint32) { 0 }, &values[i], 1);
      find_means (&part, 1);
      for (guint i = first; i < MIN (first + BLOCK, n); i++)
        if (!isnan (values[i]))
          add_squares (&part, &(guint32) { 0 }, &values[i], 1);
      join (&all, &part);
    }
  return finish (&all, n);
}

/* Rows of more locations than a block has: sums of rows. */
static void
fold_rows (Work  *work,
           guint *group,
           guint  wanted)
{
  guint n_locations = work->look->ask->n_locations;
  guint n = (n_locations + *group - 1) / *group, times = wanted / *group;

  for (guint i = 1; times > 1 && i < n; i++)
    {
      double *from = work->rows + (gsize) i * work->n_events;
      double *into = work->rows + (gsize) (i / times) * work->n_events;

      if (i % times == 0)
        memmove (into, from, work->n_events * sizeof (double));
      else
        for (guint e = 0; e < work->n_events; e++)
          into[e] += from[e];
    }
  *group = wanted;
}

static void
make_means (const Work *work,
            guint       group)
{
  guint n_locations = work->look->ask->n_locations;

  for (guint first = 0, row = 0; group > 1 && first < n_locations; first += group, row++)
    for (guint e = 0; e < work->n_events; e++)
      work->rows[(gsize) row * work->n_events + e] /= MIN (group, n_locations - first);
}

static KymoFigures *
join_all (const Work *work)
{
  KymoFigures *figures = g_new (KymoFigures, MAX (work->n_events, 1));

  for (guint e = 0; e < work->n_events; e++)
    {
      Part all = { 0 };

      for (guint b = 0; b < work->n_blocks; b++)
        join (&all, &work->parts[(gsize) b * work->n_events + e]);
      figures[e] = finish (&all, work->look->ask->n_locations);
    }
  return figures;
}

/**
 * kymo_profile_look_figures:
 * @n_rows: most rows of a picture; 0 = as many as there are locations
 * @rows: (out) (optional): by row and event the mean over the row's locations, what
 *   is missing counts as 0
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
  Work work = { .look = look, .value = value, .n_events = n_events,
                .n_blocks = (n_locations + BLOCK - 1) / BLOCK };
  KymoFigures *figures = kymo_profile_look_get_kept (look, value);
  gboolean known = figures != NULL;

  if (known && rows == NULL)
    return figures;
  while (n_rows > 0 && (n_locations + wanted - 1) / wanted > n_rows)
    wanted *= 2;
  if (!known)
    work.parts = g_new0 (Part, MAX ((gsize) work.n_blocks * n_events, 1));
  if (rows != NULL)
    {
      work.group = MIN (wanted, BLOCK);
      work.rows = g_new0 (double, (gsize) (n_locations / work.group + 1) * MAX (n_events, 1));
    }
  run_work (&work);
  if (!known)
    {
      figures = join_all (&work);
      kymo_profile_look_keep (look, value, figures);
    }
  if (rows != NULL)
    {
      fold_rows (&work, &work.group, wanted);
      make_means (&work, work.group);
      *rows = work.rows;
      *group = work.group;
    }
  g_free (work.parts);
  return figures;
}
