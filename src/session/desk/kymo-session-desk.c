/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-session-desk.h. Of the run that it was a desk is restored as it was:
 * what it does not name is not selected, marked or hidden, and all is visible.
 * Of another one names, colours, options and whatever times and PEs it has are
 * taken over; the rest is told.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-bookmarks.h"
#include "kymo-order.h"
#include "kymo-session-colors.h"
#include "kymo-session-desk.h"
#include "kymo-session-pins.h"
#include "kymo-session-private.h"
#include "kymo-session-rows.h"

/* -- keeping -------------------------------------------------------------- */

/* In order, so that the same desk gives the same file. */
static char **
dup_hidden (KymoSession *self)
{
  GHashTable *hidden = kymo_session_peek_hidden (self);
  GPtrArray *names;
  GHashTableIter iter;
  gpointer name;

  if (hidden == NULL)
    return NULL;
  names = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, hidden);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, kymo_compare_strings);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static void
keep_profile (KymoSession *self, KymoDesk *desk)
{
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    desk->options[i] = g_strdup (kymo_session_peek_option (
      self, kymo_session_options[i]));
  desk->function = g_strdup (kymo_session_peek_function (self));
  if (g_strcmp0 (kymo_session_peek_thread (self), KYMO_THREAD_MEAN) != 0)
    desk->thread = g_strdup (kymo_session_peek_thread (self));
}

/* By cluster has a flag of its own; what a session has at first is not kept. */
static void
keep_rows (KymoSession *self, KymoDesk *desk)
{
  KymoMessageLines messages = kymo_session_get_messages (self);
  const GArray *pins = kymo_session_peek_pins (self);

  if (pins != NULL)
    desk->pinned = kymo_ids_to_text ((const gint64 *) pins->data, pins->len);
  if (!kymo_session_get_by_class (self))
    desk->order = g_strdup (kymo_session_peek_row_order (self));
  if (desk->order != NULL)
    kymo_session_get_row_order_span (self, &desk->order_span);
  desk->fold = kymo_session_dup_fold_text (self);
  if (kymo_session_get_least_ns (self) > 0)
    desk->least_ns = kymo_session_get_least_ns (self);
  desk->line = g_strdup (kymo_session_peek_line (self));
  desk->metrics = g_strdup (kymo_session_peek_metrics (self));
  if (messages != KYMO_MESSAGES_BLOCK)
    desk->messages = g_strdup (kymo_message_lines_to_string (messages));
  if (kymo_session_get_by_bytes (self))
    desk->by_bytes = TRUE;
  if (kymo_session_get_least_bytes (self) > 0)
    desk->least_bytes = kymo_session_get_least_bytes (self);
  if (kymo_session_get_message_tag (self) >= 0)
    desk->message_tag = kymo_session_get_message_tag (self);
}

static void
keep_notes (KymoSession *self, KymoDesk *desk)
{
  for (guint i = 0; i < kymo_session_get_n_bookmarks (self); i++)
    {
      const KymoBookmark *bookmark = kymo_session_peek_bookmark (self, i);
      g_autofree char *locations = bookmark->locations != NULL
        ? kymo_id_set_to_text (bookmark->locations) : NULL;

      kymo_desk_add_note (desk, bookmark->span, bookmark->name, bookmark->note,
                          locations);
    }
}

/**
 * kymo_session_keep:
 * @desk: a new one
 *
 * The whole run is not kept as a visible range: it may be longer next time.
 */
void
kymo_session_keep (KymoSession *self, KymoDesk *desk)
{
  KymoIdSet *locations = kymo_session_peek_locations (self);

  desk->title = kymo_source_dup_title (self->source);
  desk->full = self->full;
  if (!kymo_spans_equal (self->range, self->full) && self->follow_ns == 0)
    desk->range = self->range;
  kymo_session_get_selection (self, &desk->selection);
  kymo_session_get_block (self, &desk->block_location, &desk->block_time_ns);
  for (guint i = 0; i < 2; i++)
    kymo_session_get_marker (self, i, &desk->markers[i]);
  desk->hidden = dup_hidden (self);
  if (locations != NULL)
    desk->locations = kymo_id_set_to_text (locations);
  desk->by_class = kymo_session_get_by_class (self);
  desk->extrapolates = kymo_session_get_extrapolates (self);
  desk->colors = kymo_palette_ref (kymo_session_peek_palette (self));
  if (kymo_session_get_color_by (self) != KYMO_COLOR_BY_NAME)
    desk->color_by = g_strdup (kymo_color_by_to_string (kymo_session_get_color_by (self)));
  keep_rows (self, desk);
  keep_profile (self, desk);
  keep_notes (self, desk);
}

