/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables that there are; see kymo-table-view.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-in-terms.h"
#include "kymo-profile-bar.h"
#include "kymo-table-view.h"

typedef struct
{
  const char    *key, *title;
  KymoFigureKind kind;
} Fixed;

static const Fixed of_functions[] = {
  { "exclusive", N_("Exclusive"), KYMO_FIGURE_VALUE },
  { "exclusive_share", N_("Excl. share"), KYMO_FIGURE_SHARE },
  { "inclusive", N_("Inclusive"), KYMO_FIGURE_VALUE },
  { "inclusive_share", N_("Incl. share"), KYMO_FIGURE_SHARE },
  { "calls", N_("Calls"), KYMO_FIGURE_COUNT },
  { "subroutines", N_("Subroutines"), KYMO_FIGURE_COUNT },
  { "exclusive_per_call", N_("Excl. per call"), KYMO_FIGURE_VALUE },
  { "inclusive_per_call", N_("Incl. per call"), KYMO_FIGURE_VALUE },
  { "groups", N_("Groups"), KYMO_FIGURE_TEXT },
};

static const Fixed of_nodes[] = {
  { "inclusive", N_("Inclusive"), KYMO_FIGURE_VALUE },
  { "inclusive_share", N_("Incl. share"), KYMO_FIGURE_SHARE },
  { "exclusive", N_("Exclusive"), KYMO_FIGURE_VALUE },
  { "exclusive_share", N_("Excl. share"), KYMO_FIGURE_SHARE },
  { "calls", N_("Calls"), KYMO_FIGURE_COUNT },
  { "subroutines", N_("Subroutines"), KYMO_FIGURE_COUNT },
  { "inclusive_per_call", N_("Incl. per call"), KYMO_FIGURE_VALUE },
  { "exclusive_per_call", N_("Excl. per call"), KYMO_FIGURE_VALUE },
  { "groups", N_("Groups"), KYMO_FIGURE_TEXT },
};

static const Fixed of_user_events[] = {
  { "name", N_("User event"), KYMO_FIGURE_TEXT },
  { "count", N_("Samples"), KYMO_FIGURE_COUNT },
  { "mean", N_("Mean"), KYMO_FIGURE_COUNT },
  { "min", N_("Minimum"), KYMO_FIGURE_COUNT },
  { "max", N_("Maximum"), KYMO_FIGURE_COUNT },
  { "stddev", N_("Deviation"), KYMO_FIGURE_COUNT },
};

static void
add_table_modes (GArray *columns, const char *key, guint element, const char *title,
                 KymoFigureKind kind)
{
  KymoFigureColumn column = { key, element, title, kind };

  g_array_append_val (columns, column);
}

static void
add_fixed (GArray *columns, const Fixed *fixed, guint n)
{
  for (guint i = 0; i < n; i++)
    add_table_modes (columns, fixed[i].key, 0, _(fixed[i].title), fixed[i].kind);
}

static void
add_name (KymoSession *session, GArray *columns, KymoFigureKind kind)
{
  add_table_modes (columns, "name", 0, kymo_in_terms_of (session, _("{Code}")), kind);
}

static void
function_columns (KymoSession *session, const KymoTable *answer,
                  GArray *columns)
{
  add_name (session, columns, KYMO_FIGURE_NAME);
  add_fixed (columns, of_functions, G_N_ELEMENTS (of_functions));
}

static void
node_columns (KymoSession *session, const KymoTable *answer, GArray *columns)
{
  KymoTable *nodes = kymo_table_peek_nested (answer, "nodes", NULL);

  add_name (session, columns, KYMO_FIGURE_NODE);
  /* Of one function there are two trees. */
  if (nodes != NULL && kymo_table_find_column (nodes, "side") >= 0)
    add_table_modes (columns, "side", 0, _("Side"), KYMO_FIGURE_TEXT);
  add_fixed (columns, of_nodes, G_N_ELEMENTS (of_nodes));
}

static void
user_event_columns (KymoSession *session, const KymoTable *answer,
                    GArray *columns)
{
  add_fixed (columns, of_user_events, G_N_ELEMENTS (of_user_events));
}

/* One a row of another list of the answer, by a column of that. */
static void
add_values (const KymoTable *answer, GArray *columns, const char *list,
            const char *title)
{
  KymoTable *heads = kymo_table_peek_nested (answer, list, NULL);

  for (guint i = 0; heads != NULL && i < kymo_table_get_n_rows (heads); i++)
    {
      const char *words = g_str_equal (title, "label") ? kymo_table_peek_label (heads, title, i)
                          : kymo_table_get_string (heads, title, i);

      add_table_modes (columns, "values", i, words != NULL ? words : "–",
                       KYMO_FIGURE_VALUE);
    }
}

static void
phase_columns (KymoSession *session, const KymoTable *answer, GArray *columns)
{
  add_name (session, columns, KYMO_FIGURE_NAME);
  add_values (answer, columns, "phases", "name");
}

static void
compared_columns (KymoSession *session, const KymoTable *answer,
                  GArray *columns)
{
  add_name (session, columns, KYMO_FIGURE_NAME);
  add_values (answer, columns, "threads", "label");
}

static void
ask_paths (GHashTable *parameters, const char *typed)
{
  g_hash_table_insert (parameters, g_strdup ("paths"), g_strdup ("paths"));
}

static void
ask_compared (GHashTable *parameters, const char *typed)
{
  g_hash_table_insert (parameters, g_strdup ("of"), g_strdup (typed));
}

#define PATHS (KYMO_PROFILE_BAR_THREAD | KYMO_PROFILE_BAR_PATHS)

const KymoTableMode kymo_thread_tables[] = {
  { "flat", N_("{Codes}"), "thread", "functions", KYMO_CAN_METRICS, TRUE,
    KYMO_PROFILE_BAR_THREAD, NULL, function_columns, "exclusive", NULL },
  { "tree", N_("Call tree"), "calltree", "nodes", KYMO_CAN_PATHS, TRUE,
    PATHS, NULL, node_columns, "inclusive", NULL },
  { "paths", N_("Call paths"), "thread", "functions", KYMO_CAN_PATHS, TRUE,
    PATHS, ask_paths, function_columns, "exclusive", NULL },
  { "phases", N_("By phase"), "phases", "functions", KYMO_CAN_PHASES, TRUE,
    KYMO_PROFILE_BAR_THREAD | KYMO_PROFILE_BAR_VALUE, NULL, phase_columns, NULL, NULL },
  { "compared", N_("{Rows} compared"), "threads", "functions",
    KYMO_CAN_METRICS, FALSE, KYMO_PROFILE_BAR_VALUE, ask_compared, compared_columns, NULL,
    "mean,min,max,0" },
  { NULL },
};

const KymoTableMode kymo_user_event_tables[] = {
  { "user-events", N_("User events"), "user-events", "user_events",
    KYMO_CAN_USER_EVENTS, TRUE, KYMO_PROFILE_BAR_THREAD, NULL, user_event_columns, "count", NULL },
  { NULL },
};
