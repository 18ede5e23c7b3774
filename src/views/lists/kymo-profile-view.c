/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table of columns; a new column is one line there. Hardware counters are
 * columns after these, one a metric of the run, added with the first answer.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-accessible.h"
#include "kymo-hover-row.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-profile-view.h"
#include "kymo-swatch.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

typedef enum
{
  CELL_TEXT,
  CELL_COUNT,
  CELL_TIME,
  CELL_SHARE,
} CellKind;

typedef struct
{
  const char *key;
  const char *title;
  CellKind    kind;
  int         width_px;
} Column;

/* The group last, for names of entry methods begin with it: in a narrow window it is out of sight
   first. */
enum { NAME_COLUMN, ROLE_COLUMN, EXCLUSIVE_COLUMN = 4, WAIT_COLUMN = 7, GROUP_COLUMN = 11 };

static const Column columns[] = {
  [NAME_COLUMN] = { "name", N_("{Code}"), CELL_TEXT },
  [ROLE_COLUMN] = { "role", N_("Role"), CELL_TEXT, 122 },
  { "calls", N_("Calls"), CELL_COUNT, 70 },
  { "blocks", N_("Blocks"), CELL_COUNT, 70 },
  [EXCLUSIVE_COLUMN] = { "exclusive_ns", N_("Exclusive"), CELL_TIME, 82 },
  { "inclusive_ns", N_("Inclusive"), CELL_TIME, 82 },
  { "share", N_("Share"), CELL_SHARE, 70 },
  [WAIT_COLUMN] = { "wait_ns", N_("Waiting"), CELL_TIME, 82 },
  { "mean_ns", N_("Mean"), CELL_TIME, 82 },
  { "min_ns", N_("Shortest"), CELL_TIME, 82 },
  { "max_ns", N_("Longest"), CELL_TIME, 82 },
  [GROUP_COLUMN] = { "group", N_("Group"), CELL_TEXT, 82 },
};

#define N_COLUMNS G_N_ELEMENTS (columns)
#define METRIC_PX 110

struct _KymoProfileView
{
  KymoLineTable  parent_instance;

  KymoSession   *session;
  KymoViewAsker *asker;
  KymoTable     *answer, *list;    /* or NULL; the list is of the answer */
  GtkWidget     *entry, *hint;
  guint          n_metrics;        /* columns of counters so far */
};

G_DEFINE_FINAL_TYPE (KymoProfileView, kymo_profile_view, KYMO_TYPE_LINE_TABLE)

/* -- rows ----------------------------------------------------------------- */

static const char *
string_at (KymoLineTable *table, const char *key, guint row)
{
  return kymo_table_get_string (KYMO_PROFILE_VIEW (table)->list, key, row);
}

/* Its time lies over that of others. */
static gboolean
is_event (KymoLineTable *table, guint row)
{
  return g_strcmp0 (string_at (table, "kind", row), "event") == 0;
}

static double
counter_of (KymoProfileView *self, guint metric, guint row)
{
  const guint *offsets = NULL;
  KymoTable *counters = kymo_table_peek_nested (self->list, "counters", &offsets);

  if (counters == NULL || metric >= offsets[row + 1] - offsets[row])
    return NAN;
  return kymo_table_get_number (counters, "value", offsets[row] + metric);
}

static double
share_of (KymoLineTable *table, guint row)
{
  KymoProfileView *self = KYMO_PROFILE_VIEW (table);
  double span_ns = kymo_table_get_int (self->answer, "span_ns", 0), share = NAN;

  if (is_event (table, row))
    return NAN;
  if (kymo_table_find_column (self->list, "share") >= 0)
    share = kymo_table_get_double (self->list, "share", row);
  return isnan (share) && span_ns > 0
         ? kymo_table_get_int (self->list, "exclusive_ns", row) / span_ns : share;
}

