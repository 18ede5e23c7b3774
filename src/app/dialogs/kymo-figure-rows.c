/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-figure-rows.h. The settings are what counts; controls are filled from them, and read
 * back into them when a person changes one.
 */
#include "config.h"

#include "kymo-figure-rows.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "kymo-accessible.h"
#include "kymo-error.h"
#include "kymo-figure-settings.h"
#include "kymo-in-terms.h"
#include "kymo-look.h"
#include "kymo-session-messages.h"
#include "kymo-session-path.h"
#include "kymo-session-profile.h"
#include "kymo-units.h"

#define MOST_LEGEND 100

typedef enum { RANGE_VISIBLE, RANGE_SELECTED, RANGE_WHOLE, RANGE_TYPED, N_RANGES } Range;

struct _KymoFigureRows
{
  const KymoExported *seen;            /* of the dialog */
  KymoFigureChanged   changed;
  gpointer            data;
  KymoFigureSettings  settings;
  gboolean            filling;
  Range               ranges[N_RANGES];
  GtkWidget          *page;
  GtkWidget          *preset, *width, *height, *unit, *font;
  GtkWidget          *range, *typed, *locations, *lines;
  GtkWidget          *theme, *titled, *title, *legend, *most, *most_row;
  GtkWidget          *format, *dpi, *dpi_row;
};

/* -- reading and filling --------------------------------------------------- */

static guint
selected (GtkWidget *combo)
{
  return adw_combo_row_get_selected (ADW_COMBO_ROW (combo));
}

static guint
find_preset (const KymoFigureSize *size)
{
  g_autofree char *text = kymo_figure_size_dup_text (size);
  guint i = 0;

  while (kymo_figure_presets[i].word != NULL
         && g_strcmp0 (kymo_figure_presets[i].word, text) != 0)
    i++;
  return i;
}

static void
fill_size (KymoFigureRows *self)
{
  const KymoFigureSize *size = &self->settings.size;
  guint digits = size->mm ? 1 : 0;

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->width), digits);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->height), digits);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width), size->width);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->height), size->height);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->unit), size->mm ? 1 : 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->font), size->font_pt);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->dpi), size->dpi);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->preset), find_preset (size));
}

static void
fill_rows (KymoFigureRows *self)
{
  const KymoFigureSettings *settings = &self->settings;

  self->filling = TRUE;
  fill_size (self);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->theme), settings->theme);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->legend), settings->legend);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->format), settings->format);
  gtk_switch_set_active (GTK_SWITCH (self->titled), settings->titled);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->most), settings->legend_most);
  self->filling = FALSE;
}

static void
show_rows (KymoFigureRows *self)
{
  const KymoFigureSettings *settings = &self->settings;

  gtk_widget_set_visible (self->title, settings->titled);
  gtk_widget_set_visible (self->most_row, self->seen->klass->has_legend
                          && settings->legend != KYMO_LEGEND_NONE);
  gtk_widget_set_visible (self->dpi_row,
                          g_str_equal (kymo_figure_formats[settings->format], "png"));
  gtk_widget_set_visible (self->typed, gtk_widget_get_visible (self->range)
                          && self->ranges[selected (self->range)] == RANGE_TYPED);
}

/* A spin button takes what is typed only with Enter or when the focus leaves it; preview and
   command line go by what is to be read. */
static double
typed_number (GtkWidget *spin)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  double units = pow (10, gtk_spin_button_get_digits (GTK_SPIN_BUTTON (spin)));
  char *end;
  double number = round (g_strtod (text, &end) * units) / units;

  while (g_ascii_isspace (*end))
    end++;
  return end != text && *end == '\0' && isfinite (number) ? number
    : gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin));
}

static void
on_row_changed (KymoFigureRows *self)
{
  KymoFigureSettings *settings = &self->settings;

  if (self->filling)
    return;
  settings->size.width = typed_number (self->width);
  settings->size.height = typed_number (self->height);
  settings->size.font_pt = typed_number (self->font);
  settings->size.dpi = typed_number (self->dpi);
  settings->theme = selected (self->theme);
  settings->legend = selected (self->legend);
  settings->legend_most = CLAMP (typed_number (self->most), 0, MOST_LEGEND);
  settings->format = selected (self->format);
  settings->titled = gtk_switch_get_active (GTK_SWITCH (self->titled));
  self->filling = TRUE;
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->preset), find_preset (&settings->size));
  self->filling = FALSE;
  show_rows (self);
  self->changed (self->data);
}

