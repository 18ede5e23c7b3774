/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places of a run view (a PE, a time, a name, a view, ...), and going there. For
 * kymo-go-to.c, which lists them. Main thread only.
 */
#pragma once

#include "kymo-run-view.h"
#include "kymo-span.h"

G_BEGIN_DECLS

/**
 * KymoPlaceKind:
 * @KYMO_PLACE_LOCATION: a row of the timeline, or a thread of a profile
 * @KYMO_PLACE_TIME: a time, at the begin of the span
 * @KYMO_PLACE_RANGE: a visible range
 * @KYMO_PLACE_NAME: the next block of an entry method, or a function of a profile
 * @KYMO_PLACE_VIEW: a view, with or without a mode of it
 * @KYMO_PLACE_BOOKMARK: a bookmark, by its number
 * @KYMO_PLACE_ROWS: a location filter
 * @KYMO_PLACE_ACTION: an action of the window
 *
 * Tells which members of a #KymoPlace are in use.
 */
typedef enum
{
  KYMO_PLACE_LOCATION,
  KYMO_PLACE_TIME,
  KYMO_PLACE_RANGE,
  KYMO_PLACE_NAME,
  KYMO_PLACE_VIEW,
  KYMO_PLACE_BOOKMARK,
  KYMO_PLACE_ROWS,
  KYMO_PLACE_ACTION,
} KymoPlaceKind;

/** KymoPlace: what somebody may mean who wants to go somewhere */
typedef struct
{
  KymoPlaceKind kind;
  char         *name;                  /* of an entry method, view or action; which rows
                                          are to be shown, NULL = all */
  const char   *mode;                  /* of the view, or NULL */
  gint64        location;              /* or the number of a bookmark */
  KymoSpan      span;                  /* a time is its begin */
  GVariant     *target;                /* of an action, or NULL */
} KymoPlace;

void kymo_place_free           (gpointer         place);
void kymo_place_go             (KymoRunView     *view,
                                const KymoPlace *place);
/* The block there that is in the middle of what is visible, or as before. */
void kymo_place_go_to_location (KymoRunView     *view,
                                gint64           location);
/* The time comes to the middle. */
void kymo_place_go_to_time     (KymoRunView     *view,
                                gint64           time_ns);

G_END_DECLS
