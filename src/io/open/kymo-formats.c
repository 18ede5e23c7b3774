/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-formats.h"

/* In this order: traces before profiles of the same run. */
const KymoFormat *const kymo_formats[] =
{
  &kymo_format_projections,
  &kymo_format_tau_trace,
  &kymo_format_otf2,
  &kymo_format_record,
  &kymo_format_tau_profile,
  &kymo_format_stream,
  &kymo_format_gprof,
  &kymo_format_mpip,
  NULL,
};

/**
 * kymo_formats_dup_tools:
 *
 * Returns: (transfer full): the tools of all formats of a kind, for a sentence: "A, B and C"
 */
char *
kymo_formats_dup_tools (KymoFormatKind kind)
{
  GString *tools = g_string_new (NULL);
  const char *last = NULL;

  for (guint i = 0; kymo_formats[i] != NULL; i++)
    if (kymo_formats[i]->kind == kind)
      {
        if (last != NULL)
          g_string_append_printf (tools, "%s%s", tools->len > 0 ? ", " : "", last);
        last = kymo_formats[i]->tool;
      }
  if (tools->len > 0)
    g_string_append_printf (tools, " %s ", _("and"));
  if (last != NULL)
    g_string_append (tools, last);
  return g_string_free (tools, FALSE);
}

/**
 * kymo_formats_dup_globs:
 *
 * Returns: (transfer full) (array zero-terminated=1): patterns of the names of files of runs
 */
char **
kymo_formats_dup_globs (void)
{
  g_autoptr (GStrvBuilder) globs = g_strv_builder_new ();

  for (guint i = 0; kymo_formats[i] != NULL; i++)
    g_strv_builder_addv (globs, (const char **) kymo_formats[i]->globs);
  return g_strv_builder_end (globs);
}
