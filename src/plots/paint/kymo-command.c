/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-command.h. What the line has to say is what the question of the view
 * has and the question that the command would put by itself has not; so a keyword
 * that a view begins to use and that no option stands for is an error here, not
 * another figure there.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-command.h"
#include "kymo-comparison.h"
#include "kymo-error.h"
#include "kymo-hues.h"
#include "kymo-name.h"
#include "kymo-order.h"
#include "kymo-question-class.h"

const KymoExportWord kymo_export_words[] = {
  { "by", "by", KYMO_EXPORT_VALUE },
  { "order", "order", KYMO_EXPORT_VALUE },
  { "count", "count", KYMO_EXPORT_VALUE },
  { "stacked", "stacked", KYMO_EXPORT_SWITCH },
  { "kept", "kept", KYMO_EXPORT_SWITCH },
  { "clusters", "clusters", KYMO_EXPORT_VALUE },
  { "outliers", "outliers", KYMO_EXPORT_VALUE },
  { "keep", "keep", KYMO_EXPORT_VALUE },
  { "seeding", "seeding", KYMO_EXPORT_VALUE },
  { "seed", "seed", KYMO_EXPORT_VALUE },
  { "scale", "scale", KYMO_EXPORT_VALUE },
  { "with", "with", KYMO_EXPORT_VALUE },
  { "quota", "quota", KYMO_EXPORT_VALUE },
  { "union", "union", KYMO_EXPORT_VALUE },
  { "critical-path", "critical-path", KYMO_EXPORT_FLAG },
  { "x", "x", KYMO_EXPORT_VALUE },
  { "y", "y", KYMO_EXPORT_VALUE },
  { "of", "of", KYMO_EXPORT_VALUE },
  { "preset", "preset", KYMO_EXPORT_VALUE },
  { "weight", "weight", KYMO_EXPORT_VALUE },
  { "bins", "bins", KYMO_EXPORT_VALUE },
  { "metric", "metric", KYMO_EXPORT_VALUE },
  { "value", "value", KYMO_EXPORT_VALUE },
  { "step", "step", KYMO_EXPORT_VALUE },
  { "groups", "groups", KYMO_EXPORT_VALUE },
  { "callpath-depth", "callpath-depth", KYMO_EXPORT_VALUE },
  { "depth-limit", "depth-limit", KYMO_EXPORT_VALUE },
  { "by-phase", "by-phase", KYMO_EXPORT_FLAG },
  { "paths", "paths", KYMO_EXPORT_VALUE },
  { "name", "name", KYMO_EXPORT_VALUE },
  { "statistic", "statistic", KYMO_EXPORT_VALUE },
  { "root", "root", KYMO_EXPORT_VALUE },
  { "search", "search", KYMO_EXPORT_VALUE },
  { "regex", "regex", KYMO_EXPORT_FLAG },
  { "kind", "kind", KYMO_EXPORT_VALUE },
  { "function", "function", KYMO_EXPORT_VALUE },
  { "focus", "function", KYMO_EXPORT_VALUE },
  { "path", "path", KYMO_EXPORT_VALUE },
  { "limit", "limit", KYMO_EXPORT_VALUE },
  { "waits", "waits", KYMO_EXPORT_FLAG },
  { "extrapolate", "extrapolate", KYMO_EXPORT_FLAG },
  { "bar-ns", "bar", KYMO_EXPORT_TIME },
  { "messages", "messages", KYMO_EXPORT_VALUE },
  { "least-bytes", "least-bytes", KYMO_EXPORT_VALUE },
  { "tag", "tag", KYMO_EXPORT_VALUE },
  { "location", "location", KYMO_EXPORT_VALUE },
  { "at-ns", "at", KYMO_EXPORT_TIME },
  { "follow", "follow", KYMO_EXPORT_VALUE },
  { "follow-location", "follow-location", KYMO_EXPORT_VALUE },
  { "follow-at-ns", "follow-at", KYMO_EXPORT_TIME },
  { "least-ns", "least", KYMO_EXPORT_TIME },
  { "line", "line", KYMO_EXPORT_VALUE },
  { "metrics", "metrics", KYMO_EXPORT_VALUE },
  { NULL },
};

/* Says nothing about figures, or what --color-by says. */
static const char *const idle_words[] = { "once", "busy-begin", "busy-end", "communicators", NULL };

static const KymoExportWord *
find_word (const char *key)
{
  for (guint i = 0; kymo_export_words[i].key != NULL; i++)
    if (strcmp (kymo_export_words[i].key, key) == 0)
      return &kymo_export_words[i];
  return NULL;
}

