/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoDesk: what is kept of the desk of a run, as a plain value and as a file
 * (docs/formats/desk.md): which views, what is visible, selected, marked, hidden,
 * chosen and noted. What is not set was not kept.
 *
 * A file may come from anywhere, and be of a later program: kymo_desk_parse() believes no
 * length, number or name; it gives a desk whose every value is within its bounds. A value
 * that is not is left out and told, the others are read.
 */
#pragma once

#include "kymo-palette.h"
#include "kymo-session-profile.h"

G_BEGIN_DECLS

/** KYMO_DESK_SUFFIX: what names of files of desks end in */
#define KYMO_DESK_SUFFIX ".kymodesk"
/** KYMO_DESK_VERSION: a file with a later one is not read */
#define KYMO_DESK_VERSION 1
/** KYMO_DESK_FILE_MOST: bytes of a file at most */
#define KYMO_DESK_FILE_MOST (8 << 20)
/** KYMO_DESK_PLACES_MOST: parts with a group of their own */
#define KYMO_DESK_PLACES_MOST 16
/** KYMO_DESK_NONE: a time or number that is not set */
#define KYMO_DESK_NONE G_MININT64

/** KymoDeskPane: as the run view has them */
typedef enum
{
  KYMO_DESK_SIDEBAR,
  KYMO_DESK_LEGEND,
  KYMO_DESK_DETAILS,
  KYMO_DESK_N_PANES,
} KymoDeskPane;

/** KymoDeskNote: a bookmark */
typedef struct
{
  char    *name, *note;                /* never NULL */
  KymoSpan span;
  char    *locations;                  /* a list, or NULL = all */
} KymoDeskNote;

/**
 * KymoDeskPlace:
 * @options: as those of the desk, of this part alone
 * @words: "VIEW.KEY" -> value, see kymo-desk-words.h; what is not there is as the
 *   view has it at first
 *
 * What is chosen in a part of the desk.
 */
typedef struct
{
  char       *options[KYMO_N_OPTIONS];
  GHashTable *words;
} KymoDeskPlace;

typedef struct _KymoDeskComparison KymoDeskComparison;

/**
 * KymoDesk:
 *
 * Texts that are %NULL, flags that are -1, times that are %KYMO_DESK_NONE and
 * spans that begin there are not set.
 */
typedef struct _KymoDesk
{
  /* The run it was. */
  char        *title;
  char        *uri;                    /* where it lay: a file: URI */
  char        *beside;                 /* the same, seen from the folder of the desk:
                                          a relative URI reference */
  char        *stamp;                  /* of its main file */
  gint64       n_locations;
  KymoSpan     full;
  /* The views. */
  char        *layout;                 /* see kymo_run_view_set_layout() */
  char        *view;                   /* id of the one in front */
  char        *search;
  int          panes[KYMO_DESK_N_PANES];
  /* The visible range, and the things that are chosen. */
  KymoSpan     range;
  KymoSpan     selection;
  gint64       block_location, block_time_ns;
  gint64       markers[2];
  char       **hidden;
  char        *locations;
  int          by_class, extrapolates;
  char        *order;                  /* of rows, as kymo_row_order_parse() reads it */
  KymoSpan     order_span;             /* what it is by; not set = the whole run */
  char        *pinned;                 /* locations, a list */
  char        *fold;                   /* see kymo_row_groups_fold_text() */
  gint64       least_ns;               /* shorter blocks are hidden */
  char        *line;                   /* the counter below the rows */
  char        *metrics;                /* the system metrics below all rows, "A,B" */
  char        *messages;               /* see kymo_message_lines_to_string() */
  int          by_bytes;
  gint64       least_bytes;            /* smaller messages are hidden */
  gint64       message_tag;            /* those with another tag are */
  char        *options[KYMO_N_OPTIONS];  /* of the current part */
  GPtrArray   *places;                 /* KymoDeskPlace, of the parts in the order of
                                          reading, never NULL */
  char        *function, *thread;
  char        *palette;                /* name of the one in the menu */
  char        *color_by;               /* see kymo_color_by_to_string() */
  KymoPalette *colors;
  GPtrArray   *notes;                  /* KymoDeskNote, never NULL */
  KymoDeskComparison *comparison;      /* of several runs, or NULL */
  char        *file;                   /* name of the one it was read from, or NULL: kept */
  GPtrArray   *left_out;               /* char *, never NULL: which values of the file are
                                          nothing that they could be, in words */
} KymoDesk;

KymoDesk *kymo_desk_new     (void);
void      kymo_desk_free    (KymoDesk    *desk);
void      kymo_desk_add_note (KymoDesk   *desk,
                              KymoSpan    span,
                              const char *name,
                              const char *note,
                              const char *locations);
/* @why: (transfer full): a value is left out for that */
void      kymo_desk_leave_out (KymoDesk *desk,
                               GError   *why);
/* (transfer full) (nullable): a sentence of what was left out; NULL where nothing was */
char     *kymo_desk_dup_left_out (const KymoDesk *desk);
/* (transfer none): one more, with nothing set */
KymoDeskPlace *kymo_desk_add_place (KymoDesk *desk);
KymoDesk *kymo_desk_parse   (const char  *text,
                             gsize        length,
                             GError     **error);
char     *kymo_desk_to_text (const KymoDesk *desk);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoDesk, kymo_desk_free)

G_END_DECLS
