/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-frame-words.h"

#include <glib/gi18n-lib.h>

#include "kymo-derived-metrics.h"
#include "kymo-error.h"

/* A row of a report. */
#define ISSUE_TYPE "(sysxx)"
/* Shorter lists are sent with each question. */
#define LONG_LIST 4096

/* Lists of numbers that may be long, and under which key their number stands. Long ones are sent
   once. */
static const struct { const char *key, *number_key; } lists[] = {
  { "order", "order-value" }, { "weighted", "weighted-value" }, { "weights", "weights-value" },
};

/* -- questions ------------------------------------------------------------------------------ */

static void
add_numbers (GVariantDict *body, const char *key, gconstpointer numbers, guint n)
{
  g_variant_dict_insert_value (body, key,
                               g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, numbers, n,
                                                          sizeof (gint64)));
}

/* (transfer full) (nullable): the numbers under a key. */
static GArray *
dup_numbers (GVariant *body, const char *key)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (body, key, G_VARIANT_TYPE ("ax"));
  GArray *numbers;
  gconstpointer data;
  gsize n;

  if (value == NULL)
    return NULL;
  data = g_variant_get_fixed_array (value, &n, sizeof (gint64));
  numbers = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);
  return n > 0 ? g_array_append_vals (numbers, data, n) : numbers;
}

static void
add_weights (GVariantDict *body, const KymoIdWeights *weights)
{
  guint n = kymo_id_weights_get_n (weights);
  g_autofree gint64 *ids = g_new (gint64, n + 1);
  g_autofree gint64 *values = g_new (gint64, n + 1);

  for (guint i = 0; i < n; i++)
    {
      ids[i] = kymo_id_weights_get_id (weights, i);
      values[i] = kymo_id_weights_get (weights, ids[i]);
    }
  add_numbers (body, "weighted", ids, n);
  add_numbers (body, "weights", values, n);
}

static void
add_keywords (GVariantDict *body, const KymoQuestion *question)
{
  g_auto (GStrv) keys = kymo_question_list_keys (question);
  g_autoptr (GVariantBuilder) builder = g_variant_builder_new (G_VARIANT_TYPE ("a{ss}"));

  for (guint i = 0; keys[i] != NULL; i++)
    {
      const char *value = kymo_question_get (question, keys[i]);

      if (value != NULL && g_utf8_validate (value, -1, NULL))
        g_variant_builder_add (builder, "{ss}", keys[i], value);
    }
  g_variant_dict_insert (body, "keywords", "a{ss}", builder);
}

/**
 * kymo_frame_add_question:
 * @body: gets the question; keys and values of keywords must be UTF-8
 */
void
kymo_frame_add_question (GVariantDict *body, const KymoQuestion *question)
{
  KymoSpan span = kymo_question_get_span (question);
  const KymoIdSet *locations = kymo_question_peek_locations (question);
  const GArray *order = kymo_question_peek_order (question);
  const KymoRowGroups *groups = kymo_question_peek_groups (question);

  g_variant_dict_insert (body, "kind", "s", kymo_question_get_kind (question));
  g_variant_dict_insert (body, "span", "(xx)", span.begin_ns, span.end_ns);
  g_variant_dict_insert (body, "columns", "u", kymo_question_get_columns (question));
  g_variant_dict_insert (body, "rows", "u", kymo_question_get_rows (question));
  add_keywords (body, question);
  if (locations != NULL)
    {
      g_autofree char *text = kymo_id_set_to_text (locations);

      g_variant_dict_insert (body, "locations", "s", text);
    }
  if (kymo_question_peek_weights (question) != NULL)
    add_weights (body, kymo_question_peek_weights (question));
  if (order != NULL)
    add_numbers (body, "order", order->data, order->len);
  if (groups != NULL)
    {
      g_autofree char *text = kymo_row_groups_to_text (groups);

      g_variant_dict_insert (body, "fold", "s", text);
    }
}

