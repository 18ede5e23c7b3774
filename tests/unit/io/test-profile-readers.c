/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readers of profiles on what is rare, damaged or made to hurt: a file of a few million
 * bytes must neither take minutes nor all memory (the test's time limit is the judge), what
 * is left out is told, and nothing is told of files that are sound.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#include "kymo-engine.h"
#include "kymo-error.h"
#include "opened-profiles.h"

/* -- text of TAU ------------------------------------------------------------- */

/* A profile whose last line has no newline is whole. */
static void
test_last_line (Scratch       *scratch,
                gconstpointer  data)
{
  static const char text[] = "1 templated_functions_MULTI_TIME\n"
    "# Name Calls Subrs Excl Incl ProfileCalls\n"
    "\"main\" 1 0 5 7 0 GROUP=\"USER\"\n0 aggregates\n1 userevents\n"
    "# eventname numevents max min mean sumsqr\n\"bytes\" 2 8 4 6 80";
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "profile.0.0.0", text);
  run = profile_open (scratch, "profile.0.0.0");
  g_assert_cmpint (told (run, KYMO_SEVERITY_NOTE, "The last line has no end"), ==, 1);
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 1);
  profile_assert_row (run, 0, "main", 1, 5, 7);
}

/* A path of as many parts as its file has bytes for, and the function that it ends in. */
static void
test_endless_path (Scratch       *scratch,
                   gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new ("1 templated_functions_MULTI_TIME\n# Name\n\"a");
  g_autoptr (KymoRun) run = NULL;
  const KymoProfileData *data;
  const KymoProfileEvent *path;

  for (guint i = 1; i < 300000; i++)
    g_string_append (text, " => a");
  g_string_append (text, "\" 1 0 5 7 0 GROUP=\"TAU_CALLPATH|USER\"\n0 aggregates\n");
  scratch_put (scratch, "profile.0.0.0", text->str);
  run = profile_open (scratch, "profile.0.0.0");
  data = profile_last_of (run);
  g_assert_cmpuint (data->events->len, ==, 3);
  path = &g_array_index (data->events, KymoProfileEvent, 2);
  g_assert_cmpuint (path->n_parts, ==, 4096);
  g_assert_cmpuint (path->flags & KYMO_PROFILE_PATH, !=, 0);
  g_assert_cmpuint (strlen (path->shown), ==, 5 * (300000 - 4096) + 1);
}

/* Paths of two parts that make one chain: each is put below the one before it without a
   walk over all of them. */
static void
test_long_chain (Scratch       *scratch,
                 gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new ("200000 templated_functions_MULTI_TIME\n# Name\n");
  g_autoptr (KymoQuestion) question = kymo_question_new ("calltree");
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  KymoTable *nodes;

  for (guint i = 0; i < 200000; i++)
    g_string_append_printf (text, "\"%u => %u\" 1 0 1 %u 0 GROUP=\"TAU_CALLPATH|USER\"\n", i,
                            i + 1, 200000 - i);
  g_string_append (text, "0 aggregates\n");
  scratch_put (scratch, "profile.0.0.0", text->str);
  run = profile_open (scratch, "profile.0.0.0");
  kymo_question_set (question, "depth-limit", "3");
  answer = kymo_engine_ask (run, question, 1, NULL, &error);
  g_assert_no_error (error);
  nodes = kymo_table_peek_nested (answer, "nodes", NULL);
  g_assert_cmpstr (kymo_table_get_string (nodes, "name", 2), ==, "2");
  g_assert_cmpint (kymo_table_get_int (nodes, "parent", 2), ==, 1);
}

/* Names are as large as files may be, and there are as many as there is room for. */
static void
test_too_much (Scratch       *scratch,
               gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new ("9 templated_functions_MULTI_TIME\n# Name\n");
  g_autoptr (GError) error = NULL;
  KymoRun *run;

  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (text, "\"function %u\" 1 0 5 7 0 GROUP=\"USER\"\n", i);
  g_string_append (text, "0 aggregates\n");
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *name = g_strdup_printf ("profile.%u.0.0", i);

      scratch_put (scratch, name, text->str);
    }
  run = profile_open_with (scratch, "profile.0.0.0", 16 * MIB, &error);
  g_assert_null (run);
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT);
  g_clear_error (&error);
  run = profile_open_with (scratch, "profile.0.0.0", 256 * MIB, &error);
  g_assert_no_error (error);
  kymo_run_unref (run);
}

