/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a segment file: header, entries, sums, totals and tables are looked at when
 * it is opened, a part of a segment when that is first used.
 *
 * The file in memory (kymo-mapped.h) is shared by the segments by reference count, and
 * outlives the file's name; Kymo never writes to a file that has one (a new one is renamed
 * into its place), but others may cut it off.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-mapped.h"
#include "kymo-segment-file.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-segment-collectives.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-keep.h"
#include "kymo-segment-totals.h"

typedef struct
{
  KymoBacking              parent;
  KymoMapped              *file;
  const guint8            *bytes;
  gsize                    n_bytes;
  const KymoSegmentHeader *header;      /* NULL: still being written, by us */
  const KymoSegmentEntry  *entries;
  GArray                  *written;     /* KymoSegmentWritten: instead of both */
  guint                    n_metrics;
  guint                    n_states;
  void                   (*on_damage) (gpointer data);
  gpointer                 data;
  GDestroyNotify           data_free;
  gint                     told;        /* atomic: on_damage was called */
} Mapping;

static void
mapping_free (KymoBacking *backing)
{
  Mapping *mapping = (Mapping *) backing;

  g_clear_pointer (&mapping->file, kymo_mapped_free);
  g_clear_pointer (&mapping->written, g_array_unref);
  if (mapping->data_free != NULL)
    mapping->data_free (mapping->data);
  g_free (mapping);
}

/* Once: by then a sound file may have the name of this one. */
static void
tell_damage (Mapping *mapping)
{
  if (g_atomic_int_compare_and_exchange (&mapping->told, 0, 1) && mapping->on_damage != NULL)
    mapping->on_damage (mapping->data);
}

static gboolean
mapping_is_damaged (KymoBacking *backing)
{
  Mapping *mapping = (Mapping *) backing;

  if (!kymo_mapped_is_damaged (mapping->file))
    return FALSE;
  tell_damage (mapping);
  return TRUE;
}

static const KymoSegmentEntry *
peek_entry (const Mapping *mapping,
            guint          place)
{
  return mapping->written == NULL ? &mapping->entries[place]
    : &g_array_index (mapping->written, KymoSegmentWritten, place).entry;
}

static gboolean
hash_agrees (gconstpointer bytes,
             gsize         n_bytes,
             guint64       hash)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return TRUE;                  /* so that what is behind it is tried */
#else
  return kymo_hash_of (bytes, n_bytes) == hash;
#endif
}

/* Texts stay where they are: they end within their column. */
static void
make_points (KymoSegment             *segment,
             const KymoSegmentEntry  *entry,
             const KymoSegmentLayout *layout,
             const guint8            *bytes)
{
  const KymoStoredPoint *p = (gconstpointer) (bytes + layout->column[COLUMN_POINTS]);
  const KymoStoredStretch *s = (gconstpointer) (bytes + layout->column[COLUMN_STRETCHES]);
  char *text = (char *) bytes + layout->column[COLUMN_TEXT];
  guint n_points = entry->counts[COUNT_POINTS], n_stretches = entry->counts[COUNT_STRETCHES];
  KymoPoint *points = kymo_segment_new_made (segment, n_points, sizeof *points);
  KymoStretch *stretches = kymo_segment_new_made (segment, n_stretches, sizeof *stretches);
  /* Since it was written, or mapped, the clock may have been corrected. */
  gint64 shift_ns = entry->list_shift_ns + (segment->span.begin_ns - entry->begin_ns);

  for (guint i = 0; i < n_points; i++)
    points[i] = (KymoPoint) { .begin_ns = p[i].begin_ns + shift_ns,
                              .end_ns = p[i].end_ns + shift_ns, .kind = p[i].kind,
                              .op = p[i].op, .flag = p[i].flag, .activity = p[i].activity,
                              .id = p[i].id, .nested_id = p[i].nested_id, .number = p[i].number,
                              .text = p[i].text > 0 ? text + p[i].text - 1 : NULL };
  for (guint i = 0; i < n_stretches; i++)
    stretches[i] = (KymoStretch) { s[i].begin_ns + shift_ns, s[i].end_ns + shift_ns, s[i].kind };
  kymo_segment_lend_points (segment, points, n_points, stretches, n_stretches);
}

