/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-view-groups.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-in-terms.h"
#include "kymo-run-view-private.h"

static const struct
{
  const char *id, *title;
} groups[KYMO_N_VIEW_GROUPS] = {
  [KYMO_GROUP_LIVE] = { "live", N_("Live") },
  [KYMO_GROUP_OVERVIEW] = { "overview", N_("Overview") },
  [KYMO_GROUP_TIME] = { "time", N_("Time") },
  [KYMO_GROUP_LOAD] = { "load", N_("Load") },
  [KYMO_GROUP_CODE] = { "code", N_("Code") },
  [KYMO_GROUP_MESSAGES] = { "messages", N_("Messages") },
  [KYMO_GROUP_RECORDS] = { "records", N_("Records") },
};

/**
 * kymo_view_find:
 *
 * Returns: (transfer none) (nullable): the line of kymo_views[] with this id
 */
const KymoViewInfo *
kymo_view_find (const char *id)
{
  for (const KymoViewInfo *view = kymo_views; id != NULL && view->id != NULL; view++)
    if (strcmp (view->id, id) == 0)
      return view;
  return NULL;
}

/**
 * kymo_view_tab_of:
 * @id: of a view
 *
 * Returns: (transfer none) (nullable): id of the tab in which the view is shown; %NULL for an
 * unknown view
 */
const char *
kymo_view_tab_of (const char *id)
{
  const KymoViewInfo *view = kymo_view_find (id);

  return view == NULL ? NULL : view->tab != NULL ? view->tab : view->id;
}

/**
 * kymo_view_group_id:
 *
 * Returns: (transfer none): the word that stands for the group in actions
 */
const char *
kymo_view_group_id (KymoViewGroup group)
{
  return groups[group].id;
}

/**
 * kymo_view_group_title:
 *
 * Returns: (transfer none): translated
 */
const char *
kymo_view_group_title (KymoViewGroup group)
{
  return _(groups[group].title);
}

/**
 * kymo_view_group_find:
 * @id: see kymo_view_group_id()
 *
 * Returns: %KYMO_N_VIEW_GROUPS where no group has this id
 */
KymoViewGroup
kymo_view_group_find (const char *id)
{
  KymoViewGroup group = 0;

  while (group < KYMO_N_VIEW_GROUPS && strcmp (groups[group].id, id) != 0)
    group++;
  return group;
}

/**
 * kymo_run_view_question_of:
 * @id: of a view
 *
 * Returns: (transfer none): the question that the view answers, in the run's own terms,
 * kept for good
 */
const char *
kymo_run_view_question_of (KymoRunView *self, const char *id)
{
  const KymoViewInfo *view = kymo_view_find (id);

  return view != NULL ? kymo_in_terms_of (self->session, _(view->question)) : "";
}

/* -- which was seen last --------------------------------------------------- */

/** kymo_run_view_remember: @id: the view that is visible now in some part */
void
kymo_run_view_remember (KymoRunView *self, const char *id)
{
  const KymoViewInfo *view = kymo_view_find (id);

  if (view == NULL)
    return;
  g_ptr_array_remove (self->recent, (gpointer) view);
  g_ptr_array_add (self->recent, (gpointer) view);
}

static gboolean
is_wanted (const KymoViewInfo *view, KymoViewGroup group, const char *tab)
{
  return tab != NULL ? strcmp (kymo_view_tab_of (view->id), tab) == 0 : view->group == group;
}

static const char *
find_last (KymoRunView *self, KymoViewGroup group, const char *tab)
{
  for (guint i = self->recent->len; i > 0; i--)
    if (is_wanted (self->recent->pdata[i - 1], group, tab))
      return ((const KymoViewInfo *) self->recent->pdata[i - 1])->id;
  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    if (is_wanted (view, group, tab) && kymo_run_view_has_view (self, view->id))
      return view->id;
  return NULL;
}

/**
 * kymo_run_view_find_in_group:
 *
 * Returns: (transfer none) (nullable): id of the view of this group that was seen last, else of the
 * first that the run has; %NULL where it has none
 */
const char *
kymo_run_view_find_in_group (KymoRunView *self, KymoViewGroup group)
{
  return find_last (self, group, NULL);
}

/**
 * kymo_run_view_find_in_tab:
 * @tab: id of a tab
 *
 * Returns: (transfer none) (nullable): id of the view of this tab that was seen last, else of the
 * first that the run has; %NULL where it has none
 */
const char *
kymo_run_view_find_in_tab (KymoRunView *self, const char *tab)
{
  return find_last (self, 0, tab);
}

/**
 * kymo_run_view_next_in_group:
 *
 * Returns: (transfer none) (nullable): where a view of the group is shown that of its next tab,
 * after the last one that of the first; else as kymo_run_view_find_in_group()
 */
const char *
kymo_run_view_next_in_group (KymoRunView *self, KymoViewGroup group)
{
  const KymoViewInfo *shown = kymo_view_find (kymo_run_view_get_view (self));
  const char *tab = shown != NULL && shown->group == group ? kymo_view_tab_of (shown->id) : NULL;
  const char *first = NULL;
  gboolean is_behind = FALSE;

  if (tab == NULL)
    return kymo_run_view_find_in_group (self, group);
  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    {
      const char *its_tab = kymo_view_tab_of (view->id);

      if (strcmp (its_tab, tab) == 0)
        is_behind = TRUE;
      else if (view->group == group && kymo_run_view_has_view (self, view->id))
        {
          if (is_behind)
            return kymo_run_view_find_in_tab (self, its_tab);
          first = first != NULL ? first : its_tab;
        }
    }
  return first != NULL ? kymo_run_view_find_in_tab (self, first) : shown->id;
}