/* Whether no weight is negative and their sum fits. */
static gboolean
can_sum_up (const GArray *weights)
{
  gint64 sum = 0;

  for (guint i = 0; i < weights->len; i++)
    {
      gint64 weight = g_array_index (weights, gint64, i);

      if (weight < 0 || __builtin_add_overflow (sum, weight, &sum))
        return FALSE;
    }
  return TRUE;
}

static void
read_weights (GVariant *body, KymoQuestion *question)
{
  g_autoptr (GArray) ids = dup_numbers (body, "weighted");
  g_autoptr (GArray) values = dup_numbers (body, "weights");
  g_autoptr (KymoIdWeights) weights = NULL;

  if (ids == NULL || values == NULL || ids->len != values->len || !can_sum_up (values))
    return;
  weights = kymo_id_weights_new ((const gint64 *) ids->data, (const gint64 *) values->data,
                                 ids->len);
  kymo_question_set_weights (question, weights);
}

static void
read_keywords (GVariant *body, KymoQuestion *question)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *key, *value;

  if (!g_variant_lookup (body, "keywords", "a{ss}", &iter))
    return;
  while (g_variant_iter_next (iter, "{&s&s}", &key, &value))
    kymo_question_set (question, key, value);
  if (g_variant_lookup (body, KYMO_DERIVED_KEYWORD, "&s", &value))
    kymo_question_set (question, KYMO_DERIVED_KEYWORD, value);
}

static gboolean
read_locations (GVariant *body, KymoQuestion *question)
{
  g_autoptr (KymoIdSet) set = NULL;
  const char *text;

  if (!g_variant_lookup (body, "locations", "&s", &text))
    return TRUE;
  set = kymo_id_set_parse (text, NULL);
  kymo_question_set_locations (question, set);
  return set != NULL;
}

/* Whether a list is named that nobody has put in place of its number. */
static gboolean
lacks_list (GVariant *body)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GVariant) list = g_variant_lookup_value (body, lists[i].key, NULL);
      guint32 number;

      if (list == NULL && g_variant_lookup (body, lists[i].number_key, "u", &number))
        return TRUE;
    }
  return FALSE;
}

/**
 * kymo_frame_dup_question:
 * @body: of a frame
 * @fold: (out) (transfer full) (nullable): which groups of rows are folded, for
 *   kymo_row_groups_fold_text(); the tree of groups is the run's
 *
 * Returns: (transfer full) (nullable): the question but for the groups of its rows; %NULL where
 *   the body holds none
 */
KymoQuestion *
kymo_frame_dup_question (GVariant *body, char **fold)
{
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (GArray) order = dup_numbers (body, "order");
  guint32 columns = 0, rows = 0;
  const char *kind;
  KymoSpan span;

  *fold = NULL;
  if (!g_variant_lookup (body, "kind", "&s", &kind) || lacks_list (body))
    return NULL;
  question = kymo_question_new (kind);
  if (g_variant_lookup (body, "span", "(xx)", &span.begin_ns, &span.end_ns))
    kymo_question_set_span (question, span);
  g_variant_lookup (body, "columns", "u", &columns);
  g_variant_lookup (body, "rows", "u", &rows);
  kymo_question_set_resolution (question, columns, rows);
  kymo_question_set_order (question, order);
  read_weights (body, question);
  read_keywords (body, question);
  if (!read_locations (body, question))
    return NULL;
  g_variant_lookup (body, "fold", "s", fold);
  return g_steal_pointer (&question);
}

/**
 * kymo_frame_name_values:
 * @body: of a question
 * @name: told of each long list
 *
 * Puts numbers in place of long lists.
 */
void
kymo_frame_name_values (GVariantDict *body, KymoFrameNameFunc name, gpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GVariant) value = g_variant_dict_lookup_value (body, lists[i].key,
                                                                G_VARIANT_TYPE ("ax"));

      if (value == NULL || g_variant_get_size (value) < LONG_LIST)
        continue;
      g_variant_dict_remove (body, lists[i].key);
      g_variant_dict_insert (body, lists[i].number_key, "u", name (value, data));
    }
}

