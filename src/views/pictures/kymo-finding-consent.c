/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-finding-consent.h"

#include <glib/gi18n-lib.h>
#include <string.h>


/* Orders to one job. */
#define MOST_ORDERS 4

struct _KymoFindingConsent
{
  AdwPreferencesGroup parent_instance;

  GtkWidget  *consents;                 /* GtkSwitch */
  GHashTable *asked;                    /* ids of causes */
};

G_DEFINE_FINAL_TYPE (KymoFindingConsent, kymo_finding_consent, ADW_TYPE_PREFERENCES_GROUP)

static void
kymo_finding_consent_finalize (GObject *object)
{
  g_hash_table_unref (KYMO_FINDING_CONSENT (object)->asked);
  G_OBJECT_CLASS (kymo_finding_consent_parent_class)->finalize (object);
}

static void
kymo_finding_consent_class_init (KymoFindingConsentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_finding_consent_finalize;
}

static void
kymo_finding_consent_init (KymoFindingConsent *self)
{
  GtkWidget *row = adw_action_row_new ();

  self->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->consents = gtk_switch_new ();
  gtk_widget_set_valign (self->consents, GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 _("Record more when a cause is found"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _(
    "Each cause has the job trace the two ranks with the lowest load for two seconds, once"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->consents);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), self->consents);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/** kymo_finding_consent_new: Returns: (transfer floating): the group, hidden, without consent */
GtkWidget *
kymo_finding_consent_new (void)
{
  return g_object_new (KYMO_TYPE_FINDING_CONSENT, NULL);
}

/**
 * kymo_finding_consent_tell:
 * @answer: findings of a running job
 *
 * With consent, each cause that is likely asks for more data by the action "win.record-more", once.
 */
void
kymo_finding_consent_tell (KymoFindingConsent *self, const KymoTable *answer)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);

  if (!gtk_switch_get_active (GTK_SWITCH (self->consents)))
    return;
  for (guint i = 0; i < kymo_table_get_n_rows (findings); i++)
    {
      const char *id = kymo_table_get_string (findings, "id", i);

      if (strcmp (kymo_table_get_string (findings, "state", i), "possible") == 0
          || g_hash_table_contains (self->asked, id)
          || g_hash_table_size (self->asked) >= MOST_ORDERS
          || !gtk_widget_activate_action (GTK_WIDGET (self), "win.record-more", NULL))
        continue;
      g_hash_table_add (self->asked, g_strdup (id));
      return;
    }
}
