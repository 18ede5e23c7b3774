/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run on another machine, which here is a server that the test starts: ROOT SERVER [RUN...],
 * where SERVER is the command that starts it; RUNs are compared in place of all other tests.
 * Answers, errors and facts are those of the run in memory; cancelling ends the waiting; a line
 * that breaks is an error that says so.
 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "every-question.h"
#include "kymo-error.h"
#include "kymo-open.h"
#include "kymo-remote-source.h"
#include "kymo-run-source.h"

static const char *root, *server;

static KymoSource *
open_far (const char *path, const char *command, GError **error)
{
  KymoRemoteOptions options = { .server = command, .no_cache = TRUE };
  g_autofree char *address = g_strconcat ("ssh://far", path, NULL);
  g_autoptr (KymoJob) job = kymo_job_new ();

  return kymo_remote_source_open (address, &options, job, error);
}

/** Both: a run in memory and the same one far away */
typedef struct
{
  KymoSource *near, *far;
  guint       n_answers;
} Both;

static void
compare_answers (KymoQuestion *question, gpointer data)
{
  Both *both = data;
  g_autoptr (GError) near_error = NULL;
  g_autoptr (GError) far_error = NULL;
  g_autoptr (KymoTable) near = kymo_source_ask (both->near, question, NULL, &near_error);
  g_autoptr (KymoTable) far = kymo_source_ask (both->far, question, NULL, &far_error);
  g_autoptr (GString) near_text = g_string_new (NULL);
  g_autoptr (GString) far_text = g_string_new (NULL);

  if (near == NULL || far == NULL)
    {
      g_test_message ("%s: %s, %s", kymo_question_get_kind (question),
                      near != NULL ? "answered" : near_error->message,
                      far != NULL ? "answered" : far_error->message);
      g_assert_null (near);
      g_assert_null (far);
      g_assert_error (far_error, near_error->domain, near_error->code);
      g_assert_cmpstr (far_error->message, ==, near_error->message);
      return;
    }
  kymo_table_write_json (near, near_text);
  kymo_table_write_json (far, far_text);
  g_assert_cmpstr (far_text->str, ==, near_text->str);
  both->n_answers++;
}

static void
compare_facts (KymoSource *near, KymoSource *far)
{
  g_autoptr (KymoSourceFacts) a = kymo_source_dup_facts (near);
  g_autoptr (KymoSourceFacts) b = kymo_source_dup_facts (far);
  KymoSpan near_span = kymo_source_get_span (near), far_span = kymo_source_get_span (far);
  KymoTerms near_terms = kymo_source_get_terms (near), far_terms = kymo_source_get_terms (far);

  g_assert_cmpstr (a->path, ==, b->path);
  g_assert_cmpstr (a->title, ==, b->title);
  g_assert_cmpmem (a->ids->data, a->ids->len * 8, b->ids->data, b->ids->len * 8);
  g_assert_cmpmem (a->workers->data, a->workers->len * 8, b->workers->data, b->workers->len * 8);
  g_assert_cmpint (a->is_growing, ==, b->is_growing);
  g_assert_cmpuint (kymo_report_get_n_issues (a->report), ==,
                    kymo_report_get_n_issues (b->report));
  for (guint i = 0; i < kymo_report_get_n_issues (a->report); i++)
    g_assert_cmpstr (kymo_report_peek_issue (a->report, i)->what, ==,
                     kymo_report_peek_issue (b->report, i)->what);
  g_assert_cmpuint (kymo_source_get_capabilities (near), ==, kymo_source_get_capabilities (far));
  g_assert_cmpint (near_span.begin_ns, ==, far_span.begin_ns);
  g_assert_cmpint (near_span.end_ns, ==, far_span.end_ns);
  g_assert_cmpint (near_terms.row, ==, far_terms.row);
  g_assert_cmpint (near_terms.code, ==, far_terms.code);
}

static void
test_same (gconstpointer recording)
{
  g_autofree char *path = g_path_is_absolute (recording) ? g_strdup (recording)
                                                         : g_build_filename (root, recording, NULL);
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) far_error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, &error);
  g_autoptr (KymoSource) near = run != NULL ? KYMO_SOURCE (kymo_run_source_new (run, 0)) : NULL;
  g_autoptr (KymoSource) far = open_far (path, server, &far_error);
  Both both = { near, far };

  if (run == NULL)
    {
      /* Recordings that cannot be opened as a run are refused alike. */
      g_assert_error (far_error, error->domain, error->code);
      g_assert_cmpstr (far_error->message, ==, error->message);
      g_test_skip (error->message);
      return;
    }
  g_assert_no_error (far_error);
  compare_facts (near, far);
  every_question (near, compare_answers, &both);
  g_assert_cmpuint (both.n_answers, >, 4);
  g_test_message ("%u answers are the same", both.n_answers);
}

