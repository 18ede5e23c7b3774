/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-location-filter.h"

typedef gboolean (*Wanted) (KymoLocationItem *item, gconstpointer rule);

/** Share: "busy<50%", "useful<50%" */
typedef struct
{
  char     sign;                   /* < or > */
  gboolean or_equal;
  double   share;
} Share;

/* Of those that a rule wants, or of all, by number one in @step; NULL where there is
   none. */
static KymoIdSet *
choose_location_filter (KymoLocationList *list, Wanted wanted, gconstpointer rule, guint64 step)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (list));
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (KymoLocationItem) item = g_list_model_get_item (G_LIST_MODEL (list), i);
      gint64 id = kymo_location_list_get_id (list, i);

      if (wanted == NULL || wanted (item, rule))
        g_array_append_val (ids, id);
    }
  g_array_sort (ids, kymo_compare_ints);
  for (guint i = 0, at = 0; i < ids->len; i++)
    if (i % step == 0)
      g_array_index (ids, gint64, at++) = g_array_index (ids, gint64, i);
  g_array_set_size (ids, (ids->len + step - 1) / step);
  return ids->len > 0 ? kymo_id_set_new_list ((const gint64 *) ids->data, ids->len) : NULL;
}

static gboolean
is_named (KymoLocationItem *item, gconstpointer part)
{
  const char *label = kymo_location_item_peek_label (item);
  g_autofree char *folded = g_utf8_casefold (label != NULL ? label : "", -1);

  return strstr (folded, part) != NULL;
}

static gboolean
has_share (KymoLocationItem *item, gconstpointer rule)
{
  const Share *share = rule;
  double own = kymo_location_item_get_share (item);

  if (isnan (own))
    return FALSE;
  if (share->or_equal && own == share->share)
    return TRUE;
  return share->sign == '<' ? own < share->share : own > share->share;
}

/* "every 16th", "every 16" */
static gboolean
parse_every (const char *text, guint64 *step)
{
  char *end = NULL;

  if (!g_str_has_prefix (text, "every "))
    return FALSE;
  *step = g_ascii_strtoull (text + strlen ("every "), &end, 10);
  return *step > 0 && strspn (end, "stndrh ") == strlen (end);
}

/* "busy<50%", "useful >= 0.5": the share of the run in the list, by either word */
static gboolean
parse_share (const char *text, Share *share)
{
  gboolean useful = g_str_has_prefix (text, "useful");
  const char *at = text + strlen (useful ? "useful" : "busy");
  char *end = NULL;

  if (!useful && !g_str_has_prefix (text, "busy"))
    return FALSE;
  at += strspn (at, " ");
  share->sign = *at;
  if (*at != '<' && *at != '>')
    return FALSE;
  share->or_equal = at[1] == '=';
  at += 1 + share->or_equal;
  share->share = g_ascii_strtod (at, &end);
  if (end == at)
    return FALSE;
  end += strspn (end, " ");
  if (*end == '%')
    {
      share->share /= 100;
      end++;
    }
  return *end == '\0';
}

/**
 * kymo_location_filter:
 * @list: all locations, with their shares
 * @text: what was typed
 *
 * Returns: (transfer full) (nullable): the chosen ones; %NULL with @error where it
 * is no choice, or chooses none
 */
KymoIdSet *
kymo_location_filter (KymoLocationList *list, const char *text, GError **error)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_autofree char *folded = g_utf8_casefold (trimmed, -1);
  KymoIdSet *set = NULL;
  guint64 step = 1;
  Share share;

  if (g_ascii_isdigit (*trimmed))
    return kymo_id_set_parse (trimmed, error);
  if (parse_every (folded, &step))
    set = choose_location_filter (list, NULL, NULL, step);
  else if (parse_share (folded, &share))
    set = choose_location_filter (list, has_share, &share, 1);
  else if (*folded != '\0')
    set = choose_location_filter (list, is_named, folded, 1);
  if (set == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("“%s” chooses none: a list as 0-15,32,0-1023:16, every 16th, busy<50%% or "
                   "a part of the names is meant"), trimmed);
  return set;
}