/* -- words of a shell ----------------------------------------------------- */

static gboolean
is_plain (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("-_./,:=+@%", *c) == NULL)
      return FALSE;
  return *text != '\0';
}

/**
 * kymo_command_add_word:
 *
 * Appends a space and @text to @line. Quotes @text for a shell where it is empty or has characters
 * that a shell may change.
 */
void
kymo_command_add_word (GString *line, const char *text)
{
  g_autofree char *quoted = is_plain (text) ? g_strdup (text) : g_shell_quote (text);

  g_string_append_printf (line, " %s", quoted);
}

/* A value that begins with a dash is one nevertheless. */
static void
add_option (GString *line, const char *option, const char *value)
{
  g_autofree char *word = value != NULL && value[0] == '-'
    ? g_strdup_printf ("--%s=%s", option, value) : g_strdup_printf ("--%s", option);

  kymo_command_add_word (line, word);
  if (value != NULL && value[0] != '-')
    kymo_command_add_word (line, value);
}

/* -- what differs --------------------------------------------------------- */

static gboolean
add_keyword (GString *line, const char *key, const char *value, GError **error)
{
  const KymoExportWord *word = find_word (key);
  gboolean no = g_strcmp0 (value, "0") == 0;

  if (word == NULL || (value == NULL && word->kind != KYMO_EXPORT_FLAG)
      || (word->kind == KYMO_EXPORT_FLAG && (value == NULL || no)))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("kymo-cli has no option for “%s” of this view"), key);
      return FALSE;
    }
  if (word->kind == KYMO_EXPORT_FLAG)
    add_option (line, word->option, NULL);
  else if (word->kind == KYMO_EXPORT_SWITCH)
    add_option (line, word->option, no ? "no" : "yes");
  else
    add_option (line, word->option, value);
  return TRUE;
}

static gboolean
is_off (const char *value)
{
  return value == NULL || strcmp (value, "0") == 0;
}

/* Writes keywords that are other options where runs are compared. A range is written with its
   begin. */
static gboolean
add_compared (GString *line, const KymoQuestion *asked, const char *key)
{
  const char *value = kymo_question_get (asked, key);

  if (strcmp (key, "scale") == 0)
    add_option (line, "time-scale", value);
  else if (strcmp (key, "figure") == 0)
    add_option (line, "figure", value);
  else if (strcmp (key, "against") == 0)
    {
      g_autofree char *side = kymo_comparison_dup_side_label (strtoul (value, NULL, 10));

      add_option (line, "against", side);
    }
  else if (g_str_has_prefix (key, "begin-"))
    {
      g_autofree char *end = g_strconcat ("end-", key + strlen ("begin-"), NULL);
      g_autofree char *range = g_strdup_printf ("%s=%sns..%sns", key + strlen ("begin-"), value,
                                                kymo_question_get (asked, end));

      add_option (line, "range-of", range);
    }
  else
    return g_str_has_prefix (key, "end-");
  return TRUE;
}

static gboolean
add_keywords (GString *line, gboolean compares, const KymoQuestion *asked,
              const KymoQuestion *own, GError **error)
{
  g_auto (GStrv) keys = kymo_question_list_keys (asked);
  g_auto (GStrv) own_keys = kymo_question_list_keys (own);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      const char *value = kymo_question_get (asked, keys[i]);
      const char *other = kymo_question_get (own, keys[i]);
      const KymoExportWord *word = find_word (keys[i]);

      if (g_strcmp0 (value, other) == 0 || (compares && add_compared (line, asked, keys[i]))
          || g_strv_contains (idle_words, keys[i])
          || (word != NULL && word->kind == KYMO_EXPORT_FLAG && is_off (value)
              && is_off (other)))
        continue;
      if (!add_keyword (line, keys[i], value, error))
        return FALSE;
    }
  for (guint i = 0; own_keys[i] != NULL; i++)
    if (kymo_question_get (asked, own_keys[i]) == NULL
        && !add_keyword (line, own_keys[i], NULL, error))
      return FALSE;
  return TRUE;
}

static void
add_path (GString *line, const char *path)
{
  g_autofree char *here = path[0] == '-' ? g_strconcat ("./", path, NULL) : NULL;

  kymo_command_add_word (line, here != NULL ? here : path);
}