static double
cell_number (KymoLineTable *table, guint column, guint row)
{
  KymoProfileView *self = KYMO_PROFILE_VIEW (table);
  gint64 value;

  if (column >= N_COLUMNS)
    return counter_of (self, column - N_COLUMNS, row);
  if (columns[column].kind == CELL_SHARE)
    return share_of (table, row);
  if (kymo_table_find_column (self->list, columns[column].key) < 0)
    return NAN;
  value = kymo_table_get_int (self->list, columns[column].key, row);
  return value == KYMO_NULL_INT ? (double) NAN : (double) value;
}

static char *
row_key (KymoLineTable *table, guint row)
{
  const char *name = string_at (table, "name", row);

  return g_strconcat (string_at (table, "kind", row), "\n", name != NULL ? name : "", "\n",
                      string_at (table, "signature", row), NULL);
}

static const char *
filtered_name (KymoLineTable *table, guint row)
{
  const char *signature = string_at (table, "signature", row);

  return signature != NULL ? signature : string_at (table, "name", row);
}

/* What can be a row: all that ran and has a name of its own. */
static gboolean
is_row (KymoTable *list, guint index)
{
  const char *kind = kymo_table_get_string (list, "kind", index);

  return g_strcmp0 (kind, "entry") == 0 || g_strcmp0 (kind, "function") == 0
         || g_strcmp0 (kind, "event") == 0;
}

/* Where all is compute a column of roles would tell nothing. */
static gboolean
has_roles (KymoTable *list)
{
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *role = kymo_table_get_string (list, "role", i);

      if (role != NULL && g_strcmp0 (role, "compute") != 0)
        return TRUE;
    }
  return FALSE;
}

/* -- cells ---------------------------------------------------------------- */

