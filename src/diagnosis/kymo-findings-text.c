/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kymo-findings-text.h"
#include "kymo-report.h"
#include "kymo-units.h"

/** Writer: @markdown: texts from rules and runs are escaped */
typedef struct
{
  GString *out;
  gboolean markdown;
} Writer;

static void
append_text (const Writer *writer,
             const char   *text)
{
  for (; *text != '\0'; text++)
    {
      if (writer->markdown && strchr ("\\`*[]<>#", *text) != NULL)
        g_string_append_c (writer->out, '\\');
      g_string_append_c (writer->out, *text);
    }
}

/**
 * kymo_findings_dup_cost:
 * @row: of the list "findings"
 *
 * Returns: (transfer full): as "12.3 s (34 %)"; a share of the whole run says so beside those of
 *   its main part
 */
char *
kymo_findings_dup_cost (const KymoTable *answer,
                        guint            row)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  g_autofree char *cost = kymo_format_duration (kymo_table_get_int (findings, "cost_ns", row));
  g_autofree char *share = kymo_format_percent (kymo_table_get_double (findings, "share", row));

  if (kymo_table_get_int (findings, "begin_ns", row) < kymo_table_get_int (answer, "begin_ns", 0)
      || kymo_table_get_int (findings, "end_ns", row) > kymo_table_get_int (answer, "end_ns", 0))
    /* Translators: a time and its share: “297 ms (16.1 % of whole run)”. */
    return g_strdup_printf (_("%s (%s of whole run)"), cost, share);
  return g_strdup_printf ("%s (%s)", cost, share);
}

/**
 * kymo_findings_get_bar:
 * @row: of the list "findings"
 *
 * Returns: the cost as a part of the longest time that any of the findings has a share of, so
 *   that bars of the main part and of the whole run can be compared; 0 to 1
 */
double
kymo_findings_get_bar (const KymoTable *answer,
                       guint            row)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  double base_ns = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (findings); i++)
    {
      double share = kymo_table_get_double (findings, "share", i);

      if (share > 0)
        base_ns = MAX (base_ns, kymo_table_get_int (findings, "cost_ns", i) / share);
    }
  return base_ns > 0 ? CLAMP (kymo_table_get_int (findings, "cost_ns", row) / base_ns, 0, 1) : 0;
}

/**
 * kymo_findings_dup_evidence:
 * @row: of the list "findings"
 * @indent: what each line begins with
 *
 * Returns: (transfer full): a line for each metric, with its value and what was expected
 */
