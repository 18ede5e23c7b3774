/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stage about the window: kymo-bench-window as a child, on the display
 * there is or on one of xvfb-run; its JSON gives the figures.
 */
#include "config.h"


#include "bench.h"

static const char *const keys[] =
{
  "window.launch", "window.paint", "window.frame", "window.gap", "window.first-picture",
  "window.first-picture.gzip", "window.first-picture.tenfold", "window.many-rows",
};

static void
skip_all (const char *why)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    bench_row_skip (bench_row (keys[i]), "%s", why);
}

/* A number of a flat JSON object; 0 where there is none. */
static double
find_number (const char *json,
             const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\":", key);
  const char *at = strstr (json, quoted);

  return at != NULL ? g_ascii_strtod (at + strlen (quoted), NULL) : 0;
}

static void
set_from (const char *row_key,
          const char *json,
          const char *key,
          double      factor)
{
  double value = find_number (json, key);

  if (value > 0)
    bench_row_set_figure (bench_row (row_key), value * factor);
  else
    bench_row_skip (bench_row (row_key), "kymo-bench-window tells no %s", key);
}

/* A display and a session bus of its own, where there are none. Returns what
   it prints. Where only the opening matters it moves little. */
static char *
run_window (const Bench *bench,
            const char  *run,
            gboolean     only_open)
{
  g_autofree char *xvfb = g_find_program_in_path ("xvfb-run");
  g_autofree char *bus = g_find_program_in_path ("dbus-run-session");
  g_autofree char *cache = g_build_filename (bench->folder, "cache", NULL);
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  char *output = NULL;

  if (g_getenv ("DISPLAY") == NULL)
    {
      g_ptr_array_add (command, xvfb);
      g_ptr_array_add (command, (char *) "-a");
      g_ptr_array_add (command, (char *) "-s");
      g_ptr_array_add (command, (char *) "-screen 0 1920x1080x24");
    }
  if (g_getenv ("DBUS_SESSION_BUS_ADDRESS") == NULL && bus != NULL)
    {
      g_ptr_array_add (command, bus);
      g_ptr_array_add (command, (char *) "--");
    }
  g_ptr_array_add (command, bench->window);
  if (only_open)
    {
      g_ptr_array_add (command, (char *) "--launches=0");
      g_ptr_array_add (command, (char *) "--frames=20");
    }
  g_ptr_array_add (command, (char *) run);
  g_ptr_array_add (command, NULL);
  bench_remove_tree (cache);
  bench_process ((const char *const *) command->pdata, &output);
  return output;
}

/* The first picture of a run that nobody has opened before. */
static void
measure_first_picture (const Bench *bench,
                       const char  *key,
                       const char  *run)
{
  g_autofree char *json = NULL;

  if (!bench_wants (bench, key))
    return;
  json = run_window (bench, run, TRUE);
  set_from (key, json, "first_picture_ms", 1e-3);
}

static void
measure_motion (const Bench *bench)
{
  g_autofree char *json = run_window (bench, bench->text, FALSE);

  set_from ("window.launch", json, "launch_ms", 1e-3);
  set_from ("window.paint", json, "paint_ms_median", 1);
  set_from ("window.frame", json, "cpu_ms_per_frame", 1);
  set_from ("window.gap", json, "gap_ms", 1);
  set_from ("window.first-picture", json, "first_picture_ms", 1e-3);
}

static void
measure_many_rows (const Bench *bench)
{
  g_autofree char *run = NULL;
  g_autofree char *json = NULL;

  bench_make_run (bench, "rows", bench->n_files, bench->n_files * 10, FALSE, &run);
  json = run_window (bench, run, FALSE);
  set_from ("window.many-rows", json, "cpu_ms_per_frame", 1);
  bench_remove_tree (run);
}

/** bench_desktop: window.* */
void
bench_desktop (Bench *bench)
{
  g_autofree char *xvfb = g_find_program_in_path ("xvfb-run");

  if (!bench_wants (bench, "window."))
    return;
  if (bench->window == NULL || !g_file_test (bench->window, G_FILE_TEST_IS_EXECUTABLE))
    {
      skip_all ("there is no kymo-bench-window");
      return;
    }
  if (g_getenv ("DISPLAY") == NULL && xvfb == NULL)
    {
      skip_all ("there is neither a display nor xvfb-run");
      return;
    }
  measure_motion (bench);
  measure_first_picture (bench, "window.first-picture.gzip", bench->gzip);
  measure_first_picture (bench, "window.first-picture.tenfold", bench->tenfold);
  if (bench_wants (bench, "window.many-rows"))
    measure_many_rows (bench);
}
