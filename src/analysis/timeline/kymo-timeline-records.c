/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters and I/O of a timeline's rows, in words: what was recorded in each column. They lie
 * inside of functions and have no shape of their own; a picture tells them at the pointer. Blocks
 * that are wide enough to be labelled tell the file that they read or write.
 */
#include "config.h"

#include <string.h>

#include "kymo-describe.h"
#include "kymo-timeline-extras.h"

#define KINDS (1u << KYMO_POINT_PARAMETER | 1u << KYMO_POINT_IO)
/* A row with more columns that hold records tells only how many there are: one cannot point at
   them one by one. */
#define MOST_COLUMNS_WITH_WORDS 400
#define MOST_TOLD 3
/* Records of a column that are looked at for their file, and the narrowest block that tells it. */
#define MOST_OF_FILES 256
#define LEAST_COLUMNS 8

/** Record: those that begin in one column */
typedef struct
{
  guint  x0, x1;
  guint  first;                 /* index of the first point */
  guint  n;
  char  *text;                  /* or NULL */
} Record;

static void
record_clear (gpointer data)
{
  g_free (((Record *) data)->text);
}

static gboolean
is_record (const KymoPoint *point)
{
  return (1u << point->kind & KINDS) != 0;
}

/* Points are in order of their begin. */
static GArray *
group (const KymoAsk     *ask,
       const KymoSegment *segment,
       const gint64      *edges_ns,
       guint              n_columns)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (Record));

  g_array_set_clear_func (records, record_clear);
  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      Record *last = records->len > 0 ? &g_array_index (records, Record, records->len - 1) : NULL;
      KymoExtra place;

      if (point->begin_ns >= edges_ns[n_columns])
        break;
      if (!is_record (point) || !kymo_row_extras_place (ask, edges_ns, n_columns, point->begin_ns,
                                                        point->end_ns, &place))
        continue;
      if (last != NULL && last->x0 == place.x0)
        {
          last->x1 = MAX (last->x1, place.x1);
          last->n++;
        }
      else
        {
          Record record = { place.x0, place.x1, i, 1, NULL };

          g_array_append_val (records, record);
        }
    }
  return records;
}

/* The first few texts of a record, a line each. */
static char *
describe_timeline_records (const KymoAsk *ask,
                           KymoSegment   *segment,
                           const Record  *record)
{
  GString *text = g_string_new (NULL);
  guint told = 0;

  for (guint i = record->first; told < MIN (record->n, MOST_TOLD); i++)
    {
      g_autofree char *words = NULL;

      if (!is_record (&g_array_index (segment->points, KymoPoint, i)))
        continue;
      words = kymo_describe_point (ask, segment, i);
      g_string_append_printf (text, "%s%s", told++ > 0 ? "\n" : "", words);
    }
  if (record->n > told)
    g_string_append_printf (text, "\nand %u more", record->n - told);
  return g_string_free (text, FALSE);
}

/**
 * kymo_timeline_collect_records:
 * @edges_ns: (array): n_columns + 1 edges of the columns
 *
 * Returns: (transfer full) (nullable): parameters and I/O of a location in the range; %NULL
 *   where there are none
 */
GArray *
kymo_timeline_collect_records (const KymoAsk *ask,
                               KymoSegment   *segment,
                               const gint64  *edges_ns,
                               guint          n_columns)
{
  GArray *records;

  if ((kymo_segment_get_point_kinds (segment) & KINDS) == 0)
    return NULL;
  records = group (ask, segment, edges_ns, n_columns);
  for (guint i = 0; records->len <= MOST_COLUMNS_WITH_WORDS && i < records->len; i++)
    {
      Record *record = &g_array_index (records, Record, i);

      record->text = describe_timeline_records (ask, segment, record);
    }
  return records;
}

/* -- files of blocks ------------------------------------------------------ */

/** File: of a block; @name is of the run, or NULL where the block is about several files */
typedef struct
{
  gint        block;
  KymoExtra   place;
  const char *name;
} File;

/* Opening and closing may be recorded at the very end of their call. */
static gint
block_of_point (KymoSegment     *segment,
                const KymoPoint *point)
{
  gint before = kymo_segment_block_at (segment, point->begin_ns - 1);

  return before >= 0 && kymo_segment_block_end (segment, before) == point->begin_ns ? before
    : kymo_segment_block_at (segment, point->begin_ns);
}

/* Without its folder. */
static const char *
name_of_file (const KymoAsk   *ask,
              const KymoPoint *point)
{
  const char *name = kymo_describe_io_file (ask->run, point), *slash = strrchr (name, '/');

  return slash != NULL && slash[1] != '\0' ? slash + 1 : *name != '\0' ? name : NULL;
}

