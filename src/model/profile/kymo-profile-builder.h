/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making profiles, by many threads at once: each fills locations of its own into a
 * *part*, which numbers events as it meets them; in the end the tables of the parts are
 * made one, by name. Whatever thread filled which location, the profile is the same:
 * events stand in the order in which the first location that has them lists them, flat
 * ones before paths.
 *
 * Same name, same event, but for paths and flat functions, which are apart; groups that
 * differ are united, flags too. What a location lists twice is added up.
 *
 * A profile may have several *steps* (cumulative, in order of time); they share their
 * tables, so an event has the same number in all.
 *
 * What all parts hold is counted, and what will be made of it in the end. Beyond a limit
 * nothing more is taken, and the builder is *full*: there is no profile then.
 *
 * Life: the builder belongs to one thread; a part to the one that fills it, between
 * kymo_profile_builder_add_part() and kymo_profile_builder_finish(), which frees both.
 */
#pragma once

#include "kymo-profile-data.h"

G_BEGIN_DECLS

typedef struct _KymoProfileBuilder KymoProfileBuilder;
typedef struct _KymoProfilePart KymoProfilePart;

KymoProfileBuilder *kymo_profile_builder_new        (guint               n_locations);
void                kymo_profile_builder_free       (KymoProfileBuilder *builder);
guint               kymo_profile_builder_add_metric (KymoProfileBuilder *builder,
                                                     const char         *name,
                                                     const char         *unit,
                                                     double              unit_ns);
void                kymo_profile_builder_set_limit  (KymoProfileBuilder *builder,
                                                     gint64              most_bytes);
gboolean            kymo_profile_builder_is_full    (const KymoProfileBuilder *builder);
KymoProfilePart    *kymo_profile_builder_add_part   (KymoProfileBuilder *builder);
GArray             *kymo_profile_builder_keep_begun (KymoProfileBuilder *builder);
gboolean            kymo_profile_builder_fill_steps (KymoProfileBuilder *builder);
GPtrArray          *kymo_profile_builder_finish     (KymoProfileBuilder *builder,
                                                     guint               n_threads);

/** KYMO_PROFILE_MAX_FIGURE: larger figures are not believed: sums over more rows than any
 *  file has, and nanoseconds of them, are still finite */
#define KYMO_PROFILE_MAX_FIGURE 1e18

gboolean            kymo_profile_are_figures        (const double       *values,
                                                     guint               n);
gboolean            kymo_profile_check_user         (KymoUserEventRow   *row);
gboolean            kymo_profile_part_is_full       (const KymoProfilePart *part);
guint32             kymo_profile_part_event         (KymoProfilePart    *part,
                                                     const char         *name,
                                                     gsize               length,
                                                     const char         *groups,
                                                     gsize               groups_length,
                                                     guint32             flags);
guint32             kymo_profile_part_user_event    (KymoProfilePart    *part,
                                                     const char         *name,
                                                     gsize               length);
void                kymo_profile_part_begin         (KymoProfilePart    *part,
                                                     guint               location,
                                                     guint               step);
void                kymo_profile_part_add           (KymoProfilePart    *part,
                                                     guint32             event,
                                                     guint               metric,
                                                     double              calls,
                                                     double              subroutines,
                                                     double              exclusive,
                                                     double              inclusive);
void                kymo_profile_part_add_all       (KymoProfilePart    *part,
                                                     guint32             event,
                                                     double              calls,
                                                     double              subroutines,
                                                     const double       *values);
void                kymo_profile_part_add_user      (KymoProfilePart    *part,
                                                     const KymoUserEventRow *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProfileBuilder, kymo_profile_builder_free)

G_END_DECLS