/**
 * kymo_frame_put_values:
 * @body: (transfer full): of a question
 * @values: %KYMO_FRAME_VALUE_LISTS lists, each at the place of its number
 *
 * Returns: (transfer full): the same question with lists in place of their numbers
 */
GVariant *
kymo_frame_put_values (GVariant *body, GVariant **values)
{
  GVariantDict dict;
  guint32 number;
  guint n = 0;

  g_variant_dict_init (&dict, body);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (g_variant_lookup (body, lists[i].number_key, "u", &number)
        && values[number % KYMO_FRAME_VALUE_LISTS] != NULL)
      {
        g_variant_dict_insert_value (&dict, lists[i].key, values[number % KYMO_FRAME_VALUE_LISTS]);
        n++;
      }
  if (n == 0)
    {
      g_variant_dict_clear (&dict);
      return body;
    }
  g_variant_unref (body);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* -- errors --------------------------------------------------------------------------------- */

/**
 * kymo_frame_error_to_body:
 *
 * Returns: (transfer floating): the error, for whoever asked
 */
GVariant *
kymo_frame_error_to_body (const GError *error)
{
  g_autofree char *message = g_utf8_make_valid (error->message, -1);
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "domain", "s", g_quark_to_string (error->domain));
  g_variant_dict_insert (&body, "code", "i", error->code);
  g_variant_dict_insert (&body, "message", "s", message);
  return g_variant_dict_end (&body);
}

/**
 * kymo_frame_dup_error:
 * @body: of a frame
 *
 * Returns: (transfer full): the error of the other side; of a domain that is not ours it is
 *   %G_IO_ERROR_FAILED
 */
GError *
kymo_frame_dup_error (GVariant *body)
{
  const char *domain = "", *message = _("The server failed and did not say why");
  gint32 code = 0;

  g_variant_lookup (body, "domain", "&s", &domain);
  g_variant_lookup (body, "code", "i", &code);
  g_variant_lookup (body, "message", "&s", &message);
  if (g_str_equal (domain, g_quark_to_string (KYMO_ERROR)))
    return g_error_new_literal (KYMO_ERROR, code, message);
  if (g_str_equal (domain, g_quark_to_string (G_IO_ERROR)))
    return g_error_new_literal (G_IO_ERROR, code, message);
  return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, message);
}

/* -- facts of a run ------------------------------------------------------------------------- */

static GVariant *
report_to_variant (KymoReport *report)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a" ISSUE_TYPE));
  for (guint i = 0; i < kymo_report_get_n_issues (report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (report, i);
      g_autofree char *file = g_utf8_make_valid (issue->file != NULL ? issue->file : "", -1);
      g_autofree char *what = g_utf8_make_valid (issue->what, -1);

      g_variant_builder_add (&builder, ISSUE_TYPE, file, (guchar) issue->severity, what,
                             issue->count, issue->offset);
    }
  return g_variant_builder_end (&builder);
}

static void
read_report (GVariant *body, KymoReport *report)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *file, *what;
  guchar severity;
  gint64 count, offset;

  if (!g_variant_lookup (body, "report", "a" ISSUE_TYPE, &iter))
    return;
  while (g_variant_iter_next (iter, "(&sy&sxx)", &file, &severity, &what, &count, &offset))
    if (severity <= KYMO_SEVERITY_LOST)
      kymo_report_add (report, *file != '\0' ? file : NULL, severity, count, offset, "%s", what);
}

static void
add_text (GVariantDict *body, const char *key, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL)
    g_variant_dict_insert (body, key, "s", valid);
}

/**
 * kymo_frame_add_run:
 * @run: number by which the run is asked for
 * @source: the run
 *
 * Puts what is known of the run into @body.
 */
