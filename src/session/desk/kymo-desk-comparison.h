/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a desk keeps of a comparison: which runs on which sides, where they lie, and which
 * page and picture is to be seen. What is visible, hidden and chosen of all runs together
 * is in the desk as that of one run is; its times are shared time.
 *
 * docs/formats/desk.md, groups [Comparison] and [Compared Run N]. Any thread.
 */
#pragma once

#include "kymo-desk.h"

G_BEGIN_DECLS

/**
 * KymoDeskRun:
 * @beside, @uri: as those of a desk
 * @side: 0 is A
 * @offset_ns: run time less shared time
 * @markers: %KYMO_DESK_NONE where it is not set
 * @stretch: of the run that is compared, whose name is the title then; empty = all of it
 */
typedef struct
{
  char    *title, *beside, *uri;
  gint64   side;
  gint64   offset_ns;
  gint64   markers[2];
  KymoSpan stretch;
} KymoDeskRun;

/**
 * KymoDeskComparison:
 * @runs: KymoDeskRun in the order of their sides, never NULL
 * @align: see kymo_comparison_find_offsets(), or "by hand"; or NULL
 * @against: the side A is compared with, or %KYMO_DESK_NONE
 *
 * Texts may be %NULL, flags are -1 where they are not set.
 */
struct _KymoDeskComparison
{
  GPtrArray *runs;
  char      *align, *page, *picture;
  int        shared, stacked, per_pe;
  gint64     against;
};

KymoDeskComparison *
             kymo_desk_comparison_new     (void);
void         kymo_desk_comparison_free    (KymoDeskComparison  *comparison);
/* (transfer none): one more, with nothing set */
KymoDeskRun *kymo_desk_comparison_add     (KymoDeskComparison  *comparison);
gboolean     kymo_desk_read_comparison    (KymoDesk            *desk,
                                           GKeyFile            *file,
                                           GError             **error);
void         kymo_desk_write_comparison   (const KymoDesk      *desk,
                                           GKeyFile            *file);

G_END_DECLS
