/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the processes find out together who is kept. Ranks send to rank 0 in turn, as they do with
 * definitions. Where anything goes wrong all are kept, and rank 0 says so.
 */
#include "kymo-archive-keep.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Of the shares of all locations, while an error is searched: 256 MiB. */
#define MOST_SHARES (16u << 20)

/** Span: of the locations of a process; nothing is between UINT64_MAX and 0 */
typedef struct
{
  uint64_t begin_ns, end_ns;
} Span;

/** Own: measures of the locations of this process */
typedef struct
{
  KymoArchiveBytes measures;    /* KymoArchiveMeasure */
  KymoArchiveBytes locations;   /* uint32_t: of each */
} Own;

/** Head: before what is sent of a location */
typedef struct
{
  uint32_t location, n_parts;
} Head;

/**
 * kymo_archive_keep_parse:
 * @text: such as 26, 10% or error:2%
 * @keep: (out): borrows @text
 *
 * Returns: FALSE if @text is nothing of that kind
 */
bool
kymo_archive_keep_parse (const char      *text,
                         KymoArchiveKeep *keep)
{
  static const char prefix[] = "error:";
  locale_t plain;
  char *end = NULL;
  unsigned n;

  *keep = (KymoArchiveKeep) { .count = text };
  if (strncmp (text, prefix, strlen (prefix)) != 0)
    return kymo_pe_choice_parse (text, false, 100, &n) && n > 0;
  text += strlen (prefix);
  if (text[0] < '0' || text[0] > '9'
      || (plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0)) == (locale_t) 0)
    return false;
  keep->count = NULL;
  keep->error = strtod_l (text, &end, plain) / 100;
  freelocale (plain);
  return strcmp (end, "%") == 0 && keep->error > 0 && keep->error <= 1;
}

bool
kymo_archive_may_keep (const char *text)
{
  KymoArchiveKeep keep;

  return kymo_archive_keep_parse (text, &keep);
}

/* -- what each process tells --------------------------------------------------------- */

static KymoArchivePart *
part_at (const KymoArchiveJob *job,
         size_t                i)
{
  return &KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart)[i];
}

static bool
has_threads (const KymoArchivePart *part)
{
  return part->is_good && KYMO_ARCHIVE_COUNT (&part->process.files, KymoArchiveFile) > 0
    && !KYMO_ARCHIVE_AT (&part->process.files, KymoArchiveFile)[0].is_system;
}

static void
widen_span (Span *span,
            Span  more)
{
  span->begin_ns = more.begin_ns < span->begin_ns ? more.begin_ns : span->begin_ns;
  span->end_ns = more.end_ns > span->end_ns ? more.end_ns : span->end_ns;
}

/* Time in which there is a location with calls, or one of a rank that nothing is known of. */
static Span
span_of (const KymoArchiveJob *job)
{
  Span span = { UINT64_MAX, 0 };

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    if (has_threads (part_at (job, i)))
      {
        const KymoArchiveProcess *process = &part_at (job, i)->process;

        widen_span (&span, (Span) { kymo_archive_to_root (process, process->begin_ns),
                                    kymo_archive_to_root (process, process->end_ns) });
      }
  if (job->merge.missing.n > 0)
    widen_span (&span, (Span) { job->merge.begin_ns, job->merge.begin_ns });
  return span;
}

/* The same for all processes. */
static bool
agree_on_span (KymoArchiveJob *job,
               Span           *span)
{
  KymoArchiveWorld *world = job->world;
  bool good = true;

  *span = span_of (job);
  if (world->rank != 0)
    {
      size_t n_bytes = 0;
      Span *all = NULL;

      good = world->send (world, 0, span, sizeof *span)
        && (all = world->receive (world, 0, &n_bytes)) != NULL && n_bytes == sizeof *span;
      if (good)
        *span = *all;
      free (all);
      return good;
    }
  for (int peer = 1; peer < world->size; peer++)
    {
      size_t n_bytes = 0;
      Span *more = world->receive (world, peer, &n_bytes);

      if (more != NULL && n_bytes == sizeof *more)
        widen_span (span, *more);
      else
        good = false;
      free (more);
    }
  for (int peer = 1; peer < world->size; peer++)
    good = world->send (world, peer, span, sizeof *span) && good;
  return good;
}

