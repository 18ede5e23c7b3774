/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures and figures into files; see kymo-export.h. The same answer gives
 * the same bytes: a PDF has a fixed date, and ids in an SVG are numbered from
 * one. Any thread.
 */
#include "config.h"

#include "kymo-export.h"

#include "kymo-command.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"
#include "kymo-in-terms.h"
#include "kymo-plot-private.h"
#include "kymo-safe-text.h"
#include "kymo-timeline-messages.h"
#include "kymo-timeline-path.h"

/* Larger pictures are a slip of the finger, and cairo refuses them. */
#define MOST_PX 32000

/**
 * kymo_export_format_of:
 * @path: a file name
 *
 * Returns: (nullable): the format its ending names
 */
const char *
kymo_export_format_of (const char *path)
{
  static const char *const formats[] = { "png", "svg", "pdf", "csv", "json" };
  const char *dot = strrchr (path, '.');

  for (guint i = 0; dot != NULL && i < G_N_ELEMENTS (formats); i++)
    if (g_ascii_strcasecmp (dot + 1, formats[i]) == 0)
      return formats[i];
  return NULL;
}

static gboolean
write_failed (const char *path, int code, GError **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("%s could not be written: %s"), path, g_strerror (code));
  return FALSE;
}

static int
write_all (int fd, const char *bytes, gsize length)
{
  while (length > 0)
    {
      ssize_t n = write (fd, bytes, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? errno : EIO;
      bytes += n;
      length -= n;
    }
  return 0;
}

static gboolean
write_plain (const char *path, const char *bytes, gsize length,
             GError **error)
{
  gboolean standard = g_str_equal (path, "-");
  int fd = standard ? STDOUT_FILENO : g_open (path, O_WRONLY | O_CLOEXEC, 0);
  int code;

  if (fd < 0)
    return write_failed (path, errno, error);
  code = write_all (fd, bytes, length);
  if (!standard && close (fd) != 0 && code == 0)
    code = errno;
  return code == 0 ? TRUE : write_failed (path, code, error);
}

static gboolean
write_beside (const char *path, const char *bytes, gsize length, mode_t mode,
              GError **error)
{
  g_autoptr (KymoBeside) beside = kymo_beside_new (path, mode);
  int code;

  if (beside == NULL)
    return write_failed (path, errno, error);
  code = write_all (kymo_beside_get_fd (beside), bytes, length);
  if (code == 0)
    code = kymo_beside_finish (beside, TRUE);
  return code == 0 ? TRUE : write_failed (path, code, error);
}

/**
 * kymo_write_output:
 * @path: where to; "-" is stdout
 * @bytes: what
 * @length: how much
 *
 * Writes beside @path and renames, so that there is never half a file; what
 * is no ordinary file, such as a pipe or a device, is just written.
 *
 * Returns: whether all was written
 */
gboolean
kymo_write_output (const char  *path,
                   const void  *bytes,
                   gsize        length,
                   GError     **error)
{
  g_autofree char *real = NULL;
  struct stat info;

  if (g_str_equal (path, "-"))
    return write_plain (path, bytes, length, error);
  if (stat (path, &info) != 0)
    return write_beside (path, bytes, length, 0666, error);
  if (S_ISDIR (info.st_mode))
    return write_failed (path, EISDIR, error);
  if (!S_ISREG (info.st_mode))
    return write_plain (path, bytes, length, error);
  /* A link stays a link: its target is replaced. */
  real = realpath (path, NULL);
  return write_beside (real != NULL ? real : path, bytes, length,
                       info.st_mode & 0777, error);
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
set_pdf_fact (cairo_surface_t *surface, cairo_pdf_metadata_t which, const char *text)
{
  g_autofree char *safe = kymo_safe_text_dup (text);

  cairo_pdf_surface_set_metadata (surface, which, safe);
}

static void
set_pdf_facts (cairo_surface_t *surface, const KymoPlotClass *klass,
               const KymoPlotFrame *frame)
{
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                  "2000-01-01T00:00:00Z");
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR,
                                  "Kymo " KYMO_VERSION);
  set_pdf_fact (surface, CAIRO_PDF_METADATA_TITLE,
                frame->title != NULL ? frame->title : kymo_plot_title (klass, frame->terms));
  if (frame->provenance != NULL)
    set_pdf_fact (surface, CAIRO_PDF_METADATA_SUBJECT, frame->provenance);
}

