/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a trace of TAU of any size: a program that steps, exchanges messages with its two
 * neighbours, and calls small functions in between. The same options make the same bytes.
 *
 *   kymo-make-tau --records 18000000 --ranks 8 FOLDER
 */
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

/* As TAU numbers them. */
enum
{
  APPLICATION = 1, STEP, HALO, ISEND, IRECV, WAITALL, SWEEP, LEAF_A, LEAF_B,
  SENT_BYTES, RECEIVED_BYTES,
  EV_INIT = 60000, FLUSH_CLOSE = 60003, WALL_CLOCK = 60005, MESSAGE_SEND = 60007,
  MESSAGE_RECV = 60008,
};

static const char edf[] =
  "19 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n"
  "0 TAUEVENT 0 \".TAU <unknown event>\" TriggerValue\n"
  "1 TAU_UTILITY 0 \".TAU application \" EntryExit\n"
  "2 TAU_USER 0 \"step \" EntryExit\n3 TAU_USER 0 \"halo \" EntryExit\n"
  "4 MPI 0 \"MPI_Isend()  \" EntryExit\n5 MPI 0 \"MPI_Irecv()  \" EntryExit\n"
  "6 MPI 0 \"MPI_Waitall()  \" EntryExit\n7 TAU_USER 0 \"sweep \" EntryExit\n"
  "8 TAU_USER 0 \"leafA \" EntryExit\n9 TAU_USER 0 \"leafB \" EntryExit\n"
  "10 TAUEVENT 0 \"Message size sent to all nodes\" TriggerValue\n"
  "11 TAUEVENT 0 \"Message size received in wait\" TriggerValue\n"
  "60000 TRACER 0 \"EV_INIT\" none\n60001 TRACER 0 \"FLUSH\" EntryExit\n"
  "60003 TRACER 0 \"FLUSH_CLOSE\" none\n60004 TRACER 0 \"FLUSH_INITM\" none\n"
  "60005 TRACER 0 \"WALL_CLOCK\" none\n60006 TRACER 0 \"CONT_EVENT\" none\n"
  "60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n";

#define START_US G_GUINT64_CONSTANT (1795252594603617)
#define STEP_US 400
#define BYTES 4096
#define FULL_STEP 160

typedef struct
{
  gint32  event;
  guint16 node, thread;
  gint64  parameter;
  guint64 time;
} Record;

G_STATIC_ASSERT (sizeof (Record) == 24);

static gint64 n_records = 1000000;
static gint n_ranks = 4;
static gint n_threads = 1;
static gboolean merged, no_messages;

static const GOptionEntry entries[] =
{
  { "records", 'n', 0, G_OPTION_ARG_INT64, &n_records, "of all ranks together, about", "N" },
  { "ranks", 'r', 0, G_OPTION_ARG_INT, &n_ranks, "at most 65535", "N" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &n_threads, "of each rank", "N" },
  { "merged", 'm', 0, G_OPTION_ARG_NONE, &merged, "one file of all", NULL },
  { "no-messages", 0, 0, G_OPTION_ARG_NONE, &no_messages, "functions alone", NULL },
  { NULL },
};

/* Records of one thread, of one step after the other. */
typedef struct
{
  FILE   *file;                 /* or NULL: it is merged */
  Record *records;
  guint   n, next, cap;
  guint   node, thread;
  guint64 time;
  gint64  step;
  guint64 random;
} Stream;

static guint
draw (Stream *stream,
      guint   below)
{
  stream->random = stream->random * G_GUINT64_CONSTANT (6364136223846793005)
    + G_GUINT64_CONSTANT (1442695040888963407);
  return (stream->random >> 33) % below;
}

static void
put (Stream *stream,
     gint32  event,
     gint64  parameter)
{
  Record record = { event, stream->node, stream->thread, parameter, stream->time };

  if (stream->n == stream->cap)
    {
      stream->cap = MAX (stream->cap * 2, 1024);
      stream->records = g_renew (Record, stream->records, stream->cap);
    }
  stream->records[stream->n++] = record;
}

static void
put_sample (Stream *stream,
            gint32  event,
            gint64  value)
{
  put (stream, event, 0);
  put (stream, event, value);
  put (stream, event, 0);
}

static void
put_message (Stream *stream,
             gint32  event,
             guint   partner)
{
  guint64 bits = (guint64) (partner >> 8) << 56 | (guint64) (partner & 0xff) << 24 | BYTES;

  put (stream, event, (gint64) (bits | 7 << 16));
}

static void
put_halo (Stream *stream)
{
  guint neighbours[] = { (stream->node + 1) % n_ranks, (stream->node + n_ranks - 1) % n_ranks };
  guint64 begin = stream->time;

  put (stream, HALO, 1);
  for (guint i = 0; i < 2; i++)
    {
      put (stream, ISEND, 1);
      put_message (stream, MESSAGE_SEND, neighbours[i]);
      put_sample (stream, SENT_BYTES, BYTES);
      stream->time += 1 + draw (stream, 2);
      put (stream, ISEND, -1);
      put (stream, IRECV, 1);
      put (stream, IRECV, -1);
    }
  put (stream, WAITALL, 1);
  stream->time = begin + 20 + draw (stream, 10);
  for (guint i = 0; i < 2; i++)
    {
      put_message (stream, MESSAGE_RECV, neighbours[1 - i]);
      put_sample (stream, RECEIVED_BYTES, BYTES);
    }
  put (stream, WAITALL, -1);
  put (stream, HALO, -1);
}