static bool
measure_own (const KymoArchiveJob *job,
             Span                  span,
             Own                  *own)
{
  bool good = true;

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    for (size_t k = 0; has_threads (part_at (job, i))
         && k < KYMO_ARCHIVE_COUNT (&part_at (job, i)->process.files, KymoArchiveFile); k++)
      {
        const KymoArchivePart *part = part_at (job, i);
        KymoArchiveMeasure measure = { .begin_ns = span.begin_ns, .end_ns = span.end_ns };
        uint32_t location = (uint32_t) (part->table.first_location + k);

        if (KYMO_ARCHIVE_AT (&part->process.files, KymoArchiveFile)[k].is_system)
          break;
        good = kymo_archive_out_measure (&part->process, &part->table, k, &measure) && good;
        kymo_archive_bytes_add (&own->measures, &measure, sizeof measure);
        kymo_archive_bytes_add (&own->locations, &location, sizeof location);
        if (own->measures.failed)
          kymo_archive_measure_clear (&measure);
      }
  return good && !own->measures.failed && !own->locations.failed;
}

static void
add_totals (KymoArchiveBytes         *bytes,
            const KymoArchiveMeasure *measure,
            uint32_t                  location)
{
  const KymoArchiveTotal *totals = KYMO_ARCHIVE_AT (&measure->totals, KymoArchiveTotal);
  size_t n = KYMO_ARCHIVE_COUNT (&measure->totals, KymoArchiveTotal), head_at = bytes->n;
  Head head = { location, 0 };

  kymo_archive_bytes_add (bytes, &head, sizeof head);
  for (size_t i = 0; i < n; i++)
    if (totals[i].ns > 0 || totals[i].calls > 0)
      {
        KymoArchiveTotal total = totals[i];

        total.state = i;
        kymo_archive_bytes_add (bytes, &total, sizeof total);
        head.n_parts++;
      }
  if (!bytes->failed)
    memcpy (bytes->at + head_at, &head, sizeof head);
}

static void
add_shares (KymoArchiveBytes         *bytes,
            const KymoArchiveMeasure *measure,
            uint32_t                  location)
{
  size_t n = KYMO_ARCHIVE_COUNT (&measure->shares, KymoArchiveShare);
  Head head = { location, n < UINT32_MAX ? (uint32_t) n : 0 };

  kymo_archive_bytes_add (bytes, &head, sizeof head);
  kymo_archive_bytes_add (bytes, measure->grain, sizeof measure->grain);
  kymo_archive_bytes_add (bytes, measure->shares.at, head.n_parts * sizeof (KymoArchiveShare));
}

static void
pack_own (const Own        *own,
          bool              of_bars,
          KymoArchiveBytes *bytes)
{
  const KymoArchiveMeasure *measures = KYMO_ARCHIVE_AT (&own->measures, KymoArchiveMeasure);
  const uint32_t *locations = KYMO_ARCHIVE_AT (&own->locations, uint32_t);

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&own->measures, KymoArchiveMeasure); i++)
    (of_bars ? add_shares : add_totals) (bytes, &measures[i], locations[i]);
}

/* -- on rank 0 ----------------------------------------------------------------------- */

static KymoArchiveRow *
find_row (KymoArchiveChoice *choice,
          uint32_t           location,
          unsigned          *number)
{
  for (*number = 0; *number < KYMO_ARCHIVE_N_ROWS (choice); (*number)++)
    if (KYMO_ARCHIVE_ROWS (choice)[*number].location == location)
      return &KYMO_ARCHIVE_ROWS (choice)[*number];
  return NULL;
}

static bool
are_shares (const KymoArchiveChoice *choice,
            const KymoArchiveShare  *shares,
            size_t                   n)
{
  for (size_t i = 0; i < n; i++)
    if (shares[i].state >= choice->n_states || shares[i].bar >= KYMO_ERROR_BARS)
      return false;
  return true;
}

