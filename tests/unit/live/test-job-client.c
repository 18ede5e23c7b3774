/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the protocol of actions, and the client against a job that is played: answers in order,
 * lines of any form and length between them, and the end.
 */
#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#include "kymo-error.h"
#include "kymo-job-client.h"
#include "kymo-jobs.h"

/* -- lines -------------------------------------------------------------------- */

static KymoJobAction *
parse_action (const char *line)
{
  g_auto (GStrv) fields = kymo_job_line_split (line, strlen (line));

  return kymo_job_action_parse ((const char *const *) fields);
}

static void
test_action (void)
{
  g_autoptr (KymoJobAction) action = parse_action (
    "action\ttrace\tTrace 100%25%0A of\ttogether long\tn=integer:-5:9223372036854775807:3\tx=real:"
    "1e-6:0.5:0.25\thow=choice:b%3Ac:a|b%3Ac|d%7Ce\ttext=text:80\tfor=time:0:60000000000:5000000000"
    "\tranks=ranks:1024");
  const KymoJobArgument *of;

  g_assert_nonnull (action);
  g_assert_cmpstr (action->name, ==, "trace");
  g_assert_true (g_str_has_prefix (action->title, "Trace 100%"));
  g_assert_null (strchr (action->title, '\n'));
  g_assert_true (action->together && action->is_long && !action->of_program);
  g_assert_cmpuint (action->arguments->len, ==, 6);
  of = kymo_job_action_find (action, "n");
  g_assert_cmpint (of->least, ==, -5);
  g_assert_cmpint (of->most, ==, G_MAXINT64);
  g_assert_cmpint (of->now, ==, 3);
  of = kymo_job_action_find (action, "x");
  g_assert_cmpfloat (of->least_real, ==, 1e-6);
  g_assert_cmpfloat (of->now_real, ==, 0.25);
  of = kymo_job_action_find (action, "how");
  g_assert_cmpstr (of->word, ==, "b:c");
  g_assert_cmpstr (of->words[1], ==, "b:c");
  g_assert_cmpstr (of->words[2], ==, "d|e");
  g_assert_null (of->words[3]);
  g_assert_cmpint (kymo_job_action_find (action, "text")->most, ==, 80);
  g_assert_cmpint (kymo_job_action_find (action, "for")->type, ==, KYMO_JOB_TIME);
  g_assert_cmpint (kymo_job_action_find (action, "ranks")->most, ==, 1024);
  g_assert_null (kymo_job_action_find (action, "other"));
}

static void
test_wrong_lines (void)
{
  static const char *const wrong[] = {
    "", "action", "action\ta\tb", "other\ta\tb\tc", "action\ta\tb\t\tx", "action\ta\tb\t\t=text:3",
    "action\ta\tb\t\tx=float:1:2:3", "action\ta\tb\t\tx=integer:3:1:2",
    "action\ta\tb\t\tx=integer:1:2", "action\ta\tb\t\tx=integer:1:2:z",
    "action\ta\tb\t\tx=real:nan:1:1", "action\ta\tb\t\tx=real:0:inf:1",
    "action\ta\tb\t\tx=choice:a",
    "action\ta\tb\t\tx=time:-1:5:2", "action\ta\tb\t\tx=ranks:-3",
    "action\ta\tb\t\tx=text:99999999999999999999",
  };
  g_autoptr (KymoJobAction) refused = parse_action ("refused\tsampling\tSampling\tThere is none");
  g_autofree char *field = g_strnfill (KYMO_JOB_MOST_LINE + 1, 'x');
  g_auto (GStrv) fields = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (KymoJobAction) action = parse_action (wrong[i]);

      g_test_message ("%s", wrong[i]);
      g_assert_null (action);
    }
  g_assert_cmpstr (refused->reason, ==, "There is none");
  fields = kymo_job_line_split (field, strlen (field));
  g_assert_null (fields[0]);
}

