/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture is the run's time profile, or of a profile its functions with most time, as bars.
 * A thread asks for the figures, a second one writes the file; what is painted between is a
 * hundred bars.
 */
#include "config.h"

#include "kymo-run-thumbnail.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "kymo-cache-pictures.h"
#include "kymo-colors.h"
#include "kymo-plot-terms.h"
#include "kymo-remote-address.h"

#define BINS (KYMO_THUMBNAIL_WIDTH / 2)
#define FUNCTIONS 8
#define BAR_PX (KYMO_THUMBNAIL_HEIGHT / (double) FUNCTIONS)

/* The first pictures of the window come before. */
#define MAKE_AFTER_MS 500

typedef struct
{
  KymoSource *source;
  KymoSession *session;            /* until it is painted, on the main thread */
  KymoColors *colors;              /* from then on */
  char       *path;
  char       *kind, *rows, *row_term, *date;
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_object_unref (making->source);
  g_clear_pointer (&making->colors, kymo_colors_unref);
  g_free (making->path);
  g_free (making->kind);
  g_free (making->rows);
  g_free (making->row_term);
  g_free (making->date);
  g_free (making);
}

/* -- painting -------------------------------------------------------------- */

static void
set_color (cairo_t *cr, const Making *making, const char *name)
{
  KymoRgba color = kymo_colors_get (making->colors, name, KYMO_LOOK_LIGHT);

  cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha);
}

/* The share of a bar's time that an activity has, from 0. */
static double
share_of_bar (const gint64 *ns, const gint64 *edges, guint bin)
{
  return edges[bin + 1] > edges[bin] ? (double) ns[bin] / (double) (edges[bin + 1] - edges[bin])
    : 0;
}

static double
find_highest (const KymoTable *series, const gint64 *ns, guint n_bins, const gint64 *edges)
{
  double highest = 0;

  for (guint bin = 0; bin < n_bins; bin++)
    {
      double height = 0;

      for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
        height += share_of_bar (ns + i * n_bins, edges, bin);
      highest = MAX (highest, height);
    }
  return highest;
}

/* As high as the highest bar; what is idle or overhead stays empty. */
static void
paint_time_profile (cairo_t *cr, const Making *making, const KymoTable *answer)
{
  const KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", NULL);
  guint n_bins = 0;
  const gint64 *ns = kymo_table_peek_ints (series, "ns", &n_bins);
  double highest = ns != NULL ? find_highest (series, ns, n_bins, edges) : 0;
  double used[BINS] = { 0 };

  for (guint i = 0; highest > 0 && i < kymo_table_get_n_rows (series); i++)
    {
      set_color (cr, making, kymo_table_get_string (series, "name", i));
      for (guint bin = 0; bin < MIN (n_bins, BINS); bin++)
        {
          double height = KYMO_THUMBNAIL_HEIGHT
            * share_of_bar (ns + i * n_bins, edges, bin) / highest;

          cairo_rectangle (cr, bin * 2.0, KYMO_THUMBNAIL_HEIGHT - used[bin] - height, 2, height);
          used[bin] += height;
        }
      cairo_fill (cr);
    }
}

typedef struct
{
  const char *name;
  double      value;
} Bar;

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const Bar *x = a, *y = b;

  return (x->value < y->value) - (x->value > y->value);
}

static void
paint_profile (cairo_t *cr, const Making *making, const KymoTable *answer)
{
  const KymoTable *activities = kymo_table_peek_nested (answer, "activities", NULL);
  const guint *offsets;
  const KymoTable *exclusive = kymo_table_peek_nested (activities, "exclusive", &offsets);
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (Bar));

  for (guint i = 0; i < kymo_table_get_n_rows (activities); i++)
    {
      Bar bar = { kymo_table_get_string (activities, "shown", i),
                  offsets[i] < offsets[i + 1]
                  ? kymo_table_get_double (exclusive, "total", offsets[i]) : 0 };

      g_array_append_val (bars, bar);
    }
  g_array_sort (bars, compare_bars);
  for (guint i = 0; i < MIN (bars->len, FUNCTIONS); i++)
    {
      const Bar *bar = &g_array_index (bars, Bar, i);
      double most = g_array_index (bars, Bar, 0).value;

      set_color (cr, making, bar->name);
      if (most > 0 && bar->value > 0)
        cairo_rectangle (cr, 0, i * BAR_PX + 1, KYMO_THUMBNAIL_WIDTH * bar->value / most,
                         BAR_PX - 2);
      cairo_fill (cr);
    }
}