/* "Exact" keeps the numbers, which can be changed then. */
static void
on_preset (KymoFigureRows *self)
{
  const KymoFigurePreset *preset = &kymo_figure_presets[selected (self->preset)];

  if (self->filling)
    return;
  if (preset->word != NULL)
    {
      self->settings.size = preset->size;
      fill_rows (self);
    }
  else
    gtk_widget_grab_focus (self->width);
  self->changed (self->data);
}

/* The figure stays as large as it is. */
static void
on_unit (KymoFigureRows *self)
{
  KymoFigureSize *size = &self->settings.size;
  gboolean mm = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->unit)) == 1;
  double px_per_mm = KYMO_FIGURE_PX_PER_INCH / 25.4;

  if (self->filling || mm == size->mm)
    return;
  size->width = mm ? round (size->width / px_per_mm * 10) / 10 : round (size->width * px_per_mm);
  size->height = mm ? round (size->height / px_per_mm * 10) / 10
                    : round (size->height * px_per_mm);
  size->mm = mm;
  fill_rows (self);
  self->changed (self->data);
}

static gboolean
read_range (KymoFigureRows *self, KymoExported *exported)
{
  switch (gtk_widget_get_visible (self->range) ? self->ranges[selected (self->range)]
          : RANGE_VISIBLE)
    {
    case RANGE_SELECTED:
      return kymo_session_get_selection (exported->session, &exported->range);
    case RANGE_WHOLE:
      exported->range = kymo_session_get_full_range (exported->session);
      return TRUE;
    case RANGE_TYPED:
      return kymo_parse_span (gtk_editable_get_text (GTK_EDITABLE (self->typed)),
                              &exported->range, NULL)
             && kymo_span_length (kymo_span_intersect (
                  exported->range, kymo_session_get_full_range (exported->session))) > 0;
    case RANGE_VISIBLE:
    case N_RANGES:
    default:
      return TRUE;
    }
}

/**
 * kymo_figure_rows_read:
 * @exported: (inout): what is seen; what was chosen is put over it. Its title belongs to the
 *   controls, until they change
 *
 * Returns: %FALSE where a range was typed that is none of the run, or sizes that no picture can
 *   have: %KYMO_ERROR_USAGE
 */
gboolean
kymo_figure_rows_read (KymoFigureRows *self, KymoExported *exported, GError **error)
{
  static const KymoLook looks[] = {
    [KYMO_FIGURE_LIGHT] = KYMO_LOOK_LIGHT, [KYMO_FIGURE_DARK] = KYMO_LOOK_DARK,
    [KYMO_FIGURE_PRINT] = KYMO_LOOK_LIGHT_CONTRAST,
  };
  const KymoFigureSettings *settings = &self->settings;
  const char *title = gtk_editable_get_text (GTK_EDITABLE (self->title));

  exported->size = settings->size;
  exported->look = settings->theme == KYMO_FIGURE_AS_WINDOW ? kymo_look_now ()
                                                            : looks[settings->theme];
  exported->title = !settings->titled ? "" : *title != '\0' ? title : NULL;
  exported->legend = settings->legend;
  exported->legend_most = settings->legend_most;
  exported->all_rows = selected (self->locations) == 1;
  exported->bare = !gtk_switch_get_active (GTK_SWITCH (self->lines));
  if (!read_range (self, exported))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("This is no range of time"));
      return FALSE;
    }
  return kymo_figure_size_check (&exported->size, error);
}

/**
 * kymo_figure_rows_get_format:
 *
 * Returns: (transfer none): "png", "svg", "pdf", "csv" or "json"
 */
const char *
kymo_figure_rows_get_format (KymoFigureRows *self)
{
  return kymo_figure_formats[self->settings.format];
}

/**
 * kymo_figure_rows_keep:
 *
 * Keeps size, look and format for the next figure.
 */
