/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readers of the reports of gprof and mpiP on what is rare, damaged or made to hurt.
 */
#include "config.h"

#include <string.h>

#include "kymo-error.h"
#include "opened-profiles.h"

/* -- gprof ------------------------------------------------------------------- */

#define FLAT "Flat profile:\n\nEach sample counts as 0.01 seconds.\n" \
  "  %   cumulative   self              self     total\n" \
  " time   seconds   seconds    calls  ms/call  ms/call  name\n"
#define GRAPH "\n\t\t     Call graph\n\nindex % time    self  children    called     name\n"

static void
assert_no_activity (const KymoRun *run,
                    const char    *name)
{
  for (guint i = 0; i < run->activities->len; i++)
    g_assert_cmpstr (kymo_run_peek_activity (run, i)->name, !=, name);
}

/* Static functions of one name whose files are not told have their numbers in the graph, in rows
   and in paths. */
static void
test_gprof_names (Scratch       *scratch,
                  gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "gprof.txt",
               FLAT
               " 50.00      0.50     0.50        2   250.00   300.00  init\n"
               " 30.00      0.80     0.30        4    75.00    75.00  init\n"
               " 20.00      1.00     0.20                             main\n"
               GRAPH
               "[1]    100.0    0.20    0.90                 main [1]\n"
               "                0.50    0.10       2/2           init [2]\n"
               "                0.30    0.00       4/4           init [3]\n"
               "-----------------------------------------------\n"
               "                0.50    0.10       2/2           main [1]\n"
               "[2]     60.0    0.50    0.10       2         init [2]\n"
               "-----------------------------------------------\n"
               "                0.30    0.00       4/4           main [1]\n"
               "[3]     30.0    0.30    0.00       4         init [3]\n"
               "-----------------------------------------------\n\n"
               "Index by function name\n\n   [2] init   [3] init   [1] main\n");
  run = profile_open (scratch, "gprof.txt");
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 0);
  profile_assert_row (run, 0, "init [2]", 2, 500000, 600000);
  profile_assert_row (run, 0, "init [3]", 4, 300000, 300000);
  profile_assert_row (run, 0, "main", 1, 200000, 1100000);
  profile_assert_row (run, 0, "main => init [2]", 2, 500000, 600000);
  profile_assert_row (run, 0, "main => init [3]", 4, 300000, 300000);
  assert_no_activity (run, "init");
}

/* Without a graph the number is that of the row. */
static void
test_gprof_flat_names (Scratch       *scratch,
                       gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "gprof.txt",
               FLAT
               " 50.00      0.50     0.50        2   250.00   300.00  init\n"
               " 20.00      0.70     0.20                             main\n"
               " 30.00      1.00     0.30        4    75.00    75.00  init\n\n");
  run = profile_open (scratch, "gprof.txt");
  profile_assert_row (run, 0, "init [1]", 2, 500000, 600000);
  profile_assert_row (run, 0, "init [3]", 4, 300000, 300000);
  profile_assert_row (run, 0, "main", 0, 200000, 200000);
  assert_no_activity (run, "init");
}

/* With "-b -p" gprof prints nothing behind the last row. */
static void
test_gprof_brief (Scratch       *scratch,
                  gconstpointer  unused)
{
  static const char *const rows =
    FLAT
    " 57.59      0.23     0.23      200     1.15     1.15  compute\n"
    " 42.57      0.40     0.17      200     0.85     0.85  exchange\n";
  const gsize cuts[] = { strlen (rows), strlen (rows) - 4, strstr (rows, " 42.57") - rows };

  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autofree char *text = g_strndup (rows, cuts[i]);
      g_autoptr (KymoRun) run = NULL;

      scratch_put (scratch, "gprof.txt", text);
      run = profile_open (scratch, "gprof.txt");
      g_assert_cmpint (told (run, KYMO_SEVERITY_LOST, "The flat profile does not end"), ==,
                       i > 0);
      g_assert_cmpint (told (run, KYMO_SEVERITY_NOTE, "The text has no call graph"), ==, i == 0);
    }
}

/* A graph of some functions (gprof -q) leaves others of a name; of those without an entry the
   number is in parentheses. */
