/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a key file to rules. GKeyFile joins groups of one name, lets the last of two equal keys win
 * and tells no lines, so the lines are scanned first: for where each group and key is, and for
 * doubles.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-rules-private.h"

#define HEAD "Kymo Rules"

/**
 * Reading:
 * @file: name, for the faults
 * @lines: "GROUP" or "GROUP\nKEY" -> line number
 * @group: the group that is read
 * @used: keys of the group that a rule has taken
 */
typedef struct
{
  KymoRules  *rules;
  const char *file;
  GPtrArray  *faults;
  GKeyFile   *keys;
  GHashTable *lines;
  const char *group;
  GHashTable *used;
} Reading;

/* -- lines ----------------------------------------------------------------------- */

static void
note_line (Reading *reading,
           char    *place,
           guint    line)
{
  if (!g_hash_table_contains (reading->lines, place))
    {
      g_hash_table_insert (reading->lines, place, GUINT_TO_POINTER (line));
      return;
    }
  if (strchr (place, '\n') == NULL)
    kymo_rules_add_fault (reading->faults, reading->file, line, _("the group [%s] is here twice"),
                          place);
  else
    kymo_rules_add_fault (reading->faults, reading->file, line,
                          _("the key “%s” is twice in its group"), strchr (place, '\n') + 1);
  g_free (place);
}

static void
scan_line (Reading  *reading,
           char     *text,
           guint     line,
           char    **group)
{
  char *equals = strchr (text, '=');
  gsize length = strlen (text);

  if (*text == '\0' || *text == '#')
    return;
  if (*text == '[' && text[length - 1] == ']' && length > 2)
    {
      g_free (*group);
      *group = g_strndup (text + 1, length - 2);
      note_line (reading, g_strdup (*group), line);
    }
  else if (equals != NULL && equals > text && *group != NULL)
    {
      g_autofree char *key = g_strndup (text, equals - text);

      note_line (reading, g_strdup_printf ("%s\n%s", *group, g_strchomp (key)), line);
    }
  else
    kymo_rules_add_fault (reading->faults, reading->file, line,
                          _("this is no group, no key with a value and no comment"));
}

static void
scan_lines (Reading    *reading,
            const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *group = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    scan_line (reading, g_strstrip (lines[i]), i + 1, &group);
}

static guint
line_of (const Reading *reading,
         const char    *key)
{
  g_autofree char *place = key != NULL ? g_strdup_printf ("%s\n%s", reading->group, key)
                                       : g_strdup (reading->group);

  return GPOINTER_TO_UINT (g_hash_table_lookup (reading->lines, place));
}

/* -- values ---------------------------------------------------------------------- */

/* (transfer full) (nullable): the text of a key; counted as used. */
static char *
take_text (Reading    *reading,
           const char *key)
{
  g_hash_table_add (reading->used, g_strdup (key));
  return g_key_file_get_string (reading->keys, reading->group, key, NULL);
}

static char *
take_needed (Reading    *reading,
             const char *key)
{
  char *text = take_text (reading, key);

  if (text == NULL || *text == '\0')
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, NULL),
                          _("[%s] needs “%s”"), reading->group, key);
  return text;
}

static char **
take_list (Reading    *reading,
           const char *key)
{
  char **list = g_key_file_get_string_list (reading->keys, reading->group, key, NULL, NULL);

  g_hash_table_add (reading->used, g_strdup (key));
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    g_strstrip (list[i]);
  return list;
}

static KymoRuleExpression *
take_expression (Reading    *reading,
                 const char *key)
{
  g_autofree char *text = take_text (reading, key);
  g_autoptr (GError) error = NULL;
  KymoRuleExpression *expression;

  if (text == NULL)
    return NULL;
  expression = kymo_rule_expression_new (text, &error);
  if (expression == NULL)
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, key), "%s",
                          error->message);
  return expression;
}

