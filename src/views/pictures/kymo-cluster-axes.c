/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both lists are the same one: the directions, then what PEs are compared by,
 * that in which they differ most first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-cluster-axes.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-label.h"

#define N_DIRECTIONS 2
/* Longer names are cut where they are chosen; the list has them whole. */
#define MOST_CHARS 14
#define SEARCH_FROM 12

struct _KymoClusterAxes
{
  GtkBox         parent_instance;

  GtkStringList *names;
  GPtrArray     *keys;                 /* char *, by name */
  GtkWidget     *drops[2];
  gboolean       filling;
};

G_DEFINE_FINAL_TYPE (KymoClusterAxes, kymo_cluster_axes, GTK_TYPE_BOX)

static const char *const directions[N_DIRECTIONS]
  = { "principal-1", "principal-2" };

static const char *
key_of (KymoClusterAxes *self, guint axis)
{
  guint chosen = kymo_controls_chosen (self->drops[axis]);

  return chosen < self->keys->len ? self->keys->pdata[chosen]
                                  : directions[axis];
}

/**
 * kymo_cluster_axes_peek_x:
 *
 * Returns: (transfer none): keyword of the question for the axis across: a direction or the key of
 * an entry method; valid until the next kymo_cluster_axes_fill()
 */
const char *
kymo_cluster_axes_peek_x (KymoClusterAxes *self)
{
  return key_of (self, 0);
}

/**
 * kymo_cluster_axes_peek_y:
 *
 * Returns: (transfer none): as kymo_cluster_axes_peek_x(), for the axis up
 */
const char *
kymo_cluster_axes_peek_y (KymoClusterAxes *self)
{
  return key_of (self, 1);
}

/* -- filling -------------------------------------------------------------- */

typedef struct
{
  guint  row;
  double strength;
} Component;

static int
compare_components (gconstpointer a, gconstpointer b)
{
  const Component *x = a, *y = b;

  if (x->strength != y->strength)
    return x->strength > y->strength ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static GArray *
order_of (const KymoTable *components)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (Component));

  for (guint i = 0; i < kymo_table_get_n_rows (components); i++)
    {
      Component component = { i, kymo_table_get_double (components, "strength",
                                                        i) };

      if (isnan (component.strength))
        component.strength = 0;
      g_array_append_val (order, component);
    }
  g_array_sort (order, compare_components);
  return order;
}

static void
add_cluster_axes (GPtrArray *keys, GPtrArray *names, const char *key, const char *name)
{
  g_ptr_array_add (keys, g_strdup (key));
  g_ptr_array_add (names, g_strdup (name != NULL ? name : ""));
}

static gboolean
is_same (GPtrArray *a, GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (g_strcmp0 (a->pdata[i], b->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

static guint
find_key (GPtrArray *keys, const char *key, guint otherwise)
{
  for (guint i = 0; i < keys->len; i++)
    if (g_strcmp0 (keys->pdata[i], key) == 0)
      return i;
  return otherwise;
}

static void
replace_cluster_axes (KymoClusterAxes *self, GPtrArray *keys, GPtrArray *names)
{
  g_autofree char *x = g_strdup (key_of (self, 0));
  g_autofree char *y = g_strdup (key_of (self, 1));

  g_ptr_array_add (names, NULL);
  self->filling = TRUE;
  g_ptr_array_unref (self->keys);
  self->keys = g_ptr_array_ref (keys);
  gtk_string_list_splice (self->names, 0, g_list_model_get_n_items (
                            G_LIST_MODEL (self->names)),
                          (const char *const *) names->pdata);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drops[0]),
                              find_key (keys, x, 0));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drops[1]),
                              find_key (keys, y, 1));
  for (guint i = 0; i < 2; i++)
    gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->drops[i]),
                                     keys->len > SEARCH_FROM);
  self->filling = FALSE;
  for (guint i = 0; i < 2; i++)
    if (self->drops[i] != NULL)
      kymo_kept_try (self->drops[i]);
}

static const char *
key_at (gpointer data, guint line)
{
  KymoClusterAxes *self = data;

  return line < self->keys->len ? self->keys->pdata[line] : NULL;
}