static bool
are_totals (const KymoArchiveChoice *choice,
            const KymoArchiveTotal  *totals,
            size_t                   n)
{
  for (size_t i = 0; i < n; i++)
    if (totals[i].state >= choice->n_states)
      return false;
  return true;
}

/* They are kept where an error is searched, else added at once. */
static bool
take_shares (KymoArchiveChoice      *choice,
             unsigned                number,
             const KymoArchiveBytes *bytes,
             size_t                 *n_shares)
{
  KymoArchiveRow *row = &KYMO_ARCHIVE_ROWS (choice)[number];
  const KymoArchiveShare *shares = KYMO_ARCHIVE_AT (bytes, KymoArchiveShare);
  size_t n = KYMO_ARCHIVE_COUNT (bytes, KymoArchiveShare);

  *n_shares += n;
  if (!are_shares (choice, shares, n) || (choice->wished > 0 && *n_shares > MOST_SHARES))
    return false;
  if (choice->wished <= 0)
    return kymo_archive_choice_add (choice, number, shares, n);
  kymo_archive_bytes_add (&row->shares, bytes->at, bytes->n);
  return !row->shares.failed;
}

static bool
take_totals (KymoArchiveChoice      *choice,
             unsigned                number,
             const KymoArchiveBytes *bytes)
{
  KymoArchiveRow *row = &KYMO_ARCHIVE_ROWS (choice)[number];

  kymo_archive_bytes_add (&row->totals, bytes->at, bytes->n);
  return !row->totals.failed
    && are_totals (choice, KYMO_ARCHIVE_AT (bytes, KymoArchiveTotal),
                   KYMO_ARCHIVE_COUNT (bytes, KymoArchiveTotal));
}

/* Adds what a process packed. What it sent is checked: nothing is indexed that it names. */
static bool
take_packed (KymoArchiveChoice   *choice,
             const unsigned char *at,
             size_t               n_bytes,
             bool                 of_bars,
             size_t              *n_shares)
{
  size_t size = of_bars ? sizeof (KymoArchiveShare) : sizeof (KymoArchiveTotal);

  while (n_bytes >= sizeof (Head))
    {
      Head head;
      KymoArchiveRow *row;
      KymoArchiveBytes parts = { 0 };
      unsigned number;
      size_t n, skip = sizeof head + (of_bars ? sizeof row->grain : 0);
      bool good;

      memcpy (&head, at, sizeof head);
      n = head.n_parts;
      row = find_row (choice, head.location, &number);
      if (row == NULL || n_bytes < skip || n > (n_bytes - skip) / size)
        return false;
      if (of_bars)
        memcpy (row->grain, at + sizeof head, sizeof row->grain);
      kymo_archive_bytes_add (&parts, at + skip, n * size);
      at += skip + n * size;
      n_bytes -= skip + n * size;
      good = !parts.failed && (of_bars ? take_shares (choice, number, &parts, n_shares)
                               : take_totals (choice, number, &parts));
      kymo_archive_bytes_clear (&parts);
      if (!good)
        return false;
    }
  return n_bytes == 0;
}

/* All processes, one after the other; each is received, whatever the others sent. */
static bool
gather_rows (KymoArchiveJob    *job,
             const Own         *own,
             KymoArchiveChoice *choice,
             bool               of_bars,
             bool               good)
{
  KymoArchiveBytes bytes = { 0 };
  KymoArchiveWorld *world = job->world;
  size_t n_shares = 0;

  pack_own (own, of_bars, &bytes);
  if (world->rank != 0)
    {
      /* Less than a head is not understood. */
      good = world->send (world, 0, bytes.failed ? (const void *) "" : bytes.at,
                          bytes.failed ? 1 : bytes.n);
      kymo_archive_bytes_clear (&bytes);
      return good;
    }
  good = good && !bytes.failed && take_packed (choice, bytes.at, bytes.n, of_bars, &n_shares);
  kymo_archive_bytes_clear (&bytes);
  for (int peer = 1; peer < world->size; peer++)
    {
      size_t n_bytes = 0;
      void *packed = world->receive (world, peer, &n_bytes);

      good = good && packed != NULL && take_packed (choice, packed, n_bytes, of_bars, &n_shares);
      free (packed);
    }
  return good;
}