static gint64
take_count (Reading    *reading,
            const char *key,
            gint64      most,
            gint64      fallback)
{
  g_autofree char *text = take_text (reading, key);
  gint64 count = fallback;

  if (text != NULL && !g_ascii_string_to_signed (text, 10, 0, most, &count, NULL))
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, key),
                          _("“%s” is no number from 0 to %" G_GINT64_FORMAT), text, most);
  return count;
}

/* The position of the text of a key among @words. */
static guint
take_word (Reading           *reading,
           const char        *key,
           const char *const *words,
           guint              fallback)
{
  g_autofree char *text = take_text (reading, key), *known = NULL;

  if (text == NULL)
    return fallback;
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      return i;
  known = g_strjoinv (", ", (char **) words);
  kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, key),
                        _("“%s” is none of: %s"), text, known);
  return fallback;
}

/* -- groups ---------------------------------------------------------------------- */

static void
read_expectation (Reading  *reading,
                  KymoRule *rule)
{
  g_autofree char *text = take_needed (reading, "value");

  rule->expectation.basis = take_needed (reading, "basis");
  if (text != NULL
      && !kymo_rule_number_parse (text, &rule->expectation.value, &rule->expectation.type))
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "value"),
                          _("“%s” is no number with a unit that is known"), text);
}

static void
read_unit (Reading        *reading,
           KymoMetricRule *metric)
{
  g_autofree char *unit = take_needed (reading, "unit");
  g_autofree char *one = unit == NULL ? NULL : *unit == '1' ? g_strdup (unit)
                         : g_strconcat ("1 ", unit, NULL);

  metric->factor = 1;
  metric->is_share = g_strcmp0 (unit, "share") == 0;
  if (one != NULL && !metric->is_share
      && !kymo_rule_number_parse (one, &metric->factor, &metric->type))
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "unit"),
                          _("“%s” is no unit that is known"), unit);
}

static void
clear_where (gpointer data)
{
  KymoMetricWhere *where = data;

  g_free (where->column);
  g_strfreev (where->words);
}

/* "COLUMN>=NUMBER" or "COLUMN<NUMBER". */
static gboolean
add_bound (KymoMetricRule *metric,
           const char     *text)
{
  const char *sign = strpbrk (text, "<>");
  gboolean is_least = *sign == '>';
  KymoMetricWhere where = { .least = -INFINITY, .below = INFINITY };
  KymoRuleType type;

  if (sign == text || (is_least && sign[1] != '=')
      || !kymo_rule_number_parse (sign + 1 + is_least,
                                  is_least ? &where.least : &where.below, &type))
    return FALSE;
  where.column = g_strndup (text, sign - text);
  g_array_append_val (metric->where, where);
  return TRUE;
}

/* "COLUMN=WORD|WORD", or with != for all other rows, or a bound. FALSE if it has another form. */
static gboolean
add_where (KymoMetricRule *metric,
           const char     *text)
{
  const char *equals = strchr (text, '=');
  KymoMetricWhere where = { NULL };

  if (metric->list == NULL)
    return FALSE;
  if (strpbrk (text, "<>") != NULL)
    return add_bound (metric, text);
  if (equals == NULL || equals == text)
    return FALSE;
  where.is_not = equals[-1] == '!';
  where.column = g_strndup (text, equals - text - where.is_not);
  where.words = g_strsplit (equals + 1, "|", -1);
  g_array_append_val (metric->where, where);
  return TRUE;
}

/* Several conditions, of which all must hold, stand between semicolons. */
static void
read_where (Reading        *reading,
            KymoMetricRule *metric)
{
  g_auto (GStrv) conditions = take_list (reading, "where");

  metric->where = g_array_new (FALSE, FALSE, sizeof (KymoMetricWhere));
  g_array_set_clear_func (metric->where, clear_where);
  for (guint i = 0; conditions != NULL && conditions[i] != NULL; i++)
    if (!add_where (metric, conditions[i]))
      kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "where"),
                            _("“where” has the form COLUMN=WORD, COLUMN!=WORD, COLUMN>=NUMBER or "
                              "COLUMN<NUMBER, of a list"));
}