/* -- several at once --------------------------------------------------------------------------- */

static gboolean
cancel_now (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static gpointer
cancel_often (gpointer source)
{
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new (i % 2 ? "timeline" : "clusters");
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (KymoTable) answer = NULL;

      kymo_question_set_resolution (question, 4000, 0);
      if (i % 3 == 0)
        g_cancellable_cancel (cancellable);
      else
        g_timeout_add_full (G_PRIORITY_DEFAULT, i % 5, cancel_now, g_object_ref (cancellable),
                            g_object_unref);
      answer = kymo_source_ask (source, question, cancellable, &error);
      if (answer == NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  return NULL;
}

static gboolean
quit_loop (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

/** Asker: compares answers while somebody else cancels; ends the loop */
typedef struct
{
  Both       both;
  GMainLoop *loop;
  GThread   *cancelling;
} Asker;

static gpointer
ask_on (gpointer data)
{
  Asker *asker = data;

  every_question (asker->both.near, compare_answers, &asker->both);
  g_thread_join (asker->cancelling);
  g_idle_add (quit_loop, asker->loop);
  return NULL;
}

static void
test_cancelled (void)
{
  g_autofree char *path = g_build_filename (root, "data/sample", NULL);
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, NULL);
  g_autoptr (KymoSource) near = KYMO_SOURCE (kymo_run_source_new (run, 0));
  g_autoptr (KymoSource) far = open_far (path, server, &error);
  g_autoptr (KymoSource) other = open_far (path, server, &error);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Asker asker = { { near, far }, loop };
  GThread *asking;

  g_assert_no_error (error);
  asker.cancelling = g_thread_new ("cancels", cancel_often, other);
  asking = g_thread_new ("asks", ask_on, &asker);
  g_main_loop_run (loop);
  g_thread_join (asking);
  g_assert_cmpuint (asker.both.n_answers, >, 10);
}

/* -- drafts ------------------------------------------------------------------------------------ */

/** Drafted: what came of a question */
typedef struct
{
  GMainLoop *loop;
  KymoTable *draft, *answer;
  guint      n_drafts;
} Drafted;

static void
on_draft (KymoSource *source, KymoTable *draft, gpointer data)
{
  Drafted *drafted = data;

  g_assert_null (drafted->answer);
  g_clear_pointer (&drafted->draft, kymo_table_unref);
  drafted->draft = kymo_table_ref (draft);
  drafted->n_drafts++;
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Drafted *drafted = data;

  drafted->answer = kymo_source_ask_finish (KYMO_SOURCE (source), result, NULL);
  g_main_loop_quit (drafted->loop);
}

static void
ask_drafted (KymoSource *source, guint columns, Drafted *drafted)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");

  kymo_question_set (question, "grid", "1");
  kymo_question_set (question, "dense", "1");
  kymo_question_set_resolution (question, columns, 0);
  *drafted = (Drafted) { g_main_loop_new (NULL, FALSE) };
  kymo_source_ask_drafted_async (source, question, NULL, on_draft, on_answer, drafted);
  g_main_loop_run (drafted->loop);
  g_main_loop_unref (drafted->loop);
}

static void
check_same (KymoTable *a, KymoTable *b)
{
  g_autoptr (GString) a_text = g_string_new (NULL);
  g_autoptr (GString) b_text = g_string_new (NULL);

  kymo_table_write_json (a, a_text);
  kymo_table_write_json (b, b_text);
  g_assert_true (g_string_equal (a_text, b_text));
}

/* A long answer through a line whose speed is not known comes as a draft of fewer columns first;
   a short one, and one of a run in memory, does not. */
static void
test_drafted (void)
{
  g_autofree char *path = g_build_filename (root, "data/sample", NULL);
  g_autofree char *own = g_strconcat ("env KYMO_TEST=drafted ", server, NULL);
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = kymo_open_run (path, &options, NULL, NULL);
  g_autoptr (KymoSource) near = KYMO_SOURCE (kymo_run_source_new (run, 0));
  g_autoptr (KymoSource) far = open_far (path, own, &error);
  Drafted drafted, wanted;

  g_assert_no_error (error);
  ask_drafted (far, 100, &drafted);
  g_assert_cmpuint (drafted.n_drafts, ==, 0);
  kymo_table_unref (drafted.answer);
  ask_drafted (near, 100000, &wanted);
  g_assert_cmpuint (wanted.n_drafts, ==, 0);
  ask_drafted (far, 100000, &drafted);
  g_assert_cmpuint (drafted.n_drafts, ==, 1);
  check_same (drafted.answer, wanted.answer);
  g_assert_cmpint (kymo_table_get_int (drafted.draft, "columns", 0), <,
                   kymo_table_get_int (drafted.answer, "columns", 0) / 2);
  g_assert_cmpint (kymo_table_find_column (drafted.draft, "draft"), >=, 0);
  g_assert_cmpint (kymo_table_find_column (drafted.answer, "draft"), <, 0);
  kymo_table_unref (wanted.answer);
  kymo_table_unref (drafted.draft);
  kymo_table_unref (drafted.answer);
}

/* -- what goes wrong --------------------------------------------------------------------------- */

static void
check_no_server (const char *command, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_far ("/run", command, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_no_server (void)
{
  check_no_server ("/no/such/program", "No such file");
  check_no_server ("sh -c 'echo Permission denied. >&2'", "Permission denied.");
  check_no_server ("sh -c 'echo This account is closed.'", "This account is closed.");
  check_no_server ("sh -c 'yes welcome'", "welcome");
  check_no_server ("sh -c 'unclosed", "split into words");
}

/* What a login shell says before the server begins is no part of the answers. */
static void
test_noise (void)
{
  g_autofree char *quoted = g_shell_quote (server);
  g_autofree char *command = g_strdup_printf ("sh -c 'echo Welcome to node7; eval \"$1\"' sh %s",
                                              quoted);
  g_autofree char *path = g_build_filename (root, "data/sample", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoSource) far = open_far (path, command, &error);

  g_assert_no_error (error);
  g_assert_cmpint (kymo_source_get_span (far).end_ns, >, 0);
}

static void
test_no_run (void)
{
  g_autofree char *path = g_build_filename (root, "no-such-run", NULL);
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) near = NULL;
  g_autoptr (GError) far = NULL;

  g_assert_null (kymo_open_run (path, &options, NULL, &near));
  g_assert_null (open_far (path, server, &far));
  g_assert_error (far, near->domain, near->code);
  g_assert_cmpstr (far->message, ==, near->message);
}

/* The server ends while its run is open: the next question says so. */
static void
test_broken (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-remote-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "pid", NULL);
  g_autofree char *quoted = g_shell_quote (server);
  g_autofree char *command = g_strdup_printf ("sh -c 'echo $$ > \"$2\"; eval \"exec $1\"' sh %s %s",
                                              quoted, file);
  g_autofree char *path = g_build_filename (root, "data/sample", NULL);
  g_autoptr (KymoQuestion) question = kymo_question_new ("usage");
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoSource) far = open_far (path, command, &error);
  g_autofree char *pid = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (file, &pid, NULL, NULL));
  g_assert_cmpint (kill (atoi (pid), SIGKILL), ==, 0);
  g_assert_null (kymo_source_ask (far, question, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  g_assert_nonnull (strstr (error->message, "The connection to far is lost"));
  unlink (file);
  rmdir (folder);
}

int
main (int argc, char **argv)
{
  int n_words = 1;
  char **words = argv;

  g_test_init (&n_words, &words, NULL);
  root = argv[1];
  server = argv[2];
  for (int i = 3; i < argc; i++)
    {
      g_autofree char *name = g_strconcat ("/remote/same", argv[i], NULL);

      g_test_add_data_func (name, argv[i], test_same);
    }
  if (argc > 3)
    return g_test_run ();
  for (guint i = 0; every_recording[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat ("/remote/same/", every_recording[i], NULL);

      g_test_add_data_func (name, every_recording[i], test_same);
    }
  g_test_add_func ("/remote/cancelled", test_cancelled);
  g_test_add_func ("/remote/drafted", test_drafted);
  g_test_add_func ("/remote/no-server", test_no_server);
  g_test_add_func ("/remote/noise", test_noise);
  g_test_add_func ("/remote/no-run", test_no_run);
  g_test_add_func ("/remote/broken", test_broken);
  return g_test_run ();
}
