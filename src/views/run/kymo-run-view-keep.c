/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The desk of a run kept and taken back: what the session knows, and which views
 * stand where.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-desk-layout.h"
#include "kymo-error.h"
#include "kymo-run-view-keep.h"
#include "kymo-run-view-private.h"
#include "kymo-session-desk.h"
#include "kymo-view-groups.h"

static void
keep_part (KymoDeskPart *part, KymoDesk *desk)
{
  const char *const *values = kymo_profile_options_peek_all (
    kymo_desk_part_peek_options (part));
  KymoDeskPlace *place = kymo_desk_add_place (desk);
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    place->options[i] = g_strdup (values[i]);
  g_hash_table_iter_init (&iter, kymo_desk_part_peek_words (part));
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (place->words, g_strdup (key), g_strdup (value));
}

/** kymo_run_view_keep_layout: @desk: without views and parts */
void
kymo_run_view_keep_layout (KymoRunView *self, KymoDesk *desk)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  desk->layout = kymo_run_view_dup_layout (self);
  desk->view = g_strdup (kymo_run_view_get_view (self));
  for (guint i = 0; i < parts->len; i++)
    keep_part (parts->pdata[i], desk);
}

/**
 * kymo_run_view_keep:
 * @desk: a new one
 *
 * Where the run lies is its page's to fill.
 */
void
kymo_run_view_keep (KymoRunView *self, KymoDesk *desk)
{
  kymo_session_keep (self->session, desk);
  desk->n_locations = kymo_table_get_int (self->info, "locations", 0);
  kymo_run_view_keep_layout (self, desk);
  if (self->search_text != NULL && *self->search_text != '\0')
    desk->search = g_strdup (self->search_text);
  for (guint i = 0; i < KYMO_DESK_N_PANES; i++)
    desk->panes[i] = !self->folded[i];
}

/* Of a desk that tells of no parts all are as the one with the focus. */
static void
restore_parts (KymoRunView *self, const KymoDesk *desk)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  for (guint i = 0; i < parts->len; i++)
    {
      const KymoDeskPlace *place = i < desk->places->len ? desk->places->pdata[i] : NULL;

      kymo_profile_options_set_all (
        kymo_desk_part_peek_options (parts->pdata[i]),
        (const char *const *) (place != NULL ? place->options : desk->options));
      if (place != NULL)
        kymo_desk_part_set_words (parts->pdata[i], place->words);
    }
}

/* -- what a later program has ---------------------------------------------- */

static void
leave_view_out (KymoDesk *desk, const char *key, const char *id)
{
  g_autofree char *valid = g_utf8_make_valid (id, -1);

  kymo_desk_leave_out (desk, g_error_new (
    KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("%s of [Views] names a view “%s” that there is not"),
    key, valid));
}

/* (transfer full) (nullable): @layout, which it takes, without parts of views that there are
   not; their places go, too. @place: the number of its first part. */
static KymoDeskLayout *
without_unknown (KymoDesk *desk, KymoDeskLayout *layout, guint *place)
{
  if (kymo_view_find (layout->view) != NULL)
    {
      (*place)++;
      return layout;
    }
  if (layout->view != NULL)
    {
      leave_view_out (desk, "layout", layout->view);
      if (*place < desk->places->len)
        g_ptr_array_remove_index (desk->places, *place);
      kymo_desk_layout_free (layout);
      return NULL;
    }
  layout->first = without_unknown (desk, layout->first, place);
  layout->second = without_unknown (desk, layout->second, place);
  if (layout->first == NULL || layout->second == NULL)
    {
      KymoDeskLayout *rest = layout->first != NULL ? layout->first : layout->second;

      layout->first = layout->second = NULL;
      kymo_desk_layout_free (layout);
      return rest;
    }
  return layout;
}

static void
check_layout (KymoDesk *desk)
{
  g_autoptr (GError) why = NULL;
  KymoDeskLayout *layout = kymo_desk_layout_parse (desk->layout, &why);
  guint place = 0;

  g_clear_pointer (&desk->layout, g_free);
  if (layout != NULL)
    layout = without_unknown (desk, layout, &place);
  else
    kymo_desk_leave_out (desk, g_error_new (KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                                            _("layout of [Views] is no arrangement of views")));
  if (layout != NULL)
    desk->layout = kymo_desk_layout_to_text (layout);
  kymo_desk_layout_free (layout);
}

/**
 * kymo_run_view_check_desk:
 * @desk: read from a file; changed in place
 *
 * Removes views that the program does not know from the layout and from the single view of @desk.
 * Each removed view joins the list of parts that @desk left out, which the person is told later.
 */
void
kymo_run_view_check_desk (KymoDesk *desk)
{
  if (desk->layout != NULL)
    check_layout (desk);
  if (desk->view == NULL || kymo_view_find (desk->view) != NULL)
    return;
  leave_view_out (desk, "view", desk->view);
  g_clear_pointer (&desk->view, g_free);
}

/** kymo_run_view_restore_layout: which views; a run that lacks one shows another */
void
kymo_run_view_restore_layout (KymoRunView *self, const KymoDesk *desk)
{
  if ((desk->layout == NULL || !kymo_run_view_set_layout (self, desk->layout))
      && desk->view != NULL)
    kymo_run_view_set_view (self, desk->view);
  restore_parts (self, desk);
}

/* Of a metric that the run lacks no part can show anything. */
static void
drop_metrics (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);

  for (guint i = 0; i < parts->len; i++)
    {
      KymoProfileOptions *options = kymo_desk_part_peek_options (parts->pdata[i]);
      const char *metric = kymo_profile_options_peek (options, "metric");

      if (metric != NULL && !kymo_session_has_metric (self->info, metric))
        kymo_profile_options_set (options, "metric", NULL);
    }
}

/**
 * kymo_run_view_restore:
 *
 * All but views and panes; of an exact run. What the run can not nobody asked for
 * now, so clusters and extrapolating are wishes.
 *
 * Returns: (transfer full): what was left out, in words, NULL-terminated
 */
char **
kymo_run_view_restore (KymoRunView *self, const KymoDesk *desk)
{
  char **left_out = kymo_session_restore (self->session, desk, self->info);

  if (!kymo_session_is_of_desk (self->session, desk, self->info))
    drop_metrics (self);
  self->wants_by_class = desk->by_class > 0;
  self->wants_extrapolates = desk->extrapolates > 0;
  kymo_run_view_do_wishes (self);
  return left_out;
}

/** kymo_run_view_start_fresh: as when a run is opened for the first time */
void
kymo_run_view_start_fresh (KymoRunView *self)
{
  self->wants_by_class = self->wants_extrapolates = FALSE;
  kymo_session_start_fresh (self->session);
  kymo_run_view_search (self, "", FALSE);
  kymo_run_view_set_layout (self, kymo_run_view_first_view (self));
}