static void
make_multicasts (KymoSegment             *segment,
                 const KymoSegmentEntry  *entry,
                 const KymoSegmentLayout *layout,
                 const guint8            *bytes)
{
  kymo_segment_lend_multicasts (segment, bytes + layout->column[COLUMN_MULTICASTS],
                                entry->counts[COUNT_MULTICASTS],
                                bytes + layout->column[COLUMN_MULTICAST_PES],
                                entry->counts[COUNT_MULTICAST_PES]);
}

/* Which records those of the segment belong to. */
static gboolean
matches_are_fit (const Mapping          *mapping,
                 const KymoSegmentEntry *entry)
{
  const guint8 *bytes = mapping->bytes + entry->match_offset;

  return kymo_mapped_need (mapping->file, entry->match_offset, kymo_segment_match_offset (entry, 4))
    && hash_agrees (bytes, kymo_segment_match_offset (entry, 4), entry->match_hash)
    && kymo_segment_check_matches (entry, bytes, mapping->entries, mapping->header->n_segments);
}

/* Called once for each part of each segment, from any thread. */
static gboolean
mapping_check (KymoBacking     *backing,
               KymoSegment     *segment,
               KymoSegmentPart  part)
{
  Mapping *mapping = (Mapping *) backing;
  const KymoSegmentEntry *entry = peek_entry (mapping, segment->place);
  const guint8 *bytes = mapping->bytes + entry->offset;
  guint index = g_bit_nth_lsf (part, -1);
  KymoSegmentLayout layout;
  gsize n_bytes;

  if (!kymo_segment_layout (entry, mapping->n_metrics, &layout))
    return FALSE;
  n_bytes = layout.part[index + 1] - layout.part[index];
  if (mapping->header != NULL
      && (!kymo_mapped_need (mapping->file, entry->offset + layout.part[index], n_bytes)
          || !hash_agrees (bytes + layout.part[index], n_bytes, entry->hash[index])
          || !kymo_segment_check (entry, &layout, bytes, part, mapping->n_states)
          || (part == KYMO_PART_SENDS && !matches_are_fit (mapping, entry))))
    {
      g_debug ("A segment file is damaged: segment %u, part %u", segment->location, index);
      tell_damage (mapping);
      return FALSE;
    }
  if (part == KYMO_PART_POINTS)
    make_points (segment, entry, &layout, bytes);
  else if (part == KYMO_PART_SENDS)
    make_multicasts (segment, entry, &layout, bytes);
  return TRUE;
}

static KymoPyramid *
map_pyramid (const KymoSegmentEntry  *entry,
             const KymoSegmentLayout *layout,
             const guint8            *bytes)
{
  KymoPyramidLevel levels[KYMO_PYRAMID_MAX_LEVELS];
  guint32 *offsets = (gpointer) (bytes + layout->column[COLUMN_NODE_OFFSET]);
  guint32 *states = (gpointer) (bytes + layout->column[COLUMN_NODE_STATE]);
  gint64 *ns = (gpointer) (bytes + layout->column[COLUMN_NODE_NS]);

  for (guint i = 0; i < layout->n_levels; i++)
    {
      levels[i] = (KymoPyramidLevel) { layout->n_nodes[i], offsets, states, ns };
      offsets += (gsize) layout->n_nodes[i] + 1;
      states += entry->level_sums[i];
      ns += entry->level_sums[i];
    }
  return kymo_pyramid_new_lent (levels, layout->n_levels);
}

/* Maps sends and receives. A file in the making has no matches of these yet. */
static void
map_exchange (Mapping                *mapping,
              const KymoSegmentEntry *entry,
              KymoSegment            *segment)
{
  KymoExchange *x = kymo_exchange_new ();

  x->columns_lent = TRUE;
  x->n_sends = entry->counts[COUNT_EXCHANGED_SENDS];
  x->n_receives = entry->counts[COUNT_RECEIVES];
  segment->exchange = x;
  if (mapping->header != NULL)
    kymo_segment_map_matches (segment, entry, mapping->bytes + entry->match_offset);
}