/* Every rank begins a step at the same time, and has sent before any has received. */
static void
make_step (Stream *stream)
{
  stream->n = stream->next = 0;
  stream->time = START_US + (stream->step++ + 1) * STEP_US;
  put (stream, STEP, 1);
  if (stream->thread == 0 && !no_messages)
    put_halo (stream);
  while (stream->n + 4 < FULL_STEP)
    {
      put (stream, SWEEP, 1);
      for (guint i = draw (stream, 6); i > 0; i--)
        {
          guint leaf = LEAF_A + draw (stream, 2);

          put (stream, leaf, 1);
          stream->time += draw (stream, 4);
          put (stream, leaf, -1);
        }
      stream->time += 1 + draw (stream, 3);
      put (stream, SWEEP, -1);
    }
  put (stream, STEP, -1);
}

static void
make_begin (Stream *stream)
{
  stream->n = stream->next = 0;
  stream->time = START_US + stream->node % 200;
  put (stream, EV_INIT, 3);
  put (stream, WALL_CLOCK, stream->time / 1000000);
  put (stream, APPLICATION, 1);
}

static void
make_end (Stream *stream)
{
  stream->n = stream->next = 0;
  stream->time = START_US + (stream->step + 1) * STEP_US;
  put (stream, APPLICATION, -1);
  put (stream, FLUSH_CLOSE, 0);
  put (stream, WALL_CLOCK, stream->time / 1000000);
}

static void
write_records (FILE         *file,
               const Record *records,
               guint         n)
{
  if (fwrite (records, sizeof (Record), n, file) != n)
    {
      perror ("kymo-make-tau");
      exit (1);
    }
}

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  const Record *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return 0;
}

/* What all streams made of one step: each to its file, or by time to one. Records of one
   time stay in order, so those of a thread do. */
static void
write_step (Stream *streams,
            guint   n,
            FILE   *all)
{
  g_autoptr (GArray) joined = g_array_new (FALSE, FALSE, sizeof (Record));

  for (guint i = 0; i < n; i++)
    if (all == NULL)
      write_records (streams[i].file, streams[i].records, streams[i].n);
    else
      g_array_append_vals (joined, streams[i].records, streams[i].n);
  if (all == NULL)
    return;
  g_qsort_with_data (joined->data, joined->len, sizeof (Record),
                     (GCompareDataFunc) (void (*) (void)) compare_times, NULL);
  write_records (all, (Record *) joined->data, joined->len);
}

static FILE *
create (const char *folder,
        const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    {
      perror (path);
      exit (1);
    }
  setvbuf (file, NULL, _IOFBF, 1 << 18);
  return file;
}

static void
write_edf (const char *folder,
           const char *name)
{
  FILE *file = create (folder, name);

  fputs (edf, file);
  fclose (file);
}

static Stream *
make_streams (const char *folder,
              guint       n)
{
  Stream *streams = g_new0 (Stream, n);

  for (guint i = 0; i < n; i++)
    {
      Stream *stream = &streams[i];
      g_autofree char *name = NULL;
      g_autofree char *list = NULL;

      stream->node = i / n_threads;
      stream->thread = i % n_threads;
      stream->random = i + 1;
      name = g_strdup_printf ("tautrace.%u.0.%u.trc", stream->node, stream->thread);
      list = g_strdup_printf ("events.%u.edf", stream->node);
      stream->file = merged ? NULL : create (folder, name);
      if (!merged && stream->thread == 0)
        write_edf (folder, list);
    }
  return streams;
}

static void
run_streams (const char *folder)
{
  guint n = n_ranks * n_threads;
  Stream *streams = make_streams (folder, n);
  FILE *all = merged ? create (folder, "tau.trc") : NULL;
  gint64 done = 6 * (gint64) n;

  if (merged)
    write_edf (folder, "tau.edf");
  for (guint i = 0; i < n; i++)
    make_begin (&streams[i]);
  write_step (streams, n, all);
  while (done < n_records)
    {
      for (guint i = 0; i < n; i++)
        {
          make_step (&streams[i]);
          done += streams[i].n;
        }
      write_step (streams, n, all);
    }
  for (guint i = 0; i < n; i++)
    make_end (&streams[i]);
  write_step (streams, n, all);
  for (guint i = 0; i < n; i++)
    {
      g_clear_pointer (&streams[i].file, fclose);
      g_free (streams[i].records);
    }
  g_clear_pointer (&all, fclose);
  g_free (streams);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FOLDER");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 || n_ranks < 1
      || n_ranks > 65535 || n_threads < 1 || n_threads > 65535)
    {
      fprintf (stderr, "kymo-make-tau: %s\n", error != NULL ? error->message : "see --help");
      return 2;
    }
  if (g_mkdir_with_parents (argv[1], 0777) != 0)
    {
      perror (argv[1]);
      return 1;
    }
  run_streams (argv[1]);
  return 0;
}
