/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-plot-terms.h.
 */
#include "config.h"

#include "kymo-plot-terms.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-units.h"

/**
 * kymo_words_rows:
 *
 * Returns: (transfer full): a number of locations with its translated word, "16,384 threads"
 */
char *
kymo_words_rows (KymoTerms terms, gint64 n)
{
  g_autofree char *count = kymo_format_count (n);

  switch (terms.row)
    {
    case KYMO_ROW_RANK:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s rank", "%s ranks", n), count);
    case KYMO_ROW_THREAD:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s thread", "%s threads", n),
                              count);
    case KYMO_ROW_PE:
    default:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s PE", "%s PEs", n), count);
    }
}

/**
 * kymo_words_codes:
 *
 * Returns: (transfer full): a number of entry methods or functions with its translated word, "101
 *   entry methods"
 */
char *
kymo_words_codes (KymoTerms terms, gint64 n)
{
  g_autofree char *count = kymo_format_count (n);

  if (terms.code == KYMO_CODE_FUNCTION)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s function", "%s functions", n),
                            count);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s entry method", "%s entry methods",
                                       n), count);
}

/**
 * kymo_words_calls:
 * @n: a number of calls; not finite where the profile does not know it
 *
 * Returns: (transfer full): the number with its translated word, "1 call", or "calls unknown"
 */
char *
kymo_words_calls (double n)
{
  g_autofree char *count = isfinite (n) ? kymo_format_count (llround (n)) : NULL;

  if (count == NULL)
    return g_strdup (_("calls unknown"));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s call", "%s calls", llround (n)),
                          count);
}

/**
 * kymo_words_messages:
 *
 * Returns: (transfer full): a number of messages with its translated word, "202,648 messages"
 */
char *
kymo_words_messages (gint64 n)
{
  g_autofree char *count = kymo_format_count (n);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s message", "%s messages", n), count);
}

/**
 * kymo_words_blocks:
 *
 * Returns: (transfer full): a number of blocks with its translated word, "3 blocks"
 */
char *
kymo_words_blocks (gint64 n)
{
  g_autofree char *count = kymo_format_count (n);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s block", "%s blocks", n), count);
}

/**
 * kymo_words_steps:
 *
 * Returns: (transfer full): a number of steps with its translated word, "3 steps"
 */
char *
kymo_words_steps (gint64 n)
{
  g_autofree char *count = kymo_format_count (n);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s step", "%s steps", n), count);
}

/**
 * kymo_words_waits:
 *
 * Returns: (transfer full): a number of waits with its translated word, "3 waits"
 */
char *
kymo_words_waits (gint64 n)
{
  g_autofree char *count = kymo_format_count (n);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s wait", "%s waits", n), count);
}

/**
 * kymo_words_no_rows:
 *
 * Returns: (transfer none): a translated sentence for a picture without locations, static: "No
 *   ranks to compare"
 */
const char *
kymo_words_no_rows (KymoTerms terms)
{
  return terms.row == KYMO_ROW_RANK ? _("No ranks to compare")
         : terms.row == KYMO_ROW_THREAD ? _("No threads to compare") : _("No PEs to compare");
}