static void
read_asked (Reading        *reading,
            KymoMetricRule *metric)
{
  static const char *const folds[] = {
    "first", "sum", "mean", "median", "min", "max", "count", NULL
  };
  static const char *const ranges[] = { "asked", "whole", NULL };

  metric->question = take_text (reading, "question");
  metric->keywords = take_list (reading, "keywords");
  metric->list = take_text (reading, "list");
  metric->fold = take_word (reading, "fold", folds, KYMO_FOLD_FIRST);
  metric->whole = take_word (reading, "range", ranges, FALSE);
  read_where (reading, metric);
  metric->value = take_text (reading, "value");
  metric->name_column = take_text (reading, "name");
  metric->location_column = take_text (reading, "location");
  metric->begin_column = take_text (reading, "begin");
  metric->end_column = take_text (reading, "end");
  metric->key = take_list (reading, "key");
  metric->times = take_text (reading, "times");
  metric->signal = take_text (reading, "signal");
  metric->also = take_text (reading, "also");
  if (metric->key == NULL
      ? metric->times != NULL || metric->signal != NULL || metric->also != NULL
      : metric->list == NULL || metric->value == NULL)
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "key"),
                          _("“key” needs a “list” and a “value”, “times”, “signal” and “also” "
                            "need a “key”"));
  if ((metric->begin_column != NULL) != (metric->end_column != NULL)
      || (metric->begin_column != NULL && metric->location_column == NULL))
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "begin"),
                          _("“begin” and “end” are columns of a block, which need each other and "
                            "a “location”"));
  if (metric->question != NULL && metric->value == NULL && metric->fold != KYMO_FOLD_COUNT)
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "question"),
                          _("a question needs the “value” that is taken from its answer"));
}

static void
read_metric (Reading  *reading,
             KymoRule *rule)
{
  static const char *const no_yes[] = { "no", "yes", NULL };
  static const char *const probes[] = { "none", "noise", "pingpong", "memory", NULL };
  static const char *const records[] = { "none", "memory", "sample", "system", NULL };
  KymoMetricRule *metric = &rule->metric;
  guint n, record;

  metric->title = take_needed (reading, "title");
  metric->needs = take_text (reading, "missing");
  metric->probe = take_word (reading, "probe", probes, KYMO_PROBE_PART_NONE);
  record = take_word (reading, "record", records, 0);
  metric->record = record > 0 ? g_strdup (records[record]) : NULL;
  metric->price = take_count (reading, "price", 3, metric->record != NULL ? 3
                              : metric->probe != KYMO_PROBE_PART_NONE ? 2 : 0);
  read_unit (reading, metric);
  metric->of = take_expression (reading, "of");
  metric->csv = take_text (reading, "csv");
  metric->changed = take_list (reading, "changed");
  metric->crowd = take_word (reading, "crowd", no_yes, FALSE);
  read_asked (reading, metric);
  n = g_key_file_has_key (reading->keys, reading->group, "of", NULL) + (metric->csv != NULL)
    + (metric->question != NULL) + (metric->changed != NULL) + metric->crowd;
  if ((metric->price == 2) != (metric->probe != KYMO_PROBE_PART_NONE)
      || (metric->price == 3) != (metric->record != NULL)
      || (metric->price >= 2 && (metric->question == NULL || metric->key != NULL)))
    kymo_rules_add_fault (reading->faults, reading->file, rule->line,
                          _("[%s]: “price=2” needs a “probe”, “price=3” a “record”, and both a "
                            "“question” without “key”"), rule->name);
  if (n != 1)
    kymo_rules_add_fault (reading->faults, reading->file, rule->line,
                          _("[%s] needs one of “of”, “csv”, “question”, “changed” and “crowd”"),
                          rule->name);
}