static KymoSegment *
map_segment (Mapping                 *mapping,
             guint                    index,
             const KymoSegmentLayout *layout)
{
  const KymoSegmentEntry *entry = peek_entry (mapping, index);
  const guint8 *bytes = mapping->bytes + entry->offset;
  KymoSegment *s = kymo_segment_new ();

  s->location = s->place = index;
  s->span = (KymoSpan) { entry->begin_ns, entry->end_ns };
  s->n_records = entry->n_records;
  s->n_pieces = entry->counts[COUNT_PIECES];
  s->n_blocks = entry->counts[COUNT_BLOCKS];
  s->n_objects = entry->counts[COUNT_OBJECTS];
  s->n_sends = entry->counts[COUNT_SENDS];
  s->n_asides = entry->counts[COUNT_ASIDES];
  s->sends_ascend = entry->sends_ascend != 0;
  s->n_counters = entry->counts[COUNT_COUNTERS] > 0 ? mapping->n_metrics : 0;
  s->base_ns = entry->base_ns;
  s->unit_ns = entry->unit_ns;
  s->wide = entry->wide != 0;
  if (entry->counts[COUNT_EXCHANGED_SENDS] + entry->counts[COUNT_RECEIVES] > 0)
    map_exchange (mapping, entry, s);
  /* A column without elements is one that is not there. */
  for (guint i = 0; i < N_COLUMNS; i++)
    if (kymo_segment_columns[i].member >= 0 && entry->counts[kymo_segment_columns[i].count] > 0)
      {
        gpointer owner = kymo_segment_columns[i].of_exchange ? (gpointer) s->exchange : s;

        G_STRUCT_MEMBER (gconstpointer, owner, kymo_segment_columns[i].member)
          = bytes + layout->column[i];
      }
  s->pyramid = map_pyramid (entry, layout, bytes);
  s->stored_bytes = entry->memory_bytes;
  s->n_stored_points = entry->counts[COUNT_POINTS];
  s->stored_point_kinds = entry->point_kinds;
  s->backing = kymo_backing_ref (&mapping->parent);
  return s;
}

static gboolean
place_is_inside (const Mapping          *mapping,
                 const KymoSegmentPlace *place)
{
  return place->offset % KYMO_SEGMENT_ALIGN == 0 && place->offset <= mapping->n_bytes
    && place->n_bytes <= mapping->n_bytes - place->offset
    && kymo_segment_aligned (place->n_bytes) <= mapping->n_bytes - place->offset
    && kymo_mapped_pin (mapping->file, place->offset, kymo_segment_aligned (place->n_bytes))
    && hash_agrees (mapping->bytes + place->offset, kymo_segment_aligned (place->n_bytes),
                    place->hash);
}

static gboolean
check_header (const Mapping *mapping,
              const guint8  *key)
{
  KymoSegmentHeader header;

  if (!kymo_mapped_pin (mapping->file, 0, sizeof header))
    return FALSE;
  memcpy (&header, mapping->bytes, sizeof header);
  header.hash = 0;
  return memcmp (header.magic, KYMO_SEGMENT_MAGIC, sizeof header.magic) == 0
    && header.byte_order == KYMO_SEGMENT_BYTE_ORDER && header.version == KYMO_SEGMENT_VERSION
    && header.file_bytes == mapping->n_bytes
    && (key == NULL || memcmp (header.key, key, sizeof header.key) == 0)
    && hash_agrees (&header, sizeof header, mapping->header->hash)
    && header.n_states >= KYMO_STATE_ACTIVITY && header.n_states <= G_MAXUINT32
    && header.n_metrics <= G_MAXUINT16 && header.n_segments > 0
    && header.n_segments <= header.entries.n_bytes / sizeof (KymoSegmentEntry)
    && header.entries.n_bytes == header.n_segments * sizeof (KymoSegmentEntry)
    && header.sums.n_bytes % sizeof (KymoStoredSum) == 0
    && place_is_inside (mapping, &header.entries) && place_is_inside (mapping, &header.sums)
    && place_is_inside (mapping, &header.table) && place_is_inside (mapping, &header.totals)
    && place_is_inside (mapping, &header.activity_totals)
    && place_is_inside (mapping, &header.counter_totals)
    && place_is_inside (mapping, &header.collectives)
    && place_is_inside (mapping, &header.members)
    && place_is_inside (mapping, &header.thread_links)
    && place_is_inside (mapping, &header.origin);
}