static int
compare_rows (const void *a,
              const void *b)
{
  const KymoArchiveRow *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return (x->location > y->location) - (x->location < y->location);
}

/* Locations with their numbers, as a reader of the archive counts them: by rank, then as they are
   defined; processes without a rank come after all ranks. */
static bool
list_rows (const KymoArchiveMerge *merge,
           KymoArchiveChoice      *choice)
{
  const KymoArchiveLocation *locations = KYMO_ARCHIVE_AT (&merge->locations, KymoArchiveLocation);
  const KymoArchiveLocationGroup *groups = KYMO_ARCHIVE_AT (&merge->location_groups,
                                                            KymoArchiveLocationGroup);
  size_t n_groups = KYMO_ARCHIVE_COUNT (&merge->location_groups, KymoArchiveLocationGroup);
  int64_t *rank_of = calloc (n_groups + 1, sizeof *rank_of), next = merge->n_ranks;
  KymoArchiveRow *rows;

  for (size_t i = 0; rank_of != NULL && i < n_groups; i++)
    rank_of[i] = groups[i].rank >= 0 ? groups[i].rank : next++;
  for (size_t i = 0; rank_of != NULL
       && i < KYMO_ARCHIVE_COUNT (&merge->locations, KymoArchiveLocation); i++)
    if (!locations[i].is_metric)
      {
        KymoArchiveRow row = { .location = (uint32_t) i, .rank = rank_of[locations[i].group] };

        kymo_archive_bytes_add (&choice->rows, &row, sizeof row);
      }
  free (rank_of);
  if (rank_of == NULL || choice->rows.failed || choice->rows.n == 0)
    return false;
  rows = KYMO_ARCHIVE_ROWS (choice);
  qsort (rows, KYMO_ARCHIVE_N_ROWS (choice), sizeof *rows, compare_rows);
  for (unsigned i = 1; i < KYMO_ARCHIVE_N_ROWS (choice); i++)
    if (rows[i].rank == rows[i - 1].rank)
      {
        rows[i].thread = rows[i - 1].thread + 1;
        choice->has_threads = true;
      }
  for (unsigned i = 0; i < KYMO_ARCHIVE_N_ROWS (choice); i++)
    rows[i].id = choice->has_threads ? i : rows[i].rank;
  return true;
}

/* Errors and grains of what is kept, where the rows' shares were kept for a search. */
static bool
measure_choice (KymoArchiveChoice *choice)
{
  const KymoArchiveRow *rows = KYMO_ARCHIVE_ROWS (choice);
  bool good = true;

  for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice) && good; row++)
    {
      for (unsigned i = 0; i < KYMO_GRAIN_BINS; i++)
        {
          choice->grain[i] += rows[row].grain[i];
          choice->grain_kept[i] += choice->kept[row] ? rows[row].grain[i] : 0;
        }
      if (choice->wished > 0)
        good = kymo_archive_choice_add (choice, row,
                                        KYMO_ARCHIVE_AT (&rows[row].shares, KymoArchiveShare),
                                        KYMO_ARCHIVE_COUNT (&rows[row].shares, KymoArchiveShare));
    }
  return good;
}

/* Rank 0 says in a byte a location who is kept, or in no bytes that all are. */
static void
hand_kept (KymoArchiveJob *job)
{
  KymoArchiveWorld *world = job->world;
  size_t n_bytes = 0;

  if (world->rank == 0)
    {
      for (int peer = 1; peer < world->size; peer++)
        world->send (world, peer, job->kept.at, job->kept.n);
      return;
    }
  void *kept = world->receive (world, 0, &n_bytes);
  job->kept.failed = kept == NULL;
  kymo_archive_bytes_add (&job->kept, kept, n_bytes);
  free (kept);
}