char *
kymo_findings_dup_evidence (const KymoTable *answer,
                            guint            row,
                            const char      *indent)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  const guint *offsets;
  const KymoTable *evidence = kymo_table_peek_nested (findings, "evidence", &offsets);
  GString *text = g_string_new (NULL);

  for (guint i = offsets[row]; i < offsets[row + 1]; i++)
    {
      const char *expectation = kymo_table_get_string (evidence, "expectation", i);
      const char *title = kymo_table_get_string (evidence, "title", i);
      const char *shown = kymo_table_get_string (evidence, "shown", i);

      g_string_append (text, indent);
      if (expectation != NULL && g_str_has_prefix (expectation, ">= "))
        g_string_append_printf (text, _("%s: %s, expected at least %s"), title, shown,
                                expectation + strlen (">= "));
      else if (expectation != NULL && g_str_has_prefix (expectation, "<= "))
        g_string_append_printf (text, _("%s: %s, expected at most %s"), title, shown,
                                expectation + strlen ("<= "));
      else if (expectation != NULL)
        /* Translators: a metric, its value, what was expected: “Load balance: 62 %, expected …”. */
        g_string_append_printf (text, _("%s: %s, expected %s"), title, shown, expectation);
      else
        g_string_append_printf (text, _("%s: %s"), title, shown);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/** kymo_findings_dup_range: Returns: (transfer full): "1.25 s to 1.40 s" */
char *
kymo_findings_dup_range (const KymoTable *answer)
{
  g_autofree char *begin = kymo_format_duration_exact (kymo_table_get_int (answer, "begin_ns", 0));
  g_autofree char *end = kymo_format_duration_exact (kymo_table_get_int (answer, "end_ns", 0));

  return g_strdup_printf (_("%s to %s"), begin, end);
}

static char *
dup_factors (const KymoTable *answer)
{
  double parallel = kymo_table_get_double (answer, "parallel_efficiency", 0);
  double balance = kymo_table_get_double (answer, "load_balance", 0);
  double communication = kymo_table_get_double (answer, "communication_efficiency", 0);
  g_autofree char *whole = kymo_format_percent (parallel);
  g_autofree char *first = kymo_format_percent (balance);
  g_autofree char *second = kymo_format_percent (communication);
  g_autofree char *range = kymo_findings_dup_range (answer);
  const char *part = kymo_table_get_string (answer, "part", 0);

  if (isnan (parallel) || isnan (balance) || isnan (communication))
    return NULL;
  if (g_strcmp0 (part, "main") == 0)
    return g_strdup_printf (_("Parallel efficiency %s: load balance %s, communication efficiency "
                              "%s (main part, without start-up and shutdown)"), whole, first,
                            second);
  if (g_strcmp0 (part, "range") == 0)
    return g_strdup_printf (_("Parallel efficiency %s: load balance %s, communication efficiency "
                              "%s (%s)"), whole, first, second, range);
  return g_strdup_printf (_("Parallel efficiency %s: load balance %s, communication efficiency "
                            "%s (whole run)"), whole, first, second);
}

/**
 * kymo_findings_dup_efficiency:
 *
 * Returns: (transfer full) (nullable): the efficiencies, of which part of the run they are, and
 *   of a reduced run that they are estimates; %NULL where they are not known
 */
char *
kymo_findings_dup_efficiency (const KymoTable *answer)
{
  g_autofree char *factors = dup_factors (answer);

  if (factors == NULL || kymo_table_find_column (answer, "kept") < 0)
    return g_steal_pointer (&factors);
  /* Translators: the efficiencies, the number of PEs or ranks that are estimated, and of those that
     the run has. */
  return g_strdup_printf (_("%s. The run is reduced: figures are estimates for %" PRId64
                            " locations, from %" PRId64 "."), factors,
                          kymo_table_get_int (answer, "stands_for", 0),
                          kymo_table_get_int (answer, "kept", 0));
}

/**
 * kymo_findings_dup_losses:
 *
 * Returns: (transfer full) (nullable): that records of the run are lost, as the load report says
 *   it; %NULL of complete runs
 */
char *
kymo_findings_dup_losses (const KymoTable *answer)
{
  return kymo_table_find_column (answer, "losses") < 0 ? NULL
    : kymo_report_dup_lost (kymo_table_get_int (answer, "losses", 0));
}

/**
 * kymo_findings_dup_reference:
 *
 * Returns: (transfer full) (nullable): how the elapsed time compares with that of the reference
 *   runs, in a sentence; %NULL without such runs
 */
char *
kymo_findings_dup_reference (const KymoTable *answer)
{
  const KymoTable *reference = kymo_table_find_column (answer, "reference") < 0 ? NULL
    : kymo_table_peek_nested (answer, "reference", NULL);
  const char *state = reference != NULL ? kymo_table_get_string (reference, "state", 0) : NULL;
  gint64 given = reference != NULL ? kymo_table_get_int (reference, "given", 0) : 0;
  g_autofree char *wall = NULL, *least = NULL, *most = NULL, *extra = NULL, *explained = NULL;

  if (reference == NULL)
    return NULL;
  if (strcmp (state, "untested") == 0)
    {
      const char *unfit = kymo_table_get_string (reference, "unfit", 0);

      return unfit == NULL ? NULL
        : g_strdup_printf (_("Reference runs do not fit, %" PRId64 " of %" PRId64 ": %s"),
                           given - kymo_table_get_int (reference, "fitting", 0), given, unfit);
    }
  wall = kymo_format_duration (kymo_table_get_int (reference, "wall_ns", 0));
  least = kymo_format_duration (kymo_table_get_int (reference, "least_ns", 0));
  most = kymo_format_duration (kymo_table_get_int (reference, "most_ns", 0));
  extra = kymo_format_duration (kymo_table_get_int (reference, "extra_ns", 0));
  explained = kymo_format_duration (kymo_table_get_int (reference, "explained_ns", 0));
  if (strcmp (state, "usual") == 0)
    return g_strdup_printf (_("It takes %s, as usual: reference runs take %s to %s."), wall, least,
                            most);
  if (strcmp (state, "explained") == 0)
    return g_strdup_printf (_("It takes %s, %s longer than usual (%s to %s). Causes outside of the "
                              "program explain %s."), wall, extra, least, most, explained);
  return g_strdup_printf (_("It takes %s, %s longer than usual (%s to %s). The cause of most of it "
                            "is not known."), wall, extra, least, most);
}

static void
write_finding (const Writer    *writer,
               const KymoTable *answer,
               guint            row)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  const char *strong = writer->markdown ? "**" : "";
  gint64 runs = kymo_table_get_int (findings, "runs", row);
  g_autofree char *cost = kymo_findings_dup_cost (answer, row);
  g_autofree char *evidence
    = kymo_findings_dup_evidence (answer, row, writer->markdown ? "   - " : "     ");

  g_string_append_printf (writer->out, "%u. %s", row + 1, strong);
  append_text (writer, kymo_table_get_string (findings, "title", row));
  g_string_append_printf (writer->out, "%s: %s, %s", strong, cost,
                          _(kymo_table_get_string (findings, "state", row)));
  if (runs > 1)
    g_string_append_printf (writer->out, _(", %" PRId64 " of %" PRId64 " runs"),
                            kymo_table_get_int (findings, "votes", row), runs);
  g_string_append (writer->out, writer->markdown ? "\n\n   " : "\n   ");
  append_text (writer, kymo_table_get_string (findings, "says", row));
  g_string_append (writer->out, writer->markdown ? "\n\n" : "\n");
  if (writer->markdown)
    for (const char *at = evidence; *at != '\0'; at++)
      {
        /* The indent and the bullet of a line are ours. */
        if ((at == evidence || at[-1] == '\n') && g_str_has_prefix (at, "   - "))
          {
            g_string_append (writer->out, "   - ");
            at += strlen ("   - ");
          }
        if (strchr ("\\`*[]<>#", *at) != NULL)
          g_string_append_c (writer->out, '\\');
        g_string_append_c (writer->out, *at);
      }
  else
    g_string_append (writer->out, evidence);
  g_string_append_printf (writer->out, "%s   %s", writer->markdown ? "\n" : "", _("Advice: "));
  append_text (writer, kymo_table_get_string (findings, "advice", row));
  g_string_append (writer->out, writer->markdown ? "\n\n" : "\n");
}

