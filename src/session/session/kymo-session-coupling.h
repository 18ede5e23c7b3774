/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSessionCoupling: sessions of several runs that are looked at together. The
 * first one stands for all (its source is a comparison, its time is the time they
 * share); those that are added have a run each. Colours, hidden and hovered names
 * and locations are those of the first. What is visible and selected in one is so
 * in all, and so are the zoom history and the chosen function, whatever gesture or
 * key it came of; blocks and markers are each session's own.
 *
 * On one scale all show stretches of the same length: time of a run is shared time
 * plus the offset of the run. On scales of their own each shows the same part of
 * its run. Sessions without a time axis keep out of it.
 *
 * Of a run a stretch alone may be looked at, as an iteration: then the stretch takes the place of
 * the run, and times are told from its begin.
 *
 * Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SESSION_COUPLING (kymo_session_coupling_get_type ())
G_DECLARE_FINAL_TYPE (KymoSessionCoupling, kymo_session_coupling, KYMO,
                      SESSION_COUPLING, GObject)

KymoSessionCoupling *
             kymo_session_coupling_new        (KymoSession         *first);
KymoSession *kymo_session_coupling_add        (KymoSessionCoupling *self,
                                               KymoSource          *source);
guint        kymo_session_coupling_get_n      (KymoSessionCoupling *self);
KymoSession *kymo_session_coupling_peek       (KymoSessionCoupling *self,
                                               guint                index);
void         kymo_session_coupling_set_offset (KymoSessionCoupling *self,
                                               guint                index,
                                               gint64               offset_ns);
void         kymo_session_coupling_set_stretch
                                              (KymoSessionCoupling *self,
                                               guint                index,
                                               KymoSpan             stretch);
gint64       kymo_session_coupling_get_offset (KymoSessionCoupling *self,
                                               guint                index);
void         kymo_session_coupling_set_shared (KymoSessionCoupling *self,
                                               gboolean             shared);
gboolean     kymo_session_coupling_get_shared (KymoSessionCoupling *self);
/* The time of one session that stands where a time of another one does. */
gint64       kymo_session_coupling_map        (KymoSessionCoupling *self,
                                               guint                from,
                                               guint                to,
                                               gint64               time_ns);
/* Shows what a session of the same run showed: range, history and selection, in all. */
void         kymo_session_coupling_take       (KymoSessionCoupling *self,
                                               guint                index,
                                               KymoSession         *from);
/* The names of all runs, busiest first, in place of those of the first source. */
void         kymo_session_coupling_set_names  (KymoSessionCoupling *self,
                                               const char *const   *names,
                                               GHashTable          *families);

G_END_DECLS