void
kymo_figure_rows_keep (KymoFigureRows *self)
{
  kymo_figure_settings_keep (&self->settings);
}

/* -- building -------------------------------------------------------------- */

static GtkWidget *
add_group (KymoFigureRows *self, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  gtk_box_append (GTK_BOX (self->page), group);
  return group;
}

static GtkWidget *
add_combo (KymoFigureRows *self, GtkWidget *group, const char *title,
           const char *const *choices, GCallback changed)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (choices);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_signal_connect_swapped (row, "notify::selected", changed, self);
  return row;
}

static GtkWidget *
add_row (GtkWidget *group, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle != NULL ? subtitle : "");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return row;
}

/* Enter in it exports the figure, as elsewhere. */
static GtkWidget *
add_number (KymoFigureRows *self, GtkWidget *row, const char *name, double least, double most,
            double step)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, step);

  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 5);
  gtk_text_set_activates_default (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (spin))),
                                  TRUE);
  kymo_accessible_name (spin, name);
  gtk_widget_set_tooltip_text (spin, name);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  g_signal_connect_swapped (spin, "changed", G_CALLBACK (on_row_changed), self);
  return spin;
}

static GtkWidget *
add_switch (KymoFigureRows *self, GtkWidget *row)
{
  GtkWidget *button = gtk_switch_new ();

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  kymo_accessible_name (button, adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
  g_signal_connect_swapped (button, "notify::active", G_CALLBACK (on_row_changed), self);
  return button;
}

static GtkWidget *
add_entry (KymoFigureRows *self, GtkWidget *group, const char *title)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  kymo_accessible_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), title);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (on_row_changed), self);
  return row;
}

static void
build_size (KymoFigureRows *self)
{
  static const char *const units[] = { "px", "mm", NULL };
  GtkWidget *group = add_group (self, _("Size")), *row;
  const char *choices[8] = { NULL };
  guint n = 0;

  for (; kymo_figure_presets[n].word != NULL && n + 2 < G_N_ELEMENTS (choices); n++)
    choices[n] = _(kymo_figure_presets[n].title);
  choices[n] = _("Exact");
  self->preset = add_combo (self, group, _("Made for"), choices, G_CALLBACK (on_preset));
  row = add_row (group, _("Width"), NULL);
  self->width = add_number (self, row, _("Width of the figure"), 17, 16384, 1);
  self->unit = gtk_drop_down_new_from_strings (units);
  gtk_widget_set_valign (self->unit, GTK_ALIGN_CENTER);
  kymo_accessible_name (self->unit, _("Unit of the size"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->unit);
  g_signal_connect_swapped (self->unit, "notify::selected", G_CALLBACK (on_unit), self);
  row = add_row (group, _("Height"), NULL);
  self->height = add_number (self, row, _("Height of the figure"), 17, 16384, 1);
  row = add_row (group, _("Font Size"), _("In points; the rest is in proportion"));
  self->font = add_number (self, row, _("Font size in points"), KYMO_FIGURE_LEAST_PT,
                           KYMO_FIGURE_MOST_PT, 1);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->font), 1);
}

/* Whether the timeline has something over its rows. */
static gboolean
has_lines (const KymoExported *seen)
{
  return seen->klass->of_blocks
         && (kymo_session_get_messages (seen->session) != KYMO_MESSAGES_NONE
             || kymo_session_peek_path (seen->session) != NULL);
}