static void
test_join (void)
{
  static const char *const texts[] = { "do", "marker", "text=50 %\tof\nthe\x7f end", NULL };
  g_autofree char *line = kymo_job_line_join (texts);
  g_auto (GStrv) fields = kymo_job_line_split (line, strlen (line) - 1);

  g_assert_cmpstr (line, ==, "do\tmarker\ttext=50 %25%09of%0Athe%7F end\n");
  g_assert_cmpuint (g_strv_length (fields), ==, 3);
}

/* -- a job -------------------------------------------------------------------- */

typedef struct
{
  char           *folder, *path;
  GSocketService *service;
  GPtrArray      *heard;        /* char *: lines of clients */
  const char     *greeting;
  KymoJobClient  *client;
  GString        *orders;
  guint           n_changed;
  GError         *error;
  guint64         number;
  gboolean        answered;
} Job;

#define GREETING \
  "kymo-actions\t1\njob\t/runs/a\tprogram\t4\t127.0.0.1:4711\there\t%d\tmore\n"

static void
say (GOutputStream *output,
     const char    *text)
{
  g_output_stream_write_all (output, text, strlen (text), NULL, NULL, NULL);
}

static void
answer (GOutputStream *output,
        const char    *line)
{
  g_autofree char *junk = g_strnfill (KYMO_JOB_MOST_LINE + 10, 'j');

  if (strcmp (line, "list") == 0)
    say (output, "action\tset:dt\tTime step\tprogram\tvalue=real:0:1:0.5\nweather\tfine\n"
         "refused\tsampling\tSampling\tThere is no sampling yet\nend\tof it\n");
  else if (g_str_has_prefix (line, "do\tset:dt"))
    say (output, "state\t6\tmarker\tdone\tAnother client’s\t\naccepted\t7\n"
         "state\t7\tset:dt\trunning\tIt begins\t\nstate\t7\tset:dt\tdone\tIt is 0.25\t/runs/a/b\n");
  else if (g_str_has_prefix (line, "do\tlong"))
    {
      say (output, junk);
      say (output, "\n\n\t\t\nstate\tx\trefused\nrefused\tNot %25 now\n");
    }
}

static void
have_line (GObject      *input,
           GAsyncResult *result,
           gpointer      data)
{
  Job *job = data;
  GDataInputStream *lines = G_DATA_INPUT_STREAM (input);
  char *line = g_data_input_stream_read_line_finish (lines, result, NULL, NULL);
  GIOStream *stream = g_object_get_data (G_OBJECT (input), "stream");

  if (line == NULL)
    {
      g_object_unref (input);
      return;
    }
  g_ptr_array_add (job->heard, line);
  if (strcmp (line, "do\tquit") == 0)
    {
      g_io_stream_close (stream, NULL, NULL);
      g_object_unref (input);
      return;
    }
  answer (g_io_stream_get_output_stream (stream), line);
  g_data_input_stream_read_line_async (lines, 0, NULL, have_line, job);
}

static gboolean
have_client (GSocketService    *service,
             GSocketConnection *connection,
             GObject           *source,
             Job               *job)
{
  GIOStream *stream = G_IO_STREAM (connection);
  GDataInputStream *lines = g_data_input_stream_new (g_io_stream_get_input_stream (stream));

  g_object_set_data_full (G_OBJECT (lines), "stream", g_object_ref (stream), g_object_unref);
  say (g_io_stream_get_output_stream (stream), job->greeting);
  g_data_input_stream_read_line_async (lines, 0, NULL, have_line, job);
  return TRUE;
}

static void
on_changed (KymoJobClient *client,
            Job           *job)
{
  job->n_changed++;
}

static void
on_order (KymoJobClient      *client,
          const KymoJobOrder *order,
          Job                *job)
{
  g_string_append_printf (job->orders, "%" G_GUINT64_FORMAT " %s %d %s %s;", order->number,
                          order->name, order->state, order->sentence, order->path);
}