/* Parts of paths that no file lists flat are names as well. */
static void
test_too_many_parts (Scratch       *scratch,
                     gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new ("1 templated_functions_MULTI_TIME\n# Name\n");
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (guint i = 0; i < 60; i++)
    {
      g_string_append_printf (text, "\"%x", n++);
      for (guint k = 1; k < 4000; k++)
        g_string_append_printf (text, " => %x", n++);
      g_string_append (text, "\" 1 0 5 7 0 GROUP=\"TAU_CALLPATH|USER\"\n");
    }
  g_string_append (text, "0 aggregates\n");
  scratch_put (scratch, "profile.0.0.0", text->str);
  g_assert_null (profile_open_with (scratch, "profile.0.0.0", 16 * MIB, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT);
}

/* -- XML of TAU -------------------------------------------------------------- */

#define DEFINITIONS "<profile_xml>\n<definitions thread=\"*\">" \
  "<metric id=\"0\"><name>TIME</name></metric>" \
  "<event id=\"0\"><name>main</name><group>USER</group></event>" \
  "<event id=\"1\"><name>work</name><group>USER</group></event>" \
  "<event id=\"2\"><name>main  =&gt; work</name><group>TAU_CALLPATH|USER</group></event>" \
  "<event id=\"3\"><name>main  =&gt; work  =&gt; step</name>" \
  "<group>TAU_CALLPATH|USER</group></event></definitions>\n"
#define PROFILE(thread, name, lines) "<profile thread=\"" thread "\"><name>" name "</name>" \
  "<interval_data metrics=\"0 \">\n" lines "</interval_data></profile>\n"

/* Parts of paths are found whatever blanks they end in, and so is what a path goes on. */
static void
test_blanks (Scratch       *scratch,
             gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;
  const KymoProfileData *data;

  scratch_put (scratch, "tauprofile.xml",
               DEFINITIONS PROFILE ("0.0.0", "final", "0 1 1 1 9\n1 1 0 8 8\n2 1 0 8 8\n"
                                    "3 1 0 2 2\n") "</profile_xml>\n");
  run = profile_open (scratch, "tauprofile.xml");
  data = profile_last_of (run);
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 0);
  g_assert_cmpuint (g_array_index (data->events, KymoProfileEvent,
                                   profile_find_event (data, "main  => work")).parent,
                    ==, profile_find_event (data, "main"));
  g_assert_cmpuint (g_array_index (data->events, KymoProfileEvent,
                                   profile_find_event (data, "main  => work  => step")).parent,
                    ==, profile_find_event (data, "main  => work"));
}

static void
test_unknown_metrics (Scratch       *scratch,
                      gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "tauprofile.xml",
               DEFINITIONS "<profile thread=\"0.0.0\"><name>final</name>"
               "<interval_data metrics=\"7 \">\n0 1 1 1 9\n</interval_data>"
               "<interval_data>\n1 1 0\n</interval_data></profile>\n"
               PROFILE ("1.0.0", "final", "0 1 1 1 9 and more\n1 1 0 8 8\n")
               "</profile_xml>\n");
  run = profile_open (scratch, "tauprofile.xml");
  g_assert_cmpint (told (run, KYMO_SEVERITY_LOST, "Figures of metrics that the file does not"),
                   ==, 1);
  g_assert_cmpint (told (run, KYMO_SEVERITY_LOST, "Lines of the profile that could not"), ==, 2);
  profile_assert_row (run, 1, "work", 1, 8, 8);
}

/* A million profiles of nobody: each would be looked through to the end. What stands in
   them is not of the profile before. */