static GBytes *
paint_thumbnail (const Making *making, const KymoTable *answer)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                                         KYMO_THUMBNAIL_WIDTH,
                                                         KYMO_THUMBNAIL_HEIGHT);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  char *data = NULL;
  gsize size = 0;

  if (kymo_table_find_column (answer, "series") >= 0)
    paint_time_profile (cr, making, answer);
  else
    paint_profile (cr, making, answer);
  cairo_destroy (cr);
  pixbuf = gdk_pixbuf_get_from_surface (surface, 0, 0, KYMO_THUMBNAIL_WIDTH,
                                        KYMO_THUMBNAIL_HEIGHT);
  cairo_surface_destroy (surface);
  if (pixbuf == NULL || !gdk_pixbuf_save_to_buffer (
        pixbuf, &data, &size, "png", NULL, "tEXt::Kymo-Kind", making->kind, "tEXt::Kymo-Rows",
        making->rows, "tEXt::Kymo-Row", making->row_term, "tEXt::Kymo-Date", making->date, NULL))
    return NULL;
  return g_bytes_new_take (data, size);
}

/* -- making ---------------------------------------------------------------- */

static void
put_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  const Making *making = g_object_get_data (G_OBJECT (task), "making");
  g_autoptr (GError) error = NULL;

  if (!kymo_cache_pictures_put (making->path, data, &error))
    g_debug ("No picture of %s is kept: %s", making->path, error->message);
  g_task_return_boolean (task, TRUE);
}

static void
on_asked (GObject *object, GAsyncResult *result, gpointer data)
{
  Making *making = data;
  g_autoptr (KymoTable) answer = g_task_propagate_pointer (G_TASK (result), NULL);
  GBytes *picture = NULL;
  g_autoptr (GTask) task = NULL;

  /* By now the names of the run are known, and with them their colours. */
  making->colors = kymo_colors_ref (kymo_session_peek_colors (making->session));
  g_clear_object (&making->session);
  if (answer != NULL)
    picture = paint_thumbnail (making, answer);
  if (picture == NULL)
    {
      making_free (making);
      return;
    }
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, picture, (GDestroyNotify) g_bytes_unref);
  g_object_set_data_full (G_OBJECT (task), "making", making, making_free);
  g_task_run_in_thread (task, put_thread);
}

static void
ask_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  const Making *making = data;
  gboolean has_time = kymo_source_get_capabilities (making->source) & KYMO_CAN_BINNED_TIME;
  g_autoptr (KymoQuestion) question = kymo_question_new (has_time ? "time-profile" : "profile");
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  if (has_time)
    kymo_question_set_int (question, "bins", BINS);
  answer = kymo_source_ask (making->source, question, NULL, &error);
  if (answer == NULL)
    g_debug ("There is no picture of %s: %s", making->path, error->message);
  g_task_return_pointer (task, answer, (GDestroyNotify) kymo_table_unref);
}

static gboolean
on_time_to_make (gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_asked, data);

  g_task_set_task_data (task, data, NULL);
  g_task_run_in_thread (task, ask_thread);
  return G_SOURCE_REMOVE;
}

/* The runtime tells when a run ended; else nobody does. */
static char *
dup_date (const KymoTable *info)
{
  const KymoTable *run = kymo_table_peek_nested (info, "run", NULL);
  const char *date = run != NULL && kymo_table_find_column (run, "timestamp") >= 0
    ? kymo_table_get_string (run, "timestamp", 0) : NULL;

  return g_strdup (date != NULL && g_str_is_ascii (date) ? date : "");
}

/**
 * kymo_run_thumbnail_make:
 * @session: of a run that has been read
 * @path: by which it was opened
 * @info: its answer of kind info
 *
 * Makes what the start page shows of the run, a moment later and on other threads. Where that
 * fails the older one stays. Main thread.
 */
void
kymo_run_thumbnail_make (KymoSession *session, const char *path, const KymoTable *info)
{
  Making *making = g_new0 (Making, 1);

  making->source = g_object_ref (kymo_session_peek_source (session));
  making->session = g_object_ref (session);
  making->path = g_strdup (path);
  making->kind = g_strdup (kymo_table_get_string (info, "kind", 0));
  making->rows = g_strdup_printf ("%" G_GINT64_FORMAT,
                                  kymo_table_get_int (info, "locations", 0)
                                  - MAX (kymo_table_get_int (info, "communication_threads", 0),
                                         0));
  making->row_term = g_strdup_printf ("%d", kymo_source_get_terms (making->source).row);
  making->date = dup_date (info);
  g_timeout_add_full (G_PRIORITY_LOW, MAKE_AFTER_MS, on_time_to_make, making, NULL);
}

