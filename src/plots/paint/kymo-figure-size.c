/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-figure-size.h. A picture with smaller words is laid out in more units, which are as
 * much smaller: all pictures know one size of words.
 */
#include "config.h"

#include "kymo-figure-size.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-error.h"
#include "kymo-text.h"

#define MM_PER_INCH 25.4
#define PT_PER_INCH 72.0
#define LEAST_PX 64
#define MOST_PX 16384
/* The left margin of time charts, for which 112 px are too much of a narrow picture. */
#define LEFT_SHARE 0.18
#define LEAST_LEFT_PX 64

#define PAPER(w, h) { (w), (h), TRUE, 8, 300 }

const KymoFigurePreset kymo_figure_presets[] = {
  { "column", N_("One column"), PAPER (85, 60) },
  { "two-columns", N_("Two columns"), PAPER (178, 95) },
  { "slide", N_("Slide"), { 1920, 1080, FALSE, 18, 96 } },
  { NULL, NULL, { 0 } },
};

const char *const kymo_legend_words[] = {
  [KYMO_LEGEND_AUTO] = "auto", [KYMO_LEGEND_RIGHT] = "right", [KYMO_LEGEND_BELOW] = "below",
  [KYMO_LEGEND_NONE] = "none", NULL
};

/* A number with decimal places, at the begin of @text. */
static gboolean
take_number (const char **text, double *number)
{
  char *end = NULL;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  *number = g_ascii_strtod (*text, &end);
  *text = end;
  return isfinite (*number);
}

/**
 * kymo_figure_size_to_px:
 * @length: in the unit of @size
 *
 * Returns: the length in px of 1/96 inch
 */
double
kymo_figure_size_to_px (const KymoFigureSize *size, double length)
{
  return size->mm ? length / MM_PER_INCH * KYMO_FIGURE_PX_PER_INCH : length;
}

static gboolean
is_possible (const KymoFigureSize *size)
{
  double width = kymo_figure_size_to_px (size, size->width);
  double height = kymo_figure_size_to_px (size, size->height);

  return width >= LEAST_PX && height >= LEAST_PX && width <= MOST_PX && height <= MOST_PX;
}

/**
 * kymo_figure_size_parse:
 * @text: "column", "two-columns", "slide", "1600x900" (px) or "85x60mm"
 * @size: (out): the size, with the size of words and the pixels per inch that belong to it
 *
 * Returns: %FALSE if @text is no size, or one that cannot be painted; then @size is not defined
 */
gboolean
kymo_figure_size_parse (const char *text, KymoFigureSize *size)
{
  static const KymoFigureSize screen = { 0, 0, FALSE, 9, 96 }, paper = PAPER (0, 0);
  double width, height;

  for (const KymoFigurePreset *p = kymo_figure_presets; p->word != NULL; p++)
    if (g_strcmp0 (text, p->word) == 0)
      {
        *size = p->size;
        return TRUE;
      }
  if (!take_number (&text, &width) || *text++ != 'x' || !take_number (&text, &height))
    return FALSE;
  *size = g_strcmp0 (text, "mm") == 0 ? paper : screen;
  size->width = width;
  size->height = height;
  if (!size->mm && (*text != '\0' || width != floor (width) || height != floor (height)))
    return FALSE;
  return is_possible (size);
}

static void
append_number (GString *text, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.6g", number));
}

/**
 * kymo_figure_size_dup_text:
 *
 * Returns: (transfer full): the width and height as kymo_figure_size_parse() reads them: the word
 *   of a preset, or two numbers; font size and pixels per inch may be others than it gives
 */
char *
kymo_figure_size_dup_text (const KymoFigureSize *size)
{
  GString *text;

  for (const KymoFigurePreset *p = kymo_figure_presets; p->word != NULL; p++)
    if (p->size.mm == size->mm && p->size.width == size->width
        && p->size.height == size->height)
      return g_strdup (p->word);
  text = g_string_new (NULL);
  append_number (text, size->width);
  g_string_append_c (text, 'x');
  append_number (text, size->height);
  if (size->mm)
    g_string_append (text, "mm");
  return g_string_free (text, FALSE);
}

/**
 * kymo_figure_size_check:
 *
 * Returns: whether a picture of this size can be painted; %FALSE with %KYMO_ERROR_USAGE where
 *   width, height, font size or pixels per inch are out of bounds or NaN
 */
gboolean
kymo_figure_size_check (const KymoFigureSize *size, GError **error)
{
  if (!is_possible (size))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("The size of a figure has to be from %d to %d px (17 to 4334 mm)"),
                 LEAST_PX, MOST_PX);
  else if (!(size->font_pt >= KYMO_FIGURE_LEAST_PT && size->font_pt <= KYMO_FIGURE_MOST_PT))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("The font size of a figure has to be from %.0f to %.0f points"),
                 KYMO_FIGURE_LEAST_PT, KYMO_FIGURE_MOST_PT);
  else if (!(size->dpi >= KYMO_FIGURE_LEAST_DPI && size->dpi <= KYMO_FIGURE_MOST_DPI))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("A figure can have %d to %d pixels per inch"),
                 KYMO_FIGURE_LEAST_DPI, KYMO_FIGURE_MOST_DPI);
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_figure_size_set_frame:
 * @frame: initialized; its width, height, zoom, scale and left margin are set
 *
 * Gives a frame the size of a figure. Its scale is that of a PNG.
 */
void
kymo_figure_size_set_frame (const KymoFigureSize *size, KymoPlotFrame *frame)
{
  frame->zoom = size->font_pt / PT_PER_INCH * KYMO_FIGURE_PX_PER_INCH / KYMO_TEXT_NORMAL;
  frame->width_px = kymo_figure_size_to_px (size, size->width) / frame->zoom;
  frame->height_px = kymo_figure_size_to_px (size, size->height) / frame->zoom;
  frame->scale = size->dpi / KYMO_FIGURE_PX_PER_INCH * frame->zoom;
  frame->left_px = CLAMP (frame->width_px * LEFT_SHARE, LEAST_LEFT_PX, frame->left_px);
}