/* (transfer full) (nullable): the id of a view of the window, of which a test has the same list. */
static char *
take_view (Reading *reading)
{
  static const char *const views[] = {
    "live", "replies", "findings", "summary", "timeline", "time-profile", "counters",
    "user-events", "usage", "thread-bars", "histogram", "extrema", "clusters", "profile",
    "thread-table", "function", "call-tree", "icicle", "call-graph", "thread-scatter",
    "communication", "message-sizes", "waiting", "critical-path", "collectives", "events", NULL
  };

  return g_strdup (views[take_word (reading, "view", views, G_N_ELEMENTS (views) - 1)]);
}

/* when, or when-1, when-2 and so on. */
static void
read_when (Reading           *reading,
           KymoDiagnosisRule *diagnosis,
           const KymoRule    *rule)
{
  gboolean any = FALSE;

  diagnosis->when = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_rule_expression_free);
  for (guint i = 0; i <= 9; i++)
    {
      g_autofree char *key = i == 0 ? g_strdup ("when") : g_strdup_printf ("when-%u", i);
      KymoRuleExpression *when = take_expression (reading, key);

      any |= g_key_file_has_key (reading->keys, reading->group, key, NULL);
      if (when != NULL)
        g_ptr_array_add (diagnosis->when, when);
    }
  if (!any)
    kymo_rules_add_fault (reading->faults, reading->file, rule->line,
                          _("[%s] needs “when” with an expression"), rule->name);
}

static void
read_diagnosis (Reading  *reading,
                KymoRule *rule)
{
  static const char *const layers[] = { "application", "library", "system", "hardware", NULL };
  static const char *const targets[] = { "developer", "user", "system", NULL };
  static const char *const no_yes[] = { "no", "yes", NULL };
  KymoDiagnosisRule *diagnosis = &rule->diagnosis;

  diagnosis->cost = take_expression (reading, "cost");
  diagnosis->vote_cost = take_expression (reading, "vote-cost");
  diagnosis->is_general = take_word (reading, "general", no_yes, FALSE);
  diagnosis->title = take_needed (reading, "title");
  if (diagnosis->cost != NULL)
    {
      diagnosis->says = take_needed (reading, "says");
      diagnosis->advice = take_needed (reading, "advice");
      diagnosis->layer = g_strdup (layers[take_word (reading, "layer", layers, 0)]);
      diagnosis->target = g_strdup (targets[take_word (reading, "target", targets, 0)]);
    }
  diagnosis->needs = take_expression (reading, "needs");
  read_when (reading, diagnosis, rule);
  diagnosis->confirms = take_expression (reading, "confirms");
  diagnosis->priority = take_count (reading, "priority", 99, 3);
  diagnosis->within = take_list (reading, "within");
  diagnosis->triggers = take_list (reading, "triggers");
  diagnosis->evidence = take_list (reading, "evidence");
  diagnosis->view = take_view (reading);
  diagnosis->share_of = take_text (reading, "share-of");
}

/* What a diagnosis without a cost never shows is no mistyped key, but as useless. */
static void
refuse_unknown_keys (Reading           *reading,
                     const KymoRule    *rule,
                     const char *const *keys)
{
  static const char *const shown[] = { "advice", "layer", "says", "target", NULL };

  for (guint i = 0; keys[i] != NULL; i++)
    if (!g_hash_table_contains (reading->used, keys[i]))
      kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, keys[i]),
                            rule->kind == KYMO_RULE_NAME_DIAGNOSIS
                            && g_strv_contains (shown, keys[i])
                            ? _("[%s]: “%s” is only for a diagnosis with a “cost”")
                            : _("[%s] has no key “%s”"), reading->group, keys[i]);
}

static void
read_head (Reading *reading)
{
  if (take_count (reading, "version", G_MAXINT, 0) > KYMO_RULES_VERSION)
    kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, "version"),
                          _("the file has a newer form than this program knows"));
}

