/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-legend-rows.h.
 */
#include "config.h"

#include "kymo-legend-rows.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-color-popover.h"
#include "kymo-hover-row.h"
#include "kymo-label.h"
#include "kymo-name-label.h"
#include "kymo-safe-text.h"
#include "kymo-session-profile.h"
#include "kymo-swatch.h"
#include "kymo-units.h"

#define CHOSEN "kymo-chosen"
#define VALUE_DIGITS 4

static char *
share_text (const KymoLegendItem *item)
{
  if (item->is_value)
    return kymo_format_number (item->share, VALUE_DIGITS);
  return kymo_format_part (item->share);
}

static KymoLegendItem *
item_of (GtkWidget *widget)
{
  GtkListItem *list_item = g_object_get_data (G_OBJECT (widget), "list-item");

  return list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;
}

static void
on_swatch_clicked (GtkWidget *button, KymoSession *session)
{
  KymoLegendItem *item = item_of (button);

  if (item != NULL)
    kymo_session_set_hidden (session, item->name,
                             !kymo_session_is_hidden (session,
                                                      item->name));
}

/* What is no entry method, as answers and pictures spell it. */
static const char *
spelled (const KymoLegendItem *item)
{
  static const struct { const char *kind, *name; } known[] = {
    { "idle", "Idle" }, { "overhead", "Overhead" },
    { "rest", "Idle or overhead" }, { "untraced", "Untraced" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (item->kind, known[i].kind) == 0)
      return known[i].name;
  return item->name;
}

/* Idle time and its like have their own looks everywhere, and are no functions. */
static gboolean
is_named (const KymoLegendItem *item)
{
  return item != NULL && g_strcmp0 (spelled (item), item->name) == 0;
}

/* -- choosing ---------------------------------------------------------------- */

/* As a click on it in a picture of profiles does. */
static void
on_name_clicked (GtkGestureClick *click, int n_press, double x, double y, KymoSession *session)
{
  KymoLegendItem *item = item_of (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click)));

  if (n_press == 1 && is_named (item))
    kymo_session_set_function (session, item->name);
}

static void
show_chosen (GtkWidget *name, KymoSession *session)
{
  KymoLegendItem *item = item_of (name);

  if (is_named (item)
      && g_strcmp0 (item->name, kymo_session_peek_function (session)) == 0)
    gtk_widget_add_css_class (name, CHOSEN);
  else
    gtk_widget_remove_css_class (name, CHOSEN);
}

static void
on_function_changed (KymoSession *session, GtkWidget *name)
{
  show_chosen (name, session);
}

static void
add_choosing (GtkWidget *name, KymoSession *session)
{
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_object (click, "released", G_CALLBACK (on_name_clicked), session, 0);
  gtk_widget_add_controller (name, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (session, "function-changed", G_CALLBACK (on_function_changed), name, 0);
}

/* -- the menu ---------------------------------------------------------------- */

static void
show_menu (GtkWidget *box, KymoSession *session)
{
  KymoLegendItem *item = item_of (box);

  if (is_named (item))
    kymo_color_popover_show (box, session, item->name);
}

static void
on_right_click (GtkGestureClick *click, int n_press, double x, double y,
                KymoSession *session)
{
  show_menu (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click)), session);
}

/* From the button of the swatch, where the keyboard can be. */
static gboolean
on_row_key (GtkEventControllerKey *controller, guint key, guint code,
            GdkModifierType state, KymoSession *session)
{
  if (key != GDK_KEY_Menu && !(key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK)))
    return GDK_EVENT_PROPAGATE;
  show_menu (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)), session);
  return GDK_EVENT_STOP;
}

