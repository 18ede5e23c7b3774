/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Segment files: round trip, keys, and files made to deceive: their hashes
 * are right, their contents are not.
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-cache-folder.h"
#include "kymo-error.h"
#include "kymo-file-stamp.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"
#include "kymo-segment-file.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-layout.h"
#include "scratch.h"

#define N_BLOCKS 300

static const guint8 key[KYMO_SEGMENT_KEY_BYTES] = "the key of this run";

/* Of each segment; with 1000 the times, multiples of 10, are kept wide. */
static guint32 units_ns[2] = { 10, 1000 };

static KymoSegment *
make_segment (guint32 unit_ns)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (0, 4);
  KymoObject object = { { 7, 8 }, 2 };
  KymoPoint note = { .begin_ns = 500, .end_ns = 500, .kind = KYMO_POINT_NOTE,
                     .activity = G_MAXUINT32, .id = 1, .text = g_strdup ("a note") };
  KymoSegment *segment;
  KymoRepairs repairs;

  kymo_segment_builder_set_unit (b, unit_ns);
  for (guint i = 0; i < N_BLOCKS; i++)
    {
      gint64 t = 100 * i;

      kymo_segment_builder_touch (b, t);
      kymo_segment_builder_begin_block (b, t, i % 4, 0, i, 100, i % 3 ? &object : NULL);
      kymo_segment_builder_begin_block (b, t + 20, 1, -1, -1, 0, NULL);
      kymo_segment_builder_send (b, t + 30, i == 5 ? KYMO_SEND_MULTICAST : KYMO_SEND_ONE, 2, i,
                                 64, 1);
      if (i == 5)
        kymo_segment_builder_multicast_pe (b, 3);
      kymo_segment_builder_end_block (b, t + 40);
      kymo_segment_builder_end_block (b, t + 60);
      kymo_segment_builder_begin_stretch (b, KYMO_STRETCH_PACK, t + 70);
      kymo_segment_builder_end_stretch (b, KYMO_STRETCH_PACK, t + 80);
      kymo_segment_builder_touch (b, t + 90);
    }
  kymo_segment_builder_point (b, &note);
  segment = kymo_segment_builder_seal (b, 4 * N_BLOCKS, FALSE, &repairs);
  kymo_segment_builder_free (b);
  g_assert_cmpint (segment->wide, ==, unit_ns == 1000);
  return segment;
}

static KymoRun *
make_run (void)
{
  KymoRun *run = kymo_run_new ();
  static const char *const names[] = { "A::a", "B::b", "C::c", "D::d" };

  run->title = g_strdup ("made");
  run->format = g_strdup ("projections");
  run->n_locations_original = 2;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, names[i], NULL, "group");
  for (guint i = 0; i < 2; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (run, &location, make_segment (units_ns[i]));
    }
  kymo_run_add_fact (run, "program", "made");
  kymo_report_add (run->report, "made.0.log", KYMO_SEVERITY_REPAIRED, 3, 17, "Something");
  kymo_run_seal (run);
  return run;
}

/* The bytes of the run's file. */
static GByteArray *
write_run (void)
{
  g_autoptr (KymoRun) run = make_run ();
  g_autoptr (GError) error = NULL;
  GByteArray *bytes = g_byte_array_new ();
  int fd = memfd_create ("cache", MFD_CLOEXEC);

  g_assert_true (kymo_segment_file_write (run, key, fd, NULL, &error));
  g_assert_no_error (error);
  g_byte_array_set_size (bytes, lseek (fd, 0, SEEK_END));
  g_assert_cmpint (pread (fd, bytes->data, bytes->len, 0), ==, bytes->len);
  close (fd);
  return bytes;
}

static void
count (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

static KymoRun *
read_run (const GByteArray *bytes,
          const guint8     *wanted,
          gint             *n_damaged,
          GError          **error)
{
  int fd = memfd_create ("cache", MFD_CLOEXEC);
  KymoRun *run;

  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, bytes->len);
  run = kymo_segment_file_read (fd, wanted, 0, count, n_damaged, NULL, error);
  close (fd);
  return run;
}

