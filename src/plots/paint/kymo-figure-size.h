/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The size of a picture in a file: on paper or in pixels, how large its words are, and how many
 * pixels an inch of it has. Window and command line use the same names and numbers. Any thread.
 */
#pragma once

#include "kymo-plot.h"

G_BEGIN_DECLS

/* Figures are made for a size of 1/96 inch a px, at which the words of pictures have 9 points. */
#define KYMO_FIGURE_PX_PER_INCH 96.0
#define KYMO_FIGURE_LEAST_PT 4.0
#define KYMO_FIGURE_MOST_PT 72.0
#define KYMO_FIGURE_LEAST_DPI 24
#define KYMO_FIGURE_MOST_DPI 2400

/**
 * KymoFigureSize:
 * @width: in mm, or in px of 1/96 inch
 * @height: in the same unit
 * @mm: whether they are in mm
 * @font_pt: size of usual words, in points of 1/72 inch; everything else is in proportion
 * @dpi: pixels per inch of a PNG; vectors have none
 */
typedef struct
{
  double   width, height;
  gboolean mm;
  double   font_pt;
  double   dpi;
} KymoFigureSize;

/**
 * KymoFigurePreset:
 * @word: name on the command line and in settings
 * @title: translatable name
 * @size: what it stands for
 */
typedef struct
{
  const char     *word;
  const char     *title;
  KymoFigureSize  size;
} KymoFigurePreset;

/** KYMO_FIGURE_DEFAULT_TEXT: the size of files where nothing else is asked for */
#define KYMO_FIGURE_DEFAULT_TEXT "1600x900"

/* By KymoLegendPlace; ends with NULL. */
extern const char *const kymo_legend_words[];
/* Ends with a NULL word. */
extern const KymoFigurePreset kymo_figure_presets[];

gboolean kymo_figure_size_parse     (const char           *text,
                                     KymoFigureSize       *size);
char    *kymo_figure_size_dup_text  (const KymoFigureSize *size);
gboolean kymo_figure_size_check     (const KymoFigureSize *size,
                                     GError              **error);
double   kymo_figure_size_to_px     (const KymoFigureSize *size,
                                     double                length);
void     kymo_figure_size_set_frame (const KymoFigureSize *size,
                                     KymoPlotFrame        *frame);

G_END_DECLS
