/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-profile-row.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (KymoProfileRow, kymo_profile_row, G_TYPE_OBJECT)

static guint changed_signal;

static void
kymo_profile_row_finalize (GObject *object)
{
  KymoProfileRow *self = KYMO_PROFILE_ROW (object);

  for (guint i = 0; i < KYMO_PROFILE_N_TEXTS; i++)
    g_free (self->texts[i]);
  g_free (self->signature);
  g_free (self->numbers);
  G_OBJECT_CLASS (kymo_profile_row_parent_class)->finalize (object);
}

static void
kymo_profile_row_class_init (KymoProfileRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_profile_row_finalize;
  changed_signal = g_signal_new ("changed", KYMO_TYPE_PROFILE_ROW,
                                 G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
kymo_profile_row_init (KymoProfileRow *self)
{
}

static guint
row_hash (gconstpointer data)
{
  const KymoProfileRow *row = data;

  return g_str_hash (row->texts[0] != NULL ? row->texts[0] : "");
}

static gboolean
is_same_row (gconstpointer a, gconstpointer b)
{
  const KymoProfileRow *x = a, *y = b;

  for (guint i = 0; i < KYMO_PROFILE_N_TEXTS; i++)
    if (g_strcmp0 (x->texts[i], y->texts[i]) != 0)
      return FALSE;
  return x->event == y->event && x->n_numbers == y->n_numbers
         && g_strcmp0 (x->signature, y->signature) == 0;
}

/**
 * kymo_profile_rows_update:
 * @model: (element-type KymoProfileRow): the rows that are shown
 * @rows: (element-type KymoProfileRow): new rows in any order; they get the old numbers in exchange
 *
 * Gives each row of a table the numbers of the new row with the same texts, so that the table keeps
 * its selection and scroll. Each row tells "changed".
 *
 * Returns: %FALSE, with nothing changed, where the rows have other texts, or two have the same
 *   texts
 */
gboolean
kymo_profile_rows_update (GListModel *model, GPtrArray *rows)
{
  g_autoptr (GHashTable) fresh = g_hash_table_new (row_hash, is_same_row);
  guint n = g_list_model_get_n_items (model);

  if (n != rows->len)
    return FALSE;
  for (guint i = 0; i < n; i++)
    g_hash_table_add (fresh, rows->pdata[i]);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (KymoProfileRow) row = g_list_model_get_item (model, i);

      if (!g_hash_table_contains (fresh, row))
        return FALSE;
    }
  /* Rows that look alike have each its own numbers only where all is new. */
  if (g_hash_table_size (fresh) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (KymoProfileRow) row = g_list_model_get_item (model, i);
      KymoProfileRow *other = g_hash_table_lookup (fresh, row);
      double *numbers = row->numbers;

      row->numbers = other->numbers;
      other->numbers = numbers;
      g_signal_emit (row, changed_signal, 0);
    }
  return TRUE;
}

/**
 * kymo_profile_role_words:
 * @role: (nullable): as an answer has it, "compute"
 *
 * Returns: (transfer none) (nullable): the role in the person's language; @role itself where it is
 *   not known
 */
const char *
kymo_profile_role_words (const char *role)
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