void
kymo_frame_add_run (GVariantDict *body, guint32 run, KymoSource *source)
{
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (source);
  g_autofree char *draft = kymo_source_dup_draft (source);
  KymoSpan span = kymo_source_get_span (source);
  KymoTerms terms = kymo_source_get_terms (source);

  g_variant_dict_insert (body, "run", "u", run);
  g_variant_dict_insert (body, "capabilities", "u",
                         (guint32) kymo_source_get_capabilities (source));
  g_variant_dict_insert (body, "span", "(xx)", span.begin_ns, span.end_ns);
  g_variant_dict_insert (body, "corrected-clocks", "b", kymo_source_has_corrected_clocks (source));
  g_variant_dict_insert (body, "mean-of", "u", kymo_source_get_mean_of (source));
  g_variant_dict_insert (body, "terms", "(uu)", (guint32) terms.row, (guint32) terms.code);
  add_text (body, "draft", draft);
  if (facts == NULL)
    return;
  add_text (body, "path", facts->path);
  add_text (body, "title", facts->title);
  add_numbers (body, "ids", facts->ids->data, facts->ids->len);
  add_numbers (body, "workers", facts->workers->data, facts->workers->len);
  g_variant_dict_insert (body, "growing", "b", facts->is_growing);
  g_variant_dict_insert (body, "on-disk", "b", facts->is_on_disk);
  g_variant_dict_insert_value (body, "report", report_to_variant (facts->report));
}

static void
take_numbers (GVariant *body, const char *key, GArray **into)
{
  GArray *numbers = dup_numbers (body, key);

  if (numbers == NULL)
    return;
  g_array_unref (*into);
  *into = numbers;
}

static gboolean
read_terms (GVariant *body, KymoTerms *terms)
{
  guint32 row, code;

  if (!g_variant_lookup (body, "terms", "(uu)", &row, &code)
      || row > KYMO_ROW_THREAD || code > KYMO_CODE_FUNCTION)
    return FALSE;
  terms->row = row;
  terms->code = code;
  return TRUE;
}

/**
 * kymo_frame_read_run:
 * @body: what kymo_frame_add_run() made, or anything
 * @run: (out): to be cleared with kymo_frame_run_clear()
 *
 * Returns: %FALSE with %KYMO_ERROR_UNREADABLE, and nothing to clear, where @body tells of no run
 */
gboolean
kymo_frame_read_run (GVariant *body, KymoFrameRun *run, GError **error)
{
  KymoFrameRun read = { 0 };
  guint32 capabilities;

  if (!g_variant_lookup (body, "run", "u", &read.run)
      || !g_variant_lookup (body, "capabilities", "u", &capabilities)
      || !g_variant_lookup (body, "span", "(xx)", &read.span.begin_ns, &read.span.end_ns)
      || !read_terms (body, &read.terms))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                           _("The server does not say enough of the run"));
      return FALSE;
    }
  read.capabilities = capabilities;
  read.facts = kymo_source_facts_new ();
  g_variant_lookup (body, "corrected-clocks", "b", &read.has_corrected_clocks);
  g_variant_lookup (body, "mean-of", "u", &read.mean_of);
  g_variant_lookup (body, "draft", "s", &read.draft);
  g_variant_lookup (body, "path", "s", &read.facts->path);
  g_variant_lookup (body, "title", "s", &read.facts->title);
  g_variant_lookup (body, "growing", "b", &read.facts->is_growing);
  g_variant_lookup (body, "on-disk", "b", &read.facts->is_on_disk);
  take_numbers (body, "ids", &read.facts->ids);
  take_numbers (body, "workers", &read.facts->workers);
  read_report (body, read.facts->report);
  *run = read;
  return TRUE;
}

/** kymo_frame_run_clear: frees what @run owns */
void
kymo_frame_run_clear (KymoFrameRun *run)
{
  g_clear_pointer (&run->facts, kymo_source_facts_unref);
  g_clear_pointer (&run->draft, g_free);
}