/**
 * kymo_cluster_axes_fill:
 * @components: (nullable): rows of an answer of clusters; %NULL leaves the two directions alone
 *
 * Lists the choices for an axis: the two directions, then the components, from the largest
 * difference to the smallest. The choice of each axis stays where the new list has it, else it
 * becomes a direction. "changed" is emitted only where a choice that a desk kept takes effect.
 */
void
kymo_cluster_axes_fill (KymoClusterAxes *self, const KymoTable *components)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) order = NULL;

  add_cluster_axes (keys, names, directions[0], _("Direction 1"));
  add_cluster_axes (keys, names, directions[1], _("Direction 2"));
  order = components != NULL && kymo_table_find_column (components, "key") >= 0
          ? order_of (components)
          : g_array_new (FALSE, FALSE, sizeof (Component));
  for (guint i = 0; i < order->len; i++)
    {
      guint row = g_array_index (order, Component, i).row;

      add_cluster_axes (keys, names, kymo_table_get_string (components, "key", row),
                        kymo_table_get_string (components, "name", row));
    }
  if (!is_same (keys, self->keys))
    replace_cluster_axes (self, keys, names);
}

/* -- the widget ----------------------------------------------------------- */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *label = kymo_label_new_cut (NULL, NULL);

  gtk_label_set_width_chars (GTK_LABEL (label), 6);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_list_item_set_child (list_item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  kymo_label_set (gtk_list_item_get_child (list_item),
                  gtk_string_object_get_string (
                    gtk_list_item_get_item (list_item)));
}

static void
on_setup_line (GtkListItemFactory *factory, GtkListItem *list_item,
               gpointer data)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);

  gtk_list_item_set_child (list_item, label);
}

static GtkListItemFactory *
factory_new (GCallback setup)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", setup, NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  return factory;
}

static GtkWidget *
build_drop (KymoClusterAxes *self, const char *name)
{
  g_autoptr (GtkListItemFactory) chosen = factory_new (G_CALLBACK (on_setup));
  g_autoptr (GtkListItemFactory) line
    = factory_new (G_CALLBACK (on_setup_line));
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT,
                                                     NULL, "string");
  GtkWidget *drop = gtk_drop_down_new (
    G_LIST_MODEL (g_object_ref (self->names)), text);

  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop), chosen);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (drop), line);
  kymo_controls_name (drop, name);
  gtk_box_append (GTK_BOX (self), drop);
  return drop;
}

static void
on_chosen (KymoClusterAxes *self)
{
  if (!self->filling)
    g_signal_emit_by_name (self, "changed");
}

static void
kymo_cluster_axes_dispose (GObject *object)
{
  KymoClusterAxes *self = KYMO_CLUSTER_AXES (object);

  self->filling = TRUE;
  g_clear_object (&self->names);
  G_OBJECT_CLASS (kymo_cluster_axes_parent_class)->dispose (object);
}

static void
kymo_cluster_axes_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_CLUSTER_AXES (object)->keys);
  G_OBJECT_CLASS (kymo_cluster_axes_parent_class)->finalize (object);
}

static void
kymo_cluster_axes_class_init (KymoClusterAxesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_cluster_axes_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_cluster_axes_finalize;
  kymo_signal_new ("changed", KYMO_TYPE_CLUSTER_AXES, 0);
}

static void
kymo_cluster_axes_init (KymoClusterAxes *self)
{
  self->names = gtk_string_list_new (NULL);
  self->keys = g_ptr_array_new_with_free_func (g_free);
}

/** kymo_cluster_axes_new: @terms: of the run */
GtkWidget *
kymo_cluster_axes_new (KymoTerms terms)
{
  KymoClusterAxes *self = g_object_new (KYMO_TYPE_CLUSTER_AXES, "spacing", 4,
                                        NULL);

  self->drops[0] = build_drop (
    self, kymo_in_terms (terms, _("Across: a direction in which {rows} differ "
                                  "most, or the time of one {code}")));
  self->drops[1] = build_drop (
    self, kymo_in_terms (terms, _("Up: a direction in which {rows} differ "
                                  "most, or the time of one {code}")));
  kymo_cluster_axes_fill (self, NULL);
  kymo_kept_add_names (self->drops[0], "clusters", "x", key_at, self);
  kymo_kept_add_names (self->drops[1], "clusters", "y", key_at, self);
  for (guint i = 0; i < 2; i++)
    kymo_follow (self->drops[i], "notify::selected", on_chosen, self);
  return GTK_WIDGET (self);
}