static void
test_nobody (Scratch       *scratch,
             gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new (DEFINITIONS);
  g_autoptr (KymoRun) run = NULL;

  g_string_append (text, PROFILE ("0.0.0", "final", "0 1 1 1 9\n"));
  g_string_append (text, PROFILE ("nobody", "final", "0 1 1 1 9\n"));
  g_string_append (text, "<profile><definitions thread=\"*\"><event id=\"0\">"
                   "<name>other</name></event></definitions></profile>\n");
  g_string_append (text, PROFILE ("1.0.0", "final", "0 1 1 1 9\n"));
  for (guint i = 0; i < 1000000; i++)
    g_string_append (text, "<profile>");
  g_string_append (text, "</profile></profile_xml>\n");
  scratch_put (scratch, "tauprofile.xml", text->str);
  run = profile_open (scratch, "tauprofile.xml");
  g_assert_cmpuint (run->locations->len, ==, 2);
  g_assert_cmpuint (profile_last_of (run)->events->len, ==, 5);
  profile_assert_row (run, 1, "main", 1, 1, 9);
}

static void
test_little_memory (Scratch       *scratch,
                    gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new (DEFINITIONS);
  g_autoptr (GError) error = NULL;

  /* Places of locations and steps alone: no file of a size says so many. */
  for (guint i = 0; i < 40000; i++)
    g_string_append (text, "<profile thread=\"0.0.0\"></profile>");
  for (guint i = 1; i < 100; i++)
    g_string_append_printf (text, "<profile thread=\"%u.0.0\"></profile>", i);
  g_string_append (text, "</profile_xml>\n");
  scratch_put (scratch, "tauprofile.xml", text->str);
  g_assert_null (profile_open_with (scratch, "tauprofile.xml", 16 * MIB, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT);
}

/* Names of steps tell that a thread lacks one in the middle; facts come of the first
   thread that can be read, and a file of tomorrow is not being written. */
static void
test_snapshots (Scratch       *scratch,
                gconstpointer  unused)
{
  static const char begin[] = "<profile_xml><thread id=\"1.0.0\" node=\"1\" context=\"0\" "
    "thread=\"0\"><metadata><attribute><name>Hostname</name><value>here</value></attribute>"
    "</metadata></thread>" DEFINITIONS;
  g_autofree char *one = g_strconcat (begin, PROFILE ("1.0.0", "a", "0 1 1 1 9\n"),
                                      PROFILE ("1.0.0", "b", "0 1 1 2 9\n"),
                                      PROFILE ("1.0.0", "c", "0 1 1 3 9\n"), NULL);
  g_autofree char *two = g_strconcat (begin, PROFILE ("2.0.0", "a", "0 1 1 1 9\n"),
                                      PROFILE ("2.0.0", "c", "0 1 1 3 9\n"), NULL);
  g_autofree char *three = g_strconcat (begin, PROFILE ("3.0.0", "a", "0 1 1 1 9\n"),
                                        PROFILE ("3.0.0", "final", "0 1 1 3 9\n"), NULL);
  gint64 tomorrow = g_get_real_time () / G_USEC_PER_SEC + 24 * 3600;
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "snapshot.0.0.0", "damaged");
  scratch_put (scratch, "snapshot.1.0.0", one);
  scratch_put (scratch, "snapshot.2.0.0", two);
  scratch_put (scratch, "snapshot.3.0.0", three);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("snapshot.%u.0.0", i);
      g_autofree char *path = scratch_path (scratch, name);

      g_assert_cmpint (g_utime (path, &(struct utimbuf) { tomorrow, tomorrow }), ==, 0);
    }
  run = profile_open (scratch, "snapshot.1.0.0");
  g_assert_cmpuint (run->profiles->len, ==, 3);
  g_assert_cmpint (told (run, KYMO_SEVERITY_NOTE, "Steps of threads have other names"), ==, 1);
  g_assert_false (run->growing);
  g_assert_cmpuint (run->facts->len, ==, 1);
  g_assert_cmpstr (g_array_index (run->facts, KymoFact, 0).value, ==, "here");
}

/* -- packed ------------------------------------------------------------------ */

static void
put_int (GByteArray *bytes,
         gint32      value)
{
  guint32 big = GUINT32_TO_BE ((guint32) value);

  g_byte_array_append (bytes, (const guint8 *) &big, 4);
}