static void
add_range (GString *line, KymoSource *source, KymoSpan span)
{
  KymoSpan full = kymo_source_get_span (source);
  g_autofree char *begin = g_strdup_printf ("%" G_GINT64_FORMAT, span.begin_ns);
  g_autofree char *end = g_strdup_printf ("%" G_GINT64_FORMAT, span.end_ns);

  if (kymo_span_length (span) == 0
      || (span.begin_ns == full.begin_ns && span.end_ns == full.end_ns))
    return;
  add_option (line, "from", begin);
  add_option (line, "to", end);
}

/* The iteration from whose begin times are told. */
static void
add_stretch (GString *line, const KymoCommand *command)
{
  KymoSpan stretch = command->frame->stretch;
  g_autofree char *range = g_strdup_printf ("%" G_GINT64_FORMAT "ns..%" G_GINT64_FORMAT "ns",
                                            stretch.begin_ns, stretch.end_ns);

  if (command->klass->time_axis && kymo_span_length (stretch) > 0)
    add_option (line, "count-from", range);
}

/* Only these are lists of locations. */
static gboolean
has_rows (const KymoQuestion *asked)
{
  static const char *const kinds[] = { "timeline", "usage", NULL };

  return g_strv_contains (kinds, kymo_question_get_kind (asked));
}

static void
add_rows (GString *line, const KymoQuestion *asked)
{
  KymoIdSet *locations = kymo_question_peek_locations (asked);
  GArray *order = has_rows (asked) ? kymo_question_peek_order (asked) : NULL;
  g_autofree char *text = locations != NULL ? kymo_id_set_to_text (locations) : NULL;
  g_autofree char *rows = order != NULL
    ? kymo_ids_to_text ((const gint64 *) order->data, order->len) : NULL;

  KymoRowGroups *groups = strcmp (kymo_question_get_kind (asked), "timeline") == 0
    ? kymo_question_peek_groups (asked) : NULL;
  g_autofree char *fold = groups != NULL ? kymo_row_groups_to_text (groups) : NULL;

  if (text != NULL)
    add_option (line, "locations", text);
  if (fold != NULL)
    add_option (line, "fold", fold);
  if (rows != NULL)
    add_option (line, "order", rows);
}

/**
 * kymo_export_dup_hidden_text:
 * @hidden: (nullable): a set of names
 *
 * Returns: (transfer full) (nullable): them in order as a list (see kymo-name.h), as
 *   kymo_export_hidden() takes them; %NULL where there are none
 */
char *
kymo_export_dup_hidden_text (GHashTable *hidden)
{
  g_autofree const char **names = NULL;
  guint n = 0;

  if (hidden == NULL || g_hash_table_size (hidden) == 0)
    return NULL;
  names = (const char **) g_hash_table_get_keys_as_array (hidden, &n);
  qsort (names, n, sizeof *names, kymo_compare_strings);
  return kymo_name_list_join (names);
}

static void
add_hidden (GString *line, GHashTable *hidden)
{
  g_autofree char *list = kymo_export_dup_hidden_text (hidden);

  if (list != NULL)
    add_option (line, "hide", list);
}

static void
add_number (GString *line, const char *option, double number, double usual)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (number != usual)
    add_option (line, option, g_ascii_formatd (text, sizeof text, "%.6g", number));
}

/* The size of words and the pixels per inch where they are not those of the size. */
static void
add_size (GString *line, const KymoCommand *command)
{
  const KymoPlotFrame *frame = command->frame;
  KymoFigureSize plain = { frame->width_px, frame->height_px, FALSE, 9, 96 };
  const KymoFigureSize *size = command->size != NULL ? command->size : &plain;
  g_autofree char *text = kymo_figure_size_dup_text (size);
  KymoFigureSize usual;

  add_option (line, "size", text);
  if (!kymo_figure_size_parse (text, &usual))
    return;
  add_number (line, "font-size", size->font_pt, usual.font_pt);
  if (command->format == NULL || g_str_equal (command->format, "png"))
    add_number (line, "dpi", size->dpi, usual.dpi);
}

