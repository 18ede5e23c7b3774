/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fact is a name and a value; the group has a row for each, in their order.
 */
#include "config.h"

#include "kymo-facts-group.h"
#include "kymo-label.h"
#include "kymo-name.h"
#include "kymo-safe-text.h"

/* A longer value goes below its name. */
#define LONG_CHARS 44

/** Fact: @label: of the row, where the value stands beside its name */
typedef struct
{
  char      *title, *value;
  GtkWidget *row, *label;
} Fact;

struct _KymoFactsGroup
{
  AdwPreferencesGroup parent_instance;

  GPtrArray *facts;                /* Fact, with the rows that show them */
};

G_DEFINE_FINAL_TYPE (KymoFactsGroup, kymo_facts_group, ADW_TYPE_PREFERENCES_GROUP)

static void
fact_free (gpointer data)
{
  Fact *fact = data;

  g_free (fact->title);
  g_free (fact->value);
  g_free (fact);
}

/** kymo_facts_new: Returns: (transfer full): no facts yet */
GPtrArray *
kymo_facts_new (void)
{
  return g_ptr_array_new_with_free_func (fact_free);
}

/** kymo_facts_add: @value: (nullable): then @title is a sentence by itself */
void
kymo_facts_add (GPtrArray *facts, const char *title, const char *value)
{
  Fact *fact = g_new0 (Fact, 1);

  fact->title = g_strdup (title);
  fact->value = g_strdup (value);
  g_ptr_array_add (facts, fact);
}

static gboolean
is_long (const Fact *fact)
{
  return fact->value != NULL && g_utf8_strlen (fact->value, -1) > LONG_CHARS;
}

/* -- rows ----------------------------------------------------------------- */

static void
show_value (Fact *fact)
{
  g_autofree char *safe = NULL;

  if (fact->label != NULL)
    kymo_label_set_lines (fact->label, fact->value);
  else if (fact->value != NULL)
    {
      g_autofree char *shown = kymo_name_shown (fact->value);
      g_autoptr (GString) readable = g_string_new (shown);

      kymo_safe_text_clean (readable, "\n\t");
      safe = g_markup_escape_text (readable->str, -1);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (fact->row), safe);
    }
}

static void
build_row (KymoFactsGroup *self, Fact *fact)
{
  g_autofree char *title = kymo_safe_text_dup (fact->title);
  g_autofree char *safe = g_markup_escape_text (title, -1);

  fact->row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (fact->row), safe);
  if (fact->value == NULL)
    adw_action_row_set_title_lines (ADW_ACTION_ROW (fact->row), 0);
  else if (is_long (fact))
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (fact->row), 0);
  else
    {
      fact->label = gtk_label_new (NULL);
      gtk_label_set_selectable (GTK_LABEL (fact->label), TRUE);
      gtk_widget_add_css_class (fact->label, "numeric");
      adw_action_row_add_suffix (ADW_ACTION_ROW (fact->row), fact->label);
    }
  show_value (fact);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), fact->row);
}

static gboolean
fits_facts_group (const GPtrArray *shown, const GPtrArray *facts)
{
  if (shown->len != facts->len)
    return FALSE;
  for (guint i = 0; i < facts->len; i++)
    {
      const Fact *old = shown->pdata[i], *new = facts->pdata[i];

      if (g_strcmp0 (old->title, new->title) != 0 || is_long (old) != is_long (new)
          || (old->value == NULL) != (new->value == NULL))
        return FALSE;
    }
  return TRUE;
}

/* What did not change is not touched: a person may have selected it. */
static void
take_value (Fact *shown, Fact *fact)
{
  if (g_strcmp0 (shown->value, fact->value) == 0)
    return;
  g_free (shown->value);
  shown->value = g_steal_pointer (&fact->value);
  show_value (shown);
}

/** kymo_facts_group_set: @facts: (transfer full): without any there is nothing to be seen */
void
kymo_facts_group_set (KymoFactsGroup *self, GPtrArray *facts)
{
  gtk_widget_set_visible (GTK_WIDGET (self), facts->len > 0);
  if (fits_facts_group (self->facts, facts))
    {
      for (guint i = 0; i < facts->len; i++)
        take_value (self->facts->pdata[i], facts->pdata[i]);
      g_ptr_array_unref (facts);
      return;
    }
  for (guint i = 0; i < self->facts->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self),
                                  ((Fact *) self->facts->pdata[i])->row);
  g_ptr_array_unref (self->facts);
  self->facts = facts;
  for (guint i = 0; i < facts->len; i++)
    build_row (self, facts->pdata[i]);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_facts_group_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_FACTS_GROUP (object)->facts);
  G_OBJECT_CLASS (kymo_facts_group_parent_class)->finalize (object);
}

static void
kymo_facts_group_class_init (KymoFactsGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_facts_group_finalize;
}

static void
kymo_facts_group_init (KymoFactsGroup *self)
{
  self->facts = kymo_facts_new ();
}

/**
 * kymo_facts_group_new:
 * @title: translated
 *
 * Returns: (transfer floating): a #KymoFactsGroup without facts; kymo_facts_group_set() fills it
 */
GtkWidget *
kymo_facts_group_new (const char *title)
{
  KymoFactsGroup *self = g_object_new (KYMO_TYPE_FACTS_GROUP, "title", title, NULL);

  return GTK_WIDGET (self);
}
