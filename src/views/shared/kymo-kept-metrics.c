/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-kept-metrics.h. The file is read each time: another program may have
 * written it. Main thread only.
 */
#include "config.h"

#include "kymo-kept-metrics.h"

#include "kymo-derived-metrics.h"

static guint n_changes;

/**
 * kymo_kept_metrics_load:
 *
 * Reads the person's file of metrics.
 *
 * Returns: (transfer full): expressions without a name of their own, the newest last; empty where
 *   there are none
 */
char **
kymo_kept_metrics_load (void)
{
  return kymo_derived_metrics_list_typed ();
}

static gboolean
save_kept_metrics (char **expressions, GError **error)
{
  n_changes++;
  return kymo_derived_metrics_set_typed ((const char *const *) expressions, error);
}

/**
 * kymo_kept_metrics_get_changes:
 *
 * Returns: how often this program has written the file; writes of other programs are not counted
 */
guint
kymo_kept_metrics_get_changes (void)
{
  return n_changes;
}

/* Those at hand but for one; of the rest the newest `most`. */
static char **
all_but (const char *expression, guint most)
{
  g_auto (GStrv) before = kymo_kept_metrics_load ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n = g_strv_length (before), left = n;

  left -= g_strv_contains ((const char *const *) before, expression);
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (before[i], expression) != 0 && left-- <= most)
      g_strv_builder_add (builder, before[i]);
  return g_strv_builder_end (builder);
}

/** kymo_kept_metrics_keep: @expression: one line; it becomes the newest */
gboolean
kymo_kept_metrics_keep (const char *expression, GError **error)
{
  g_auto (GStrv) rest = all_but (expression, KYMO_KEPT_METRICS_MOST - 1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  g_strv_builder_addv (builder, (const char **) rest);
  g_strv_builder_add (builder, expression);
  all = g_strv_builder_end (builder);
  return save_kept_metrics (all, error);
}

/**
 * kymo_kept_metrics_forget:
 *
 * Takes an expression out of the person's file of metrics.
 *
 * Returns: %FALSE with @error where the file could not be written
 */
gboolean
kymo_kept_metrics_forget (const char *expression, GError **error)
{
  g_auto (GStrv) rest = all_but (expression, KYMO_KEPT_METRICS_MOST);

  return save_kept_metrics (rest, error);
}
