/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a person wants figures to look, whatever they show: kept from one export to the next. Main
 * thread only.
 */
#pragma once

#include "kymo-figure-size.h"

G_BEGIN_DECLS

/** KymoFigureTheme: colours of a figure */
typedef enum
{
  KYMO_FIGURE_AS_WINDOW,
  KYMO_FIGURE_LIGHT,
  KYMO_FIGURE_DARK,
  KYMO_FIGURE_PRINT,                   /* black on white, with strong edges */
  KYMO_N_FIGURE_THEMES,
} KymoFigureTheme;

/**
 * KymoFigureSettings:
 * @format: index into kymo_figure_formats
 * @titled: whether there is a title
 */
typedef struct
{
  KymoFigureSize  size;
  guint           format;
  KymoFigureTheme theme;
  gboolean        titled;
  KymoLegendPlace legend;
  guint           legend_most;
} KymoFigureSettings;

/* Endings of files; ends with NULL. */
extern const char *const kymo_figure_formats[];

void  kymo_figure_settings_parse    (KymoFigureSettings       *self,
                                     const char               *text);
char *kymo_figure_settings_dup_text (const KymoFigureSettings *self);
void  kymo_figure_settings_load     (KymoFigureSettings       *self);
void  kymo_figure_settings_keep     (const KymoFigureSettings *self);

G_END_DECLS