static cairo_surface_t *
make_surface (const char *format, const KymoPlotClass *klass,
              const KymoPlotFrame *frame, GByteArray *out)
{
  cairo_surface_t *surface;

  if (g_str_equal (format, "svg"))
    {
      surface = cairo_svg_surface_create_for_stream (append_bytes, out,
                                                     frame->width_px,
                                                     frame->height_px);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      return surface;
    }
  if (g_str_equal (format, "pdf"))
    {
      surface = cairo_pdf_surface_create_for_stream (append_bytes, out,
                                                     frame->width_px * 0.75,
                                                     frame->height_px * 0.75);
      /* A px is 1/96 inch, a point 1/72. */
      cairo_surface_set_device_scale (surface, 0.75, 0.75);
      set_pdf_facts (surface, klass, frame);
      return surface;
    }
  surface = cairo_image_surface_create (
    CAIRO_FORMAT_ARGB32, ceil (frame->width_px * frame->scale),
    ceil (frame->height_px * frame->scale));
  cairo_surface_set_device_scale (surface, frame->scale, frame->scale);
  return surface;
}

static GByteArray *
paint_bytes (const char *format, const KymoPlotClass *klass,
             const KymoTable *answer, const KymoPlotFrame *frame,
             GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);
  cairo_surface_t *surface = make_surface (format, klass, frame, out);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  klass->paint (cr, picture);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && g_str_equal (format, "png"))
    status = cairo_surface_write_to_png_stream (surface, append_bytes, out);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_steal_pointer (&out);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("The picture could not be painted: %s"),
               cairo_status_to_string (status));
  return NULL;
}

/* Names of the rows, for those who hear a picture or search in it: cairo
   writes words as outlines. */
static void
append_labels (GString *text, const KymoTable *answer)
{
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  guint n;

  if (rows == NULL)
    rows = kymo_table_peek_nested (answer, "locations", NULL);
  n = rows != NULL ? kymo_table_get_n_rows (rows) : 0;
  for (guint i = 0; i < MIN (n, 64); i++)
    {
      const char *label = kymo_table_get_string (rows, "label", i);

      if (label != NULL)
        g_string_append_printf (text, "%s%s", i == 0 ? ". " : ", ", label);
    }
  if (n > 64)
    g_string_append (text, ", …");
}

/* XML has no way to write most controls. */
static char *
dup_xml (const char *text)
{
  g_autofree char *safe = kymo_safe_text_dup (text);

  return g_markup_escape_text (safe, -1);
}

static char *
svg_words (const KymoPlotClass *klass, const KymoTable *answer,
           const KymoPlotFrame *frame)
{
  const char *title = frame->title != NULL ? frame->title
                      : kymo_plot_title (klass, frame->terms);
  g_autofree char *range = kymo_span_is_all (frame->span)
                           ? g_strdup ("") : kymo_span_words (frame->span);
  g_autoptr (GString) about = g_string_new (range);
  g_autofree char *about_xml = NULL, *title_xml = NULL;

  append_labels (about, answer);
  if (frame->provenance != NULL)
    g_string_append_printf (about, ". %s", frame->provenance);
  title_xml = dup_xml (title);
  about_xml = dup_xml (about->str);
  return g_strdup_printf ("\n<title>%s</title>\n<desc>%s</desc>", title_xml,
                          about_xml);
}

/* The first surface of this file is number 1, and so on. */
static gboolean
renumber (const GMatchInfo *match, GString *result, gpointer data)
{
  GHashTable *numbers = data;
  char *old = g_match_info_fetch (match, 0);
  gpointer number = g_hash_table_lookup (numbers, old);

  if (number == NULL)
    {
      number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
      g_hash_table_insert (numbers, g_strdup (old), number);
    }
  g_string_append_printf (result, "surface%u", GPOINTER_TO_UINT (number));
  g_free (old);
  return FALSE;
}

/* Says in words what the picture is, and gives the surfaces' ids numbers that
   do not depend on what was painted before. */
static GByteArray *
finish_svg (GByteArray *svg, const char *words)
{
  g_autoptr (GRegex) ids = g_regex_new ("(?<=[\"#])surface[0-9]+(?=[\")])",
                                        G_REGEX_OPTIMIZE, 0, NULL);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (
    g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *same = g_regex_replace_eval (
    ids, (const char *) svg->data, svg->len, 0, 0, renumber, numbers, NULL);
  const char *open = same != NULL ? strstr (same, "<svg") : NULL;
  const char *end = open != NULL ? strchr (open, '>') : NULL;
  GByteArray *out;

  if (end == NULL)
    return g_byte_array_ref (svg);
  out = g_byte_array_new ();
  g_byte_array_append (out, (const guint8 *) same, end + 1 - same);
  g_byte_array_append (out, (const guint8 *) words, strlen (words));
  g_byte_array_append (out, (const guint8 *) end + 1, strlen (end + 1));
  return out;
}

static gboolean
write_figures (const KymoTable *answer, const char *format, const char *path,
               GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (g_str_equal (format, "csv"))
    kymo_table_write_csv (answer, text);
  else
    {
      kymo_table_write_json (answer, text);
      if (text->len > 0 && text->str[text->len - 1] != '\n')
        g_string_append_c (text, '\n');
    }
  return kymo_write_output (path, text->str, text->len, error);
}

static const char *
choose_format (const char *format, const char *path, GError **error)
{
  static const char *const known[] = { "png", "svg", "pdf", "csv", "json",
                                       NULL };

  if (format == NULL)
    format = kymo_export_format_of (path);
  if (format != NULL && g_strv_contains (known, format))
    return format;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("%s: a picture's name ends in .png, .svg, .pdf, .csv or "
                 ".json"), path);
  return NULL;
}

