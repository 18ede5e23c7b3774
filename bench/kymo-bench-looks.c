/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-bench-looks RUN...: how soon each kind of question would end if it was cancelled. This
 * program stands between Kymo and GIO where it looks at a GCancellable, and takes the processor
 * time of a thread from one look to the next. Waiting for a processor takes none, so what it tells
 * holds on a machine that does other work.
 */
#include "config.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "every-question.h"
#include "kymo-open.h"
#include "kymo-run-source.h"

#define DEPTH 24

/** Look: processor time of the thread, and who looked */
typedef struct
{
  gint64 at_ns;
  int    n;
  void  *callers[DEPTH];
} Look;

/* Of this thread; a thread that ends looks once more. */
static __thread Look last;

/* The longest span of a question. */
static GMutex mutex;
static gint64 most_ns;
static Look from, to;

static gint64
get_cpu_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static void
begin_span (Look *look)
{
  look->n = backtrace (look->callers, DEPTH);
  look->at_ns = get_cpu_ns ();
}

static void
end_span (void)
{
  gint64 took_ns = get_cpu_ns () - last.at_ns;

  g_mutex_lock (&mutex);
  if (took_ns > most_ns)
    {
      most_ns = took_ns;
      from = last;
      begin_span (&to);
    }
  g_mutex_unlock (&mutex);
}

static void
on_thread_end (gpointer data)
{
  end_span ();
}

static void
note_look (void)
{
  static GPrivate here = G_PRIVATE_INIT (on_thread_end);

  g_private_set (&here, &last);
  end_span ();
  begin_span (&last);
}

/* -- in place of GIO --------------------------------------------------------------------------- */

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  static gboolean (*real) (GCancellable *);

  if (real == NULL)
    real = dlsym (RTLD_NEXT, "g_cancellable_is_cancelled");
  note_look ();
  return real (cancellable);
}

gboolean
g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  return g_cancellable_is_cancelled (cancellable)
         && (g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled"), TRUE);
}

/* -- questions --------------------------------------------------------------------------------- */

/** Bench: @most_ms: longer spans fail; 0 = none */
typedef struct
{
  KymoSource   *source;
  GCancellable *cancellable;
  double        most_ms, longest_ms;
  gboolean      where, all;
  int           n_long, n_questions;
} Bench;

/* (transfer full): kind, columns, rows and keywords. */
static char *
describe_question (KymoQuestion *question)
{
  g_auto (GStrv) keys = kymo_question_list_keys (question);
  GString *words = g_string_new (kymo_question_get_kind (question));

  g_string_append_printf (words, " columns=%u rows=%u", kymo_question_get_columns (question),
                          kymo_question_get_rows (question));
  for (guint i = 0; keys[i] != NULL; i++)
    g_string_append_printf (words, " %s=%s", keys[i], kymo_question_get (question, keys[i]));
  return g_string_free (words, FALSE);
}

static void
ask_question (KymoQuestion *question, gpointer data)
{
  Bench *bench = data;
  g_autoptr (KymoTable) answer = NULL;
  g_autofree char *words = describe_question (question);
  double ms;

  begin_span (&last);
  most_ns = 0;
  answer = kymo_source_ask (bench->source, question, bench->cancellable, NULL);
  g_cancellable_is_cancelled (bench->cancellable);
  ms = most_ns / 1e6;
  bench->longest_ms = MAX (bench->longest_ms, ms);
  bench->n_questions++;
  bench->n_long += bench->most_ms > 0 && ms > bench->most_ms;
  if (ms < (bench->all ? 0 : 2))
    return;
  printf ("%8.2f ms  %s\n", ms, words);
  fflush (stdout);
  if (!bench->where)
    return;
  backtrace_symbols_fd (from.callers, from.n, 1);
  printf ("    to\n");
  fflush (stdout);
  backtrace_symbols_fd (to.callers, to.n, 1);
}

int
main (int argc, char **argv)
{
  Bench bench = { 0 };
  const GOptionEntry entries[] = {
    { "most", 0, 0, G_OPTION_ARG_DOUBLE, &bench.most_ms, "Fail where a span is longer", "MS" },
    { "where", 0, 0, G_OPTION_ARG_NONE, &bench.where, "Tell who looked before and after", NULL },
    { "all", 0, 0, G_OPTION_ARG_NONE, &bench.all, "Tell spans below 2 ms, too", NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("RUN…");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 2)
    {
      fprintf (stderr, "kymo-bench-looks: %s\n", error != NULL ? error->message : "no run");
      return 2;
    }
  bench.cancellable = g_cancellable_new ();
  for (int i = 1; i < argc; i++)
    {
      KymoOpenOptions options = { 0 };
      g_autoptr (KymoRun) run = kymo_open_run (argv[i], &options, NULL, &error);

      if (run == NULL)
        g_error ("%s", error->message);
      bench.source = KYMO_SOURCE (kymo_run_source_new (run, 0));
      printf ("%s\n", argv[i]);
      every_question (bench.source, ask_question, &bench);
      g_clear_object (&bench.source);
    }
  printf ("%d questions; the longest time between two looks is %.2f ms\n", bench.n_questions,
          bench.longest_ms);
  g_object_unref (bench.cancellable);
  return bench.n_long > 0;
}
