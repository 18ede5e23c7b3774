/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stage about the window: kymo-bench-window as a child, on the display
 * there is or on one of xvfb-run; its JSON gives the figures.
 */
#include "config.h"


#include "bench.h"

static const char *const keys[] =
{
  "window.launch", "window.paint", "window.frame", "window.first-picture", "window.many-rows",
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

/* Returns what it prints. */
static char *
run_window (const Bench *bench,
            const char  *run)
{
  g_autofree char *xvfb = g_find_program_in_path ("xvfb-run");
  gboolean own = g_getenv ("DISPLAY") == NULL;
  const char *command[] = { xvfb, "-a", "-s", "-screen 0 1920x1080x24", bench->window, run, NULL };
  char *output = NULL;

  bench_process (own ? command : command + 4, &output);
  return output;
}

/** bench_desktop: window.* */
void
bench_desktop (Bench *bench)
{
  g_autofree char *xvfb = g_find_program_in_path ("xvfb-run");
  g_autofree char *json = NULL;

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
  json = run_window (bench, bench->text);
  set_from ("window.launch", json, "launch_ms", 1e-3);
  set_from ("window.paint", json, "paint_ms_median", 1);
  set_from ("window.frame", json, "cpu_ms_per_frame", 1);
  set_from ("window.first-picture", json, "first_picture_ms", 1e-3);
  if (bench_wants (bench, "window.many-rows"))
    {
      g_autofree char *run = NULL;
      g_autofree char *many = NULL;

      bench_make_run (bench, "rows", bench->n_files, bench->n_files, FALSE, &run);
      many = run_window (bench, run);
      set_from ("window.many-rows", many, "cpu_ms_per_frame", 1);
      bench_remove_tree (run);
    }
}
