/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As they stand at first the controls say nothing but the published method,
 * with five seeds.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cluster-controls.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-label.h"
#include "kymo-wrap-layout.h"

#define MOST_CLUSTERS 100

struct _KymoClusterControls
{
  GtkBox     parent_instance;

  KymoTerms  terms;
  GtkWidget *how, *clusters, *scale, *of;
  GtkWidget *with[4], *seeding, *seed, *outliers, *unit;
  GtkWidget *spread, *all_of, *path;
};

G_DEFINE_FINAL_TYPE (KymoClusterControls, kymo_cluster_controls, GTK_TYPE_BOX)

static const char *const with_words[] = { "idle", "overhead", "messages",
                                          "bytes" };
static const char *const scale_words[] = { "none", "range", "stddev" };
static const char *const seeding_words[] = { "diagonal", "random",
                                             "k-means++" };

/* -- what they say -------------------------------------------------------- */

static int
number_of (GtkWidget *spin)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin));
}

static gboolean
is_set (GtkWidget *check)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
}

static void
put_cluster_controls (GHashTable *words, const char *key, char *value)
{
  g_hash_table_insert (words, g_strdup (key), value);
}

/**
 * kymo_cluster_controls_dup_words:
 *
 * Returns: (transfer full): keyword -> value of the question "clusters", as the controls are set
 * now; keywords that are at their default may be missing
 */
GHashTable *
kymo_cluster_controls_dup_words (KymoClusterControls *self)
{
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             g_free);
  guint scale = kymo_controls_chosen (self->scale);
  guint seeding = kymo_controls_chosen (self->seeding);
  GString *with = g_string_new (NULL);
  int clusters = number_of (self->clusters);

  put_cluster_controls (words, "clusters", kymo_controls_chosen (self->how) == 1
                        ? g_strdup_printf ("%d-%d", MIN (2, clusters), clusters)
                        : g_strdup_printf ("%d", clusters));
  put_cluster_controls (words, "scale", g_strdup (scale_words[MIN (scale, 2)]));
  put_cluster_controls (words, "seeding", g_strdup (seeding_words[MIN (seeding, 2)]));
  if (seeding != 0)
    put_cluster_controls (words, "seed", g_strdup_printf ("%d", number_of (self->seed)));
  put_cluster_controls (words, "outliers", g_strdup_printf (
    "%d%s", number_of (self->outliers),
    kymo_controls_chosen (self->unit) == 0 ? "%" : ""));
  if (is_set (self->spread))
    put_cluster_controls (words, "quota", g_strdup ("spread"));
  if (is_set (self->all_of))
    put_cluster_controls (words, "union", g_strdup ("idle,overhead"));
  if (is_set (self->path))
    put_cluster_controls (words, "critical-path", g_strdup ("1"));
  for (guint i = 0; i < G_N_ELEMENTS (with_words); i++)
    if (is_set (self->with[i]))
      g_string_append_printf (with, "%s%s", with->len > 0 ? "," : "",
                              with_words[i]);
  if (with->len > 0)
    put_cluster_controls (words, "with", g_strdup (with->str));
  g_string_free (with, TRUE);
  return words;
}

/**
 * kymo_cluster_controls_get_whole:
 *
 * Returns: whether clusters are made of the whole run, not of the visible range
 */
gboolean
kymo_cluster_controls_get_whole (KymoClusterControls *self)
{
  return kymo_controls_chosen (self->of) == 1;
}

static void
on_changed (KymoClusterControls *self)
{
  gtk_widget_set_sensitive (self->seed,
                            kymo_controls_chosen (self->seeding) != 0);
  g_signal_emit_by_name (self, "changed");
}

/* -- the popover ---------------------------------------------------------- */

static GtkWidget *
add_heading (GtkWidget *box, const char *text)
{
  GtkWidget *label = kymo_label_new (text, "heading");

  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static GtkWidget *
add_line (GtkWidget *box)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_append (GTK_BOX (box), line);
  return line;
}

static void
add_components (KymoClusterControls *self, GtkWidget *box)
{
  const char *const labels[] = { _("_Idle time"), _("_Overhead"),
                                 _("_Messages sent"), _("_Bytes sent") };

  add_heading (box, kymo_in_terms (self->terms, _("Compared, beside {codes}")));
  for (guint i = 0; i < G_N_ELEMENTS (self->with); i++)
    self->with[i] = kymo_controls_add_check (box, labels[i], NULL);
}

static void
add_seeding (KymoClusterControls *self, GtkWidget *box)
{
  const char *const seedings[] = { _("On the diagonal"), _("At random"),
                                   _("k-means++"), NULL };
  GtkWidget *line, *label = gtk_label_new_with_mnemonic (_("See_d"));

  add_heading (box, _("Where the clusters begin"));
  line = add_line (box);
  self->seeding = kymo_controls_add_choice (
    line, _("Where the clusters begin"), seedings);
  gtk_box_append (GTK_BOX (line), label);
  self->seed = kymo_controls_add_number (line, _("Seed of random numbers"), 1,
                                         999999, 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->seed);
}