static void
assert_same (const KymoSegment *a,
             const KymoSegment *b)
{
  gsize size = kymo_times_size (a->wide);

  g_assert_cmpint (a->wide, ==, b->wide);
  g_assert_cmpint (a->base_ns, ==, b->base_ns);
  g_assert_cmpuint (a->unit_ns, ==, b->unit_ns);
  g_assert_cmpmem (a->piece_begin, size * (a->n_pieces + 1), b->piece_begin,
                   size * (b->n_pieces + 1));
  g_assert_cmpmem (a->block_end, size * a->n_blocks, b->block_end, size * b->n_blocks);
  g_assert_cmpmem (a->send_time, size * a->n_sends, b->send_time, size * b->n_sends);
  g_assert_cmpmem (a->block_depth, a->n_blocks, b->block_depth, b->n_blocks);
  for (guint i = 0; i < a->n_blocks; i++)
    g_assert_cmpuint (kymo_segment_block_object (a, i), ==, kymo_segment_block_object (b, i));
  for (guint i = 0; i < a->n_sends; i++)
    {
      g_assert_cmpuint (kymo_segment_send_kind (a, i), ==, kymo_segment_send_kind (b, i));
      g_assert_cmpuint (kymo_segment_send_destinations (a, i), ==,
                        kymo_segment_send_destinations (b, i));
    }
  g_assert_cmpmem (a->objects, sizeof (KymoObject) * a->n_objects, b->objects,
                   sizeof (KymoObject) * b->n_objects);
  g_assert_cmpmem (a->send_event, 4 * a->n_sends, b->send_event, 4 * b->n_sends);
  g_assert_cmpint (a->sends_ascend, ==, b->sends_ascend);
  g_assert_cmpuint (b->multicasts->len, ==, 1);
  g_assert_cmpint (g_array_index (b->multicast_pes, gint32, 0), ==, 3);
  g_assert_cmpuint (a->stretches->len, ==, b->stretches->len);
  g_assert_cmpstr (g_array_index (b->points, KymoPoint, 0).text, ==, "a note");
  g_assert_cmpuint (kymo_segment_get_bytes (a), ==, kymo_segment_get_bytes (b));
}

/* Sums of ranges go through every level of the pyramid. */
static void
assert_same_sums (const KymoSegment *a,
                  const KymoSegment *b)
{
  KymoSums x, y;

  kymo_sums_init (&x, 7);
  kymo_sums_init (&y, 7);
  for (gint64 from = 0; from < a->span.end_ns; from += 777)
    {
      kymo_segment_sum (a, (KymoSpan) { from, a->span.end_ns }, NULL, &x);
      kymo_segment_sum (b, (KymoSpan) { from, a->span.end_ns }, NULL, &y);
      g_assert_cmpmem (x.ns, 7 * 8, y.ns, 7 * 8);
      g_assert_cmpmem (x.touched, 4 * x.n_touched, y.touched, 4 * y.n_touched);
    }
  kymo_sums_clear (&x);
  kymo_sums_clear (&y);
}