static void
mark_kept (KymoArchiveJob          *job,
           const KymoArchiveChoice *choice)
{
  const KymoArchiveRow *rows = KYMO_ARCHIVE_ROWS (choice);
  size_t n = KYMO_ARCHIVE_COUNT (&job->merge.locations, KymoArchiveLocation);
  unsigned n_kept = 0;

  for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice); row++)
    n_kept += choice->kept[row] != 0;
  /* A run of which nothing is missing is no reduced one. */
  if (n_kept == KYMO_ARCHIVE_N_ROWS (choice) || kymo_archive_bytes_grow (&job->kept, n) == NULL)
    return;
  memset (job->kept.at, 1, n);
  for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice); row++)
    job->kept.at[rows[row].location] = choice->kept[row] != 0;
}

/* On rank 0, with the other processes in step. */
static bool
find_kept (KymoArchiveJob        *job,
           const KymoArchiveKeep *keep,
           const Own             *own)
{
  KymoArchiveChoice *choice = job->choice;
  bool good = list_rows (&job->merge, choice);

  choice->wished = keep->error;
  choice->n_states = KYMO_ARCHIVE_REGION + job->merge.regions.n;
  good = gather_rows (job, own, choice, false, good);
  good = good && kymo_archive_choice_compare (choice);
  if (keep->error <= 0)
    good = good && kymo_archive_choice_count (choice, keep->count);
  good = gather_rows (job, own, choice, true, good);
  if (keep->error > 0)
    good = good && kymo_archive_choice_search (choice);
  return good && measure_choice (choice);
}

/**
 * kymo_archive_keep_choose:
 * @job: with merged definitions, before events are written
 * @keep: what is asked for, the same on all ranks
 *
 * Collective. Sets which locations are kept, on rank 0 with all that the note beside the archive
 * tells of them.
 */
void
kymo_archive_keep_choose (KymoArchiveJob        *job,
                          const KymoArchiveKeep *keep)
{
  Own own = { 0 };
  Span span;
  bool good = agree_on_span (job, &span) && measure_own (job, span, &own);

  if (job->world->rank == 0)
    job->choice = calloc (1, sizeof *job->choice);
  if (job->world->agree (job->world, good && (job->choice != NULL || job->world->rank != 0)))
    {
      if (job->world->rank == 0)
        {
          job->choice->begin_ns = span.begin_ns;
          job->choice->end_ns = span.end_ns;
          good = find_kept (job, keep, &own);
          if (good)
            mark_kept (job, job->choice);
        }
      else
        good = gather_rows (job, &own, NULL, false, true)
          && gather_rows (job, &own, NULL, true, true);
      hand_kept (job);
      good = good && !job->kept.failed;
    }
  if (!job->world->agree (job->world, good))
    {
      job->kept.n = 0;
      if (job->world->rank == 0)
        kymo_archive_say (job->tell, job->data, "All ranks are written: there is not the memory "
                          "to choose some of them.");
    }
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&own.measures, KymoArchiveMeasure); i++)
    kymo_archive_measure_clear (&KYMO_ARCHIVE_AT (&own.measures, KymoArchiveMeasure)[i]);
  kymo_archive_bytes_clear (&own.measures);
  kymo_archive_bytes_clear (&own.locations);
}

/** kymo_archive_choice_clear: frees @choice, which may be NULL */
void
kymo_archive_choice_clear (KymoArchiveChoice *choice)
{
  if (choice == NULL)
    return;
  for (unsigned i = 0; i < KYMO_ARCHIVE_N_ROWS (choice); i++)
    {
      kymo_archive_bytes_clear (&KYMO_ARCHIVE_ROWS (choice)[i].totals);
      kymo_archive_bytes_clear (&KYMO_ARCHIVE_ROWS (choice)[i].shares);
    }
  kymo_archive_bytes_clear (&choice->rows);
  free (choice->vectors);
  free (choice->kept);
  free (choice->weights);
  free (choice->truth);
  free (choice->estimate);
  kymo_lloyd_clear (&choice->kmeans);
  if (choice->choice != NULL)
    kymo_pe_choice_free (choice->choice);
  free (choice);
}
