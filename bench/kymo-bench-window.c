/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures the window itself, on a display (xvfb-run -a gives one): opens a
 * run, lets it come to rest, moves the timeline frame by frame and prints one
 * JSON object:
 *
 *   launch_ms           process begin to the first frame of the empty window,
 *                       median of several children
 *   first_picture_ms    run asked for to its first picture, a draft or not
 *   open_ms             to all pictures of the first view, exact
 *   open_gap_ms         longest time the main loop was away meanwhile
 *   open_busy_ms        most CPU it took at one stretch: what of the gap is ours
 *   frames, seconds     of the motion
 *   paint_ms_median     CPU in the snapshot functions of our own widgets, a
 *   paint_ms_p95        frame; all they call included, and what a moving pointer
 *                       calls
 *   cpu_ms_per_frame    of the whole process, workers included
 *   gap_ms, busy_ms     as above, while moving
 *
 * The widgets know nothing of this: their snapshot functions are wrapped.
 * Main thread only.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "kymo-application.h"
#include "kymo-canvas.h"
#include "kymo-overview.h"
#include "kymo-ruler.h"
#include "kymo-run-page.h"
#include "kymo-window-private.h"

#define LOOK_MS 20
/* So many quiet looks in a row are rest. */
#define QUIET_LOOKS 10
#define BEAT_MS 10

typedef enum { OPENING, SETTLING, MOVING } Phase;

typedef struct
{
  char       *size, *motion, *view;
  int         frames, launches, step_px;
  double      share;                 /* of the run, visible while moving */

  Phase       phase;
  GtkWindow  *window;
  guint       quiet;
  gint64      begun_us, beat_us;
  gint64      beat_cpu_us;
  double      first_picture_ms, open_ms, open_gap_ms, gap_ms, open_busy_ms, busy_ms;
  gint64      cpu_us;
  int         frame, direction;
  gint64      painted_us;            /* in this frame, so far */
  GArray     *paints;                /* double, ms a frame */
} Bench;

static Bench bench = { .frames = 300, .launches = 5, .step_px = 12,
                       .share = 0.3, .direction = 1 };

/* -- snapshots ------------------------------------------------------------ */

typedef void (*Snapshot) (GtkWidget *widget, GtkSnapshot *snapshot);

static struct { GType type; Snapshot original; } wrapped[3];

/* Of this thread: other programs on the machine do not count. */
static gint64
thread_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
timed_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  gint64 begin_us = thread_us ();

  for (guint i = 0; i < G_N_ELEMENTS (wrapped); i++)
    if (g_type_is_a (G_OBJECT_TYPE (widget), wrapped[i].type))
      wrapped[i].original (widget, snapshot);
  bench.painted_us += thread_us () - begin_us;
}

static void
wrap_snapshots (void)
{
  GType types[] = { KYMO_TYPE_CANVAS, KYMO_TYPE_OVERVIEW, KYMO_TYPE_RULER };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      GtkWidgetClass *klass = g_type_class_ref (types[i]);

      wrapped[i].type = types[i];
      wrapped[i].original = klass->snapshot;
      klass->snapshot = timed_snapshot;
    }
}

/* -- figures -------------------------------------------------------------- */

