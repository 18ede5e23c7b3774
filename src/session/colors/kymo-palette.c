/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-palette.h. Files hold each colour in a group of its own, for names
 * of functions may hold any character, and keys may not.
 *
 * Invariant: no two choices are of the same name, pattern or group; a later one
 * was chosen later. Patterns are compiled when the palette is made.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-palette.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"

#define HEAD "Colours"
#define EACH "Colour %u"

typedef struct
{
  KymoColorChoice  choice;
  GPatternSpec    *spec;               /* of a pattern, else NULL */
} Item;

struct _KymoPalette
{
  gatomicrefcount  ref_count;
  KymoPaletteKind  base;
  GPtrArray       *items;              /* Item */
  GHashTable      *names, *patterns, *groups;  /* text -> Item */
};

static const char *const bases[] = { "standard", "safe" };
static const char *const kinds[] = { "name", "pattern", "group" };

static void
item_free (gpointer data)
{
  Item *item = data;

  g_clear_pointer (&item->spec, g_pattern_spec_free);
  g_free (item->choice.text);
  g_free (item);
}

/**
 * kymo_palette_new:
 *
 * Returns: (transfer full): one of the two sets of hues, with no colours chosen
 */
KymoPalette *
kymo_palette_new (KymoPaletteKind base)
{
  KymoPalette *self = g_new0 (KymoPalette, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->base = base;
  self->items = g_ptr_array_new_with_free_func (item_free);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->patterns = g_hash_table_new (g_str_hash, g_str_equal);
  self->groups = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/**
 * kymo_palette_ref:
 *
 * Returns: (transfer full): @self, with one more reference
 */
KymoPalette *
kymo_palette_ref (KymoPalette *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * kymo_palette_unref:
 *
 * Drops a reference; the last one frees the palette with its choices.
 */
void
kymo_palette_unref (KymoPalette *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->patterns);
  g_hash_table_unref (self->groups);
  g_ptr_array_unref (self->items);
  g_free (self);
}

/**
 * kymo_palette_get_base:
 *
 * Returns: which of the two sets names without a chosen colour get their hues from
 */
KymoPaletteKind
kymo_palette_get_base (const KymoPalette *self)
{
  return self->base;
}

/**
 * kymo_palette_get_n_choices:
 *
 * Returns: how many colours are chosen, for names, patterns and groups together; at most
 *   %KYMO_PALETTE_MOST
 */
guint
kymo_palette_get_n_choices (const KymoPalette *self)
{
  return self->items->len;
}

/**
 * kymo_palette_peek_choice:
 * @index: from 0 to kymo_palette_get_n_choices() - 1; a later choice has a higher index
 *
 * Returns: (transfer none) (nullable): the choice, which lives as long as the palette; %NULL,
 *   with a critical warning, beyond the last one
 */
const KymoColorChoice *
kymo_palette_peek_choice (const KymoPalette *self, guint index)
{
  g_return_val_if_fail (index < self->items->len, NULL);
  return &((Item *) self->items->pdata[index])->choice;
}

/**
 * kymo_palette_equal:
 *
 * Returns: whether both have the same base set and the same choices in the same order
 */
gboolean
kymo_palette_equal (const KymoPalette *a, const KymoPalette *b)
{
  if (a == b)
    return TRUE;
  if (a->base != b->base || a->items->len != b->items->len)
    return FALSE;
  for (guint i = 0; i < a->items->len; i++)
    {
      const KymoColorChoice *x = kymo_palette_peek_choice (a, i);
      const KymoColorChoice *y = kymo_palette_peek_choice (b, i);

      if (x->of != y->of || x->rgb != y->rgb || strcmp (x->text, y->text) != 0)
        return FALSE;
    }
  return TRUE;
}

/* -- choosing ------------------------------------------------------------- */

static GHashTable *
items_of (const KymoPalette *self, KymoColorOf of)
{
  return of == KYMO_COLOR_OF_NAME ? self->names
         : of == KYMO_COLOR_OF_PATTERN ? self->patterns : self->groups;
}

static void
add_palette (KymoPalette *self, KymoColorOf of, const char *text, guint32 rgb)
{
  Item *item = g_new0 (Item, 1);

  item->choice = (KymoColorChoice) { of, g_strdup (text), rgb };
  if (of == KYMO_COLOR_OF_PATTERN)
    item->spec = g_pattern_spec_new (text);
  g_hash_table_insert (items_of (self, of), item->choice.text, item);
  g_ptr_array_add (self->items, item);
}

static KymoPalette *
copy_without (const KymoPalette *self, KymoColorOf of, const char *text)
{
  KymoPalette *copy = kymo_palette_new (self->base);

  for (guint i = 0; i < self->items->len; i++)
    {
      const KymoColorChoice *old = kymo_palette_peek_choice (self, i);

      if (old->of != of || strcmp (old->text, text) != 0)
        add_palette (copy, old->of, old->text, old->rgb);
    }
  return copy;
}

static gboolean
can_be_chosen (const KymoPalette *self, KymoColorOf of, const char *text)
{
  gsize most = of == KYMO_COLOR_OF_PATTERN ? KYMO_PALETTE_PATTERN_MOST
                                           : KYMO_PALETTE_TEXT_MOST;

  return *text != '\0' && strlen (text) <= most
         && (of != KYMO_COLOR_OF_PATTERN
             || g_hash_table_size (self->patterns) < KYMO_PALETTE_PATTERNS_MOST);
}

/**
 * kymo_palette_choose:
 * @text: a name, a pattern with * and ?, or a group
 * @rgb: 0xRRGGBB
 *
 * Returns: (transfer full): with that colour, chosen last; with
 *   %KYMO_PALETTE_MOST already, and for a text that no file may hold (empty, too
 *   long, one pattern too many), it is a copy
 */
KymoPalette *
kymo_palette_choose (const KymoPalette *self, KymoColorOf of, const char *text,
                     guint32 rgb)
{
  KymoPalette *copy = copy_without (self, of, text);

  if (copy->items->len < KYMO_PALETTE_MOST && can_be_chosen (copy, of, text))
    add_palette (copy, of, text, rgb & 0xffffff);
  return copy;
}

/** kymo_palette_reset: Returns: (transfer full): without the colour of @text */
KymoPalette *
kymo_palette_reset (const KymoPalette *self, KymoColorOf of, const char *text)
{
  return copy_without (self, of, text);
}

/* TAU writes several groups as "MPI | TAU_USER": each of them counts. */
static const Item *
find_group (const KymoPalette *self, const char *group)
{
  const Item *item;
  g_auto (GStrv) parts = NULL;

  if (group == NULL || g_hash_table_size (self->groups) == 0)
    return NULL;
  item = g_hash_table_lookup (self->groups, group);
  if (item != NULL || strchr (group, '|') == NULL)
    return item;
  parts = g_strsplit (group, "|", -1);
  for (guint i = 0; parts[i] != NULL && item == NULL; i++)
    item = g_hash_table_lookup (self->groups, g_strstrip (parts[i]));
  return item;
}

/**
 * kymo_palette_find:
 * @name: an activity
 * @group: (nullable): its group
 * @rgb: (out): the colour, 0xRRGGBB; untouched if there is none
 *
 * Returns: whether a colour was chosen for the name, a pattern that fits it, or the group
 */
gboolean
kymo_palette_find (const KymoPalette *self, const char *name,
                   const char *group, guint32 *rgb)
{
  const Item *item = g_hash_table_lookup (self->names, name);

  for (guint i = self->items->len; i > 0 && item == NULL; i--)
    {
      const Item *other = self->items->pdata[i - 1];

      if (other->spec != NULL && g_pattern_spec_match_string (other->spec, name))
        item = other;
    }
  if (item == NULL)
    item = find_group (self, group);
  if (item != NULL)
    *rgb = item->choice.rgb;
  return item != NULL;
}

/* -- files ---------------------------------------------------------------- */

/** kymo_palette_write: a name that is no UTF-8 cannot stand in a file */
void
kymo_palette_write (const KymoPalette *self, GKeyFile *file)
{
  guint n_written = 0;

  g_key_file_set_string (file, HEAD, "base", bases[self->base]);
  for (guint i = 0; i < self->items->len; i++)
    {
      const KymoColorChoice *choice = kymo_palette_peek_choice (self, i);
      g_autofree char *group = g_strdup_printf (EACH, n_written + 1);
      g_autofree char *color = g_strdup_printf ("#%06x", choice->rgb);

      if (!g_utf8_validate (choice->text, -1, NULL))
        continue;
      g_key_file_set_string (file, group, kinds[choice->of], choice->text);
      g_key_file_set_string (file, group, "color", color);
      n_written++;
    }
}

static gboolean
parse_rgb (const char *text, guint32 *rgb)
{
  if (text == NULL || text[0] != '#' || strlen (text) != 7
      || strspn (text + 1, "0123456789abcdefABCDEF") != 6)
    return FALSE;
  *rgb = strtoul (text + 1, NULL, 16);
  return TRUE;
}

/* (transfer full) (nullable): what is wrong with it */
static char *
read_choice (KymoPalette *self, GKeyFile *file, const char *group)
{
  g_autofree char *color = g_key_file_get_string (file, group, "color", NULL);
  guint32 rgb;

  if (!parse_rgb (color, &rgb))
    return g_strdup_printf (_("[%s] has no colour like #3a7bd5"), group);
  for (guint of = 0; of < G_N_ELEMENTS (kinds); of++)
    {
      g_autofree char *text = g_key_file_get_string (file, group, kinds[of],
                                                     NULL);

      /* The first one of a name is the one. */
      if (text == NULL
          || (!g_hash_table_contains (items_of (self, of), text)
              && !can_be_chosen (self, of, text)))
        continue;
      if (!g_hash_table_contains (items_of (self, of), text))
        add_palette (self, of, text, rgb);
      return NULL;
    }
  return g_strdup_printf (
    _("[%s] says neither name nor pattern nor group, or more than there may be"), group);
}

/**
 * kymo_palette_read:
 * @file: may come from anywhere
 * @left_out: gets a text for each colour that is nothing that it could be
 *
 * Returns: (transfer full): what it says of colours; where it says nothing the standard ones
 */
KymoPalette *
kymo_palette_read (GKeyFile *file, GPtrArray *left_out)
{
  g_autofree char *base = g_key_file_get_string (file, HEAD, "base", NULL);
  KymoPalette *self = kymo_palette_new (KYMO_PALETTE_STANDARD);

  if (g_strcmp0 (base, bases[KYMO_PALETTE_SAFE]) == 0)
    self->base = KYMO_PALETTE_SAFE;
  else if (base != NULL && strcmp (base, bases[KYMO_PALETTE_STANDARD]) != 0)
    g_ptr_array_add (left_out,
                     g_strdup_printf (_("base of [%s] is neither standard nor safe"), HEAD));
  for (guint i = 1; i <= KYMO_PALETTE_MOST; i++)
    {
      g_autofree char *group = g_strdup_printf (EACH, i);
      char *wrong;

      if (!g_key_file_has_group (file, group))
        break;
      wrong = read_choice (self, file, group);
      if (wrong != NULL)
        g_ptr_array_add (left_out, wrong);
    }
  return self;
}

/** kymo_palette_to_text: Returns: (transfer full): as a file has it */
char *
kymo_palette_to_text (const KymoPalette *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  kymo_palette_write (self, file);
  return g_key_file_to_data (file, NULL, NULL);
}

/**
 * kymo_palette_parse:
 * @text: content of a file of a palette
 * @length: of @text, in bytes
 *
 * A file with anything wrong in it is refused, because the palette would not be the one that
 * was saved.
 *
 * Returns: (transfer full) (nullable): the palette; %NULL with %KYMO_ERROR_UNREADABLE and a
 *   sentence
 */
KymoPalette *
kymo_palette_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) wrong = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (KymoPalette) self = NULL;

  if (length > KYMO_PALETTE_FILE_MOST
      || !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL)
      || !g_key_file_has_group (file, HEAD))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                           _("it is no palette of Kymo"));
      return NULL;
    }
  self = kymo_palette_read (file, wrong);
  if (wrong->len == 0)
    return g_steal_pointer (&self);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, wrong->pdata[0]);
  return NULL;
}