static void
add_outliers (KymoClusterControls *self, GtkWidget *box)
{
  const char *const units[] = {
    kymo_in_terms (self->terms, _("% of all {rows}")),
    kymo_in_terms (self->terms, _("Fixed number of {rows}")), NULL
  };
  GtkWidget *line;

  add_heading (box, _("Outliers"));
  line = add_line (box);
  self->outliers = kymo_controls_add_number (line, _("How many outliers"), 0,
                                             1000000, 10);
  self->unit = kymo_controls_add_choice (line, _("Outliers are counted in"),
                                         units);
  self->spread = kymo_controls_add_check (
    box, _("_Fewer from tight clusters"),
    _("Outliers are shared out by how far a cluster spreads, not by its size "
      "alone"));
}

static void
add_more (KymoClusterControls *self, GtkWidget *box)
{
  add_heading (box, _("Kept, too"));
  self->all_of = kymo_controls_add_check (
    box, _("By idle time or overhead a_lone"),
    kymo_in_terms (self->terms,
                   _("{Rows} that clusters by idle time alone, or by overhead "
                     "alone, would keep")));
  self->path = kymo_controls_add_check (
    box, _("On the critical _path"),
    kymo_in_terms (self->terms,
                   _("{Rows} on the longest chain of blocks and messages")));
}

static GtkWidget *
build_popover (KymoClusterControls *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_add_css_class (box, "kymo-method");
  add_components (self, box);
  add_seeding (self, box);
  add_outliers (self, box);
  add_more (self, box);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

/* -- the row -------------------------------------------------------------- */

static void
build_row (KymoClusterControls *self)
{
  const char *const how[] = { _("Seeds"), _("Best of 2 to"), NULL };
  const char *const scale[] = { _("Unscaled"), _("Scaled by range"),
                                _("Scaled by deviation"), NULL };
  const char *const of[] = { _("In view"), _("Whole run"), NULL };
  GtkWidget *row = GTK_WIDGET (self), *method = gtk_menu_button_new ();

  self->how = kymo_controls_add_choice (
    row, _("How the number of clusters is chosen"), how);
  self->clusters = kymo_controls_add_number (
    row, kymo_in_terms (self->terms, _("Number of seeds; clusters without "
                                       "{rows} are left out")), 1,
    MOST_CLUSTERS, 5);
  self->scale = kymo_controls_add_choice (
    row, kymo_in_terms (self->terms, _("How {codes} are scaled before {rows} "
                                       "are compared")), scale);
  self->of = kymo_controls_add_choice (row, _("Of which time"), of);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (method), _("_Method"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (method), TRUE);
  kymo_controls_speak (method, _("_Method"));
  gtk_widget_set_tooltip_text (method, _("What is compared, where clusters "
                                         "begin, how many outliers"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (method), build_popover (self));
  gtk_box_append (GTK_BOX (row), method);
}

static void
keep_all (KymoClusterControls *self)
{
  const struct { GtkWidget *control; const char *key; } kept[] = {
    { self->how, "how" }, { self->clusters, "clusters" }, { self->scale, "scale" },
    { self->of, "time" }, { self->seeding, "seeding" }, { self->seed, "seed" },
    { self->outliers, "outliers" }, { self->unit, "outliers-in" },
    { self->spread, "spread" }, { self->all_of, "union" }, { self->path, "critical-path" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    kymo_kept_add (kept[i].control, "clusters", kept[i].key);
  for (guint i = 0; i < G_N_ELEMENTS (self->with); i++)
    kymo_kept_add (self->with[i], "clusters", with_words[i]);
}

static void
connect_all (KymoClusterControls *self)
{
  GtkWidget *const drops[] = { self->how, self->scale, self->of, self->seeding,
                               self->unit };
  GtkWidget *const numbers[] = { self->clusters, self->seed, self->outliers };
  GtkWidget *const checks[] = { self->spread, self->all_of, self->path };

  for (guint i = 0; i < G_N_ELEMENTS (drops); i++)
    g_signal_connect_swapped (drops[i], "notify::selected",
                              G_CALLBACK (on_changed), self);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_signal_connect_swapped (numbers[i], "value-changed",
                              G_CALLBACK (on_changed), self);
  for (guint i = 0; i < G_N_ELEMENTS (self->with); i++)
    g_signal_connect_swapped (self->with[i], "toggled",
                              G_CALLBACK (on_changed), self);
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    g_signal_connect_swapped (checks[i], "toggled", G_CALLBACK (on_changed),
                              self);
}

static void
kymo_cluster_controls_class_init (KymoClusterControlsClass *klass)
{
  kymo_signal_new ("changed", KYMO_TYPE_CLUSTER_CONTROLS, 0);
}

static void
kymo_cluster_controls_init (KymoClusterControls *self)
{
}

/** kymo_cluster_controls_new: a row to which more may be added; @terms: of the run */
GtkWidget *
kymo_cluster_controls_new (KymoTerms terms)
{
  KymoClusterControls *self
    = g_object_new (KYMO_TYPE_CLUSTER_CONTROLS, NULL);

  self->terms = terms;
  gtk_widget_set_layout_manager (GTK_WIDGET (self), kymo_wrap_layout_new (8));
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-controls");
  build_row (self);
  gtk_widget_set_sensitive (self->seed, FALSE);
  connect_all (self);
  keep_all (self);
  return GTK_WIDGET (self);
}
