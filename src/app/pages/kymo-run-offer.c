/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-run-offer.h"

#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-page.h"
#include "kymo-run-choices.h"

struct _KymoRunOffer
{
  AdwBin        parent_instance;

  GCancellable *cancellable;     /* of the looking, or NULL */
};

typedef struct
{
  char             *path;
  gboolean          below;       /* found by the thread */
  KymoRunOfferFunc  shown;
  gpointer          data;
} Looking;

G_DEFINE_FINAL_TYPE (KymoRunOffer, kymo_run_offer, ADW_TYPE_BIN)

static void
looking_free (gpointer data)
{
  Looking *looking = data;

  g_free (looking->path);
  g_free (looking);
}

static GtkWidget *
make_row (const KymoRunChoice *choice)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *name = kymo_page_dup_markup (choice->name);
  g_autofree char *words = g_strdup_printf ("%s · %s", choice->what, choice->path);
  g_autofree char *path = kymo_page_dup_markup (words);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), path);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-path");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "^ay", choice->path);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  return row;
}

static GtkWidget *
make_list (GPtrArray *choices)
{
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *clamp = adw_clamp_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  kymo_accessible_name (list, _("Runs to open"));
  for (guint i = 0; i < choices->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (list), make_row (choices->pdata[i]));
  adw_clamp_set_child (ADW_CLAMP (clamp), list);
  return clamp;
}

static void
look_run_offer (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Looking *looking = data;
  GPtrArray *choices = kymo_run_choices_list (looking->path, FALSE);
  GPtrArray *below = kymo_run_choices_below (looking->path);

  looking->below = choices->len == 0;
  g_ptr_array_extend_and_steal (choices, below);
  g_task_return_pointer (task, choices, (GDestroyNotify) g_ptr_array_unref);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoRunOffer *self = KYMO_RUN_OFFER (object);
  const Looking *looking = g_task_get_task_data (G_TASK (result));
  g_autoptr (GPtrArray) choices = g_task_propagate_pointer (G_TASK (result), NULL);

  /* Cleared meanwhile, or the page is gone. */
  if (choices == NULL || choices->len == 0)
    return;
  adw_bin_set_child (ADW_BIN (self), make_list (choices));
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  looking->shown (looking->data, choices->len, looking->below);
  /* Enter opens the first one. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

/** kymo_run_offer_clear: nothing is offered, and nothing looked for any more */
void
kymo_run_offer_clear (KymoRunOffer *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * kymo_run_offer_look:
 * @path: of a folder
 * @shown: called where there is something to choose from
 */
void
kymo_run_offer_look (KymoRunOffer     *self,
                     const char       *path,
                     KymoRunOfferFunc  shown,
                     gpointer          data)
{
  g_autoptr (GTask) task = NULL;
  Looking *looking = g_new (Looking, 1);

  kymo_run_offer_clear (self);
  self->cancellable = g_cancellable_new ();
  *looking = (Looking) { g_strdup (path), FALSE, shown, data };
  task = g_task_new (self, self->cancellable, on_looked, NULL);
  g_task_set_task_data (task, looking, looking_free);
  g_task_run_in_thread (task, look_run_offer);
}

static void
kymo_run_offer_dispose (GObject *object)
{
  kymo_run_offer_clear (KYMO_RUN_OFFER (object));
  G_OBJECT_CLASS (kymo_run_offer_parent_class)->dispose (object);
}

static void
kymo_run_offer_class_init (KymoRunOfferClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_run_offer_dispose;
}

static void
kymo_run_offer_init (KymoRunOffer *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/** kymo_run_offer_new: Returns: (transfer floating): an offer of nothing */
GtkWidget *
kymo_run_offer_new (void)
{
  return g_object_new (KYMO_TYPE_RUN_OFFER, NULL);
}
