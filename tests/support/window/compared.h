/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tab with several runs in a window of its own, for tests of comparisons.
 */
#pragma once

#include <adwaita.h>

#include "desk.h"
#include "kymo-canvas.h"
#include "kymo-compare-page.h"

#define FEAT "tests/data/feat-p4-text"
#define NESTED "tests/data/feat-notracenested-p4"
#define PHASES "tests/data/feat-p4-outlierphases"
#define JACOBI "tests/data/ampi-jacobi-p4-gz"
#define PROFILE "tests/data/tau/flat-stencil-4"
#define SAMPLE "data/sample"
#define MOST_TURNS 1500
#define MS G_GINT64_CONSTANT (1000000)

typedef struct
{
  GtkWidget *window;
  GtkWidget *page;
  char      *said;
} Compared;

/* Sides in the order of the paths; a path that begins with "=" repeats the one before. */
char *compared_path (const char *path);
KymoCompareView *compared_view (Compared *desk);
void compared_wait (Compared *desk);
void compared_settle (Compared *desk);
void compared_open (Compared *desk,
                    const char *const *paths);
void compared_close (Compared *desk);
char *compared_figures (Compared *desk);
KymoSession *compared_session (Compared *desk,
                               guint i);
KymoCanvas *compared_canvas (Compared *desk,
                             guint run);
void compared_act (Compared *desk,
                   const char *action,
                   GVariant *parameter);
