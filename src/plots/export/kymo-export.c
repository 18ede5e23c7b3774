/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures and figures into files; see kymo-export.h. The same answer gives
 * the same bytes: a PDF has a fixed date, and ids in an SVG are numbered from
 * one. Any thread.
 */
#include "config.h"

#include "kymo-export.h"

#include "kymo-command.h"
#include "kymo-export-private.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-in-terms.h"
#include "kymo-plot-private.h"
#include "kymo-safe-text.h"
#include "kymo-timeline-messages.h"
#include "kymo-timeline-path.h"

/* Larger pictures are a slip of the finger, and cairo refuses them. */
#define MOST_PX 32000
/* What rounding may add to a whole number of pixels. */
#define ALMOST_NONE_PX 1e-6

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

/**
 * kymo_export_title:
 *
 * Returns: (transfer none): what a file is called, also where its picture shows no title
 */
const char *
kymo_export_title (const KymoPlotClass *klass, const KymoPlotFrame *frame)
{
  return frame->title != NULL && *frame->title != '\0'
         ? frame->title : kymo_plot_title (klass, frame->terms);
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
                kymo_export_title (klass, frame));
  if (frame->provenance != NULL)
    set_pdf_fact (surface, CAIRO_PDF_METADATA_SUBJECT, frame->provenance);
}

static cairo_surface_t *
make_surface (const char *format, const KymoPlotClass *klass,
              const KymoPlotFrame *frame, GByteArray *out)
{
  double width = frame->width_px * frame->zoom, height = frame->height_px * frame->zoom;
  cairo_surface_t *surface;

  if (g_str_equal (format, "svg"))
    {
      surface = cairo_svg_surface_create_for_stream (append_bytes, out, width, height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      cairo_surface_set_device_scale (surface, frame->zoom, frame->zoom);
      return surface;
    }
  if (g_str_equal (format, "pdf"))
    {
      surface = cairo_pdf_surface_create_for_stream (append_bytes, out, width * 0.75,
                                                     height * 0.75);
      /* A px is 1/96 inch, a point 1/72. */
      cairo_surface_set_device_scale (surface, 0.75 * frame->zoom, 0.75 * frame->zoom);
      set_pdf_facts (surface, klass, frame);
      return surface;
    }
  surface = cairo_image_surface_create (
    CAIRO_FORMAT_ARGB32, lround (frame->width_px * frame->scale),
    lround (frame->height_px * frame->scale));
  cairo_surface_set_device_scale (surface, frame->scale, frame->scale);
  return surface;
}

static cairo_status_t
paint_onto (cairo_surface_t *surface, const KymoPlotClass *klass, const KymoTable *answer,
            const KymoPlotFrame *frame)
{
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  kymo_picture_paint (cr, picture);
  status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

static void
set_unpainted (cairo_status_t status, GError **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("The picture could not be painted: %s"),
               cairo_status_to_string (status));
}

static GByteArray *
paint_bytes (const char *format, const KymoPlotClass *klass,
             const KymoTable *answer, const KymoPlotFrame *frame,
             GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  cairo_surface_t *surface = make_surface (format, klass, frame, out);
  cairo_status_t status = paint_onto (surface, klass, answer, frame);

  if (status == CAIRO_STATUS_SUCCESS && g_str_equal (format, "png"))
    status = cairo_surface_write_to_png_stream (surface, append_bytes, out);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_steal_pointer (&out);
  set_unpainted (status, error);
  return NULL;
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
  double scale = MAX (frame->scale, frame->zoom);

  if (frame->width_px * frame->zoom >= 64 - ALMOST_NONE_PX
      && frame->height_px * frame->zoom >= 64 - ALMOST_NONE_PX
      && frame->width_px * scale <= MOST_PX && frame->height_px * scale <= MOST_PX)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("A picture of %.0f × %.0f cannot be painted; 64 to %d are "
                 "possible"),
               frame->width_px * scale, frame->height_px * scale, MOST_PX);
  return FALSE;
}

/**
 * kymo_export_frame:
 * @format: "png", "svg" and so on
 *
 * Returns: the frame of a file: it is decorated and nothing in it is hovered; vectors know no
 *   pixels
 */