static void
read_group (Reading    *reading,
            const char *group)
{
  static const struct
  {
    const char  *word;
    KymoRuleName kind;
    void       (*read) (Reading *, KymoRule *);
  } kinds[] = {
    { "expectation ", KYMO_RULE_NAME_EXPECTATION, read_expectation },
    { "metric ", KYMO_RULE_NAME_METRIC, read_metric },
    { "diagnosis ", KYMO_RULE_NAME_DIAGNOSIS, read_diagnosis },
  };
  g_auto (GStrv) keys = g_key_file_get_keys (reading->keys, group, NULL, NULL);

  reading->group = group;
  g_hash_table_remove_all (reading->used);
  if (strcmp (group, HEAD) == 0)
    {
      read_head (reading);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (group, kinds[i].word))
      {
        KymoRule *rule = g_new0 (KymoRule, 1);

        rule->kind = kinds[i].kind;
        rule->name = g_strdup (group + strlen (kinds[i].word));
        rule->file = g_strdup (reading->file);
        rule->line = line_of (reading, NULL);
        rule->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        for (guint k = 0; keys[k] != NULL; k++)
          g_hash_table_insert (rule->lines, g_strdup (keys[k]),
                               GUINT_TO_POINTER (line_of (reading, keys[k])));
        kinds[i].read (reading, rule);
        refuse_unknown_keys (reading, rule, (const char *const *) keys);
        kymo_rules_take (reading->rules, rule, reading->faults);
        return;
      }
  kymo_rules_add_fault (reading->faults, reading->file, line_of (reading, NULL),
                        _("[%s] is no expectation, metric or diagnosis"), group);
}

static void
read_groups (Reading *reading)
{
  g_auto (GStrv) groups = g_key_file_get_groups (reading->keys, NULL);

  if (!g_key_file_has_group (reading->keys, HEAD))
    kymo_rules_add_fault (reading->faults, reading->file, 0, _("the file has no group [%s]"), HEAD);
  for (guint i = 0; groups[i] != NULL; i++)
    {
      if (kymo_rules_get_n (reading->rules) >= KYMO_RULES_MOST)
        {
          kymo_rules_add_fault (reading->faults, reading->file, 0,
                                _("there are more than %d groups; the rest is not read"),
                                KYMO_RULES_MOST);
          return;
        }
      read_group (reading, groups[i]);
    }
}

/**
 * kymo_rules_add_text:
 * @name: of the file, for faults and findings
 * @text: what is in it
 * @faults: (element-type utf8): gets a sentence for each fault
 *
 * Adds the rules of a file; call kymo_rules_check() after the last one.
 */
void
kymo_rules_add_text (KymoRules  *rules,
                     const char *name,
                     const char *text,
                     gsize       length,
                     GPtrArray  *faults)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GHashTable) lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *copy = g_strndup (text, length);
  g_autoptr (GError) error = NULL;
  guint n_faults = faults->len;
  Reading reading = { rules, name, faults, keys, lines, .used = used };

  if (!g_utf8_validate (text, length, NULL))
    {
      kymo_rules_add_fault (faults, name, 0, _("the file is no text in UTF-8"));
      return;
    }
  scan_lines (&reading, copy);
  if (faults->len > n_faults)
    return;
  if (g_key_file_load_from_data (keys, text, length, G_KEY_FILE_NONE, &error))
    read_groups (&reading);
  else
    kymo_rules_add_fault (faults, name, 0, "%s", error->message);
}

/**
 * kymo_rules_add_file:
 * @path: a file
 * @faults: (element-type utf8): gets a sentence for each fault
 *
 * Like kymo_rules_add_text().
 *
 * Returns: FALSE with @error if the file cannot be read
 */
gboolean
kymo_rules_add_file (KymoRules   *rules,
                     const char  *path,
                     GPtrArray   *faults,
                     GError     **error)
{
  g_autofree char *text = NULL, *name = g_path_get_basename (path);
  gsize length;

  if (!kymo_input_load (path, KYMO_RULES_MOST_BYTES, &text, &length, error))
    return FALSE;
  kymo_rules_add_text (rules, name, text, length, faults);
  return TRUE;
}
