/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-layout.h. Words are read from the last to the first: a view is put
 * on a stack, a split takes the two upper ones from it.
 */
#include "config.h"

#include "kymo-desk-layout.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* A split is two words, a part one. */
#define MOST_WORDS (3 * KYMO_MOST_PARTS)

/**
 * kymo_desk_layout_new_part:
 *
 * Returns: (transfer full): a layout of one view
 */
KymoDeskLayout *
kymo_desk_layout_new_part (const char *view, gboolean current)
{
  KymoDeskLayout *self = g_new0 (KymoDeskLayout, 1);

  self->view = g_strdup (view);
  self->current = current;
  return self;
}

/**
 * kymo_desk_layout_new_split:
 * @below: whether @second is below @first, else it is to the right of it
 * @share: of @first
 * @first: (transfer full)
 * @second: (transfer full)
 */
KymoDeskLayout *
kymo_desk_layout_new_split (gboolean below, double share,
                            KymoDeskLayout *first, KymoDeskLayout *second)
{
  KymoDeskLayout *self = g_new0 (KymoDeskLayout, 1);

  self->below = below;
  self->share = CLAMP (share, KYMO_LEAST_SHARE, 1 - KYMO_LEAST_SHARE);
  self->first = first;
  self->second = second;
  return self;
}

/** kymo_desk_layout_free: @layout: (nullable) */
void
kymo_desk_layout_free (KymoDeskLayout *layout)
{
  if (layout == NULL)
    return;
  kymo_desk_layout_free (layout->first);
  kymo_desk_layout_free (layout->second);
  g_free (layout->view);
  g_free (layout);
}

/* -- from text ------------------------------------------------------------ */

/* Letters, digits and dashes, as ids of views are. */
static gboolean
is_id (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_islower (*c) && !g_ascii_isdigit (*c) && *c != '-')
      return FALSE;
  return *text != '\0';
}

static gboolean
push_part (GPtrArray *stack, const char *word)
{
  g_autofree char *id = g_strdup (word);
  gboolean current = g_str_has_suffix (id, "*");

  if (current)
    id[strlen (id) - 1] = '\0';
  if (!is_id (id) || stack->len >= KYMO_MOST_PARTS)
    return FALSE;
  g_ptr_array_add (stack, kymo_desk_layout_new_part (id, current));
  return TRUE;
}

static gboolean
push_split (GPtrArray *stack, const char *word, const char *share)
{
  char *end = NULL;
  double value = share != NULL ? g_ascii_strtod (share, &end) : 0;
  KymoDeskLayout *first, *second;

  if (end == NULL || end == share || *end != '\0' || !(value > 0 && value < 1)
      || stack->len < 2)
    return FALSE;
  first = g_ptr_array_steal_index (stack, stack->len - 1);
  second = g_ptr_array_steal_index (stack, stack->len - 1);
  g_ptr_array_add (stack, kymo_desk_layout_new_split (g_str_equal (word, "below"), value,
                                                      first, second));
  return TRUE;
}

static gboolean
is_split (const char *word)
{
  return g_str_equal (word, "right") || g_str_equal (word, "below");
}

/* What lies on the stack in the end is one layout, or the words were wrong. */
static gboolean
push_words (GPtrArray *stack, char **words, guint n)
{
  const char *share = NULL;
  guint n_parts = 0;

  for (guint i = n; i-- > 0;)
    {
      gboolean number = g_ascii_isdigit (*words[i]);

      if (number && share == NULL)
        share = words[i];
      else if (!number && is_split (words[i]))
        {
          if (!push_split (stack, words[i], g_steal_pointer (&share)))
            return FALSE;
        }
      else if (number || share != NULL || ++n_parts > KYMO_MOST_PARTS
               || !push_part (stack, words[i]))
        return FALSE;
    }
  return stack->len == 1 && share == NULL;
}

/**
 * kymo_desk_layout_parse:
 * @text: a layout; who wrote it is not trusted
 *
 * Returns: (transfer full): the layout, or %NULL with %G_IO_ERROR_INVALID_DATA. That
 * the views are known is not looked at
 */
KymoDeskLayout *
kymo_desk_layout_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) stack
    = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_desk_layout_free);
  g_auto (GStrv) words = g_strsplit (text, " ", MOST_WORDS + 1);
  guint n = g_strv_length (words);

  if (n <= MOST_WORDS && push_words (stack, words, n))
    return g_ptr_array_steal_index (stack, 0);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _("This is no arrangement of views"));
  return NULL;
}

/* -- to text -------------------------------------------------------------- */

static void
append_desk_layout (GString *text, const KymoDeskLayout *layout)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];

  if (layout->view != NULL)
    {
      g_string_append_printf (text, "%s%s", layout->view, layout->current ? "*" : "");
      return;
    }
  g_ascii_formatd (share, sizeof share, "%.4f", layout->share);
  g_string_append_printf (text, "%s %s ", layout->below ? "below" : "right", share);
  append_desk_layout (text, layout->first);
  g_string_append_c (text, ' ');
  append_desk_layout (text, layout->second);
}

/** kymo_desk_layout_to_text: Returns: (transfer full): what _parse() reads */
char *
kymo_desk_layout_to_text (const KymoDeskLayout *layout)
{
  GString *text = g_string_new (NULL);

  append_desk_layout (text, layout);
  return g_string_free (text, FALSE);
}