static void
job_open (Job        *job,
          const char *greeting)
{
  g_autoptr (GSocketAddress) address = NULL;

  memset (job, 0, sizeof *job);
  job->folder = g_dir_make_tmp ("kymo-job-XXXXXX", NULL);
  job->path = g_build_filename (job->folder, "77.actions", NULL);
  job->greeting = greeting;
  job->heard = g_ptr_array_new_with_free_func (g_free);
  job->orders = g_string_new (NULL);
  job->service = g_socket_service_new ();
  address = g_unix_socket_address_new (job->path);
  g_assert_true (g_socket_listener_add_address (G_SOCKET_LISTENER (job->service), address,
                                                G_SOCKET_TYPE_STREAM, 0, NULL, NULL, NULL));
  g_signal_connect (job->service, "incoming", G_CALLBACK (have_client), job);
  job->client = kymo_job_client_new (job->path);
  g_signal_connect (job->client, "changed", G_CALLBACK (on_changed), job);
  g_signal_connect (job->client, "order", G_CALLBACK (on_order), job);
}

static void
job_close (Job *job)
{
  kymo_job_client_stop (job->client);
  g_socket_service_stop (job->service);
  g_socket_listener_close (G_SOCKET_LISTENER (job->service));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (job->client);
  g_object_unref (job->service);
  g_unlink (job->path);
  g_rmdir (job->folder);
  g_ptr_array_unref (job->heard);
  g_string_free (job->orders, TRUE);
  g_clear_error (&job->error);
  g_free (job->path);
  g_free (job->folder);
}

#define wait_until(condition) \
  while (!(condition)) \
    g_main_context_iteration (NULL, TRUE)

static void
on_done (GObject      *client,
         GAsyncResult *result,
         gpointer      data)
{
  Job *job = data;

  job->answered = TRUE;
  job->number = 0;
  g_clear_error (&job->error);
  kymo_job_client_do_finish (KYMO_JOB_CLIENT (client), result, &job->number, &job->error);
}

static void
order (Job        *job,
       const char *name,
       const char *argument)
{
  const char *const arguments[] = { argument, NULL };

  job->answered = FALSE;
  kymo_job_client_do_async (job->client, name, arguments, on_done, job);
}

