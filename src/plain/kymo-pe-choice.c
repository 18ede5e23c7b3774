/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-pe-choice.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- how many -------------------------------------------------------------- */

/**
 * kymo_pe_choice_parse:
 * @text: (nullable): "26" or "10%"
 * @up: round a share up, not down
 * @n_pes: of which it is a share
 * @n: (out): at most %INT_MAX
 *
 * Returns: FALSE when it is neither a count nor a share up to 100%
 */
bool
kymo_pe_choice_parse (const char *text,
                      bool        up,
                      unsigned    n_pes,
                      unsigned   *n)
{
  char *end = NULL;
  locale_t plain;
  double value;

  if (text == NULL || text[0] < '0' || text[0] > '9')
    return false;
  plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  if (plain == (locale_t) 0)
    return false;
  value = strtod_l (text, &end, plain);
  freelocale (plain);
  if (*end == '\0' && text[strspn (text, "0123456789")] == '\0' && value <= INT_MAX)
    {
      *n = (unsigned) value;
      return true;
    }
  if (end[0] != '%' || end[1] != '\0' || !(value >= 0 && value <= 100))
    return false;
  /* 10% of 510 are 51, whatever 0.1 is in binary. */
  value = value * n_pes / 100;
  value = fabs (value - rint (value)) < 1e-6 ? rint (value) : up ? ceil (value) : floor (value);
  *n = (unsigned) value;
  return true;
}

/* Weight of a cluster: its share of the outliers is its weight over the sum of all weights. */
typedef unsigned __int128 Weight;

typedef struct
{
  unsigned cluster;
  Weight   rest;
} Remainder;

/** Room: for the work; by cluster, and by row */
typedef struct
{
  double    *sums;
  Weight    *weights;
  Remainder *remainders;
  bool      *full;
  unsigned  *quota;
  unsigned  *rows;
} Room;

/* The largest first, then the lower cluster. */
static int
compare_remainders (const void *a,
                    const void *b)
{
  const Remainder *x = a, *y = b;

  if (x->rest != y->rest)
    return x->rest > y->rest ? -1 : 1;
  return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* Mean distances are whole numbers, so that shares are exact: of nanoseconds,
   or of 2^-40 where components are scaled. */
static void
weigh_clusters (const KymoKmeans *kmeans,
                KymoPeQuota       by,
                Room             *room)
{
  for (unsigned k = 0; k < kmeans->n_clusters; k++)
    room->sums[k] = 0;
  for (unsigned i = 0; i < kmeans->n_rows; i++)
    room->sums[kmeans->cluster[i]] += kmeans->distance[i];
  for (unsigned k = 0; k < kmeans->n_clusters; k++)
    {
      room->weights[k] = kmeans->sizes[k] - 1;
      if (by == KYMO_PE_QUOTA_SPREAD)
        room->weights[k] *= (uint64_t) fmin (rint (room->sums[k] / kmeans->sizes[k]), 0x1p62);
    }
}

static Weight
sum_weights (const KymoKmeans *kmeans,
             const Room       *room)
{
  Weight sum = 0;

  for (unsigned k = 0; k < kmeans->n_clusters; k++)
    sum += room->full[k] ? 0 : room->weights[k];
  return sum;
}

/* Clusters whose share would be all they have get that, and leave the rest to
   the others, whose shares grow by it: until there is none. Where the others
   have no weight they are shared to by size. Returns what is left for them. */
static unsigned
fill_clusters (const KymoKmeans *kmeans,
               unsigned          n_outliers,
               Room             *room)
{
  unsigned before = UINT_MAX;

  while (n_outliers > 0 && n_outliers != before)
    {
      Weight all = sum_weights (kmeans, room);
      unsigned left = n_outliers;

      if (all == 0)
        {
          weigh_clusters (kmeans, KYMO_PE_QUOTA_SIZE, room);
          all = sum_weights (kmeans, room);
        }
      before = n_outliers;
      for (unsigned k = 0; k < kmeans->n_clusters; k++)
        if (!room->full[k] && room->weights[k] * left >= all * (kmeans->sizes[k] - 1))
          {
            room->full[k] = true;
            room->quota[k] = kmeans->sizes[k] - 1;
            n_outliers -= room->quota[k];
          }
    }
  return n_outliers;
}

/* n weight / sum of weights each, the largest remainders rounded up; never
   more than S - 1. */
static void
share_out (const KymoKmeans *kmeans,
           unsigned          n_outliers,
           KymoPeQuota       by,
           Room             *room)
{
  unsigned left, n = 0;
  Weight all;

  weigh_clusters (kmeans, by, room);
  n_outliers = fill_clusters (kmeans, n_outliers, room);
  all = sum_weights (kmeans, room);
  left = n_outliers;
  for (unsigned k = 0; k < kmeans->n_clusters; k++)
    {
      Weight part = room->weights[k] * n_outliers;

      if (room->full[k] || n_outliers == 0)
        continue;
      room->quota[k] = part / all;
      left -= room->quota[k];
      room->remainders[n++] = (Remainder) { k, part % all };
    }
  qsort (room->remainders, n, sizeof (Remainder), compare_remainders);
  for (unsigned i = 0; i < left; i++)
    room->quota[room->remainders[i].cluster]++;
}

/* -- which ----------------------------------------------------------------- */

/* The nearest row of each cluster; of those as near as it the lowest. */
static void
find_representatives (const KymoKmeans *kmeans,
                      unsigned         *representative,
                      double           *nearest)
{
  for (unsigned k = 0; k < kmeans->n_clusters; k++)
    {
      nearest[k] = INFINITY;
      representative[k] = UINT_MAX;
    }
  for (unsigned i = 0; i < kmeans->n_rows; i++)
    nearest[kmeans->cluster[i]] = fmin (nearest[kmeans->cluster[i]], kmeans->distance[i]);
  for (unsigned i = kmeans->n_rows; i-- > 0;)
    if (kymo_kmeans_is_tie (kmeans->distance[i], nearest[kmeans->cluster[i]]))
      representative[kmeans->cluster[i]] = i;
}

/* By cluster, then the farthest first, then the lower row. */
static int
compare_rows (const void *a,
              const void *b,
              void       *data)
{
  const KymoKmeans *kmeans = data;
  unsigned i = *(const unsigned *) a, j = *(const unsigned *) b;

  if (kmeans->cluster[i] != kmeans->cluster[j])
    return kmeans->cluster[i] < kmeans->cluster[j] ? -1 : 1;
  if (kmeans->distance[i] != kmeans->distance[j])
    return kmeans->distance[i] > kmeans->distance[j] ? -1 : 1;
  return (i > j) - (i < j);
}

static int
compare_numbers (const void *a,
                 const void *b)
{
  unsigned i = *(const unsigned *) a, j = *(const unsigned *) b;

  return (i > j) - (i < j);
}

/* Rows as far as the first of their group are ties, and ascend. */
static void
order_ties (const KymoKmeans *kmeans,
            unsigned         *rows,
            unsigned          n)
{
  for (unsigned first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && kmeans->cluster[rows[end]] == kmeans->cluster[rows[first]]
           && kymo_kmeans_is_tie (kmeans->distance[rows[end]], kmeans->distance[rows[first]]);)
        end++;
      qsort (rows + first, end - first, sizeof (unsigned), compare_numbers);
    }
}