/* -- showing --------------------------------------------------------------- */

static void
read_picture (KymoRunThumbnail *thumbnail, GBytes *bytes)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new_from_stream (stream, NULL, NULL);
  const char *rows, *row_term, *date;

  if (pixbuf == NULL || gdk_pixbuf_get_width (pixbuf) != KYMO_THUMBNAIL_WIDTH
      || gdk_pixbuf_get_height (pixbuf) != KYMO_THUMBNAIL_HEIGHT)
    return;
  rows = gdk_pixbuf_get_option (pixbuf, "tEXt::Kymo-Rows");
  row_term = gdk_pixbuf_get_option (pixbuf, "tEXt::Kymo-Row");
  date = gdk_pixbuf_get_option (pixbuf, "tEXt::Kymo-Date");
  thumbnail->picture = gdk_texture_new_for_pixbuf (pixbuf);
  thumbnail->kind = g_strdup (gdk_pixbuf_get_option (pixbuf, "tEXt::Kymo-Kind"));
  thumbnail->rows = rows != NULL ? g_ascii_strtoll (rows, NULL, 10) : 0;
  thumbnail->terms.row = row_term != NULL ? CLAMP (atoi (row_term), KYMO_ROW_PE, KYMO_ROW_THREAD)
    : KYMO_ROW_PE;
  thumbnail->date = date != NULL ? g_date_time_new_from_iso8601 (date, NULL) : NULL;
}

/**
 * kymo_run_thumbnail_load:
 * @path: by which a run was opened
 *
 * Reads what was kept of it. Blocks, for as long as the disk of @path does; any thread.
 *
 * Returns: (transfer full): what is known
 */
KymoRunThumbnail *
kymo_run_thumbnail_load (const char *path)
{
  KymoRunThumbnail *thumbnail = g_new0 (KymoRunThumbnail, 1);
  g_autoptr (GBytes) bytes = kymo_cache_pictures_get (path);
  GStatBuf info;

  if (bytes != NULL)
    read_picture (thumbnail, bytes);
  /* Whether one on another machine is there only its server knows. */
  thumbnail->is_there = kymo_remote_is_address (path) || g_stat (path, &info) == 0;
  /* Where the run does not tell when it ran, its folder tells when it was written. */
  if (thumbnail->is_there && thumbnail->picture != NULL && thumbnail->date == NULL)
    thumbnail->date = g_date_time_new_from_unix_utc (info.st_mtime);
  return thumbnail;
}

/** kymo_run_thumbnail_free: frees all of it */
void
kymo_run_thumbnail_free (KymoRunThumbnail *thumbnail)
{
  g_clear_object (&thumbnail->picture);
  g_clear_pointer (&thumbnail->date, g_date_time_unref);
  g_free (thumbnail->kind);
  g_free (thumbnail);
}

static const char *
kind_words (const char *kind)
{
  static const struct { const char *kind, *words; } all[] = {
    { "trace", N_("Trace") }, { "reduced", N_("Reduced trace") }, { "summary", N_("Summary") },
    { "profile", N_("Profile") }, { "stream", N_("Stream") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_strcmp0 (kind, all[i].kind) == 0)
      return _(all[i].words);
  return NULL;
}

/**
 * kymo_run_thumbnail_dup_words:
 *
 * Returns: (transfer full): kind, number of rows and date, of those that are known, as
 *   "Trace · 8 PEs · 21 Nov 2026"; "" where none is
 */
char *
kymo_run_thumbnail_dup_words (const KymoRunThumbnail *thumbnail)
{
  const char *kind = kind_words (thumbnail->kind);
  g_autofree char *rows = thumbnail->rows > 0 ? kymo_words_rows (thumbnail->terms,
                                                                  thumbnail->rows) : NULL;
  g_autoptr (GDateTime) local = thumbnail->date != NULL
    ? g_date_time_to_local (thumbnail->date) : NULL;
  g_autofree char *date = local != NULL ? g_date_time_format (local, _("%-d %b %Y, %H:%M")) : NULL;
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  const char *all[] = { kind, rows, date };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] != NULL)
      g_ptr_array_add (parts, (gpointer) all[i]);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **) parts->pdata);
}