static void
write_list (const Writer    *writer,
            const KymoTable *table,
            const char      *heading,
            const char      *why)
{
  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    {
      if (i == 0)
        g_string_append_printf (writer->out, writer->markdown ? "\n%s\n\n" : "\n%s\n", heading);
      g_string_append (writer->out, writer->markdown ? "- " : "  ");
      append_text (writer, kymo_table_get_string (table, "title", i));
      g_string_append (writer->out, ": ");
      append_text (writer, kymo_table_get_string (table, why, i));
      g_string_append_c (writer->out, '\n');
    }
}

/* What a person knows already, with her note. */
static void
write_acknowledged (const Writer    *writer,
                    const KymoTable *answer)
{
  const KymoTable *list = kymo_table_find_column (answer, "acknowledged") >= 0
    ? kymo_table_peek_nested (answer, "acknowledged", NULL) : NULL;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      g_autofree char *cost = kymo_format_duration (kymo_table_get_int (list, "cost_ns", i));
      g_autofree char *share = kymo_format_percent (kymo_table_get_double (list, "share", i));
      const char *note = kymo_table_get_string (list, "note", i);

      if (i == 0)
        g_string_append_printf (writer->out, writer->markdown ? "\n%s\n\n" : "\n%s\n",
                                _("Acknowledged:"));
      g_string_append (writer->out, writer->markdown ? "- " : "  ");
      append_text (writer, kymo_table_get_string (list, "title", i));
      g_string_append_printf (writer->out, ": %s (%s)%s", cost, share, *note != '\0' ? ". " : "");
      append_text (writer, note);
      g_string_append_c (writer->out, '\n');
    }
}