/* -- restoring ------------------------------------------------------------ */

typedef struct
{
  KymoSession     *session;
  const KymoDesk  *desk;
  const KymoTable *info;
  gboolean         same;
  GStrvBuilder    *left_out;
  GArray          *ids;                /* of the run's locations */
} Restoring;

/* The locations of a list that the run has, and whether it lacks some. */
typedef struct
{
  KymoIdSet *set;                      /* NULL = all, or none that it has */
  gboolean   lacks;
} Found;

static void G_GNUC_PRINTF (2, 3)
leave_out (Restoring *r, const char *format, ...)
{
  va_list arguments;
  g_autofree char *words = NULL;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_strv_builder_add (r->left_out, words);
}

/* Of another run only what it has as a whole. */
static gboolean
has_span (Restoring *r, KymoSpan span)
{
  KymoSpan full = r->session->full;

  return r->same || (span.begin_ns >= full.begin_ns && span.end_ns <= full.end_ns);
}

/* As the visible range of one that follows the newest time is not kept, such a one
   goes on. */
static void
restore_range (Restoring *r)
{
  KymoSession *session = r->session;

  if (r->desk->range.begin_ns != KYMO_DESK_NONE)
    {
      if (has_span (r, r->desk->range))
        kymo_session_set_range (session, r->desk->range, FALSE);
      else
        leave_out (r, _("the visible range"));
    }
  else if (session->follow_ns == 0 && !kymo_spans_equal (session->range, session->full))
    {
      kymo_session_set_range (session, session->full, FALSE);
      session->grows = TRUE;
    }
}

static void
restore_times (Restoring *r)
{
  const KymoDesk *desk = r->desk;
  gboolean has_selection = desk->selection.begin_ns != KYMO_DESK_NONE;
  gboolean has_marker = TRUE;

  restore_range (r);
  if (has_selection && !has_span (r, desk->selection))
    {
      leave_out (r, _("the selected range"));
      has_selection = FALSE;
    }
  kymo_session_set_selection (r->session, has_selection ? &desk->selection : NULL);
  kymo_session_clear_markers (r->session);
  for (guint i = 0; i < 2; i++)
    {
      gint64 ns = desk->markers[i];

      if (ns == KYMO_DESK_NONE)
        break;
      /* There is no B without A. */
      has_marker = has_marker && has_span (r, (KymoSpan) { ns, ns });
      if (has_marker)
        kymo_session_put_marker (r->session, ns);
      else
        leave_out (r, i == 0 ? _("marker A") : _("marker B"));
    }
}

static gboolean
has_location (Restoring *r, gint64 id)
{
  for (guint i = 0; i < r->ids->len; i++)
    if (g_array_index (r->ids, gint64, i) == id)
      return TRUE;
  return r->ids->len == 0;
}

/* A block of another run is another block. */
static void
restore_block (Restoring *r)
{
  const KymoDesk *desk = r->desk;

  gboolean has = desk->block_location != KYMO_DESK_NONE
                 && desk->block_time_ns != KYMO_DESK_NONE;

  if (has && r->same && has_location (r, desk->block_location))
    {
      kymo_session_set_block (r->session, desk->block_location,
                              desk->block_time_ns);
      return;
    }
  kymo_session_clear_block (r->session);
  if (has)
    leave_out (r, _("the selected block"));
}

static GArray *
list_ids (const KymoTable *info)
{
  KymoTable *list = info != NULL
                    ? kymo_table_peek_nested (info, "location_list", NULL) : NULL;
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      gint64 id = kymo_table_get_int (list, "location", i);

      g_array_append_val (ids, id);
    }
  return ids;
}

static Found *
find_locations (Restoring *r, const char *text)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_parse (text, NULL);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  Found *found = g_new0 (Found, 1);

  if (r->ids->len == 0)
    {
      found->set = g_steal_pointer (&set);
      return found;
    }
  for (guint i = 0; set != NULL && i < r->ids->len; i++)
    {
      gint64 id = g_array_index (r->ids, gint64, i);

      if (kymo_id_set_contains (set, id))
        g_array_append_val (ids, id);
    }
  found->lacks = ids->len == 0;
  if (ids->len > 0 && ids->len < r->ids->len)
    found->set = kymo_id_set_new_list ((gint64 *) ids->data, ids->len);
  return found;
}

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->set, kymo_id_set_unref);
  g_free (found);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Found, found_free)

