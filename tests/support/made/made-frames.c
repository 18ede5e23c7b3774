/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "made-frames.h"

#include "made_profiles.h"

#define N_NAMES 101

static KymoColors *
new_colors (void)
{
  const char *names[N_NAMES + 1] = { NULL };
  KymoColors *colors = kymo_colors_new (KYMO_PALETTE_STANDARD);

  for (guint i = 0; i < N_NAMES; i++)
    names[i] = made_name (i);
  kymo_colors_assign (colors, names);
  return colors;
}

/** made_frame: of a light picture of ranks and functions, with colours of the made functions */
KymoPlotFrame
made_frame (double width,
            double height)
{
  static KymoColors *colors;
  KymoPlotFrame frame;

  if (colors == NULL)
    colors = new_colors ();
  kymo_plot_frame_init (&frame, width, height, FALSE, colors, (KymoSpan) { 0, 0 });
  frame.terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  return frame;
}