static void
put_double (GByteArray *bytes,
            double      value)
{
  guint64 number;

  memcpy (&number, &value, 8);
  number = GUINT64_TO_BE (number);
  g_byte_array_append (bytes, (const guint8 *) &number, 8);
}

static void
put_string (GByteArray *bytes,
            const char *text)
{
  guint16 n = GUINT16_TO_BE (strlen (text));

  g_byte_array_append (bytes, (const guint8 *) &n, 2);
  g_byte_array_append (bytes, (const guint8 *) text, strlen (text));
}

/* Up to the functions: one metric, one group of that name. */
static GByteArray *
begin_packed (const char *group)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) "\0P\0P\0K", 6);
  put_int (bytes, 2);
  put_int (bytes, 1);
  put_int (bytes, 0);
  put_int (bytes, 1);
  put_string (bytes, "TIME");
  put_int (bytes, 1);
  put_string (bytes, group);
  return bytes;
}

static void
put_thread (GByteArray *bytes,
            gint        node,
            double      exclusive)
{
  put_int (bytes, node);
  put_int (bytes, 0);
  put_int (bytes, 0);
  put_int (bytes, 1);
  put_int (bytes, 0);
  put_double (bytes, 1);
  put_double (bytes, 0);
  put_double (bytes, exclusive);
  put_double (bytes, exclusive);
  put_int (bytes, 0);
}

static void
put_packed (Scratch    *scratch,
            GByteArray *bytes)
{
  g_autofree char *path = scratch_path (scratch, "run.ppk");

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

/* A thread that is listed twice counts once, and those behind it are there. */
static void
test_packed_twice (Scratch       *scratch,
                   gconstpointer  unused)
{
  g_autoptr (GByteArray) bytes = begin_packed ("USER");
  g_autoptr (KymoRun) run = NULL;

  put_int (bytes, 1);
  put_string (bytes, "main");
  put_int (bytes, 1);
  put_int (bytes, 0);
  put_int (bytes, 0);
  put_int (bytes, 4);
  put_thread (bytes, 0, 10);
  put_thread (bytes, 1, 11);
  put_thread (bytes, 0, 99);
  put_thread (bytes, 2, 12);
  put_packed (scratch, bytes);
  run = profile_open (scratch, "run.ppk");
  g_assert_cmpuint (run->locations->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    profile_assert_row (run, i, "main", 1, 10 + i, 10 + i);
  g_assert_cmpint (told (run, KYMO_SEVERITY_LOST, "Threads are listed twice"), ==, 1);
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 1);
}

/* A number of four bytes for a long name, a million times. */
static void
test_packed_groups (Scratch       *scratch,
                    gconstpointer  unused)
{
  g_autofree char *name = g_strnfill (60000, 'g');
  g_autoptr (GByteArray) bytes = begin_packed (name);
  g_autoptr (KymoRun) run = NULL;

  put_int (bytes, 1);
  put_string (bytes, "main");
  put_int (bytes, 1000000);
  for (guint i = 0; i < 1000000; i++)
    put_int (bytes, 0);
  put_int (bytes, 0);
  put_int (bytes, 1);
  put_thread (bytes, 0, 10);
  put_packed (scratch, bytes);
  run = profile_open (scratch, "run.ppk");
  profile_assert_row (run, 0, "main", 1, 10, 10);
}

int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; void (*test) (Scratch *, gconstpointer); } tests[] = {
    { "last-line", test_last_line }, { "endless-path", test_endless_path },
    { "long-chain", test_long_chain }, { "too-much", test_too_much },
    { "too-many-parts", test_too_many_parts },
    { "blanks", test_blanks }, { "unknown-metrics", test_unknown_metrics },
    { "nobody", test_nobody }, { "little-memory", test_little_memory },
    { "snapshots", test_snapshots }, { "packed-twice", test_packed_twice },
    { "packed-groups", test_packed_groups },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/profile-readers/", tests[i].name, NULL);

      g_test_add (path, Scratch, NULL, scratch_up, tests[i].test, scratch_down);
    }
  return g_test_run ();
}
