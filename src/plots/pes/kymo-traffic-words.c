/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-traffic-words.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "kymo-command.h"
#include "kymo-units.h"

/**
 * kymo_traffic_by_messages:
 *
 * Returns: whether the answer weighs traffic by the number of messages; %FALSE where by bytes
 */
gboolean
kymo_traffic_by_messages (const KymoTable *answer)
{
  return g_strcmp0 (kymo_table_get_string (answer, "of", 0), "messages") == 0;
}

/**
 * kymo_traffic_amount:
 * @by_messages: whether @amount is of messages; else of bytes
 * @amount: may be a mean
 *
 * Returns: (transfer full): "12.3 kB", "1,234", or with two digits where a number of messages
 *   below 10 is not whole
 */
char *
kymo_traffic_amount (gboolean by_messages, double amount)
{
  gint64 whole = amount >= (double) G_MAXINT64 ? G_MAXINT64 : llround (amount);

  if (!by_messages)
    return kymo_format_bytes (whole);
  return amount < 10 && fabs (amount - whole) > 0.005 ? g_strdup_printf ("%.2g", amount)
         : kymo_format_count (whole);
}

/**
 * kymo_traffic_both:
 *
 * Returns: (transfer full): "1,234 messages, 12.3 kB", translated
 */
char *
kymo_traffic_both (gint64 messages, gint64 bytes)
{
  g_autofree char *count = kymo_format_count (messages);
  g_autofree char *size = kymo_format_bytes (bytes);

  return g_strdup_printf (ngettext ("%s message, %s", "%s messages, %s", messages), count, size);
}

/**
 * kymo_traffic_dup_unmatched:
 *
 * Returns: (transfer full) (nullable): how many messages have no record of their creation, in
 *   words; %NULL where there are none
 */
char *
kymo_traffic_dup_unmatched (const KymoTable *answer)
{
  gint64 n = kymo_table_get_int (answer, "unmatched", 0);
  g_autofree char *count = kymo_format_count (n);

  if (n <= 0)
    return NULL;
  return g_strdup_printf (ngettext ("%s without a record of its creation",
                                    "%s without a record of their creation", n), count);
}

/**
 * kymo_traffic_question:
 * @kind: of the question
 *
 * Returns: (transfer full): a question about the visible range, without the names that are hidden,
 *   in which a way through communication threads is a single message
 */
KymoQuestion *
kymo_traffic_question (const KymoPlotFrame *frame, const char *kind)
{
  KymoQuestion *question = kymo_frame_question (frame, kind);
  g_autofree char *names = kymo_export_dup_hidden_text (frame->hidden);

  /* Who talks to whom: not by way of which thread. */
  kymo_question_set_int (question, "join", 1);
  if (names != NULL)
    kymo_question_set (question, "hide", names);
  return question;
}

/**
 * kymo_traffic_list_filters:
 *
 * Returns: (transfer full) (nullable): a translated phrase for each filter that leaves messages
 *   out; %NULL where the answer has no filter
 */
char **
kymo_traffic_list_filters (const KymoTable *answer)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  gint64 least = kymo_table_get_int (answer, "least_bytes", 0);
  gint64 hidden = kymo_table_get_int (answer, "hidden_names", 0);
  g_autofree char *size = kymo_format_bytes (least);
  g_autofree char *large = g_strdup_printf (_("only of at least %s"), size);
  g_autofree char *tag = g_strdup_printf (_("only with tag %" PRId64),
                                          kymo_table_get_int (answer, "tag", 0));
  g_autofree char *names = g_strdup_printf (ngettext ("%" PRId64 " name hidden",
                                                      "%" PRId64 " names hidden", hidden), hidden);

  if (kymo_table_find_column (answer, "left_out_messages") < 0)
    return NULL;
  if (least > 0)
    g_strv_builder_add (list, large);
  if (kymo_table_find_column (answer, "tag") >= 0)
    g_strv_builder_add (list, tag);
  if (hidden > 0)
    g_strv_builder_add (list, names);
  return g_strv_builder_end (list);
}

/**
 * kymo_traffic_dup_sums:
 * @sent: %TRUE for sent messages, %FALSE for received messages
 *
 * Returns: (transfer full): "1,234 messages, 12.3 kB"; where filters leave messages out, also of
 *   how many, and the filters: "1,234 of 5,000 messages, 12.3 kB (only of at least 64 kB)"
 */
char *
kymo_traffic_dup_sums (const KymoTable *answer, gboolean sent)
{
  gint64 n = kymo_table_get_int (answer, sent ? "sent_messages" : "messages", 0);
  gint64 bytes = kymo_table_get_int (answer, sent ? "sent_bytes" : "bytes", 0);
  gint64 out = kymo_table_get_int (answer, sent ? "left_out_sent_messages" : "left_out_messages",
                                   0);
  g_auto (GStrv) filters = kymo_traffic_list_filters (answer);
  g_autofree char *count = kymo_format_count (n), *size = kymo_format_bytes (bytes);
  g_autofree char *all = kymo_format_count (n + out);
  g_autofree char *by = NULL;

  if (filters == NULL)
    return kymo_traffic_both (n, bytes);
  by = g_strjoinv (", ", filters);
  /* Translators: the last one is "at least 64 kB, 2 names hidden". */
  return g_strdup_printf (ngettext ("%s of %s message, %s (%s)", "%s of %s messages, %s (%s)",
                                    n + out), count, all, size, by);
}

/**
 * kymo_traffic_paint_empty:
 * @area: px
 *
 * Writes into the middle of @area why the picture is empty: the range has no messages, or filters
 * leave all of them out.
 */
void
kymo_traffic_paint_empty (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame,
                          KymoRect area)
{
  gint64 out = MAX (kymo_table_get_int (answer, "left_out_messages", 0),
                    kymo_table_get_int (answer, "left_out_sent_messages", 0));
  g_auto (GStrv) filters = kymo_traffic_list_filters (answer);
  g_autofree char *by = filters != NULL ? g_strjoinv (", ", filters) : NULL;
  g_autofree char *count = kymo_format_count (out);
  g_autofree char *words = NULL;

  if (by != NULL && out > 0)
    words = g_strdup_printf (ngettext ("%s message is in this range, and left out (%s)",
                                       "%s messages are in this range, and all are left out (%s)",
                                       out),
                             count, by);
  kymo_paint_empty (cr, frame, area, words != NULL ? words : _("No messages in this range"));
}