static void
test_round_trip (void)
{
  g_autoptr (KymoRun) run = make_run ();
  g_autoptr (GByteArray) bytes = write_run ();
  g_autoptr (GError) error = NULL;
  gint n_damaged = 0;
  g_autoptr (KymoRun) back = read_run (bytes, key, &n_damaged, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (back->title, ==, "made");
  g_assert_null (back->format_version);
  g_assert_cmpstr (kymo_run_peek_activity (back, 3)->group, ==, "group");
  g_assert_cmpstr (kymo_run_peek_location (back, 1)->label, ==, "PE 1");
  g_assert_cmpstr (kymo_report_peek_issue (back->report, 0)->what, ==, "Something");
  g_assert_cmpint (kymo_report_peek_issue (back->report, 0)->count, ==, 3);
  g_assert_cmpint (back->n_records, ==, run->n_records);
  for (guint i = 0; i < 2; i++)
    {
      KymoSegment *segment = g_ptr_array_index (back->segments, i);

      g_assert_cmpuint (kymo_segment_get_n_points (segment), ==, 1);
      g_assert_true (kymo_segment_use (segment, KYMO_PARTS_ALL));
      assert_same (g_ptr_array_index (run->segments, i), segment);
      assert_same_sums (g_ptr_array_index (run->segments, i), segment);
    }
  g_assert_cmpint (n_damaged, ==, 0);
}

static void
test_keys (void)
{
  static const guint8 other[KYMO_SEGMENT_KEY_BYTES] = "the key of that run";
  g_autoptr (GByteArray) bytes = write_run ();
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = read_run (bytes, NULL, NULL, NULL);

  g_assert_nonnull (run);
  g_assert_null (read_run (bytes, other, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_STALE);
  g_clear_error (&error);
  ((KymoSegmentHeader *) (gpointer) bytes->data)->version++;
  g_assert_null (read_run (bytes, key, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_STALE);
}

/* Makes all hashes right again, of what lies inside. */
static void
rehash (GByteArray *bytes)
{
  KymoSegmentHeader *header = (gpointer) bytes->data;
  KymoSegmentEntry *entries = (gpointer) (bytes->data + header->entries.offset);
  KymoSegmentLayout layout;

  for (guint i = 0; i < header->n_segments; i++)
    for (guint k = 0; k < KYMO_N_PARTS && kymo_segment_layout (&entries[i], 0, &layout)
         && entries[i].offset <= bytes->len && entries[i].n_bytes <= bytes->len - entries[i].offset;
         k++)
      entries[i].hash[k] = kymo_hash_of (bytes->data + entries[i].offset + layout.part[k],
                                         layout.part[k + 1] - layout.part[k]);
  header->entries.hash = kymo_hash_of (entries, kymo_segment_aligned (header->entries.n_bytes));
  header->sums.hash = kymo_hash_of (bytes->data + header->sums.offset,
                                    kymo_segment_aligned (header->sums.n_bytes));
  header->hash = 0;
  header->hash = kymo_hash_of (header, sizeof *header);
}

/* One number of one column of segment 1 become `value`. */
static void
assert_refused (guint  column,
                guint  index,
                gint64 value,
                gsize  place)
{
  g_autoptr (GByteArray) bytes = write_run ();
  const KymoSegmentHeader *header = (gpointer) bytes->data;
  const KymoSegmentEntry *entry = (const KymoSegmentEntry *)
    (gpointer) (bytes->data + header->entries.offset) + 1;
  gsize size = kymo_segment_column_size (entry, column);
  KymoSegmentLayout layout;
  gint n_damaged = 0;
  guint8 *to;

  g_assert_true (kymo_segment_layout (entry, 0, &layout));
  to = bytes->data + entry->offset + layout.column[column] + size * index + place;
  if (size == 8)
    *(gint64 *) (gpointer) to = value;
  else if (size == 1)
    *to = value;
  else
    *(gint32 *) (gpointer) to = value;
  rehash (bytes);
  g_autoptr (KymoRun) run = read_run (bytes, key, &n_damaged, NULL);
  g_assert_nonnull (run);
  g_assert_true (kymo_segment_use (g_ptr_array_index (run->segments, 0), KYMO_PARTS_ALL));
  g_assert_false (kymo_segment_use (g_ptr_array_index (run->segments, 1),
                                    1u << kymo_segment_columns[column].part));
  g_assert_false (kymo_segment_use (g_ptr_array_index (run->segments, 1), KYMO_PARTS_ALL));
  g_assert_cmpint (n_damaged, ==, 1);
}

static void
assert_deceit_refused (void)
{
  assert_refused (COLUMN_PIECE_BEGIN, 7, -5, 0);
  assert_refused (COLUMN_PIECE_BEGIN, 0, 1, 0);
  assert_refused (COLUMN_PIECE_STATE, 9, 7, 0);
  assert_refused (COLUMN_NODE_OFFSET, 1, 1 << 30, 0);
  assert_refused (COLUMN_NODE_STATE, 2, -1, 0);
  assert_refused (COLUMN_NODE_NS, 3, G_MAXINT64, 0);
  assert_refused (COLUMN_NODE_NS, 3, 0, 0);
  assert_refused (COLUMN_BLOCK_BEGIN, 4, G_MININT64, 0);
  assert_refused (COLUMN_BLOCK_END, 4, 0, 0);
  assert_refused (COLUMN_BLOCK_END, 5, G_MAXINT64, 0);
  assert_refused (COLUMN_BLOCK_ACTIVITY, 4, 4, 0);
  assert_refused (COLUMN_BLOCK_OBJECT, 4, 2, 0);
  assert_refused (COLUMN_BLOCK_DEPTH, 0, 1, 0);
  assert_refused (COLUMN_BLOCK_DEPTH, 4, 200, 0);
  assert_refused (COLUMN_OBJECTS, 1, 7, 24);
  assert_refused (COLUMN_SEND_EVENT, 4, 99, 0);
  assert_refused (COLUMN_SEND_ACTIVITY, 4, 4, 0);
  assert_refused (COLUMN_SEND_KIND, 4, 3, 0);
  assert_refused (COLUMN_MULTICASTS, 0, N_BLOCKS, 0);
  assert_refused (COLUMN_MULTICASTS, 0, 2, 8);
  assert_refused (COLUMN_POINTS, 0, 100, 40);
  assert_refused (COLUMN_POINTS, 0, KYMO_N_POINT_KINDS, 16);
  assert_refused (COLUMN_POINTS, 0, 4, 20);
  assert_refused (COLUMN_TEXT, 6, 'x', 0);
  /* 32 bits cannot lie here. */
  if (units_ns[1] == 1000)
    assert_refused (COLUMN_SEND_TIME, 4, G_MAXINT64, 0);
  assert_refused (COLUMN_STRETCHES, 0, KYMO_N_STRETCH_KINDS, 16);
}

static void
test_deceit (void)
{
  for (guint i = 0; i < 2; i++)
    {
      guint32 first = units_ns[0];

      assert_deceit_refused ();
      units_ns[0] = units_ns[1];
      units_ns[1] = first;
    }
}

/* Sums that tell other states than the track: no cell has a name that is not
   there. */
static void
test_false_sums (void)
{
  g_autoptr (GByteArray) bytes = write_run ();
  const KymoSegmentHeader *header = (gpointer) bytes->data;
  KymoStoredSum *sums = (gpointer) (bytes->data + header->sums.offset);
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoRunSource) source = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  const guint32 *cells;
  guint n_names, n_cells;

  for (gsize i = 0; i < header->sums.n_bytes / sizeof *sums; i++)
    if (sums[i].state == KYMO_STATE_OVERHEAD)
      sums[i].state = KYMO_STATE_UNTRACED;
  rehash (bytes);
  run = read_run (bytes, key, &(gint) { 0 }, &error);
  g_assert_no_error (error);
  source = kymo_run_source_new (run, 1);
  kymo_question_set_resolution (question, 40, 0);
  kymo_question_set_int (question, "grid", 1);
  kymo_question_set_int (question, "dense", 1);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  n_names = kymo_table_get_n_rows (kymo_table_peek_nested (answer, "names", NULL));
  cells = kymo_table_peek_packed (kymo_table_peek_nested (answer, "dense", NULL), "cell",
                                  &n_cells);
  g_assert_cmpuint (n_cells, >, 0);
  for (guint i = 0; i < n_cells; i++)
    g_assert_true (cells[i] == G_MAXUINT32 || cells[i] >> 16 < n_names);
}

/* Who stops does not wait for totals that nobody will write. */
static void
test_stopped (void)
{
  g_autoptr (KymoRun) run = make_run ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  int fd = memfd_create ("cache", MFD_CLOEXEC);

  g_cancellable_cancel (cancellable);
  g_assert_false (kymo_segment_file_write (run, key, fd, cancellable, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_WRITE);
  close (fd);
  for (guint i = 0; i < run->segments->len; i++)
    g_assert_cmpuint (((KymoSegment *) g_ptr_array_index (run->segments, i))->totals_once, ==, 0);
}

/* Where the file system knows no files without a name, segments are mapped
   from one in the making. */
static void
test_file_in_the_making (Scratch       *scratch,
                         gconstpointer  data)
{
  int folder = open (scratch->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (KymoRun) run = make_run ();
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoSegmentWriter) writer = NULL;
  g_autofree char *name = NULL;
  KymoSegment *segment;
  KymoBacking *backing;
  int fd = kymo_cache_folder_create (folder, &name, &error);

  g_assert_no_error (error);
  writer = kymo_segment_writer_new (fd, 0, KYMO_STATE_ACTIVITY + 4);
  g_assert_true (kymo_segment_writer_add (writer, 0, g_ptr_array_index (run->segments, 0), NULL,
                                          &error));
  backing = kymo_segment_writer_map (writer, &error);
  g_assert_no_error (error);
  segment = kymo_segment_backing_lend (backing, 0);
  kymo_backing_unref (backing);
  g_assert_true (kymo_segment_use (segment, KYMO_PARTS_ALL));
  assert_same (g_ptr_array_index (run->segments, 0), segment);
  kymo_segment_unref (segment);
  close (folder);
}

/* Numbers of the header and the entries that lead out of the file. */
static void
test_places (void)
{
  g_autoptr (GByteArray) good = write_run ();
  gsize n_entries = 2 * sizeof (KymoSegmentEntry);
  gsize first = ((KymoSegmentHeader *) (gpointer) good->data)->entries.offset;
  guint n_refused = 0;

  for (gsize at = 16; at < first + n_entries;
       at = at + 8 == sizeof (KymoSegmentHeader) ? first : at + 8)
    {
      static const guint64 odd[] = { G_MAXUINT64, 1 << 20, G_MAXINT64, 63 };

      for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
        {
          g_autoptr (GByteArray) bytes = g_byte_array_new ();
          g_autoptr (KymoRun) run = NULL;

          g_byte_array_append (bytes, good->data, good->len);
          memcpy (bytes->data + at, &odd[i], 8);
          if (at >= first)
            rehash (bytes);
          run = read_run (bytes, key, &(gint) { 0 }, NULL);
          n_refused += run == NULL;
          for (guint k = 0; run != NULL && k < run->segments->len; k++)
            kymo_segment_use (g_ptr_array_index (run->segments, k), KYMO_PARTS_ALL);
        }
    }
  g_assert_cmpuint (n_refused, >, 300);
}

/* A file as before, but for one byte. */
static KymoFileStamp
change_byte (const char          *path,
             gsize                at,
             const KymoFileStamp *before)
{
  const struct timespec times[2] = {
    { 0, UTIME_OMIT }, { before->mtime_ns / 1000000000, before->mtime_ns % 1000000000 },
  };
  KymoFileStamp stamp;
  int fd = open (path, O_WRONLY);

  g_assert_cmpint (pwrite (fd, "x", 1, at), ==, 1);
  g_assert_cmpint (futimens (fd, times), ==, 0);
  close (fd);
  kymo_file_stamps_take (&path, 1, &stamp);
  g_assert_cmpint (stamp.n_bytes, ==, before->n_bytes);
  g_assert_cmpint (stamp.mtime_ns, ==, before->mtime_ns);
  g_assert_cmpuint (stamp.inode, ==, before->inode);
  return stamp;
}

static void
test_stamps (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree char *text = g_strnfill (KYMO_FILE_HEAD_BYTES + 100, 'a');
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree KymoFileStamp *stamps = g_new (KymoFileStamp, 300);

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      text[7] = '!' + i % 90;
      if (i != 299)
        scratch_put (scratch, name, i == 298 ? "" : text);
      g_ptr_array_add (paths, scratch_path (scratch, name));
    }
  kymo_file_stamps_take ((const char *const *) paths->pdata, 300, stamps);
  for (guint i = 0; i < 298; i++)
    {
      KymoFileStamp one;

      kymo_file_stamps_take ((const char *const *) &paths->pdata[i], 1, &one);
      g_assert_cmpmem (&one, sizeof one, &stamps[i], sizeof one);
      g_assert_true ((stamps[i].head == stamps[0].head) == (i % 90 == 0));
    }
  g_assert_cmpint (stamps[298].n_bytes, ==, 0);
  g_assert_cmpint (stamps[299].n_bytes, ==, -1);
  g_assert_cmpuint (change_byte (paths->pdata[0], KYMO_FILE_HEAD_BYTES, &stamps[0]).head, ==,
                    stamps[0].head);
  g_assert_cmpuint (change_byte (paths->pdata[0], KYMO_FILE_HEAD_BYTES - 1, &stamps[0]).head, !=,
                    stamps[0].head);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cache/round-trip", test_round_trip);
  g_test_add_func ("/cache/keys", test_keys);
  g_test_add_func ("/cache/deceit", test_deceit);
  g_test_add_func ("/cache/places", test_places);
  g_test_add_func ("/cache/false-sums", test_false_sums);
  g_test_add_func ("/cache/stopped", test_stopped);
  g_test_add ("/cache/file-in-the-making", Scratch, NULL, scratch_up, test_file_in_the_making,
              scratch_down);
  g_test_add ("/cache/stamps", Scratch, NULL, scratch_up, test_stamps, scratch_down);
  return g_test_run ();
}