static void
test_gprof_part_of_graph (Scratch       *scratch,
                          gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "gprof.txt",
               FLAT
               " 50.00      0.50     0.50        2   250.00   300.00  init\n"
               " 30.00      0.80     0.30        4    75.00    75.00  init\n"
               " 20.00      1.00     0.20        1   200.00   200.00  leaf (3)\n"
               GRAPH
               "                0.30    0.20       4/4           main (1)\n"
               "[3]     30.0    0.30    0.20       4         init [3]\n"
               "                0.20    0.00       1/1           leaf (3) (4)\n"
               "-----------------------------------------------\n\n"
               "Index by function name\n\n   (2) init  [3] init  (4) leaf (3)  (1) main\n");
  run = profile_open (scratch, "gprof.txt");
  profile_assert_row (run, 0, "init [3]", 4, 300000, 500000);
  profile_assert_row (run, 0, "init", 2, 500000, 500000);
  profile_assert_row (run, 0, "leaf (3)", 1, 200000, 200000);
  profile_assert_row (run, 0, "init [3] => leaf (3)", 1, 200000, 200000);
}

/* Texts one after the other have numbers of their own: a name is one function. */
static void
test_gprof_two_texts (Scratch       *scratch,
                      gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "gprof.txt",
               FLAT
               "100.00      0.50     0.50        2   250.00   250.00  init\n"
               GRAPH
               "[1]    100.0    0.50    0.00       2         init [1]\n"
               "-----------------------------------------------\n\n"
               "Index by function name\n\n   [1] init\n\n"
               FLAT
               "100.00      0.30     0.30        1   300.00   300.00  init\n"
               GRAPH
               "[2]    100.0    0.30    0.00       1         init [2]\n"
               "-----------------------------------------------\n\n"
               "Index by function name\n\n   [2] init\n");
  run = profile_open (scratch, "gprof.txt");
  profile_assert_row (run, 0, "init", 3, 800000, 800000);
  g_assert_cmpuint (run->activities->len, ==, 1);
}

/* The index tells the files of static functions: these are functions of their own. What the flat
   profile has beyond them stays under the name alone. */
static void
test_gprof_files (Scratch       *scratch,
                  gconstpointer  unused)
{
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "gprof.txt",
               FLAT
               " 50.00      0.50     0.50        2   250.00   300.00  init(int, char)\n"
               " 30.00      0.80     0.30        4    75.00    75.00  init(int, char)\n"
               " 20.00      1.00     0.20                             main\n"
               " 10.00      1.10     0.10        1   100.00   100.00  odd\n"
               " 10.00      1.20     0.10        1   100.00   100.00  odd\n"
               GRAPH
               "[1]    100.0    0.20    1.00                 main [1]\n"
               "                0.50    0.10       2/2           init(int, char) <cycle 1> [2]\n"
               "                0.30    0.00       4/4           init(int, char) [3]\n"
               "-----------------------------------------------\n"
               "                0.50    0.10       2/2           main [1]\n"
               "[2]     60.0    0.50    0.10       2         init(int, char) <cycle 1> [2]\n"
               "                0.10    0.00       1/1           odd [4]\n"
               "-----------------------------------------------\n"
               "                0.30    0.00       4/4           main [1]\n"
               "[3]     30.0    0.30    0.00       4         init(int, char) [3]\n"
               "-----------------------------------------------\n"
               "                0.10    0.00       1/1           init(int, char) <cycle 1> [2]\n"
               "[4]     10.0    0.10    0.00       1         odd [4]\n"
               "-----------------------------------------------\n\n"
               "Index by function name\n\n"
               "   [2] init(int, char) <cycle 1> (a.c)     [4] odd (a.c)\n"
               "   [3] init(int, char) (b.c)               [1] main\n"
               "  (12) odd (b.c)\n");
  run = profile_open (scratch, "gprof.txt");
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 0);
  profile_assert_row (run, 0, "init(int, char) (a.c)", 2, 500000, 600000);
  profile_assert_row (run, 0, "init(int, char) (b.c)", 4, 300000, 300000);
  profile_assert_row (run, 0, "main", 1, 200000, 1200000);
  profile_assert_row (run, 0, "main => init(int, char) (b.c)", 4, 300000, 300000);
  profile_assert_row (run, 0, "init(int, char) (a.c) => odd (a.c)", 1, 100000, 100000);
  profile_assert_row (run, 0, "odd (a.c)", 1, 100000, 100000);
  profile_assert_row (run, 0, "odd", 1, 100000, 100000);
  assert_no_activity (run, "init(int, char)");
}