static void
restore_shown (Restoring *r)
{
  const KymoDesk *desk = r->desk;
  g_autoptr (Found) found = NULL;

  if (desk->locations != NULL)
    found = find_locations (r, desk->locations);
  if (found != NULL && found->lacks)
    leave_out (r, _("the choice of rows %s"), desk->locations);
  kymo_session_set_locations (r->session, found != NULL ? found->set : NULL);
  kymo_session_set_all_hidden (r->session, (const char *const *) desk->hidden);
  if (desk->by_class == 0)
    kymo_session_set_by_class (r->session, FALSE);
  if (desk->extrapolates == 0)
    kymo_session_set_extrapolates (r->session, FALSE);
}

/* Numbers of groups are of another run's other groups. */
static void
restore_groups (Restoring *r)
{
  const char *fold = r->desk->fold;

  if (fold != NULL && !r->same && g_ascii_isdigit (*fold))
    {
      leave_out (r, _("which groups of rows are folded"));
      fold = "none";
    }
  kymo_session_fold_text (r->session, fold);
}

/* Rows that were sorted by a stretch of time are sorted by that. */
static void
restore_order (Restoring *r)
{
  const KymoDesk *desk = r->desk;
  gboolean in_view = desk->order_span.begin_ns != KYMO_DESK_NONE;

  if (desk->order == NULL)
    {
      kymo_session_set_row_order (r->session, NULL, FALSE);
      return;
    }
  if (in_view && !has_span (r, desk->order_span))
    {
      leave_out (r, _("the stretch of time by which rows are sorted"));
      in_view = FALSE;
    }
  kymo_session_sort_rows (r->session, desk->order, in_view ? &desk->order_span : NULL);
}

/* Those that the run has, in the order of their numbers. */
static void
restore_pins (Restoring *r)
{
  g_autoptr (KymoIdSet) set = r->desk->pinned != NULL ? kymo_id_set_parse (r->desk->pinned, NULL)
                              : NULL;
  g_autoptr (GArray) ids = set != NULL ? kymo_id_set_pick (set, (const gint64 *) r->ids->data,
                                                           r->ids->len) : NULL;

  if (set != NULL && (ids == NULL || ids->len == 0))
    leave_out (r, _("the pinned rows %s"), r->desk->pinned);
  kymo_session_set_pins (r->session, ids != NULL ? (const gint64 *) ids->data : NULL,
                         ids != NULL ? ids->len : 0);
}

static void
restore_rows (Restoring *r)
{
  const KymoDesk *desk = r->desk;
  KymoMessageLines messages = KYMO_MESSAGES_BLOCK;

  restore_pins (r);
  restore_order (r);
  restore_groups (r);
  kymo_session_set_least_ns (r->session, MAX (desk->least_ns, 0));
  kymo_session_set_line (r->session, desk->line);
  kymo_session_set_metrics (r->session, desk->metrics);
  if (desk->messages != NULL)
    kymo_message_lines_from_string (desk->messages, &messages);
  kymo_session_set_messages (r->session, messages);
  kymo_session_set_by_bytes (r->session, desk->by_bytes > 0);
  kymo_session_set_least_bytes (r->session, MAX (desk->least_bytes, 0));
  kymo_session_set_message_tag (r->session, MAX (desk->message_tag, -1));
}

/**
 * kymo_session_has_metric:
 * @info: (nullable): answer of kind info about the run
 * @name: (nullable): name of a metric
 *
 * Returns: whether @info lists a metric of that name; %FALSE for %NULL, and for an expression of
 *   metrics
 */
gboolean
kymo_session_has_metric (const KymoTable *info, const char *name)
{
  KymoTable *list = info != NULL ? kymo_table_peek_nested (info, "metrics", NULL) : NULL;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, "value", i), name) == 0)
      return TRUE;
  return FALSE;
}

static void
restore_profile (Restoring *r)
{
  const char *values[KYMO_N_OPTIONS];

  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    {
      values[i] = r->desk->options[i];
      /* An expression of metrics is not in that list. */
      if (!r->same && values[i] != NULL && g_strcmp0 (kymo_session_options[i], "metric") == 0
          && !kymo_session_has_metric (r->info, values[i]))
        {
          leave_out (r, _("the metric %s"), values[i]);
          values[i] = NULL;
        }
    }
  kymo_profile_options_set_all (kymo_session_peek_options (r->session), values);
  kymo_session_set_function (r->session, r->desk->function);
  kymo_session_set_thread (r->session, r->desk->thread);
}