static void
write_unexplained (const Writer    *writer,
                   const KymoTable *answer)
{
  gint64 ns = kymo_table_get_int (answer, "unexplained_ns", 0);
  g_autofree char *rest = kymo_format_duration (ns);

  if (ns != KYMO_NULL_INT && ns > 0)
    g_string_append_printf (writer->out, _("\nNot explained: %s that was not useful.\n"), rest);
}

/* A line of functions, and the command that lists all. */
static void
write_functions (const Writer *writer, const KymoTable *answer)
{
  g_autofree char *functions = kymo_findings_dup_functions (answer);

  if (functions == NULL)
    return;
  g_string_append_c (writer->out, '\n');
  append_text (writer, functions);
  g_string_append_printf (writer->out, "\n%s\n", _("All functions: kymo-cli profile RUN"));
}

/* What most causes need comes first; GLib's sort keeps the order of equals. */
static int
compare_needs (gconstpointer a,
               gconstpointer b,
               gpointer      causes)
{
  const GPtrArray *first = g_hash_table_lookup (causes, *(const char *const *) a);
  const GPtrArray *second = g_hash_table_lookup (causes, *(const char *const *) b);

  return (first->len < second->len) - (first->len > second->len);
}

/* The shortest need that @need begins with: what lacks “a trace” needs one first, whatever that
   must have, too. */
static const char *
find_first_need (const KymoTable *untested,
                 const char      *need)
{
  const char *first = need;

  for (guint i = 0; i < kymo_table_get_n_rows (untested); i++)
    {
      const char *other = kymo_table_get_string (untested, "needs", i);
      gsize length = strlen (other);

      if (length < strlen (first) && g_str_has_prefix (need, other) && need[length] == ' ')
        first = other;
    }
  return first;
}

/* Another rule of the same title looks at another kind of run. */
static gboolean
is_told (const KymoTable *answer, const char *list, const char *title)
{
  const KymoTable *told = kymo_table_find_column (answer, list) >= 0
    ? kymo_table_peek_nested (answer, list, NULL) : NULL;

  for (guint i = 0; told != NULL && i < kymo_table_get_n_rows (told); i++)
    if (strcmp (kymo_table_get_string (told, "title", i), title) == 0)
      return TRUE;
  return FALSE;
}

/**
 * kymo_findings_list_excluded:
 *
 * Returns: (transfer full): "title" and "why" of what was excluded, but of no cause that another
 *   rule found
 */
KymoTable *
kymo_findings_list_excluded (const KymoTable *answer)
{
  const KymoTable *all = kymo_table_peek_nested (answer, "excluded", NULL);
  KymoTable *list = kymo_table_new_list ("title:string why:string");

  for (guint i = 0; i < kymo_table_get_n_rows (all); i++)
    {
      const char *cause = kymo_table_get_string (all, "title", i);

      if (!is_told (answer, "findings", cause) && !is_told (answer, "acknowledged", cause))
        kymo_table_append_row (list, cause, kymo_table_get_string (all, "why", i));
    }
  return list;
}

/**
 * kymo_findings_group_untested:
 * @n: (out) (optional): gets how many causes the groups have together
 *
 * Groups what could not be tested by what it needs first: a person looks for what to measure.
 *
 * Returns: (transfer full): "title", what is needed, that of most causes first, and "why", the
 *   titles of the causes
 */