static gint64
cpu_us (void)
{
  struct rusage use;

  getrusage (RUSAGE_SELF, &use);
  return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * G_USEC_PER_SEC
         + use.ru_utime.tv_usec + use.ru_stime.tv_usec;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Sorts @values; 0 of none. */
static double
quantile (GArray *values, double share)
{
  if (values->len == 0)
    return 0;
  g_array_sort (values, compare_doubles);
  return g_array_index (values, double,
                        (guint) (share * (values->len - 1) + 0.5));
}

static gboolean
on_beat (gpointer data)
{
  gint64 now_us = g_get_monotonic_time ();
  double gap_ms = (now_us - bench.beat_us) / 1e3 - BEAT_MS;

  double busy_ms = (thread_us () - bench.beat_cpu_us) / 1e3;

  if (bench.phase != MOVING && bench.beat_cpu_us > 0)
    {
      bench.open_gap_ms = MAX (bench.open_gap_ms, gap_ms);
      bench.open_busy_ms = MAX (bench.open_busy_ms, busy_ms);
    }
  else if (bench.phase == MOVING)
    {
      bench.gap_ms = MAX (bench.gap_ms, gap_ms);
      bench.busy_ms = MAX (bench.busy_ms, busy_ms);
    }
  bench.beat_us = now_us;
  bench.beat_cpu_us = thread_us ();
  return G_SOURCE_CONTINUE;
}

/* -- launching ------------------------------------------------------------ */

static void
on_first_frame (GdkFrameClock *clock, gpointer begun)
{
  gint64 begun_us = *(gint64 *) begun;

  if (begun_us == 0)
    return;
  *(gint64 *) begun = 0;
  g_print ("%.3f\n", (g_get_monotonic_time () - begun_us) / 1e3);
  g_application_quit (g_application_get_default ());
}

static void
on_launch_realized (GtkWidget *window, gpointer begun)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  g_signal_connect (clock, "after-paint", G_CALLBACK (on_first_frame), begun);
}

static void
on_launch_window (GtkApplication *application, GtkWidget *window,
                  gpointer begun)
{
  g_signal_connect (window, "realize", G_CALLBACK (on_launch_realized), begun);
}

/* A child of launch_ms(): @begun is when its parent started it. */
static int
be_launched (const char *begun)
{
  static gint64 begun_us;
  g_autoptr (KymoApplication) application = kymo_application_new ();
  char *argv[] = { (char *) "kymo", NULL };

  begun_us = g_ascii_strtoll (begun, NULL, 10);
  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_NON_UNIQUE
                           | G_APPLICATION_HANDLES_OPEN);
  g_signal_connect (application, "window-added",
                    G_CALLBACK (on_launch_window), &begun_us);
  return g_application_run (G_APPLICATION (application), 1, argv);
}

static double
launch_ms (void)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));

  for (int i = 0; i < bench.launches; i++)
    {
      g_autofree char *begun = g_strdup_printf ("%" G_GINT64_FORMAT,
                                                g_get_monotonic_time ());
      const char *argv[] = { "/proc/self/exe", "--launched", begun, NULL };
      g_autofree char *out = NULL;
      double ms;

      if (!g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, &out, NULL,
                         NULL, NULL))
        continue;
      ms = g_ascii_strtod (out, NULL);
      if (ms > 0)
        g_array_append_val (all, ms);
    }
  return quantile (all, 0.5);
}

/* -- moving --------------------------------------------------------------- */