static gboolean
check_size (const KymoPlotFrame *frame, GError **error)
{
  double scale = MAX (frame->scale, 1);

  if (frame->width_px >= 64 && frame->height_px >= 64
      && frame->width_px * scale <= MOST_PX
      && frame->height_px * scale <= MOST_PX)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("A picture of %.0f × %.0f cannot be painted; 64 to %d are "
                 "possible"),
               frame->width_px, frame->height_px, MOST_PX);
  return FALSE;
}

/* A file's frame: decorated; vectors know no pixels. */
static KymoPlotFrame
file_frame (const KymoPlotFrame *frame, const char *format)
{
  KymoPlotFrame result = *frame;

  result.decorate = TRUE;
  result.hovered = NULL;
  if (!g_str_equal (format, "png") || result.scale < 1)
    result.scale = 1;
  return result;
}

/* A file says of whom its figures are wherever it gets to. */
static char *
dup_provenance (const KymoPlotFrame *frame, const KymoTable *answer)
{
  g_autofree char *words = kymo_extrapolated_words (answer, frame->terms);

  return words != NULL && frame->provenance != NULL
         ? g_strdup_printf ("%s · %s", frame->provenance, words)
         : words != NULL ? g_steal_pointer (&words) : g_strdup (frame->provenance);
}

/**
 * kymo_export_answer:
 * @klass: the picture
 * @answer: its answer, asked for a decorated frame of this size
 * @frame: size, theme and words
 * @format: (nullable): %NULL goes by the ending of @path
 * @path: where to; "-" is stdout
 *
 * Returns: whether the file was written
 */
gboolean
kymo_export_answer (const KymoPlotClass  *klass,
                    const KymoTable      *answer,
                    const KymoPlotFrame  *frame,
                    const char           *format,
                    const char           *path,
                    GError              **error)
{
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree char *provenance = NULL;
  KymoPlotFrame decorated;

  format = choose_format (format, path, error);
  if (format == NULL)
    return FALSE;
  if (g_str_equal (format, "csv") || g_str_equal (format, "json"))
    return write_figures (answer, format, path, error);
  if (!check_size (frame, error))
    return FALSE;
  decorated = file_frame (frame, format);
  decorated.provenance = provenance = dup_provenance (frame, answer);
  bytes = paint_bytes (format, klass, answer, &decorated, error);
  if (bytes == NULL)
    return FALSE;
  if (g_str_equal (format, "svg"))
    {
      g_autofree char *words = svg_words (klass, answer, &decorated);
      GByteArray *finished = finish_svg (bytes, words);

      g_byte_array_unref (bytes);
      bytes = finished;
    }
  return kymo_write_output (path, bytes->data, bytes->len, error);
}

/* Colours and order as the window has them: the busiest names of the whole run first. */
static KymoColors *
colors_of_run (KymoSource *source, GCancellable *cancellable)
{
  KymoColors *colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
  g_autoptr (KymoQuestion) question = kymo_question_new ("profile");
  g_autoptr (KymoTable) profile = kymo_source_ask (source, question,
                                                   cancellable, NULL);

  if (profile != NULL)
    {
      g_auto (GStrv) names = kymo_colors_names_by_time (profile);
      g_autoptr (GHashTable) families = kymo_colors_families (profile);

      kymo_colors_assign_known (colors, (const char *const *) names,
                                &(KymoColorTraits) { .families = families });
    }
  return colors;
}

static void
set_parameters (KymoQuestion *question, GHashTable *parameters)
{
  GHashTableIter iter;
  gpointer key, value;

  if (parameters == NULL)
    return;
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (question, key, value);
}