static void
add_menu (GtkWidget *box, KymoSession *session)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_right_click), session, 0);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_row_key), session, 0);
  gtk_widget_add_controller (box, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (box, keys);
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item,
          KymoSession *session)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *name = kymo_label_new (NULL, NULL), *share = gtk_label_new (NULL);

  gtk_button_set_child (GTK_BUTTON (button), kymo_swatch_new (session));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "kymo-swatch");
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_xalign (GTK_LABEL (share), 1);
  gtk_widget_add_css_class (share, "dim-label");
  gtk_widget_add_css_class (share, "numeric");
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), kymo_name_label_new (name));
  gtk_box_append (GTK_BOX (box), share);
  g_object_set_data (G_OBJECT (box), "list-item", list_item);
  g_object_set_data (G_OBJECT (button), "list-item", list_item);
  g_object_set_data (G_OBJECT (name), "list-item", list_item);
  add_choosing (name, session);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_swatch_clicked),
                           session, 0);
  kymo_hover_row_attach (box, session);
  add_menu (box, session);
  gtk_list_item_set_child (list_item, box);
}

static void
show_share (KymoLegendItem *item, GParamSpec *pspec, GtkWidget *label)
{
  g_autofree char *percent = share_text (item);

  gtk_label_set_text (GTK_LABEL (label), percent);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *list_item,
           KymoSession *session)
{
  GtkWidget *share = gtk_widget_get_last_child (
    gtk_list_item_get_child (list_item));

  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item),
                                        show_share, share);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item,
         KymoSession *session)
{
  KymoLegendItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *button = gtk_widget_get_first_child (
    gtk_list_item_get_child (list_item));
  GtkWidget *shown = gtk_widget_get_next_sibling (button);
  GtkWidget *name = GTK_WIDGET (kymo_name_label_get_label (KYMO_NAME_LABEL (shown)));
  GtkWidget *share = gtk_widget_get_next_sibling (shown);
  g_autofree char *words = g_strdup_printf (_("Show or hide %s; Menu chooses its colour"),
                                             item->label);

  kymo_swatch_set (KYMO_SWATCH (gtk_button_get_child (GTK_BUTTON (button))),
                   item->name, item->kind);
  kymo_hover_row_set (gtk_list_item_get_child (list_item), spelled (item), -1);
  kymo_label_set (name, item->label);
  kymo_label_set_tip (name, item->label);
  show_chosen (name, session);
  show_share (item, NULL, share);
  g_signal_connect_object (item, "notify::share", G_CALLBACK (show_share),
                           share, 0);
  kymo_accessible_name (button, words);
}

/** kymo_legend_rows_new: Returns: (transfer full): */
GtkListItemFactory *
kymo_legend_rows_new (KymoSession *session)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), session, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), session, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), session,
                           0);
  return factory;
}

static void
show_words (GListModel *model, guint position, guint removed, guint added, GtkWidget *words)
{
  GListModel *all = g_object_get_data (G_OBJECT (words), "all");
  GListModel *shown = g_object_get_data (G_OBJECT (words), "shown");

  gtk_widget_set_visible (words, g_list_model_get_n_items (all) > 0
                                 && g_list_model_get_n_items (shown) == 0);
}

static void
watch_legend_rows (GtkWidget *words, const char *key, GListModel *model)
{
  g_object_set_data_full (G_OBJECT (words), key, g_object_ref (model), g_object_unref);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (show_words), words,
                           G_CONNECT_AFTER);
}

/**
 * kymo_legend_rows_over:
 * @list: what shows @shown
 * @all: what is filtered; where it is empty nothing is known yet, and nothing is said
 * @words: a sentence why nothing of it is to be seen
 *
 * Returns: (transfer floating):
 */
GtkWidget *
kymo_legend_rows_over (GtkWidget *list, GListModel *all, GListModel *shown, const char *words)
{
  GtkWidget *overlay = gtk_overlay_new (), *label = gtk_label_new (words);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_set_margin_top (label, 24);
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_visible (label, FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), list);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), label);
  watch_legend_rows (label, "all", all);
  watch_legend_rows (label, "shown", shown);
  return overlay;
}

G_DEFINE_FINAL_TYPE (KymoLegendItem, kymo_legend_item, G_TYPE_OBJECT)

static GParamSpec *share_prop;