KymoTable *
kymo_findings_group_untested (const KymoTable *answer,
                              guint           *n)
{
  const KymoTable *untested = kymo_table_peek_nested (answer, "untested", NULL);
  g_autoptr (GHashTable) causes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                         (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) needs = g_ptr_array_new ();
  KymoTable *groups = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint title = kymo_table_add_column (groups, "title", KYMO_COLUMN_STRING, 1);
  guint why = kymo_table_add_column (groups, "why", KYMO_COLUMN_STRING, 1);
  guint n_causes = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (untested); i++)
    {
      const char *need
        = find_first_need (untested, kymo_table_get_string (untested, "needs", i));
      const char *cause = kymo_table_get_string (untested, "title", i);
      GPtrArray *of_need = g_hash_table_lookup (causes, need);

      if (is_told (answer, "findings", cause) || is_told (answer, "excluded", cause)
          || is_told (answer, "acknowledged", cause))
        continue;
      if (of_need == NULL)
        {
          of_need = g_ptr_array_new ();
          g_hash_table_insert (causes, (char *) need, of_need);
          g_ptr_array_add (needs, (char *) need);
        }
      if (!g_ptr_array_find_with_equal_func (of_need, cause, g_str_equal, NULL))
        g_ptr_array_add (of_need, (char *) cause);
    }
  g_ptr_array_sort_with_data (needs, compare_needs, causes);
  for (guint i = 0; i < needs->len; i++)
    {
      GPtrArray *of_need = g_hash_table_lookup (causes, needs->pdata[i]);
      g_autofree char *titles = NULL;

      n_causes += of_need->len;
      g_ptr_array_add (of_need, NULL);
      titles = g_strjoinv ("; ", (char **) of_need->pdata);
      kymo_table_append_string (groups, title, needs->pdata[i]);
      kymo_table_append_string (groups, why, titles);
    }
  if (n != NULL)
    *n = n_causes;
  return groups;
}

/* What was started for this answer. */
static void
write_probes (const Writer    *writer,
              const KymoTable *answer)
{
  const KymoTable *list = kymo_table_find_column (answer, "probes") >= 0
    ? kymo_table_peek_nested (answer, "probes", NULL) : NULL;
  guint n = 0;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *command = kymo_table_get_string (list, "command", i);
      const char *why = kymo_table_get_string (list, "why", i);
      g_autofree char *took = kymo_format_duration (kymo_table_get_int (list, "took_ns", i));

      if (command == NULL)
        continue;
      if (n++ == 0)
        g_string_append_printf (writer->out, writer->markdown ? "\n%s\n\n" : "\n%s\n",
                                _("Measured for this answer:"));
      g_string_append (writer->out, writer->markdown ? "- " : "  ");
      append_text (writer, command);
      g_string_append_printf (writer->out, ": %s", took);
      if (why != NULL)
        g_string_append (writer->out, ", ");
      append_text (writer, why != NULL ? why : "");
      g_string_append_c (writer->out, '\n');
    }
}

/**
 * kymo_findings_write:
 * @answer: of kymo_findings_new()
 * @out: what is appended to
 *
 * Writes the findings with evidence and advice, the time that nothing explains, what was excluded
 * and what could not be tested.
 */
void
kymo_findings_write (const KymoTable  *answer,
                     KymoFindingsForm  form,
                     GString          *out)
{
  const Writer writer = { out, form == KYMO_FINDINGS_MARKDOWN };
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  g_autofree char *efficiency = kymo_findings_dup_efficiency (answer);
  g_autofree char *reference = kymo_findings_dup_reference (answer);
  g_autofree char *losses = kymo_findings_dup_losses (answer);
  g_autoptr (KymoTable) untested = kymo_findings_group_untested (answer, NULL);
  g_autoptr (KymoTable) excluded = kymo_findings_list_excluded (answer);

  if (losses != NULL)
    g_string_append_printf (out, "%s\n\n", losses);
  if (efficiency != NULL)
    g_string_append_printf (out, "%s\n\n", efficiency);
  if (reference != NULL)
    g_string_append_printf (out, "%s\n\n", reference);
  if (kymo_table_get_n_rows (findings) == 0)
    g_string_append_printf (out, "%s\n", kymo_table_get_int (answer, "tested", 0) == 0
                            ? _("Nothing could be tested.") : _("No cause was found."));
  for (guint i = 0; i < kymo_table_get_n_rows (findings); i++)
    write_finding (&writer, answer, i);
  write_acknowledged (&writer, answer);
  write_unexplained (&writer, answer);
  write_functions (&writer, answer);
  write_list (&writer, excluded, _("Excluded:"), "why");
  write_list (&writer, untested, _("Not tested, needs:"), "why");
  write_probes (&writer, answer);
}