static gboolean
entry_is_inside (const Mapping          *mapping,
                 const KymoSegmentEntry *entry,
                 const KymoLocation     *location,
                 KymoSpan                whole)
{
  return entry->offset % KYMO_SEGMENT_ALIGN == 0 && entry->offset <= mapping->n_bytes
    && entry->n_bytes <= mapping->n_bytes - entry->offset
    && entry->match_offset % KYMO_SEGMENT_ALIGN == 0 && entry->match_offset <= mapping->n_bytes
    && kymo_segment_match_offset (entry, 4) <= mapping->n_bytes - entry->match_offset
    && entry->begin_ns > -KYMO_SEGMENT_MAX_NS && entry->end_ns < KYMO_SEGMENT_MAX_NS
    && entry->begin_ns <= entry->end_ns && entry->begin_ns >= whole.begin_ns
    && entry->end_ns <= whole.end_ns && entry->begin_ns == location->span.begin_ns
    && entry->end_ns == location->span.end_ns && entry->n_records == location->n_records;
}

/* Each segment's sums are of different states and add up to its span. */
static gboolean
take_sums (const Mapping *mapping,
           KymoRun       *run)
{
  const KymoStoredSum *sum = (gconstpointer) (mapping->bytes + mapping->header->sums.offset);
  const KymoStoredSum *end = sum + mapping->header->sums.n_bytes / sizeof *sum;
  g_autofree guint *last = g_new0 (guint, mapping->header->n_states);

  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);
      gint64 left = kymo_span_length (segment->span);

      segment->stored_sums = sum;
      for (; sum < end && sum->segment == i; sum++)
        {
          if (sum->state >= mapping->header->n_states || sum->ns <= 0 || sum->ns > left
              || last[sum->state] == i + 1)
            return FALSE;
          last[sum->state] = i + 1;
          left -= sum->ns;
        }
      segment->n_stored_sums = sum - segment->stored_sums;
      if (left != 0)
        return FALSE;
    }
  return sum == end;
}

static gboolean
take_thread_links (const Mapping *mapping,
                   KymoRun       *run)
{
  const KymoSegmentPlace *place = &mapping->header->thread_links;
  const KymoThreadLink *links = (gconstpointer) (mapping->bytes + place->offset);
  gsize n = place->n_bytes / sizeof *links;

  if (place->n_bytes % sizeof *links != 0 || n >= G_MAXUINT32
      || !kymo_thread_links_are_good (links, n, run->locations->len, KYMO_SEGMENT_MAX_NS))
    return FALSE;
  if (n > 0)
    run->thread_links = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof *links), links, n);
  return TRUE;
}

static gboolean
take_segments (Mapping *mapping,
               KymoRun *run)
{
  guint64 n_states = KYMO_STATE_ACTIVITY + (guint64) run->activities->len;

  if (run->locations->len != mapping->header->n_segments || n_states != mapping->header->n_states
      || run->metrics->len != mapping->header->n_metrics)
    return FALSE;
  if (run->span.begin_ns <= -KYMO_SEGMENT_MAX_NS || run->span.end_ns >= KYMO_SEGMENT_MAX_NS
      || run->span.begin_ns > run->span.end_ns || run->n_records < 0)
    return FALSE;
  for (guint i = 0; i < run->locations->len; i++)
    {
      KymoSegmentLayout layout;

      if (!kymo_segment_layout (&mapping->entries[i], mapping->header->n_metrics, &layout)
          || !entry_is_inside (mapping, &mapping->entries[i], kymo_run_peek_location (run, i),
                               run->span))
        return FALSE;
      g_ptr_array_add (run->segments, map_segment (mapping, i, &layout));
    }
  return take_sums (mapping, run) && kymo_stored_totals_take (mapping->bytes, mapping->header, run)
    && kymo_stored_collectives_take (mapping->bytes, mapping->header, run)
    && take_thread_links (mapping, run);
}

static KymoRun *
map_run (Mapping *mapping)
{
  const KymoSegmentPlace *place = &mapping->header->table;
  g_autoptr (GBytes) bytes = g_bytes_new_static (mapping->bytes + place->offset, place->n_bytes);
  g_autoptr (GVariant) table = NULL;
  KymoRun *run = kymo_run_new ();

  mapping->entries = (gconstpointer) (mapping->bytes + mapping->header->entries.offset);
  mapping->n_metrics = mapping->header->n_metrics;
  mapping->n_states = mapping->header->n_states;
  table = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (KYMO_RUN_TABLE_TYPE), bytes,
                                                        FALSE));
  /* Normal form is looked at once; of what is not known to have it GLib walks
     an array from the start for each of its members. */
  if (g_variant_is_normal_form (table) && kymo_run_table_unpack (run, table)
      && take_segments (mapping, run))
    return run;
  kymo_run_unref (run);
  return NULL;
}

