/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of one open run as the person sees it, without widgets: source,
 * visible range, selection, hidden and hovered entry methods, colours, zoom
 * history, markers, bookmarks. Every view binds to it; main thread only.
 *
 * A session may *follow* a run that grows: it then shows the last stretch of
 * it. To pan, to zoom to a selection and to go back stop that, the run grows on.
 *
 * Properties (all notify): "source", "palette", "hovered-name" (string or
 * NULL), "history-depth" (guint), "follow" (gint64 ns, 0 = not), "by-class"
 * (rows of PEs in the order of their clusters) and "extrapolates" (figures of a
 * reduced run are of all PEs it stands for). Signals:
 * "range-changed" (visible range),
 * "selection-changed", "filter-changed" (hidden names, locations, their
 * order, or extrapolation: what is asked, or painted, is another),
 * "colors-changed", "markers-changed", "bookmarks-changed", "grown" (more is
 * known of the run, or all: what shows answers asks again),
 * "classes-changed" (other clusters, or none). What is chosen of a profile, and the
 * signals of that, are in kymo-session-profile.h; what is pointed at, and "hover-changed",
 * in kymo-session-hover.h.
 */
#pragma once

#include "kymo-colors.h"
#include "kymo-follow.h"
#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SESSION (kymo_session_get_type ())
G_DECLARE_FINAL_TYPE (KymoSession, kymo_session, KYMO, SESSION, GObject)

/**
 * KymoBookmark:
 * @note: never %NULL
 * @locations: (nullable): %NULL = it is about all
 */
typedef struct
{
  char      *name;
  KymoSpan   span;
  char      *note;
  KymoIdSet *locations;
} KymoBookmark;

KymoSession *kymo_session_new               (KymoSource  *source);
KymoSession *kymo_session_new_beside        (KymoSession *session);
KymoSource  *kymo_session_peek_source       (KymoSession *session);
KymoSpan     kymo_session_get_full_range    (KymoSession *session);
KymoSpan     kymo_session_get_range         (KymoSession *session);
/* Of a comparison of stretches, as iterations are: the stretch, from whose begin times are told;
   else empty. */
KymoSpan     kymo_session_get_stretch       (KymoSession *session);
/* Clamped to the full range and to at least 1 us; `remember` pushes history. */
void         kymo_session_set_range         (KymoSession *session,
                                             KymoSpan     range,
                                             gboolean     remember);
void         kymo_session_zoom              (KymoSession *session,
                                             gint64       anchor_ns,
                                             double       factor);
void         kymo_session_pan               (KymoSession *session,
                                             double       share_of_range);
void         kymo_session_fit               (KymoSession *session);
/* Follow as long as the run is. */
#define KYMO_FOLLOW_ALL G_MAXINT64
void         kymo_session_set_follow        (KymoSession *session,
                                             gint64       length_ns);
gint64       kymo_session_get_follow        (KymoSession *session);
gint64       kymo_session_get_followed      (KymoSession *session);
gboolean     kymo_session_go_live           (KymoSession *session);
gboolean     kymo_session_back              (KymoSession *session);
gboolean     kymo_session_forward           (KymoSession *session);
gboolean     kymo_session_can_back          (KymoSession *session);
gboolean     kymo_session_can_forward       (KymoSession *session);
/* The selected time range; FALSE when nothing is selected. */
gboolean     kymo_session_get_selection     (KymoSession *session,
                                             KymoSpan    *span);
void         kymo_session_set_selection     (KymoSession *session,
                                             const KymoSpan *span);
gboolean     kymo_session_get_block         (KymoSession *session,
                                             gint64      *location,
                                             gint64      *time_ns);
void         kymo_session_set_block         (KymoSession *session,
                                             gint64       location,
                                             gint64       time_ns);
void         kymo_session_clear_block       (KymoSession *session);
/* Goes a step out: clears the selection, else the block, else the zoom. FALSE if there was none. */
gboolean     kymo_session_escape            (KymoSession *session);
/* (transfer none) (nullable): names that are known, those of the first blocks
   or the whole run by their time; of a run that grows later ones after them */
const char *const *
             kymo_session_peek_names        (KymoSession *session);
KymoColors  *kymo_session_peek_colors       (KymoSession *session);
gboolean     kymo_session_is_hidden         (KymoSession *session,
                                             const char  *name);
void         kymo_session_set_hidden        (KymoSession *session,
                                             const char  *name,
                                             gboolean     hidden);
void         kymo_session_show_all          (KymoSession *session);
void         kymo_session_hide_others       (KymoSession *session,
                                             const char  *name);
void         kymo_session_set_all_hidden    (KymoSession *session,
                                             const char *const *names);
/* The hidden names as a set, for KymoPlotFrame; NULL when none is hidden. */
GHashTable  *kymo_session_peek_hidden       (KymoSession *session);
const char  *kymo_session_peek_hovered      (KymoSession *session);
void         kymo_session_set_hovered       (KymoSession *session,
                                             const char  *name);
/* NULL = all locations. */
KymoIdSet   *kymo_session_peek_locations    (KymoSession *session);
void         kymo_session_set_locations     (KymoSession *session,
                                             KymoIdSet   *locations);
/* Gives a question about the run what all have: the locations, their order, and
   whether to extrapolate. */
void         kymo_session_prepare           (KymoSession  *session,
                                             KymoQuestion *question);
/* (transfer none) (nullable): the clusters at hand, an answer of clusters */
KymoTable   *kymo_session_peek_classes      (KymoSession  *session);
void         kymo_session_set_classes       (KymoSession  *session,
                                             KymoTable    *classes);
/* The same of an answer of clusters; NULL = none. */
gint         kymo_classes_find              (const KymoTable *classes,
                                             gint64           location);
gboolean     kymo_session_get_by_class      (KymoSession  *session);
void         kymo_session_set_by_class      (KymoSession  *session,
                                             gboolean      by_class);
/* TRUE if figures are extrapolated; always FALSE where the run has no weights. */
gboolean     kymo_session_get_extrapolates  (KymoSession  *session);
void         kymo_session_set_extrapolates  (KymoSession  *session,
                                             gboolean      extrapolates);
/* Markers: which = 0 (A) or 1 (B); FALSE when not set. */
gboolean     kymo_session_get_marker        (KymoSession *session,
                                             guint        which,
                                             gint64      *time_ns);
/* Sets A, then B, then begins again with A. */
void         kymo_session_put_marker        (KymoSession *session,
                                             gint64       time_ns);
void         kymo_session_clear_markers     (KymoSession *session);
void         kymo_session_add_bookmark      (KymoSession *session,
                                             const char  *name);
guint        kymo_session_get_n_bookmarks   (KymoSession *session);
const KymoBookmark *
             kymo_session_peek_bookmark     (KymoSession *session,
                                             guint        index);
void         kymo_session_remove_bookmark   (KymoSession *session,
                                             guint        index);

G_END_DECLS