static KymoCanvas *
find_canvas (GtkWidget *widget)
{
  if (KYMO_IS_CANVAS (widget) && gtk_widget_get_mapped (widget))
    return KYMO_CANVAS (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      KymoCanvas *found = find_canvas (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
pan (GtkWidget *widget, KymoSession *session)
{
  KymoSpan range = kymo_session_get_range (session);
  KymoSpan full = kymo_session_get_full_range (session);
  int width = gtk_widget_get_width (widget);

  if (range.end_ns >= full.end_ns)
    bench.direction = -1;
  else if (range.begin_ns <= full.begin_ns)
    bench.direction = 1;
  kymo_session_pan (session, bench.direction * (double) bench.step_px
                             / MAX (width, 1));
}

static void
scroll (KymoCanvas *canvas)
{
  GtkAdjustment *rows = kymo_canvas_get_vadjustment (canvas);
  double value = gtk_adjustment_get_value (rows);

  if (value + gtk_adjustment_get_page_size (rows)
      >= gtk_adjustment_get_upper (rows))
    bench.direction = -1;
  else if (value <= 0)
    bench.direction = 1;
  gtk_adjustment_set_value (rows, value + bench.direction * bench.step_px);
}

/* The pointer goes over all pictures of the view, each in its own size. */
static void
hover (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = NULL;
  double x = bench.frame * bench.step_px, y = bench.frame * 7.0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    hover (child);
  if (!KYMO_IS_CANVAS (widget) || !gtk_widget_get_mapped (widget))
    return;
  controllers = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (controllers, i);
      gint64 begin_us = thread_us ();

      if (GTK_IS_EVENT_CONTROLLER_MOTION (item))
        g_signal_emit_by_name (item, "motion",
                               fmod (x, gtk_widget_get_width (widget)),
                               fmod (y, gtk_widget_get_height (widget)));
      bench.painted_us += thread_us () - begin_us;
    }
}

static void
move (KymoRunView *view)
{
  KymoSession *session = kymo_run_view_peek_session (view);
  KymoCanvas *canvas = find_canvas (GTK_WIDGET (view));

  /* Views that are tables have no canvas. */
  if (canvas == NULL)
    pan (GTK_WIDGET (view), session);
  else if (g_strcmp0 (bench.motion, "hover") == 0)
    hover (GTK_WIDGET (view));
  else if (g_strcmp0 (bench.motion, "rows") == 0)
    scroll (canvas);
  else if (g_strcmp0 (bench.motion, "zoom") == 0)
    kymo_session_zoom (session, kymo_canvas_get_pointer_time (canvas),
                       bench.frame / 20 % 2 == 0 ? 1.05 : 1 / 1.05);
  else if (g_strcmp0 (bench.motion, "redraw") == 0)
    gtk_widget_queue_draw (GTK_WIDGET (canvas));
  else
    pan (GTK_WIDGET (canvas), session);
}

static void
report (gint64 moved_us)
{
  double cpu_ms = (cpu_us () - bench.cpu_us) / 1e3 / MAX (bench.frame, 1);
  double median = quantile (bench.paints, 0.5);

  g_print ("{\"launch_ms\":%.1f,\"first_picture_ms\":%.1f,"
           "\"open_ms\":%.1f,\"open_gap_ms\":%.1f,"
           "\"open_busy_ms\":%.1f,"
           "\"motion\":\"%s\",\"size\":\"%s\",\"frames\":%d,"
           "\"seconds\":%.3f,\"paint_ms_median\":%.3f,\"paint_ms_p95\":%.3f,"
           "\"cpu_ms_per_frame\":%.3f,\"gap_ms\":%.1f,"
           "\"busy_ms\":%.1f}\n",
           launch_ms (), bench.first_picture_ms, bench.open_ms,
           bench.open_gap_ms, bench.open_busy_ms, bench.motion,
           bench.size, bench.frame, moved_us / 1e6, median,
           quantile (bench.paints, 0.95), cpu_ms, bench.gap_ms,
           bench.busy_ms);
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (KYMO_WINDOW (widget));
  double ms = bench.painted_us / 1e3;

  if (bench.frame > 0)
    g_array_append_val (bench.paints, ms);
  bench.painted_us = 0;
  if (view == NULL || bench.frame >= bench.frames)
    {
      report (g_get_monotonic_time () - bench.begun_us);
      g_application_quit (g_application_get_default ());
      return G_SOURCE_REMOVE;
    }
  bench.frame++;
  move (view);
  return G_SOURCE_CONTINUE;
}

static void
show_part (KymoRunView *view)
{
  KymoSession *session = kymo_run_view_peek_session (view);
  KymoSpan range = kymo_session_get_full_range (session);
  gint64 length = kymo_span_length (range);

  range.begin_ns += length / 3;
  range.end_ns = range.begin_ns + (gint64) (length * bench.share);
  kymo_session_set_range (session, range, FALSE);
}

static void
begin_moving (void)
{
  bench.begun_us = bench.beat_us = g_get_monotonic_time ();
  bench.cpu_us = cpu_us ();
  bench.painted_us = 0;
  gtk_widget_add_tick_callback (GTK_WIDGET (bench.window), on_frame, NULL,
                                NULL);
}

static gboolean
on_look (gpointer data)
{
  KymoRunView *view = kymo_window_get_view (KYMO_WINDOW (bench.window));
  KymoPage *page = kymo_window_get_page (KYMO_WINDOW (bench.window));
  gboolean quiet = view != NULL && !kymo_page_is_loading (page)
                   && kymo_run_view_is_settled (view);

  bench.quiet = quiet ? bench.quiet + 1 : 0;
  if (bench.quiet == 1 && bench.phase == OPENING)
    {
      bench.open_ms = (g_get_monotonic_time () - bench.begun_us) / 1e3;
      bench.first_picture_ms = kymo_run_page_get_first_picture_ms (
        KYMO_RUN_PAGE (page));
    }
  if (bench.quiet < QUIET_LOOKS)
    return G_SOURCE_CONTINUE;
  bench.quiet = 0;
  if (bench.phase++ == OPENING)
    {
      kymo_run_view_set_view (view, bench.view);
      show_part (view);
      return G_SOURCE_CONTINUE;
    }
  begin_moving ();
  return G_SOURCE_REMOVE;
}

static void
on_window (GtkApplication *application, GtkWindow *window, gpointer data)
{
  if (bench.window != NULL || !KYMO_IS_WINDOW (window))
    return;
  bench.window = window;
  bench.begun_us = bench.beat_us = g_get_monotonic_time ();
  g_timeout_add (LOOK_MS, on_look, NULL);
  g_timeout_add_full (G_PRIORITY_HIGH, BEAT_MS, on_beat, NULL, NULL);
}

/* -- the program ---------------------------------------------------------- */

static gboolean
read_options (int *argc, char ***argv)
{
  const GOptionEntry options[] = {
    { "frames", 0, 0, G_OPTION_ARG_INT, &bench.frames, "Frames to move",
      "N" },
    { "launches", 0, 0, G_OPTION_ARG_INT, &bench.launches,
      "Launches of the empty window, 0 for none", "N" },
    { "motion", 0, 0, G_OPTION_ARG_STRING, &bench.motion,
      "pan, rows, zoom, hover, or redraw of what lies over the picture", "WORD" },
    { "step", 0, 0, G_OPTION_ARG_INT, &bench.step_px, "Pixels a frame", "N" },
    { "share", 0, 0, G_OPTION_ARG_DOUBLE, &bench.share,
      "Part of the run that is visible while moving", "0..1" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &bench.size, "Size of the window",
      "WxH" },
    { "view", 0, 0, G_OPTION_ARG_STRING, &bench.view, "Which view", "ID" },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("RUN");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, argc, argv, &error) || *argc != 2)
    {
      g_printerr ("kymo-bench-window: %s\n",
                  error != NULL ? error->message : "name one run");
      return FALSE;
    }
  bench.size = bench.size != NULL ? bench.size : g_strdup ("1920x1080");
  bench.motion = bench.motion != NULL ? bench.motion : g_strdup ("pan");
  bench.view = bench.view != NULL ? bench.view : g_strdup ("timeline");
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (KymoApplication) application = NULL;
  char *app_argv[] = { (char *) "kymo", (char *) "--size", NULL, NULL, NULL };

  kymo_application_choose_renderer ();
  if (argc == 3 && g_str_equal (argv[1], "--launched"))
    return be_launched (argv[2]);
  if (!read_options (&argc, &argv))
    return EXIT_FAILURE;
  bench.paints = g_array_new (FALSE, FALSE, sizeof (double));
  app_argv[2] = bench.size;
  app_argv[3] = argv[1];
  application = kymo_application_new ();
  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_NON_UNIQUE
                           | G_APPLICATION_HANDLES_OPEN);
  wrap_snapshots ();
  g_signal_connect (application, "window-added", G_CALLBACK (on_window), NULL);
  return g_application_run (G_APPLICATION (application), 4, app_argv);
}