static void
add_file (const KymoAsk   *ask,
          KymoSegment     *segment,
          const KymoPoint *point,
          const gint64    *edges_ns,
          guint            n_columns,
          GArray          *files)
{
  File *last = files->len > 0 ? &g_array_index (files, File, files->len - 1) : NULL;
  File file = { block_of_point (segment, point), { 0 }, name_of_file (ask, point) };

  if (file.block < 0)
    return;
  if (last != NULL && last->block == file.block)
    {
      if (g_strcmp0 (last->name, file.name) != 0)
        last->name = NULL;
      return;
    }
  if (kymo_row_extras_place (ask, edges_ns, n_columns,
                             kymo_segment_block_begin (segment, file.block),
                             kymo_segment_block_end (segment, file.block), &file.place)
      && file.place.x1 - file.place.x0 >= LEAST_COLUMNS)
    g_array_append_val (files, file);
}

/**
 * kymo_timeline_collect_files:
 * @records: (nullable): of kymo_timeline_collect_records(), for the same columns
 * @edges_ns: (array): n_columns + 1 edges of the columns
 *
 * Returns: (transfer full) (nullable): the files of wide blocks of a location; %NULL where there
 *   are no @records
 */
GArray *
kymo_timeline_collect_files (const KymoAsk *ask,
                             KymoSegment   *segment,
                             const GArray  *records,
                             const gint64  *edges_ns,
                             guint          n_columns)
{
  GArray *files;

  if (records == NULL)
    return NULL;
  files = g_array_new (FALSE, FALSE, sizeof (File));
  for (guint i = 0; records->len <= MOST_COLUMNS_WITH_WORDS && i < records->len; i++)
    {
      const Record *record = &g_array_index (records, Record, i);
      guint seen = 0;

      for (guint k = record->first; seen < MIN (record->n, MOST_OF_FILES); k++)
        {
          const KymoPoint *point = &g_array_index (segment->points, KymoPoint, k);

          seen += is_record (point);
          if (point->kind == KYMO_POINT_IO)
            add_file (ask, segment, point, edges_ns, n_columns, files);
        }
    }
  return files;
}

/**
 * kymo_timeline_append_files:
 * @files: (nullable): of kymo_timeline_collect_files()
 * @row: number of the row among those given
 * @table: (inout): gets the columns row, x0, x1 and file; made where it is %NULL and there are
 *   files
 */
void
kymo_timeline_append_files (const GArray  *files,
                            guint          row,
                            KymoTable    **table)
{
  static const char *const numbers[] = { "row", "x0", "x1" };

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const File *file = &g_array_index (files, File, i);

      if (file->name == NULL)
        continue;
      if (*table == NULL)
        {
          *table = kymo_table_new (KYMO_STYLE_TUPLES);
          for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
            kymo_table_add_column (*table, numbers[k], KYMO_COLUMN_INT, 1);
          kymo_table_add_column (*table, "file", KYMO_COLUMN_STRING, 1);
        }
      kymo_table_append_int (*table, 0, row);
      kymo_table_append_int (*table, 1, file->place.x0);
      kymo_table_append_int (*table, 2, file->place.x1);
      kymo_table_append_string (*table, 3, file->name);
    }
}

/* -- records -------------------------------------------------------------- */

/**
 * kymo_timeline_append_records:
 * @records: (nullable): of kymo_timeline_collect_records()
 * @row: number of the row among those given
 * @table: (inout): gets the columns row, x0, x1, count and text (null: zoom in to have it);
 *   made where it is %NULL and there are records
 */
void
kymo_timeline_append_records (const GArray  *records,
                              guint          row,
                              KymoTable    **table)
{
  static const char *const numbers[] = { "row", "x0", "x1", "count" };

  if (records == NULL || records->len == 0)
    return;
  if (*table == NULL)
    {
      *table = kymo_table_new (KYMO_STYLE_TUPLES);
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        kymo_table_add_column (*table, numbers[i], KYMO_COLUMN_INT, 1);
      kymo_table_add_column (*table, "text", KYMO_COLUMN_STRING, 1);
    }
  for (guint i = 0; i < records->len; i++)
    {
      const Record *record = &g_array_index (records, Record, i);

      kymo_table_append_int (*table, 0, row);
      kymo_table_append_int (*table, 1, record->x0);
      kymo_table_append_int (*table, 2, record->x1);
      kymo_table_append_int (*table, 3, record->n);
      kymo_table_append_string (*table, 4, record->text);
    }
}