static void
kymo_legend_item_finalize (GObject *object)
{
  KymoLegendItem *self = KYMO_LEGEND_ITEM (object);

  g_free (self->name);
  g_free (self->label);
  g_free (self->kind);
  G_OBJECT_CLASS (kymo_legend_item_parent_class)->finalize (object);
}

static void
kymo_legend_item_get_property (GObject *object, guint id, GValue *value,
                               GParamSpec *pspec)
{
  g_value_set_double (value, KYMO_LEGEND_ITEM (object)->share);
}

static void
kymo_legend_item_class_init (KymoLegendItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_legend_item_finalize;
  G_OBJECT_CLASS (klass)->get_property = kymo_legend_item_get_property;
  share_prop = g_param_spec_double ("share", NULL, NULL, -G_MAXDOUBLE,
                                    G_MAXDOUBLE, 0,
                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS
                                    | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1, share_prop);
}

static void
kymo_legend_item_init (KymoLegendItem *self)
{
}

/**
 * kymo_legend_item_set_share:
 * @share: share of the visible range, 0 to 1; NaN = unknown
 *
 * Sets the share and emits "notify::share" where it differs from the present share.
 */
void
kymo_legend_item_set_share (KymoLegendItem *self, double share)
{
  if (self->share == share)
    return;
  self->share = share;
  g_object_notify_by_pspec (G_OBJECT (self), share_prop);
}

/**
 * kymo_legend_item_new:
 * @name: display name of the activity, also its key
 * @label: text for people; a copy that is safe to display is kept
 * @kind: "entry", "function", "idle", "overhead", ...
 * @share: share of the visible range, 0 to 1; NaN = unknown
 *
 * Returns: (transfer full): the item, with copies of all strings
 */
KymoLegendItem *
kymo_legend_item_new (const char *name, const char *label, const char *kind,
                      double share)
{
  KymoLegendItem *self = g_object_new (KYMO_TYPE_LEGEND_ITEM, NULL);

  self->name = g_strdup (name);
  self->label = kymo_safe_text_dup (label);
  self->kind = g_strdup (kind);
  self->share = share;
  return self;
}

/**
 * kymo_legend_items_of_communicators:
 * @answer: a timeline that tells communicators apart
 * @others: gets items of what is no function
 *
 * Sums up the time of calls by communicator.
 *
 * Returns: (transfer container) (element-type KymoLegendItem): an item for each communicator, which
 *   the caller owns, in the order of the answer
 */
GPtrArray *
kymo_legend_items_of_communicators (KymoTable *answer, GPtrArray *others)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *items = g_ptr_array_new ();
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);
  KymoTable *kinds = kymo_table_peek_nested (answer, "kinds", NULL);
  KymoTable *comms = kymo_table_peek_nested (answer, "communicators", NULL);
  const gint64 *ns = kymo_table_peek_ints (kymo_table_peek_nested (answer, "names_ns", NULL),
                                           "ns", NULL);
  guint n = comms != NULL && ns != NULL ? kymo_table_get_n_rows (comms) : 0;
  double whole = 0;

  for (guint i = 0; i < n; i++)
    whole += ns[i];
  for (guint i = 0; i < n; i++)
    {
      const char *kind = kymo_table_get_string (kinds, "kind", i);
      const char *comm = kymo_table_get_string (comms, "communicator", i);
      KymoLegendItem *item = g_hash_table_lookup (known, comm);
      double share = ns[i] / MAX (1, whole);

      if (item != NULL)
        kymo_legend_item_set_share (item, item->share + share);
      else if (*comm != '\0' && ns[i] > 0)
        {
          item = kymo_legend_item_new (comm, comm, "function", share);
          g_hash_table_insert (known, item->name, item);
          g_ptr_array_add (items, item);
        }
      else if (ns[i] > 0)
        g_ptr_array_add (others, kymo_legend_item_new (
          kind, _(kymo_table_get_string (names, "name", i)), kind, share));
    }
  return items;
}