/* In the language of the person; itself where it is not known. */
static const char *
role_words (const char *role)
{
  static const struct { const char *role, *words; } roles[] = {
    { "compute", N_("compute") }, { "communication", N_("communication") },
    { "synchronization", N_("synchronization") }, { "wait", N_("wait") },
    { "io", N_("input, output") }, { "runtime", N_("runtime") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    if (g_strcmp0 (roles[i].role, role) == 0)
      return _(roles[i].words);
  return role;
}

static const char *
text_of (KymoLineTable *table, guint column, guint row)
{
  if (column == GROUP_COLUMN && is_event (table, row))
    return _("user event");
  return column == ROLE_COLUMN ? role_words (string_at (table, "role", row))
                               : string_at (table, columns[column].key, row);
}

static char *
cell_text (KymoLineTable *table, guint column, guint row, gboolean exact)
{
  CellKind kind = column < N_COLUMNS ? columns[column].kind : CELL_COUNT;
  const char *text = kind == CELL_TEXT ? text_of (table, column, row) : NULL;
  double number = kind == CELL_TEXT ? 0 : cell_number (table, column, row);

  if (kind == CELL_TEXT)
    return g_strdup (text != NULL ? text : "");
  if (isnan (number))
    return g_strdup (exact ? "" : "–");
  if (kind == CELL_TIME)
    return exact ? kymo_format_duration_exact (number)
                 : kymo_time_column_format (kymo_line_table_peek_times (table, column), number);
  if (exact)
    return kymo_format_exact (number);
  return kind == CELL_SHARE ? kymo_format_part (number) : kymo_format_count (number);
}

static char *
cell_tip (KymoLineTable *table, guint column, guint row)
{
  return column == NAME_COLUMN ? g_strdup (filtered_name (table, row))
                               : cell_text (table, column, row, TRUE);
}

static GtkWidget *
setup_cell (KymoLineTable *table, guint column, GtkWidget *label)
{
  KymoSession *session = KYMO_PROFILE_VIEW (table)->session;
  GtkWidget *cell;

  if (column != NAME_COLUMN)
    return label;
  cell = kymo_line_cell_new (kymo_swatch_new (session), label, 8);
  kymo_hover_row_attach (cell, session);
  return cell;
}

static void
show_cell (KymoLineTable *table, guint column, GtkWidget *cell, guint row)
{
  const char *name = string_at (table, "name", row);

  if (column != NAME_COLUMN)
    return;
  kymo_swatch_set (KYMO_SWATCH (gtk_widget_get_first_child (cell)), name,
                   is_event (table, row) ? "event" : "entry");
  kymo_hover_row_set (cell, name, -1);
}

/* -- filling -------------------------------------------------------------- */

static void
add_column (KymoProfileView *self, const char *key, const char *title, CellKind kind, int width_px)
{
  kymo_line_table_add_column (KYMO_LINE_TABLE (self), &(KymoLineColumn) {
    .title = title, .key = key, .width_px = width_px, .is_text = kind == CELL_TEXT,
    .zero_is_none = g_str_equal (key, "wait_ns") });
}

static void
add_metrics (KymoProfileView *self)
{
  KymoTable *metrics = kymo_table_peek_nested (self->answer, "metrics", NULL);
  guint n = metrics != NULL ? kymo_table_get_n_rows (metrics) : 0;

  for (; self->n_metrics < n; self->n_metrics++)
    {
      const char *title = kymo_table_get_string (metrics, "value", self->n_metrics);
      /* By its name: where a counter stands among the columns is no part of what is kept. */
      g_autofree char *key = g_strconcat ("metric:", title, NULL);

      add_column (self, key, title, CELL_COUNT, METRIC_PX);
    }
  kymo_kept_try (kymo_line_table_peek_view (KYMO_LINE_TABLE (self)));
}

static void say_hint (KymoProfileView *self, gint64 left_out);

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoProfileView *self = data;
  KymoLineTable *table = data;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));

  g_clear_pointer (&self->answer, kymo_table_unref);
  self->answer = answer != NULL ? kymo_table_ref (answer) : NULL;
  self->list = answer != NULL ? kymo_table_peek_nested (answer, "activities", NULL) : NULL;
  for (guint i = 0; self->list != NULL && i < kymo_table_get_n_rows (self->list); i++)
    if (is_row (self->list, i))
      g_array_append_val (rows, i);
  kymo_line_table_set_rows (table, (const guint *) rows->data, rows->len);
  kymo_line_table_sort_again (table);
  kymo_line_table_say (table, answer == NULL ? error->message : NULL);
  if (answer == NULL)
    return;
  add_metrics (self);
  say_hint (self, kymo_table_get_int (answer, "left_out", 0));
  kymo_line_table_show_column (table, ROLE_COLUMN, has_roles (self->list));
  kymo_line_table_show_column (table, WAIT_COLUMN, self->list != NULL
                               && kymo_table_find_column (self->list, "wait_ns") >= 0);
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoProfileView *self = view;
  KymoQuestion *question = kymo_question_new ("profile");

  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_session_prepare (self->session, question);
  kymo_question_set_int (question, "workers-only", 1);
  kymo_question_set_int (question, "waits", 1);
  return question;
}

static const KymoViewQuestion figures_in_view = {
  .question = new_question, .answered = on_answer, .pace_ms = KYMO_VIEW_PACE_MS,
};

/* -- what a person does --------------------------------------------------- */

static void
on_filter_text (KymoProfileView *self)
{
  kymo_line_table_set_filter (KYMO_LINE_TABLE (self), gtk_editable_get_text (
                                GTK_EDITABLE (self->entry)), self->entry);
}

/**
 * kymo_profile_view_set_filter:
 * @text: the pattern for names, see kymo-name-filter.h; "" lists all
 *
 * Puts the text into the field of the filter; the table follows after a moment.
 */