/* Many bookmarks are often about the same rows. */
static void
restore_notes (Restoring *r)
{
  g_autoptr (GHashTable) lists = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                        found_free);
  GPtrArray *bookmarks = g_ptr_array_new_with_free_func (kymo_session_free_bookmark);
  guint n_out = 0;

  for (guint i = 0; i < r->desk->notes->len; i++)
    {
      const KymoDeskNote *note = r->desk->notes->pdata[i];
      Found *found = NULL;

      if (note->locations != NULL)
        found = g_hash_table_lookup (lists, note->locations);
      if (note->locations != NULL && found == NULL)
        {
          found = find_locations (r, note->locations);
          g_hash_table_insert (lists, note->locations, found);
        }
      if ((found != NULL && found->lacks) || !has_span (r, note->span))
        n_out++;
      else
        g_ptr_array_add (bookmarks, kymo_session_new_bookmark (
          note->span, note->name, note->note, found != NULL ? found->set : NULL));
    }
  kymo_session_take_bookmarks (r->session, bookmarks);
  if (n_out > 0)
    leave_out (r, g_dngettext (GETTEXT_PACKAGE, "%u bookmark", "%u bookmarks",
                               n_out), n_out);
}

/**
 * kymo_session_is_of_desk:
 * @info: (nullable): answer of kind info about the run; %NULL: the number of locations is not
 *   compared
 *
 * Returns: whether the desk has the same full range as the run and, where both are known, as many
 *   locations
 */
gboolean
kymo_session_is_of_desk (KymoSession *self, const KymoDesk *desk,
                         const KymoTable *info)
{
  gint64 n = info != NULL ? kymo_table_get_int (info, "locations", 0)
                          : KYMO_DESK_NONE;

  return kymo_spans_equal (self->full, desk->full)
         && (n == KYMO_DESK_NONE || desk->n_locations == KYMO_DESK_NONE
             || n == desk->n_locations);
}

/**
 * kymo_session_restore:
 * @info: (nullable): answer of the kind "info", to know which locations and metrics there are
 *
 * Takes over of a desk what the run has. Clusters and extrapolation are left to the run view,
 * which asks for them.
 *
 * Returns: (transfer full): what was left out, in words, terminated by %NULL; empty if
 *   nothing was; free with g_strfreev()
 */
char **
kymo_session_restore (KymoSession *self, const KymoDesk *desk,
                      const KymoTable *info)
{
  g_autoptr (GStrvBuilder) left_out = g_strv_builder_new ();
  g_autoptr (GArray) ids = list_ids (info);
  Restoring r = { self, desk, info,
                  kymo_session_is_of_desk (self, desk, info), left_out, ids };
  KymoColorBy by = KYMO_COLOR_BY_NAME;

  if (desk->colors != NULL)
    kymo_session_use_palette (self, desk->colors);
  kymo_color_by_parse (desk->color_by, &by);
  kymo_session_set_color_by (self, by);
  restore_shown (&r);
  restore_rows (&r);
  restore_notes (&r);
  restore_times (&r);
  restore_block (&r);
  /* Last, for the thread of a block that is selected is chosen with it. */
  restore_profile (&r);
  return g_strv_builder_end (left_out);
}

/** kymo_session_start_fresh: colours stay those of the preferences */
void
kymo_session_start_fresh (KymoSession *self)
{
  kymo_session_show_all (self);
  kymo_session_set_locations (self, NULL);
  kymo_session_set_by_class (self, FALSE);
  kymo_session_set_row_order (self, NULL, FALSE);
  kymo_session_set_pins (self, NULL, 0);
  kymo_session_fold_text (self, NULL);
  kymo_session_set_least_ns (self, 0);
  kymo_session_set_line (self, NULL);
  kymo_session_set_metrics (self, NULL);
  kymo_session_set_messages (self, KYMO_MESSAGES_BLOCK);
  kymo_session_set_by_bytes (self, FALSE);
  kymo_session_set_least_bytes (self, 0);
  kymo_session_set_message_tag (self, -1);
  kymo_session_set_color_by (self, KYMO_COLOR_BY_NAME);
  kymo_session_set_extrapolates (self, FALSE);
  kymo_session_set_selection (self, NULL);
  kymo_session_clear_block (self);
  kymo_session_clear_markers (self);
  kymo_session_clear_bookmarks (self);
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    kymo_session_set_option (self, kymo_session_options[i], NULL);
  kymo_session_set_function (self, NULL);
  kymo_session_set_thread (self, NULL);
  kymo_session_fit (self);
}