static Mapping *
mapping_new (int       fd,
             gint64    memory_bytes,
             GError  **error)
{
  Mapping *mapping = g_new0 (Mapping, 1);

  g_atomic_ref_count_init (&mapping->parent.ref_count);
  mapping->parent.check = mapping_check;
  mapping->parent.is_damaged = mapping_is_damaged;
  mapping->parent.free = mapping_free;
  mapping->file = kymo_mapped_new (fd, memory_bytes, error);
  if (mapping->file == NULL)
    return mapping;
  mapping->bytes = kymo_mapped_peek (mapping->file, &mapping->n_bytes);
  return mapping;
}

/**
 * kymo_segment_backing_new:
 * @fd: a file that this process has written segments to, and no other process can; it is not
 *   closed
 * @written: (element-type KymoSegmentWritten): by place; not changed after
 * @n_metrics: hardware counters of the run
 * @n_states: states of the run
 *
 * Makes segments in a file readable; they are taken as they are. Sets %KYMO_ERROR_STALE if
 * the file cannot be read.
 *
 * Returns: (transfer full) (nullable): what kymo_segment_backing_lend() makes segments of
 */
KymoBacking *
kymo_segment_backing_new (int      fd,
                          GArray  *written,
                          guint    n_metrics,
                          guint    n_states,
                          GError **error)
{
  Mapping *mapping = mapping_new (fd, 0, error);

  if (mapping->file == NULL)
    {
      kymo_backing_unref (&mapping->parent);
      return NULL;
    }
  mapping->written = g_array_ref (written);
  mapping->n_metrics = n_metrics;
  mapping->n_states = n_states;
  return &mapping->parent;
}

/**
 * kymo_segment_backing_lend:
 * @backing: of kymo_segment_backing_new()
 * @place: a segment that was written
 *
 * Returns: (transfer full): the segment, its columns in the file
 */
KymoSegment *
kymo_segment_backing_lend (KymoBacking *backing,
                           guint        place)
{
  Mapping *mapping = (Mapping *) backing;
  const KymoSegmentWritten *written = &g_array_index (mapping->written, KymoSegmentWritten, place);
  KymoSegmentLayout layout;
  KymoSegment *segment;

  if (!kymo_segment_layout (&written->entry, mapping->n_metrics, &layout))
    g_error ("A segment was written that does not fit its own counts");
  segment = map_segment (mapping, place, &layout);
  segment->stored_sums = written->sums;
  segment->n_stored_sums = written->n_sums;
  segment->scarce = TRUE;
  segment->totals = written->totals;
  segment->totals_lent = TRUE;
  return segment;
}

/**
 * kymo_segment_file_read:
 * @fd: the file, open for reading; may be closed after
 * @key: (array fixed-size=32) (nullable): what it has to have been written
 *   with; %NULL takes any
 * @memory_bytes: what the program may use, see kymo_mapped_new()
 * @on_damage: (nullable): called on any thread when a part turns out damaged
 * @data: for @on_damage
 * @data_free: (nullable): frees @data with the last segment
 *
 * Returns: (transfer full) (nullable): the run, without a path; %NULL and
 * %KYMO_ERROR_STALE where the file is not one, another's, or damaged
 */
KymoRun *
kymo_segment_file_read (int              fd,
                        const guint8    *key,
                        gint64           memory_bytes,
                        void           (*on_damage) (gpointer data),
                        gpointer         data,
                        GDestroyNotify   data_free,
                        GError         **error)
{
  Mapping *mapping = mapping_new (fd, memory_bytes, error);
  KymoRun *run = NULL;

  mapping->on_damage = on_damage;
  mapping->data = data;
  mapping->data_free = data_free;
  if (mapping->file != NULL)
    {
      mapping->header = (gconstpointer) mapping->bytes;
      if (check_header (mapping, key))
        run = map_run (mapping);
      if (kymo_mapped_is_damaged (mapping->file))
        g_clear_pointer (&run, kymo_run_unref);
      if (run == NULL)
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_STALE, _("The segment file is damaged or old"));
    }
  kymo_backing_unref (&mapping->parent);
  return run;
}
