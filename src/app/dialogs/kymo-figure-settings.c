/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-figure-settings.h. They are kept as one line of words: size, points, pixels per inch,
 * format, theme, title, place of the legend, and activities in it.
 */
#include "config.h"

#include "kymo-figure-settings.h"

#include <string.h>

#include "kymo-settings.h"

#define KEY "figure"

const char *const kymo_figure_formats[] = { "png", "svg", "pdf", "csv", "json", NULL };

static const char *const theme_words[] = { "window", "light", "dark", "print", NULL };
static const char *const title_words[] = { "no-title", "title", NULL };

/* An index that the words do not have is that of the default. */
static guint
find_in (const char *const *words, const char *word, guint usual)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_strcmp0 (words[i], word) == 0)
      return i;
  return usual;
}

/**
 * kymo_figure_settings_parse:
 * @text: as kymo_figure_settings_dup_text() writes it; "" gives the defaults
 *
 * Fills @self. What @text lacks, or cannot be, becomes the default.
 */
void
kymo_figure_settings_parse (KymoFigureSettings *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  const char *word[8] = { NULL };
  KymoFigureSize size;

  for (guint i = 0; i < G_N_ELEMENTS (word) && words[i] != NULL; i++)
    word[i] = words[i];
  if (word[0] == NULL || !kymo_figure_size_parse (word[0], &self->size))
    kymo_figure_size_parse (KYMO_FIGURE_DEFAULT_TEXT, &self->size);
  size = self->size;
  if (word[1] != NULL && word[2] != NULL)
    {
      size.font_pt = g_ascii_strtod (word[1], NULL);
      size.dpi = g_ascii_strtod (word[2], NULL);
    }
  if (kymo_figure_size_check (&size, NULL))
    self->size = size;
  self->format = find_in (kymo_figure_formats, word[3], 0);
  self->theme = find_in (theme_words, word[4], KYMO_FIGURE_AS_WINDOW);
  self->titled = find_in (title_words, word[5], TRUE);
  self->legend = find_in (kymo_legend_words, word[6], KYMO_LEGEND_AUTO);
  self->legend_most = word[7] != NULL ? MIN (g_ascii_strtoull (word[7], NULL, 10), 1000) : 0;
}

/**
 * kymo_figure_settings_dup_text:
 *
 * Returns: (transfer full): a line for kymo_figure_settings_parse()
 */
char *
kymo_figure_settings_dup_text (const KymoFigureSettings *self)
{
  g_autofree char *size = kymo_figure_size_dup_text (&self->size);
  char pt[G_ASCII_DTOSTR_BUF_SIZE], dpi[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (pt, sizeof pt, "%.6g", self->size.font_pt);
  g_ascii_formatd (dpi, sizeof dpi, "%.6g", self->size.dpi);
  return g_strdup_printf ("%s %s %s %s %s %s %s %u", size, pt, dpi,
                          kymo_figure_formats[self->format], theme_words[self->theme],
                          title_words[self->titled], kymo_legend_words[self->legend],
                          self->legend_most);
}

/**
 * kymo_figure_settings_load:
 *
 * Fills @self with what was kept last, or with the defaults.
 */
void
kymo_figure_settings_load (KymoFigureSettings *self)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *text = settings != NULL ? g_settings_get_string (settings, KEY) : NULL;

  kymo_figure_settings_parse (self, text != NULL ? text : "");
}

/**
 * kymo_figure_settings_keep:
 *
 * Keeps @self for the next figure, also of another run of the program.
 */
void
kymo_figure_settings_keep (const KymoFigureSettings *self)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *text = kymo_figure_settings_dup_text (self);

  if (settings != NULL)
    g_settings_set_string (settings, KEY, text);
}