static void
test_client (void)
{
  g_autofree char *greeting = g_strdup_printf (GREETING, 77);
  Job job;

  job_open (&job, greeting);
  kymo_job_client_start (job.client);
  wait_until (kymo_job_client_peek_actions (job.client)->len > 0);
  g_assert_cmpuint (kymo_job_client_peek_actions (job.client)->len, ==, 2);
  g_assert_cmpstr (kymo_job_client_peek_info (job.client)->program, ==, "program");
  g_assert_cmpuint (kymo_job_client_peek_info (job.client)->n_ranks, ==, 4);
  g_assert_true (kymo_job_client_find (job.client, "set:dt")->of_program);
  g_assert_nonnull (kymo_job_client_find (job.client, "sampling")->reason);
  order (&job, "set:dt", "value=0.25");
  wait_until (job.answered && strstr (job.orders->str, "/runs") != NULL);
  g_assert_no_error (job.error);
  g_assert_cmpuint (job.number, ==, 7);
  g_assert_cmpstr (job.orders->str, ==, "6 marker 1 Another client’s ;7 set:dt 0 It begins ;"
                   "7 set:dt 1 It is 0.25 /runs/a/b;");
  order (&job, "long", "text=a\tb");
  wait_until (job.answered);
  g_assert_error (job.error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
  g_assert_cmpstr (job.error->message, ==, "Not % now");
  g_assert_cmpstr (job.heard->pdata[job.heard->len - 1], ==, "do\tlong\ttext=a%09b");
  /* The list was asked for again when the orders were done. */
  g_assert_cmpuint (job.heard->len, >, 3);
  order (&job, "quit", NULL);
  wait_until (job.answered);
  g_assert_nonnull (job.error);
  g_assert_nonnull (kymo_job_client_peek_closed (job.client));
  g_assert_cmpuint (kymo_job_client_peek_actions (job.client)->len, ==, 0);
  order (&job, "set:dt", "value=1");
  wait_until (job.answered);
  g_assert_nonnull (job.error);
  job_close (&job);
}

/* Something else listens there, or nobody. */
static void
test_no_job (void)
{
  Job job;

  job_open (&job, "220 mail ready\n");
  kymo_job_client_start (job.client);
  wait_until (kymo_job_client_peek_closed (job.client) != NULL);
  g_assert_cmpuint (job.n_changed, ==, 1);
  job_close (&job);
  job_open (&job, "");
  g_socket_service_stop (job.service);
  g_socket_listener_close (G_SOCKET_LISTENER (job.service));
  kymo_job_client_start (job.client);
  wait_until (kymo_job_client_peek_closed (job.client) != NULL);
  job_close (&job);
}

/* -- the list ----------------------------------------------------------------- */

static void
have_jobs (GObject      *object,
           GAsyncResult *result,
           gpointer      data)
{
  *(GPtrArray **) data = kymo_jobs_list_finish (result, NULL);
}

static GPtrArray *
list_jobs (const char *folder)
{
  GPtrArray *jobs = NULL;

  kymo_jobs_list_async (folder, NULL, have_jobs, &jobs);
  wait_until (jobs != NULL);
  return jobs;
}

static void
test_jobs (void)
{
  g_autofree char *greeting = g_strdup_printf (GREETING, 77);
  g_autofree char *stale = NULL, *other = NULL;
  g_autoptr (GPtrArray) jobs = NULL, again = NULL, none = NULL, dead = NULL;
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) address = NULL;
  const KymoJobInfo *info;
  Job job;

  job_open (&job, greeting);
  stale = g_build_filename (job.folder, "5.actions", NULL);
  other = g_build_filename (job.folder, "file.actions", NULL);
  address = g_unix_socket_address_new (stale);
  g_assert_true (g_socket_listener_add_address (listener, address, G_SOCKET_TYPE_STREAM, 0, NULL,
                                                NULL, NULL));
  g_socket_listener_close (listener);
  g_assert_true (g_file_test (stale, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_set_contents (other, "no socket", -1, NULL));
  jobs = list_jobs (job.folder);
  g_assert_cmpuint (jobs->len, ==, 1);
  g_assert_true (g_file_test (stale, G_FILE_TEST_EXISTS));      /* it may still begin to listen */
  g_assert_cmpint (g_utime (stale, &(struct utimbuf) { 1, 1 }), ==, 0);
  again = list_jobs (job.folder);
  g_assert_cmpuint (again->len, ==, 1);
  g_assert_false (g_file_test (stale, G_FILE_TEST_EXISTS));
  info = jobs->pdata[0];
  g_assert_cmpstr (info->socket, ==, job.path);
  g_assert_cmpint (info->pid, ==, 77);
  g_assert_cmpint (ABS (info->begin_us - g_get_real_time ()), <, 60 * G_USEC_PER_SEC);
  g_assert_true (kymo_jobs_find (jobs, "localhost:4711") == info);
  g_assert_null (kymo_jobs_find (jobs, "localhost:4712"));
  g_assert_null (kymo_jobs_find (jobs, "ssh://far:4711"));
  g_assert_null (kymo_jobs_find (jobs, "elsewhere.example:4711"));
  /* A folder that others can write into may hold the sockets of others. */
  g_assert_cmpint (g_chmod (job.folder, 0777), ==, 0);
  none = list_jobs (job.folder);
  g_assert_cmpuint (none->len, ==, 0);
  g_unlink (other);
  job_close (&job);
  dead = list_jobs ("/nonexistent");
  g_assert_cmpuint (dead->len, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job/action", test_action);
  g_test_add_func ("/job/wrong-lines", test_wrong_lines);
  g_test_add_func ("/job/join", test_join);
  g_test_add_func ("/job/client", test_client);
  g_test_add_func ("/job/no-job", test_no_job);
  g_test_add_func ("/job/jobs", test_jobs);
  return g_test_run ();
}
