/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all views of a run are in, as the person chose it: rows in the order of
 * clusters, and figures extrapolated to all PEs that a reduced run stands for.
 * Both are states of the session; here they are asked for, or a sentence says
 * why they cannot be had.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-in-terms.h"
#include "kymo-reduction-words.h"
#include "kymo-run-view-private.h"

/* -- in the order of clusters --------------------------------------------- */

/* NULL where there can be clusters. */
static const char *
why_no_clusters (KymoRunView *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  KymoCapabilities can = kymo_source_get_capabilities (source);

  if (!kymo_run_view_is_exact (self))
    return kymo_in_terms_of (self->session, _("Clusters of {rows} are found when all "
                                              "logs are read"));
  if (can & KYMO_CAN_STREAM)
    return kymo_in_terms_of (self->session, _("A stream is the mean of all {rows}: it has no "
                                              "clusters"));
  if (!(can & KYMO_CAN_PROFILE)
      || kymo_table_get_int (self->info, "locations", 0) < 2)
    return kymo_in_terms_of (self->session, _("A single {row} has no clusters"));
  return NULL;
}

static void
on_clusters (KymoTable *answer, const GError *error, gpointer data)
{
  KymoRunView *self = data;

  if (answer == NULL)
    kymo_run_view_say (self, error->message);
  else if (kymo_session_peek_classes (self->session) == NULL)
    kymo_session_set_classes (self->session, answer);
  if (kymo_session_peek_classes (self->session) != NULL)
    kymo_session_set_by_class (self->session, TRUE);
  g_signal_emit_by_name (self, "view-changed");
}

/* The published choice, of the whole run, as `kymo-cli clusters` has it. */
static void
ask_for_clusters (KymoRunView *self)
{
  if (self->cluster_asker == NULL)
    self->cluster_asker = kymo_asker_new (
      kymo_session_peek_source (self->session), on_clusters, self);
  kymo_asker_ask (self->cluster_asker, kymo_question_new ("clusters"));
}

/**
 * kymo_run_view_set_by_class:
 * @by_class: whether rows are to be in the order of clusters
 *
 * Where no clusters are at hand those of the default choice are asked for.
 */
void
kymo_run_view_set_by_class (KymoRunView *self, gboolean by_class)
{
  const char *why = by_class ? why_no_clusters (self) : NULL;

  self->wants_by_class = FALSE;
  if (self->cluster_asker != NULL)
    kymo_asker_cancel (self->cluster_asker);
  if (why != NULL)
    kymo_run_view_say (self, why);
  else if (by_class && kymo_session_peek_classes (self->session) == NULL)
    ask_for_clusters (self);
  else
    kymo_session_set_by_class (self->session, by_class);
}

/* -- extrapolated --------------------------------------------------------- */

/** kymo_run_view_why_not_extrapolated: NULL where figures can be */
const char *
kymo_run_view_why_not_extrapolated (KymoRunView *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);

  if (kymo_source_get_capabilities (source) & KYMO_CAN_WEIGHTS)
    return NULL;
  if (!kymo_run_view_is_exact (self))
    return _("Figures can be extrapolated when all logs are read");
  if (kymo_reduction_is_reduced (self->info))
    return kymo_in_terms_of (self->session, _("Whoever reduced this run did not note how many "
                                              "{rows} each of its {rows} stands for: nothing can "
                                              "be extrapolated"));
  return kymo_in_terms_of (self->session, _("This run was not reduced: its figures are of "
                                            "all its {rows}"));
}

/** kymo_run_view_set_extrapolates: @extrapolates: to all PEs of the original */
void
kymo_run_view_set_extrapolates (KymoRunView *self, gboolean extrapolates)
{
  const char *why = extrapolates ? kymo_run_view_why_not_extrapolated (self)
                    : NULL;

  self->wants_extrapolates = FALSE;
  if (why != NULL)
    kymo_run_view_say (self, why);
  else
    kymo_session_set_extrapolates (self->session, extrapolates);
}

/* -- after a reload ------------------------------------------------------- */

/**
 * kymo_run_view_do_wishes:
 *
 * What was wished before the run was read again, once it is exact. What the run
 * cannot any more nobody asked for now: that is not told.
 */
void
kymo_run_view_do_wishes (KymoRunView *self)
{
  gboolean by_class = self->wants_by_class;
  gboolean extrapolates = self->wants_extrapolates;

  if (!kymo_run_view_is_exact (self))
    return;
  self->wants_by_class = self->wants_extrapolates = FALSE;
  if (extrapolates && kymo_run_view_why_not_extrapolated (self) == NULL)
    kymo_session_set_extrapolates (self->session, TRUE);
  if (by_class && why_no_clusters (self) == NULL)
    kymo_run_view_set_by_class (self, TRUE);
}

/** kymo_run_view_take_wishes: @old: the view whose place it takes */
void
kymo_run_view_take_wishes (KymoRunView *self, KymoRunView *old)
{
  self->wants_by_class = old->wants_by_class
                         || kymo_session_get_by_class (old->session);
  self->wants_extrapolates = old->wants_extrapolates
                             || kymo_session_get_extrapolates (old->session);
  kymo_run_view_do_wishes (self);
}
