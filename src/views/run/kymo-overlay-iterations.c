/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-overlay-iterations.h. Iterations are named by their numbers, in the order in which they
 * are to be compared: the first one is A.
 */
#include "config.h"

#include "kymo-overlay-iterations.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "kymo-comparison.h"
#include "kymo-dialogs.h"
#include "kymo-units.h"

#define REGIONS "kymo-overlaid-regions"

/* (transfer full): indices of all iterations, the shortest first */
static GArray *
list_by_length (KymoRunRegions *regions)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < kymo_run_regions_get_n (regions); i++)
    if (strcmp (kymo_run_regions_peek_kind (regions, i), "iteration") == 0)
      g_array_append_val (list, i);
  return list;
}

static int
compare_lengths (gconstpointer a, gconstpointer b, gpointer regions)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  gint64 first_ns = kymo_span_length (kymo_run_regions_get_span (regions, x));
  gint64 second_ns = kymo_span_length (kymo_run_regions_get_span (regions, y));

  if (first_ns != second_ns)
    return first_ns < second_ns ? -1 : 1;
  return x < y ? -1 : x > y;
}

/**
 * kymo_overlay_is_possible:
 *
 * Returns: whether the run has two iterations or more
 */
gboolean
kymo_overlay_is_possible (KymoRunRegions *regions)
{
  g_autoptr (GArray) list = list_by_length (regions);

  return list->len >= 2;
}

/**
 * kymo_overlay_dup_choice:
 *
 * Returns: (transfer full): the numbers of the fastest iteration, of one in the middle and of the
 *   slowest, as kymo_overlay_parse() reads them
 */
char *
kymo_overlay_dup_choice (KymoRunRegions *regions)
{
  g_autoptr (GArray) list = list_by_length (regions);
  GString *text = g_string_new (NULL);
  guint places[] = { 0, list->len / 2, list->len - 1 };

  g_array_sort_with_data (list, compare_lengths, regions);
  for (guint k = 0; k < G_N_ELEMENTS (places) && list->len > 0; k++)
    if (k == 0 || places[k] != places[k - 1])
      g_string_append_printf (text, "%s%" PRId64, k > 0 ? ", " : "",
                              kymo_run_regions_get_number (regions, g_array_index (
                                list, guint, places[k])));
  return g_string_free (text, FALSE);
}

static gboolean
find_iteration (KymoRunRegions *regions, const char *word, guint *found)
{
  gint64 number;

  if (!g_ascii_string_to_signed (word, 10, 0, G_MAXINT64, &number, NULL))
    return FALSE;
  for (guint i = 0; i < kymo_run_regions_get_n (regions); i++)
    if (strcmp (kymo_run_regions_peek_kind (regions, i), "iteration") == 0
        && kymo_run_regions_get_number (regions, i) == number)
      {
        *found = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * kymo_overlay_parse:
 * @text: numbers of iterations between commas or spaces
 * @why: (out) (transfer full): a sentence where nothing is returned
 *
 * Returns: (transfer none) (nullable): a floating "a(sxx)" for %KYMO_OVERLAY_ACTION; %NULL where
 *   the run has not all of these iterations, or they are fewer than 2 or more than are compared
 */
GVariant *
kymo_overlay_parse (KymoRunRegions *regions, const char *text, char **why)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(sxx)"));
  g_auto (GStrv) words = g_strsplit_set (text, ", ", -1);
  guint n = 0, i = 0;

  for (char **word = words; *word != NULL; word++)
    {
      g_autofree char *name = NULL;
      KymoSpan span;

      if (**word == '\0')
        continue;
      if (!find_iteration (regions, *word, &i))
        {
          *why = g_strdup_printf (_("The run has no iteration “%s”."), *word);
          return NULL;
        }
      name = kymo_run_regions_dup_name (regions, i);
      span = kymo_run_regions_get_span (regions, i);
      g_variant_builder_add (&builder, "(sxx)", name, span.begin_ns, span.end_ns);
      n++;
    }
  if (n >= 2 && n <= KYMO_MOST_RUNS)
    return g_variant_builder_end (&builder);
  *why = g_strdup_printf (_("2 to %d iterations can be laid over each other."), KYMO_MOST_RUNS);
  return NULL;
}

static void ask (GtkWidget *widget, const char *explanation, const char *text);

static void
on_typed (const char *text, gpointer data)
{
  g_autofree char *why = NULL;
  GVariant *spans = kymo_overlay_parse (g_object_get_data (data, REGIONS), text, &why);

  if (gtk_widget_get_root (data) == NULL)
    g_clear_pointer (&spans, g_variant_unref);
  else if (spans != NULL)
    gtk_widget_activate_action_variant (data, KYMO_OVERLAY_ACTION, spans);
  else
    ask (data, why, text);
}

static void
ask (GtkWidget *widget, const char *explanation, const char *text)
{
  kymo_dialog_ask_text (GTK_WINDOW (gtk_widget_get_root (widget)), _("Overlay Iterations"),
                        explanation, text, _("_Overlay"), on_typed, widget);
}

/**
 * kymo_overlay_iterations_ask:
 * @widget: in the window that has %KYMO_OVERLAY_ACTION
 * @regions: with iterations; belongs to what @widget holds
 *
 * Asks for the numbers of iterations, again where there are no such ones, and activates the action
 * with them. Returns at once.
 */
void
kymo_overlay_iterations_ask (GtkWidget *widget, KymoRunRegions *regions)
{
  g_autofree char *text = kymo_overlay_dup_choice (regions);

  g_object_set_data (G_OBJECT (widget), REGIONS, regions);
  ask (widget, _("Numbers of iterations, which are shown on one time axis from their begins. At "
                 "first they are the fastest, one in the middle and the slowest."), text);
}