static void
add_looks (GString *line, const KymoCommand *command)
{
  const KymoPlotFrame *frame = command->frame;

  add_size (line, command);
  if (frame->title != NULL)
    add_option (line, "title", frame->title);
  if (frame->legend != KYMO_LEGEND_AUTO)
    add_option (line, "legend", kymo_legend_words[frame->legend]);
  add_number (line, "legend-most", frame->legend_most, 0);
  if (frame->look != KYMO_LOOK_LIGHT)
    add_option (line, "theme", kymo_look_words[frame->look]);
  if (command->palette != NULL && strcmp (command->palette, "standard") != 0)
    add_option (line, "palette", command->palette);
  if (command->color_by != KYMO_COLOR_BY_NAME)
    add_option (line, "color-by", kymo_color_by_to_string (command->color_by));
  if (frame->unit != NULL)
    add_option (line, "unit", frame->unit);
  if (frame->focus != NULL)
    add_option (line, "focus", frame->focus);
  if (frame->relative)
    add_option (line, "relative", NULL);
  if (frame->by_bytes && kymo_question_get (command->asked, "messages") != NULL)
    add_option (line, "by-bytes", NULL);
  add_hidden (line, frame->hidden);
}

/**
 * kymo_command_dup:
 *
 * Returns: (transfer full) (nullable): a line for a shell, or %NULL where the view
 *   shows what no option stands for
 */
char *
kymo_command_dup (const KymoCommand *command, GError **error)
{
  g_autoptr (GString) line = g_string_new ("kymo-cli export");
  g_autoptr (KymoQuestion) own = kymo_export_question (command->klass, command->frame,
                                                       command->source);
  g_autofree char *file = g_strconcat (command->klass->id, ".",
                                       command->format != NULL ? command->format : "png", NULL);

  kymo_command_add_word (line, command->klass->id);
  if (command->klass->compares)
    g_string_append (line, command->path);
  else
    add_path (line, command->path);
  add_range (line, command->source, command->frame->span);
  add_stretch (line, command);
  add_rows (line, command->asked);
  if (!add_keywords (line, command->klass->compares, command->asked, own, error))
    return NULL;
  if (command->correct_clocks)
    add_option (line, "correct-clocks", NULL);
  add_looks (line, command);
  g_string_append_printf (line, " -o %s", file);
  return g_strdup (line->str);
}

static gboolean
add_record_word (GString *line, const char *key, const char *value, GError **error)
{
  const KymoQuestionClass *klass = kymo_question_class_find ("events");
  const KymoKeyword *keyword = kymo_question_class_find_keyword (klass, key);

  if (keyword != NULL && !keyword->internal)
    {
      add_option (line, keyword->name, keyword->type == KYMO_KEYWORD_FLAG ? NULL : value);
      return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("kymo-cli has no option for “%s” of this view"), key);
  return FALSE;
}

/**
 * kymo_command_dup_records:
 *
 * Returns: (transfer full) (nullable): a line for a shell, or %NULL where the list has a
 *   filter that no option stands for
 */
char *
kymo_command_dup_records (KymoSource *source, const char *path, KymoQuestion *asked,
                          GError **error)
{
  g_autoptr (GString) line = g_string_new ("kymo-cli events");
  g_autofree char *most = g_strdup_printf ("%d", KYMO_RECORDS_MOST);
  g_auto (GStrv) keys = kymo_question_list_keys (asked);
  KymoSpan span = kymo_question_get_span (asked);

  add_path (line, path);
  if (span.begin_ns != KYMO_SPAN_ALL.begin_ns || span.end_ns != KYMO_SPAN_ALL.end_ns)
    add_range (line, source, span);
  add_rows (line, asked);
  for (guint i = 0; keys[i] != NULL; i++)
    if (!add_record_word (line, keys[i], kymo_question_get (asked, keys[i]), error))
      return NULL;
  if (kymo_source_has_corrected_clocks (source))
    add_option (line, "correct-clocks", NULL);
  add_option (line, "limit", most);
  g_string_append (line, " --format csv -o events.csv");
  return g_strdup (line->str);
}

/**
 * kymo_command_dup_diagnose:
 * @asked: the question of a page of findings
 *
 * Returns: (transfer full): a line for a shell that tells the same findings
 */
char *
kymo_command_dup_diagnose (KymoSource *source, const char *path, KymoQuestion *asked)
{
  g_autoptr (GString) line = g_string_new ("kymo-cli diagnose");
  KymoSpan span = kymo_question_get_span (asked);

  add_path (line, path);
  if (!kymo_span_is_all (span))
    add_range (line, source, span);
  add_rows (line, asked);
  if (kymo_source_has_corrected_clocks (source))
    add_option (line, "correct-clocks", NULL);
  return g_strdup (line->str);
}

/** kymo_export_hidden: Returns: (transfer full): */
GHashTable *
kymo_export_hidden (const char *list)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree GStrv names = kymo_name_list_split (list);

  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_add (set, names[i]);
  return set;
}