KymoPlotFrame
kymo_export_frame (const KymoPlotFrame *frame, const char *format)
{
  KymoPlotFrame result = *frame;

  result.decorate = TRUE;
  result.hovered = NULL;
  if (!g_str_equal (format, "png"))
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
  decorated = kymo_export_frame (frame, format);
  decorated.provenance = provenance = dup_provenance (frame, answer);
  bytes = paint_bytes (format, klass, answer, &decorated, error);
  if (bytes == NULL)
    return FALSE;
  if (g_str_equal (format, "svg"))
    {
      GByteArray *finished = kymo_export_finish_svg (bytes, klass, answer, &decorated);

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

/* Asks for a picture, and for the messages and the path over it that the question names. */
static KymoTable *
ask_picture (KymoSource *source, KymoPlotFrame *frame, KymoQuestion *question,
             GCancellable *cancellable, GError **error)
{
  g_autoptr (KymoTable) answer = NULL, messages = NULL, path = NULL;

  kymo_question_set_int (question, "once", 1);
  answer = kymo_source_ask (source, question, cancellable, error);
  if (answer == NULL
      || !kymo_timeline_ask_messages (source, frame, question, cancellable, &messages, error)
      || !kymo_timeline_ask_path (source, frame, question, cancellable, &path, error))
    return NULL;
  frame->messages = g_steal_pointer (&messages);
  frame->path = g_steal_pointer (&path);
  return g_steal_pointer (&answer);
}

static void
clear_overlay (KymoPlotFrame *frame)
{
  kymo_table_unref ((KymoTable *) frame->messages);
  kymo_table_unref ((KymoTable *) frame->path);
}

/**
 * kymo_export_asked:
 * @klass: the picture
 * @frame: size, theme and words
 * @question: of the picture for a frame from kymo_export_frame(); "messages" and "follow" in it are
 *   asked for, too
 * @format: (nullable): %NULL goes by the ending of @path
 * @path: where to; "-" is stdout
 *
 * Asks and writes the answer. Blocks; call on a worker thread.
 *
 * Returns: whether the file was written
 */
gboolean
kymo_export_asked (const KymoPlotClass *klass, KymoSource *source, const KymoPlotFrame *frame,
                   KymoQuestion *question, const char *format, const char *path,
                   GCancellable *cancellable, GError **error)
{
  KymoPlotFrame asked;
  g_autoptr (KymoTable) answer = NULL;
  gboolean ok;

  format = choose_format (format, path, error);
  if (format == NULL)
    return FALSE;
  asked = kymo_export_frame (frame, format);
  answer = ask_picture (source, &asked, question, cancellable, error);
  if (answer == NULL)
    return FALSE;
  ok = kymo_export_answer (klass, answer, &asked, format, path, error);
  clear_overlay (&asked);
  return ok;
}

/**
 * kymo_export_preview:
 * @frame: as for kymo_export_asked(), of a PNG
 *
 * Asks and paints the same picture as kymo_export_asked() writes. Blocks; call on a worker thread.
 *
 * Returns: (transfer full) (nullable): an image surface of 32 bits a pixel; %NULL with @error
 */
cairo_surface_t *
kymo_export_preview (const KymoPlotClass *klass, KymoSource *source, const KymoPlotFrame *frame,
                     KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  KymoPlotFrame asked = kymo_export_frame (frame, "png");
  g_autoptr (KymoTable) answer = NULL;
  g_autofree char *provenance = NULL;
  cairo_surface_t *surface;
  cairo_status_t status;

  if (!check_size (&asked, error))
    return NULL;
  answer = ask_picture (source, &asked, question, cancellable, error);
  if (answer == NULL)
    return NULL;
  asked.provenance = provenance = dup_provenance (&asked, answer);
  surface = make_surface ("png", klass, &asked, NULL);
  status = paint_onto (surface, klass, answer, &asked);
  clear_overlay (&asked);
  if (status == CAIRO_STATUS_SUCCESS)
    return surface;
  cairo_surface_destroy (surface);
  set_unpainted (status, error);
  return NULL;
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
  KymoPlotFrame asked;

  format = choose_format (format, path, error);
  if (format == NULL)
    return FALSE;
  asked = kymo_export_frame (frame, format);
  complete_frame (&asked, source);
  if (asked.colors == NULL)
    asked.colors = colors = colors_of_run (source, cancellable);
  question = klass->question (&asked);
  if (locations != NULL)
    kymo_question_set_locations (question, locations);
  set_parameters (question, parameters);
  return kymo_export_asked (klass, source, &asked, question, format, path, cancellable, error);
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