/* A long name with very many arcs: paths are refused, and made of no copies before. */
static void
test_gprof_arcs (Scratch       *scratch,
                 gconstpointer  unused)
{
  g_autofree char *name = g_strnfill (200000, 'f');
  g_autoptr (GString) text = g_string_new (FLAT);
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text, "100.00      1.00     1.00        1  1000.00  1000.00  %s\n",
                          name);
  g_string_append (text, GRAPH);
  g_string_append_printf (text, "[1]    100.0    1.00    0.00       1         %s [1]\n", name);
  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "                0.00    0.00       1/1           c%u [%u]\n", i,
                            i + 2);
  g_string_append (text, "-----------------------------------------------\n\n"
                   "Index by function name\n\n");
  scratch_put (scratch, "gprof.txt", text->str);
  g_assert_null (profile_open_with (scratch, "gprof.txt", 64 * MIB, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT);
}

/* -- mpiP -------------------------------------------------------------------- */

/* Many ranks under a long header, and a rank of which only a message size is told. */
static void
test_mpip_header (Scratch       *scratch,
                  gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new ("@ mpiP\n@ Command : app\n");
  g_autoptr (KymoRun) run = NULL;
  const KymoProfileData *data;

  for (guint i = 0; i < 200000; i++)
    g_string_append_printf (text, "@ key%u : %u\n", i, i);
  g_string_append (text, "@ Start time : 2024 01 31 12:00:00\n@ Stop time : 2024 01 31 12:00:09\n");
  for (guint i = 0; i < 200000; i++)
    g_string_append_printf (text, "@ MPI Task Assignment : %u host\n", i);
  g_string_append (text, "@--- Callsites: 1 ---\n ID Lev File/Address Line Parent_Funct MPI_Call\n"
                   "  1   0 a.c              7 main         Send\n"
                   "@--- Callsite Message Sent statistics (all, sent bytes) ---\n"
                   "Name Site Rank Count Max Mean Min Sum\n"
                   "Send 1 200007 2 8 6 4 12\nSend 1 200007 1 7 7 7 7\n"
                   "@--- End of Report ---\n");
  scratch_put (scratch, "app.mpiP", text->str);
  run = profile_open (scratch, "app.mpiP");
  data = profile_last_of (run);
  g_assert_cmpuint (run->locations->len, ==, 200001);
  profile_assert_row (run, 77, ".MpiP.Application", 1, 9e6, 9e6);
  g_assert_cmpuint (data->user_first[200001] - data->user_first[200000], ==, 1);
  g_assert_cmpfloat (data->user_rows[data->user_first[200000]].n, ==, 3);
}

/* Callers beyond what is kept are left out, not those that are there. */
static void
test_mpip_site (Scratch       *scratch,
                gconstpointer  unused)
{
  g_autoptr (GString) text = g_string_new (
    "@ mpiP\n@ MPI Task Assignment : 0 host\n@--- Callsites: 1 ---\n"
    " ID Lev File/Address Line Parent_Funct MPI_Call\n  1   0 a.c 7 innermost Send\n");
  g_autoptr (KymoRun) run = NULL;
  const char *name;

  for (guint i = 1; i < 2000; i++)
    g_string_append_printf (text, "  1 %u a.c %u caller_number_%u\n", i, i, i);
  g_string_append (text, "@--- Callsite Time statistics (all, milliseconds): 1 ---\n"
                   "Name Site Rank Count Max Mean Min App% MPI%\n"
                   "Send 1 0 2 3.0 2.0 1.0 50.0 50.0\n@--- End of Report ---\n");
  scratch_put (scratch, "app.mpiP", text->str);
  run = profile_open (scratch, "app.mpiP");
  name = g_array_index (profile_last_of (run)->events, KymoProfileEvent,
                        profile_last_of (run)->events->len - 1).name;
  g_assert_true (g_str_has_suffix (name, "innermost [file:a.c line:7] => MPI_Send"));
  g_assert_cmpuint (strlen (name), >, 10000);
}

#define ADD(name, function) \
  g_test_add ("/report-readers/" name, Scratch, NULL, scratch_up, function, scratch_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("gprof-names", test_gprof_names);
  ADD ("gprof-flat-names", test_gprof_flat_names);
  ADD ("gprof-brief", test_gprof_brief);
  ADD ("gprof-part-of-graph", test_gprof_part_of_graph);
  ADD ("gprof-two-texts", test_gprof_two_texts);
  ADD ("gprof-files", test_gprof_files);
  ADD ("gprof-arcs", test_gprof_arcs);
  ADD ("mpip-header", test_mpip_header);
  ADD ("mpip-site", test_mpip_site);
  return g_test_run ();
}
