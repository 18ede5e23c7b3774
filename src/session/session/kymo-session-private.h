/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's inside, shared by kymo-session.c (life, range, history),
 * kymo-session-follow.c (a run that grows), kymo-session-names.c (colours),
 * kymo-session-classes.c (clusters of PEs, and what every question is given),
 * kymo-session-profile.c (what is chosen of a profile), kymo-session-coupling.c
 * (sessions of several runs),
 * kymo-session-state.c (selection, filter, markers), kymo-selected-block.c (what the
 * source answers about the selected block), kymo-session-bookmarks.c,
 * kymo-session-colors.c (those that a person chose) and kymo-session-desk.c (all of
 * it kept and restored).
 */
#pragma once

#include "kymo-palette.h"
#include "kymo-selected-block.h"
#include "kymo-session-profile.h"
#include "kymo-session.h"
#include "kymo-session-messages.h"

G_BEGIN_DECLS

/* The shortest visible range, and how long a run is taken to be at least. */
#define KYMO_SESSION_LEAST_NS 1000

typedef struct _KymoSessionRows KymoSessionRows;
typedef struct _KymoSessionPath KymoSessionPath;

struct _KymoSession
{
  GObject       parent_instance;

  KymoSource   *source;
  KymoSession  *first;             /* that it is beside of, or NULL */
  GCancellable *cancellable;
  KymoSpan      full;
  KymoSpan      range;
  gboolean      has_bounds;        /* of a coupling, in place of the run's span */
  KymoSpan      bounds;
  KymoSpan      stretch;           /* of a coupling; empty = none */
  gint64        least_ns;          /* the shortest range; 0 = the usual */
  GArray       *back;              /* KymoSpan */
  GArray       *forward;           /* KymoSpan */
  gint64        gesture_us;
  gint64        follow_ns;         /* 0 = it does not follow */
  gint64        followed_ns;       /* what it last followed; 0 = never did */
  gboolean      grows;             /* the whole run was asked for since then */
  gboolean      has_selection;
  KymoSpan      selection;
  gboolean      has_block;
  gint64        block_location;
  gint64        block_time_ns;
  KymoSelectedBlock *selected_block; /* made on first use */
  KymoColors   *colors;
  KymoPalette  *palette;
  GStrv         names;             /* busiest first, or NULL */
  GHashTable   *groups;            /* name -> group, or NULL */
  GHashTable   *families;          /* name -> KymoColorFamily, or NULL */
  KymoColorBy   color_by;
  gint64        named_ns;          /* length of the run they are of */
  gboolean      named_by_draft;    /* in an order that is not exact yet */
  gboolean      names_are_given;   /* no source is asked for them */
  gboolean      families_are_given;
  gint64        asked_us;          /* when names were last asked for */
  gboolean      asking;
  guint         names_id;          /* of the next time */
  GHashTable   *hidden;            /* set of names */
  GHashTable   *ids;               /* what the names of the last profile stand for, or NULL */
  char         *hovered;               /* or NULL */
  gconstpointer hover_teller;          /* who told of it */
  char         *pointed;               /* what is hovered if the pointer rests; or NULL */
  gconstpointer point_teller;
  gint64        pointed_at_us;         /* since when, monotonic */
  guint         point_id;              /* the pointer may come to rest */
  gboolean      hovers_location, hovers_time;
  gint64        hovered_location, hovered_ns;
  KymoIdSet    *hovered_set;           /* or NULL */
  KymoIdSet    *locations;
  KymoTable    *classes;           /* answer of clusters, or NULL */
  GArray       *order;             /* gint64: PEs by cluster; NULL without */
  gboolean      by_class;          /* rows are in that order */
  gboolean      extrapolates;
  KymoSessionRows *rows;           /* of kymo-session-rows.c, or NULL */
  KymoSessionPath *path;           /* of kymo-session-path.c, or NULL */
  KymoMessageLines messages;       /* shown over timelines */
  gboolean      by_bytes;          /* weighs their arrows */
  gint64        least_bytes;       /* smaller messages are not shown */
  gint64        message_tag;       /* nor those with another one; -1 = any */
  KymoProfileOptions *options;     /* of the part with the focus; made on first use */
  char         *function;          /* chosen, or NULL */
  char         *thread;            /* NULL = the mean */
  gboolean      has_marker[2];
  gint64        markers[2];
  guint         next_marker;
  GPtrArray    *bookmarks;         /* KymoBookmark */
  GPtrArray    *run_bookmarks;     /* KymoBookmark: markers of the run's files */
};

enum
{
  PROP_0,
  PROP_SOURCE,
  PROP_PALETTE,
  PROP_HOVERED_NAME,
  PROP_HISTORY_DEPTH,
  PROP_FOLLOW,
  PROP_FIRST,
  PROP_BY_CLASS,
  PROP_EXTRAPOLATES,
  N_PROPS,
};

enum
{
  RANGE_CHANGED,
  SELECTION_CHANGED,
  FILTER_CHANGED,
  COLORS_CHANGED,
  MARKERS_CHANGED,
  BOOKMARKS_CHANGED,
  GROWN,
  CLASSES_CHANGED,
  PROFILE_CHANGED,
  FUNCTION_CHANGED,
  THREAD_CHANGED,
  ROWS_CHANGED,
  MESSAGES_CHANGED,
  PATH_CHANGED,
  HOVER_CHANGED,
  N_SIGNALS,
};

void     kymo_session_emit          (KymoSession   *self,
                                     guint          signal);
void     kymo_session_notify        (KymoSession   *self,
                                     guint          property);
void     kymo_session_show          (KymoSession   *self,
                                     KymoSpan       range);
gboolean kymo_spans_equal           (KymoSpan       a,
                                     KymoSpan       b);
KymoSpan kymo_session_fitted        (KymoSession   *self,
                                     double         begin,
                                     double         length);
void     kymo_session_push_history  (KymoSession   *self);
void     kymo_session_measure       (KymoSession   *self);
void     kymo_session_grow          (KymoSession   *self);
void     kymo_session_stand         (KymoSession   *self);
gboolean kymo_session_zoom_follow   (KymoSession   *self,
                                     double         factor);
void     kymo_session_share         (KymoSession   *self);
KymoSession *
         kymo_session_of_names      (KymoSession   *self);
void     kymo_session_set_palette   (KymoSession   *self,
                                     guint          kind);
void     kymo_session_free_bookmark (gpointer       data);
KymoBookmark *
         kymo_session_new_bookmark  (KymoSpan       span,
                                     const char    *name,
                                     const char    *note,
                                     KymoIdSet     *locations);
/* bookmarks: (transfer full) (element-type KymoBookmark): all there are */
void     kymo_session_take_bookmarks (KymoSession  *self,
                                      GPtrArray    *bookmarks);
void     kymo_session_clear_profile (KymoSession   *self);
void     kymo_selected_block_renew  (KymoSelectedBlock *self);
void     kymo_session_path_free     (KymoSessionPath *path);
void     kymo_session_rows_free     (KymoSessionRows *rows);
void     kymo_session_prepare_places (KymoSession  *self,
                                      KymoQuestion *question);
void     kymo_session_prepare_rows  (KymoSession   *self,
                                     KymoQuestion  *question);
void     kymo_session_prepare_groups (KymoSession  *self,
                                     KymoQuestion  *question);
void     kymo_session_forget_row_order (KymoSession *self);
void     kymo_session_rebuild_colors (KymoSession  *self);
void     kymo_session_ask_for_names (KymoSession   *self);
void     kymo_session_give_names    (KymoSession   *self,
                                     const char *const *names,
                                     GHashTable        *families);

G_END_DECLS