/* What a file is asked for, beside what the caller says. */
static void
complete_frame (KymoPlotFrame *frame, KymoSource *source)
{
  KymoSpan whole = kymo_source_get_span (source);
  KymoSpan part = kymo_span_intersect (frame->span, whole);

  if (kymo_span_length (frame->span) == 0 || kymo_span_is_all (frame->span))
    frame->span = whole;
  else if (kymo_span_length (part) > 0)
    frame->span = part;
  frame->terms = kymo_source_get_terms (source);
}

/** kymo_export_question: Returns: (transfer full): */
KymoQuestion *
kymo_export_question (const KymoPlotClass *klass, const KymoPlotFrame *frame,
                      KymoSource *source)
{
  KymoPlotFrame plain = *frame;

  plain.decorate = TRUE;
  plain.scale = 1;
  plain.by_time = FALSE;
  plain.chosen = NULL;
  plain.chosen_location = -1;
  plain.classes = NULL;
  plain.order = NULL;
  complete_frame (&plain, source);
  return klass->question (&plain);
}

/**
 * kymo_export_view:
 * @klass: the picture
 * @source: the run
 * @frame: size, theme, words and range; without colours those of the run are
 *   used, without a range the whole run is shown
 * @locations: (nullable): which locations, %NULL means all
 * @parameters: (nullable): keywords of the question and their values
 * @format: (nullable): %NULL goes by the ending of @path
 * @path: where to; "-" is stdout
 *
 * Asks the picture's own question and exports the answer. Blocks; call on a
 * worker thread.
 *
 * Returns: whether the file was written
 */
gboolean
kymo_export_view (const KymoPlotClass *klass, KymoSource *source, const KymoPlotFrame *frame,
                  KymoIdSet *locations, GHashTable *parameters, const char *format,
                  const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (KymoColors) colors = NULL;
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) answer = NULL, messages = NULL, path_over = NULL;
  KymoPlotFrame asked;

  format = choose_format (format, path, error);
  if (format == NULL)
    return FALSE;
  asked = file_frame (frame, format);
  complete_frame (&asked, source);
  if (asked.colors == NULL)
    asked.colors = colors = colors_of_run (source, cancellable);
  question = klass->question (&asked);
  if (locations != NULL)
    kymo_question_set_locations (question, locations);
  set_parameters (question, parameters);
  kymo_question_set_int (question, "once", 1);
  answer = kymo_source_ask (source, question, cancellable, error);
  if (answer == NULL
      || !kymo_timeline_ask_messages (source, &asked, question, cancellable,
                                      &messages, error)
      || !kymo_timeline_ask_path (source, &asked, question, cancellable, &path_over, error))
    return FALSE;
  asked.messages = messages;
  asked.path = path_over;
  return kymo_export_answer (klass, answer, &asked, format, path, error);
}

/* What a location of a stream stands for. */
static char *
mean_words (KymoSource *source)
{
  guint n = kymo_source_get_mean_of (source);

  if (n == 0)
    return g_strdup (_("utilization stream"));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "utilization stream of %u PE",
                                       "utilization stream, mean of %u PEs", n), n);
}

/**
 * kymo_export_provenance:
 * @span: the range that is shown
 *
 * Returns: (transfer full): "leanmd · 1.15 – 1.40 s · Kymo 0.1.0", with "clocks
 * corrected" before the program where times are not those of the files, and
 * "summary by bins" where single blocks are not known, or how many PEs a
 * stream tells the mean of; without a range of a run that has no axis of time
 */
char *
kymo_export_provenance (KymoSource *source, KymoSpan span)
{
  g_autofree char *name = kymo_source_dup_title (source);
  g_autofree char *range = NULL;

  range = kymo_span_words (kymo_span_intersect (span,
                                                kymo_source_get_span (source)));
  if (kymo_source_get_capabilities (source) & KYMO_CAN_STREAM)
    {
      g_autofree char *mean = mean_words (source);

      return g_strdup_printf ("%s · %s · %s · Kymo %s", name, range, mean, KYMO_VERSION);
    }
  if (kymo_source_has_corrected_clocks (source))
    return g_strdup_printf ("%s · %s · %s · Kymo %s", name, range, _("clocks corrected"),
                            KYMO_VERSION);
  /* A profile has no axis of time. */
  if (!(kymo_source_get_capabilities (source) & KYMO_CAN_BINNED_TIME))
    return g_strdup_printf ("%s · Kymo %s", name, KYMO_VERSION);
  if (!(kymo_source_get_capabilities (source) & KYMO_CAN_INTERVALS))
    return g_strdup_printf ("%s · %s · %s · Kymo %s", name, range, _("summary by bins"),
                            KYMO_VERSION);
  return g_strdup_printf ("%s · %s · Kymo %s", name, range, KYMO_VERSION);
}
