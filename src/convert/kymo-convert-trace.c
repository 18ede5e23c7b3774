/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace of TAU, a file a thread and a list of events a process, and a note of what it
 * is a part of. One thread.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-trace-private.h"

#include <string.h>

#include "kymo-error.h"

static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  const KymoConvertPlace *x = a, *y = b;

  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

static gboolean
check_numbers (const KymoConvert  *convert,
               GError            **error)
{
  for (guint i = 0; i < convert->places->len; i++)
    {
      const KymoConvertPlace *place = kymo_convert_place (convert, i);

      if (place->node > KYMO_TRACE_MOST_NUMBER || place->thread > KYMO_TRACE_MOST_NUMBER)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       _("A trace of TAU numbers its ranks and threads up to %d; this run has "
                         "larger numbers"), KYMO_TRACE_MOST_NUMBER);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
write_all (KymoTraceOut  *trace,
           GError       **error)
{
  KymoConvert *convert = trace->convert;
  g_autofree char *zero = g_strdup_printf ("%" G_GUINT64_FORMAT, KYMO_TRACE_ZERO_US);
  const KymoNoteKey keys[] = { { "zero_us", zero }, { NULL, NULL } };
  g_autoptr (GArray) places = g_array_copy (convert->places);

  g_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    {
      const KymoConvertPlace *place = &g_array_index (places, KymoConvertPlace, i);
      gboolean is_last = i + 1 == places->len
        || g_array_index (places, KymoConvertPlace, i + 1).node != place->node;
      gint64 first_node = g_array_index (places, KymoConvertPlace, 0).node;

      if (!kymo_trace_write_stream (trace, place, i == 0,
                                    i == 0 || place[-1].node != place->node, error)
          || (is_last && !kymo_trace_write_events (trace, place->node,
                                                   place->node == first_node, error)))
        return FALSE;
      kymo_job_advance (convert->job, 1);
    }
  return kymo_convert_write_note (convert, trace->writer, "tautrace", keys, error);
}

/* Functions that readers take for one, for they have one name. */
static guint
count_same_names (const KymoRun *run)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < run->activities->len; i++)
    if (kymo_run_peek_activity (run, i)->kind != KYMO_ACTIVITY_EVENT)
      n += !g_hash_table_add (names, (gpointer) kymo_trace_name_of (
        kymo_run_peek_activity (run, i)));
  return n;
}

static gboolean
has_flush_function (const KymoRun *run)
{
  for (guint i = 0; i < run->activities->len; i++)
    if (g_str_equal (kymo_run_peek_activity (run, i)->name, "FLUSH"))
      return TRUE;
  return FALSE;
}

static void
tell_count (KymoTraceOut *trace,
            gint64        n,
            const char   *what)
{
  if (n > 0)
    kymo_convert_leave_out (trace->convert, "%s: %" G_GINT64_FORMAT, what, n);
}

static void
tell_trace (KymoTraceOut *trace)
{
  KymoConvert *convert = trace->convert;
  const KymoRun *run = convert->run;
  guint n_places = 0;

  tell_count (trace, trace->n_rounded, N_("Parts of a microsecond, so that times of records are "
              "rounded down"));
  tell_count (trace, trace->n_calls, N_("Messages that begin entry methods"));
  tell_count (trace, trace->choice.n_one_sided, N_("One-sided transfers"));
  tell_count (trace, trace->choice.n_torn, N_("Ends of messages whose other end is on a thread "
                                              "that "
              "was not chosen, of a rank that was"));
  tell_count (trace, trace->n_tags, N_("Tags beyond 65535, of which 16 bits are left"));
  tell_count (trace, trace->n_lengths, N_("Lengths of messages from 64 MiB on, of which 26 bits "
                                          "are "
              "left"));
  tell_count (trace, trace->n_comms, N_("Numbers of communicators beyond 63, of which 6 bits are "
              "left"));
  tell_count (trace, trace->n_points, N_("User events without a value, notes and phases"));
  tell_count (trace, trace->n_fractions, N_("Fractions of values of user events"));
  tell_count (trace, count_same_names (run), N_("That functions of one name are several"));
  if (run->collectives != NULL)
    kymo_convert_leave_out (convert, N_("What collectives moved, and their roots: readers know "
                            "collectives by names"));
  if (trace->gaps)
    kymo_convert_leave_out (convert, N_("Idle time and time that was not traced: they are gaps"));
  if (trace->flushes && !has_flush_function (run))
    kymo_convert_leave_out (convert, N_("Times of packing and of flushing buffers"));
  for (guint i = 0; i < run->places->len; i++)
    n_places += !g_str_equal (g_array_index (run->places, KymoPlace, i).kind, "node")
      && !g_str_equal (g_array_index (run->places, KymoPlace, i).kind, "process");
  tell_count (trace, n_places, N_("What processes and their machines are parts of"));
}

/**
 * kymo_convert_trace:
 *
 * Writes a folder with a trace of TAU, and a note of what it is a part of.
 */
gboolean
kymo_convert_trace (KymoConvert  *convert,
                    GError      **error)
{
  const KymoRun *run = convert->run;
  g_autoptr (KymoRunWriter) writer = NULL;
  KymoTraceOut trace = { .convert = convert, .n_activities = run->activities->len,
                  .n_metrics = run->metrics->len };
  gboolean good;

  for (guint i = 0; i < convert->places->len; i++)
    if (!kymo_convert_use (convert, kymo_convert_place (convert, i)->location, error))
      return FALSE;
  if (!check_numbers (convert, error))
    return FALSE;
  trace.writer = writer = kymo_run_writer_new (convert->wish->out, convert->job, error);
  if (writer == NULL)
    return FALSE;
  trace.n_facts = run->facts->len;
  kymo_trace_list_hosts (&trace);
  trace.n_events = trace.n_activities + trace.n_metrics + trace.n_facts + trace.hosts->len;
  trace.used = g_new0 (guint8, MAX (trace.n_events, 1));
  kymo_trace_choice_init (&trace.choice, convert);
  good = write_all (&trace, error) && kymo_convert_is_sound (convert, error)
    && kymo_run_writer_finish (writer, error);
  convert->result->n_bytes = kymo_run_writer_get_bytes (writer);
  if (good)
    tell_trace (&trace);
  kymo_trace_choice_clear (&trace.choice);
  g_ptr_array_unref (trace.hosts);
  g_free (trace.used);
  return good;
}