void
kymo_profile_view_set_filter (KymoProfileView *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

static void
on_activated (KymoLineTable *table, int row)
{
  g_autofree char *name = g_strdup (string_at (table, "name", row));

  g_signal_emit_by_name (table, "activated", name);
}

/* -- the widget ----------------------------------------------------------- */

/* Charm++ has chares, all else groups. */
static const char *
title_of (KymoProfileView *self, guint index)
{
  if (index == GROUP_COLUMN
      && kymo_session_get_terms (self->session).code == KYMO_CODE_ENTRY_METHOD)
    return _("Chare");
  return kymo_in_terms_of (self->session, _(columns[index].title));
}

static void
build_table (KymoProfileView *self)
{
  KymoLineTable *table = KYMO_LINE_TABLE (self);

  kymo_line_table_build (table, kymo_in_terms_of (self->session, _("Profile of {codes}")));
  for (guint i = 0; i < N_COLUMNS; i++)
    add_column (self, columns[i].key, title_of (self, i), columns[i].kind, columns[i].width_px);
  kymo_line_table_sort (table, EXCLUSIVE_COLUMN, TRUE);
  kymo_kept_add_sort (kymo_line_table_peek_view (table), "profile", "sort");
}

static void
kymo_profile_view_dispose (GObject *object)
{
  KymoProfileView *self = KYMO_PROFILE_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_profile_view_parent_class)->dispose (object);
}

static void
kymo_profile_view_finalize (GObject *object)
{
  g_clear_pointer (&KYMO_PROFILE_VIEW (object)->answer, kymo_table_unref);
  G_OBJECT_CLASS (kymo_profile_view_parent_class)->finalize (object);
}

static void
kymo_profile_view_class_init (KymoProfileViewClass *klass)
{
  KymoLineTableClass *table_class = KYMO_LINE_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_profile_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_profile_view_finalize;
  kymo_signal_new ("activated", KYMO_TYPE_PROFILE_VIEW, 1, G_TYPE_STRING);
  table_class->text = cell_text;
  table_class->tip = cell_tip;
  table_class->number = cell_number;
  table_class->key = row_key;
  table_class->filtered = filtered_name;
  table_class->setup = setup_cell;
  table_class->show = show_cell;
  table_class->activated = on_activated;
}

static void
kymo_profile_view_init (KymoProfileView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static void
say_hint (KymoProfileView *self, gint64 left_out)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  gboolean blocks
    = (kymo_source_get_capabilities (source) & KYMO_CAN_INTERVALS) != 0;
  const char *text;

  if (left_out > 0)
    text = blocks ? _("Of the visible range, without communication threads. A "
                      "double click goes to the longest block.")
                  : _("Of the visible range, without communication threads.");
  else
    text = blocks ? _("Of the visible range. A double click goes to the "
                      "longest block.")
                  : _("Of the visible range.");
  gtk_label_set_text (GTK_LABEL (self->hint), text);
}

static GtkWidget *
build_bar (KymoProfileView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *hint = gtk_label_new (NULL);

  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _("Filter"), NULL);
  kymo_accessible_name (self->entry, _("Filter the profile"));
  gtk_widget_set_size_request (self->entry, 240, -1);
  self->hint = hint;
  say_hint (self, 0);
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (bar, "kymo-controls");
  gtk_box_append (GTK_BOX (bar), self->entry);
  gtk_box_append (GTK_BOX (bar), hint);
  g_signal_connect_swapped (self->entry, "search-changed",
                            G_CALLBACK (on_filter_text), self);
  return bar;
}

/**
 * kymo_profile_view_new:
 * @session: whose visible range and filter it follows; the view holds a reference
 *
 * Returns: (transfer floating): the view; it asks for its figures while it is mapped
 */
GtkWidget *
kymo_profile_view_new (KymoSession *session)
{
  KymoProfileView *self = g_object_new (KYMO_TYPE_PROFILE_VIEW, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&figures_in_view, self, session);
  gtk_box_append (GTK_BOX (self), build_bar (self));
  build_table (self);
  kymo_view_asker_follow (self->asker, session, "range-changed");
  kymo_view_asker_follow (self->asker, session, "filter-changed");
  return GTK_WIDGET (self);
}