/* All rows but the representatives, in the order in which they are outliers. Returns how many. */
static unsigned
rank_rows (const KymoKmeans *kmeans,
           const unsigned   *representative,
           unsigned         *rows)
{
  unsigned n = 0;

  for (unsigned i = 0; i < kmeans->n_rows; i++)
    if (representative[kmeans->cluster[i]] != i)
      rows[n++] = i;
  qsort_r (rows, n, sizeof (unsigned), compare_rows, (void *) kmeans);
  order_ties (kmeans, rows, n);
  return n;
}

static void
take_outliers (const KymoKmeans *kmeans,
               KymoPeChoice     *choice,
               Room             *room)
{
  unsigned n = rank_rows (kmeans, choice->representative, room->rows), at = 0;

  for (unsigned i = 0; i < n; i++)
    {
      unsigned k = kmeans->cluster[room->rows[i]];

      if (room->quota[k] == 0)
        continue;
      room->quota[k]--;
      choice->outliers[at++] = room->rows[i];
      choice->first_outlier[k + 1] = at;
    }
  for (unsigned k = 0; k < kmeans->n_clusters; k++)
    if (choice->first_outlier[k + 1] < choice->first_outlier[k])
      choice->first_outlier[k + 1] = choice->first_outlier[k];
}

static bool
allocate_room (const KymoKmeans *kmeans,
               Room             *room)
{
  size_t n = kmeans->n_clusters;

  room->sums = malloc (n * sizeof (double));
  room->weights = malloc (n * sizeof (Weight));
  room->remainders = malloc (n * sizeof (Remainder));
  room->full = calloc (n, sizeof (bool));
  room->quota = calloc (n, sizeof (unsigned));
  room->rows = malloc (kmeans->n_rows * sizeof (unsigned));
  return room->sums != NULL && room->weights != NULL && room->remainders != NULL
    && room->full != NULL && room->quota != NULL && room->rows != NULL;
}

/**
 * kymo_pe_choice_new:
 * @n_outliers: of all clusters; cut to what is left beside representatives
 * @by: how they are shared out
 *
 * Returns: (transfer full) (nullable): representatives and outliers; %NULL if there is no memory
 */
KymoPeChoice *
kymo_pe_choice_new (const KymoKmeans *kmeans,
                    unsigned          n_outliers,
                    KymoPeQuota       by)
{
  unsigned most = kmeans->n_rows - kmeans->n_clusters;
  KymoPeChoice *choice = calloc (1, sizeof *choice);
  Room room = { 0 };
  bool good = choice != NULL && allocate_room (kmeans, &room);

  if (good)
    {
      choice->n_outliers = n_outliers < most ? n_outliers : most;
      choice->representative = malloc (kmeans->n_clusters * sizeof (unsigned));
      choice->first_outlier = calloc (kmeans->n_clusters + 1, sizeof (unsigned));
      choice->outliers = malloc ((choice->n_outliers + 1) * sizeof (unsigned));
      good = choice->representative != NULL && choice->first_outlier != NULL
        && choice->outliers != NULL;
    }
  if (good)
    {
      find_representatives (kmeans, choice->representative, room.sums);
      share_out (kmeans, choice->n_outliers, by, &room);
      take_outliers (kmeans, choice, &room);
    }
  free (room.sums);
  free (room.weights);
  free (room.remainders);
  free (room.full);
  free (room.quota);
  free (room.rows);
  if (good)
    return choice;
  if (choice != NULL)
    kymo_pe_choice_free (choice);
  return NULL;
}

/** kymo_pe_choice_free: frees the representatives and the outliers */
void
kymo_pe_choice_free (KymoPeChoice *choice)
{
  free (choice->representative);
  free (choice->first_outlier);
  free (choice->outliers);
  free (choice);
}
