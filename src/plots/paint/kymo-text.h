/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text in pictures: one font, sizes in px, elided in the middle. Any thread.
 */
#pragma once

#include "kymo-theme.h"

G_BEGIN_DECLS

#define KYMO_TEXT_SMALL 10.5
#define KYMO_TEXT_NORMAL 12.0
#define KYMO_TEXT_TITLE 15.0

/**
 * KymoTextStyle:
 * @size_px: font size
 * @bold: whether it is bold
 * @align: 0 = begins at x, 0.5 = centred, 1 = ends at x
 * @max_px: elided in the middle when wider; 0 = no limit
 */
typedef struct
{
  double   size_px;
  gboolean bold;
  double   align;
  double   max_px;
} KymoTextStyle;

/* y is the middle of the line. */
void   kymo_text_draw    (cairo_t       *cr,
                          const char    *text,
                          double         x,
                          double         y,
                          KymoTextStyle  style,
                          KymoRgba       color);
double kymo_text_width   (cairo_t       *cr,
                          const char    *text,
                          KymoTextStyle  style);
/* How many bytes this thread has given pango to lay out: what drawing texts costs. */
gsize  kymo_text_get_laid_out  (void);
/* (transfer full): a function's name for a label of at most style.max_px: where it
   does not fit without the place in the source that some tools put behind it, then
   without its parameters. */
char  *kymo_text_fitting_name
                         (cairo_t       *cr,
                          const char    *name,
                          KymoTextStyle  style);
/* Whether a label of at most style.max_px shows the text, or, where it has to be cut, enough of it
   to tell names apart. */
gboolean kymo_text_can_be_read
                         (cairo_t       *cr,
                          const char    *text,
                          KymoTextStyle  style);

G_END_DECLS