static void
build_content (KymoFigureRows *self)
{
  KymoSession *session = self->seen->session;
  GtkWidget *group = add_group (self, _("Content"));
  const char *ranges[N_RANGES + 1] = { NULL };
  const char *locations[] = { _("As shown"), _("All"), NULL };
  KymoSpan span;
  guint n = 0;

  self->ranges[n] = RANGE_VISIBLE;
  ranges[n++] = _("Visible range");
  if (kymo_session_get_selection (session, &span))
    {
      self->ranges[n] = RANGE_SELECTED;
      ranges[n++] = _("Selection");
    }
  self->ranges[n] = RANGE_WHOLE;
  ranges[n++] = _("Whole run");
  self->ranges[n] = RANGE_TYPED;
  ranges[n++] = _("Typed");
  self->range = add_combo (self, group, _("Range"), ranges, G_CALLBACK (on_row_changed));
  self->typed = add_entry (self, group, _("From and To, as 1.15s..1.40s"));
  /* Where each run has a range of its own, a range of one says nothing of the others. */
  gtk_widget_set_visible (self->range, kymo_session_has_time (session)
                          && (self->seen->parameters == NULL
                              || !g_hash_table_contains (self->seen->parameters, "begin-0")));
  self->locations = add_combo (self, group, kymo_in_terms (
    kymo_source_get_terms (kymo_session_peek_source (session)), _("{Rows}")), locations,
    G_CALLBACK (on_row_changed));
  gtk_widget_set_visible (self->locations, !self->seen->klass->of_all);
  self->lines = add_switch (self, add_row (group, _("Messages and Path"),
                                           _("As they are over the timeline")));
  gtk_switch_set_active (GTK_SWITCH (self->lines), TRUE);
  gtk_widget_set_visible (gtk_widget_get_ancestor (self->lines, ADW_TYPE_ACTION_ROW),
                          has_lines (self->seen));
}

static void
build_look (KymoFigureRows *self)
{
  const char *themes[] = { _("As the window"), _("Light"), _("Dark"), _("Print, high contrast"),
                           NULL };
  const char *places[] = { _("As there is room"), _("Right"), _("Below"), _("None"), NULL };
  GtkWidget *group = add_group (self, _("Look"));

  self->theme = add_combo (self, group, _("Theme"), themes, G_CALLBACK (on_row_changed));
  self->titled = add_switch (self, add_row (group, _("Title"), NULL));
  self->title = add_entry (self, group, _("Own Title"));
  self->legend = add_combo (self, group, _("Legend"), places, G_CALLBACK (on_row_changed));
  gtk_widget_set_visible (self->legend, self->seen->klass->has_legend);
  self->most_row = add_row (group, _("Names in the Legend"), _("The first; 0 for all that fit"));
  self->most = add_number (self, self->most_row, _("Names in the legend"), 0, MOST_LEGEND, 1);
}

static void
build_file (KymoFigureRows *self)
{
  const char *formats[] = { "PNG", "SVG", "PDF", _("CSV, the figures"), _("JSON, the figures"),
                            NULL };
  GtkWidget *group = add_group (self, _("File"));

  self->format = add_combo (self, group, _("Format"), formats, G_CALLBACK (on_row_changed));
  self->dpi_row = add_row (group, _("Pixels per Inch"), NULL);
  self->dpi = add_number (self, self->dpi_row, _("Pixels per inch"), KYMO_FIGURE_LEAST_DPI,
                          KYMO_FIGURE_MOST_DPI, 1);
}

/**
 * kymo_figure_rows_new:
 * @seen: what is shown, which is chosen at first; must outlive the controls
 * @changed: called when a person chose something else
 *
 * Returns: (transfer full): controls with what was kept last
 */
KymoFigureRows *
kymo_figure_rows_new (const KymoExported *seen, KymoFigureChanged changed, gpointer data)
{
  KymoFigureRows *self = g_new0 (KymoFigureRows, 1);

  self->seen = seen;
  self->changed = changed;
  self->data = data;
  self->filling = TRUE;
  self->page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_add_css_class (self->page, "kymo-figure");
  gtk_widget_set_margin_start (self->page, 12);
  gtk_widget_set_margin_end (self->page, 12);
  gtk_widget_set_margin_top (self->page, 12);
  gtk_widget_set_margin_bottom (self->page, 12);
  kymo_figure_settings_load (&self->settings);
  build_size (self);
  build_content (self);
  build_look (self);
  build_file (self);
  fill_rows (self);
  show_rows (self);
  return self;
}

/**
 * kymo_figure_rows_free:
 *
 * Frees what belongs to the controls; the widget belongs to its parent.
 */
void
kymo_figure_rows_free (KymoFigureRows *self)
{
  g_free (self);
}

/**
 * kymo_figure_rows_peek_widget:
 *
 * Returns: (transfer none): the widget with all controls
 */
GtkWidget *
kymo_figure_rows_peek_widget (KymoFigureRows *self)
{
  return self->page;
}
