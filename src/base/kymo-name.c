/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-name.h"

#include <string.h>

#include "kymo-units.h"

#define MARK "… #"
#define DIGITS 16
#define TAIL_BYTES (sizeof MARK - 1 + DIGITS)
#define CHARACTER_BYTES 4
#define FNV_BASIS G_GUINT64_CONSTANT (0xcbf29ce484222325)
#define FNV_PRIME G_GUINT64_CONSTANT (0x100000001b3)

/* FNV-1a: the same on every machine, for colours and desks go by names. */
static guint64
hash_bytes (const char *bytes,
            gsize       length)
{
  guint64 hash = FNV_BASIS;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guint8) bytes[i]) * FNV_PRIME;
  return hash;
}

/* The largest length up to `most` at which valid UTF-8 text can be cut between characters. */
static gsize
whole_characters (const char *text,
                  gsize       most)
{
  while (most > 0 && ((guint8) text[most] & 0xC0) == 0x80)
    most--;
  return most;
}

/**
 * kymo_name_dup:
 * @text: of a file; bytes that are no UTF-8 become replacement characters
 * @length: in bytes, or -1 where a NUL ends it
 *
 * Returns: (transfer full): the name, of at most %KYMO_NAME_MOST bytes
 */
char *
kymo_name_dup (const char *text,
               gssize      length)
{
  g_autofree char *valid = g_utf8_make_valid (text, length);
  gsize n = strlen (valid);

  if (n <= KYMO_NAME_MOST)
    return g_steal_pointer (&valid);
  return g_strdup_printf ("%.*s" MARK "%016" G_GINT64_MODIFIER "x",
                          (int) whole_characters (valid, KYMO_NAME_MOST - TAIL_BYTES), valid,
                          hash_bytes (valid, n));
}

/**
 * kymo_name_is_cut:
 *
 * Returns: TRUE if kymo_name_dup() made @name of a longer one
 */
gboolean
kymo_name_is_cut (const char *name)
{
  gsize n = strlen (name);
  const char *mark = name + n - TAIL_BYTES;

  return n <= KYMO_NAME_MOST && n > KYMO_NAME_MOST - CHARACTER_BYTES
         && strncmp (mark, MARK, sizeof MARK - 1) == 0
         && strspn (mark + sizeof MARK - 1, "0123456789abcdef") == DIGITS;
}

/**
 * kymo_name_shown:
 * @text: (nullable): a text of any length
 *
 * Returns: (transfer full) (nullable): @text, without its middle where it has more than
 *   %KYMO_NAME_SHOWN bytes
 */
char *
kymo_name_shown (const char *text)
{
  if (text == NULL || strlen (text) <= KYMO_NAME_SHOWN)
    return g_strdup (text);
  return kymo_elide_middle (text, KYMO_NAME_SHOWN);
}

/* Of "operator()" they belong to the name. */
#define CALLED "operator"

/* (nullable): where the arguments begin at the end of a name */
static char *
find_arguments (char *name)
{
  gsize n = strlen (name);
  int depth = 0;

  if (g_str_has_suffix (name, " const"))
    n -= strlen (" const");
  if (n == 0 || name[n - 1] != ')')
    return NULL;
  while (n-- > 0)
    {
      depth += name[n] == ')' ? 1 : name[n] == '(' ? -1 : 0;
      if (depth == 0)
        break;
    }
  if (depth != 0 || n == 0 || name[n - 1] == ' ')
    return NULL;
  if (n >= strlen (CALLED) && g_str_has_prefix (name + n - strlen (CALLED), CALLED))
    return NULL;
  return name + n;
}

/**
 * kymo_name_shorten:
 * @name: of a function
 *
 * A unit in brackets is no arguments, and of a path of functions nothing goes.
 */
gboolean
kymo_name_shorten (char *name)
{
  char *end = strstr (name, " [{");

  if (strstr (name, " => ") != NULL || strstr (name, " : ") != NULL)
    return FALSE;
  if (end == NULL)
    end = find_arguments (name);
  if (end == NULL || end == name)
    return FALSE;
  *end = '\0';
  return TRUE;
}

#define DIVIDER ';'
#define ESCAPE '\\'

/**
 * kymo_name_list_join:
 * @names: %NULL terminated
 *
 * Returns: (transfer full): a text that kymo_name_list_split() takes apart again
 */
char *
kymo_name_list_join (const char *const *names)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (list, DIVIDER);
      for (const char *c = names[i]; *c != '\0'; c++)
        {
          if (*c == DIVIDER || *c == ESCAPE)
            g_string_append_c (list, ESCAPE);
          g_string_append_c (list, *c);
        }
    }
  return g_string_free (list, FALSE);
}

static void
take_name_list (GPtrArray *names,
                GString   *name)
{
  if (name->len > 0)
    g_ptr_array_add (names, g_strndup (name->str, name->len));
  g_string_truncate (name, 0);
}

/**
 * kymo_name_list_split:
 * @list: (nullable): names divided by semicolons; %NULL is an empty one
 *
 * Returns: (transfer full): the names, %NULL terminated; what is empty is none
 */
char **
kymo_name_list_split (const char *list)
{
  g_autoptr (GString) name = g_string_new (NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (const char *c = list != NULL ? list : ""; *c != '\0'; c++)
    {
      if (*c == DIVIDER)
        {
          take_name_list (names, name);
          continue;
        }
      if (*c == ESCAPE && (c[1] == DIVIDER || c[1] == ESCAPE))
        c++;
      g_string_append_c (name, *c);
    }
  take_name_list (names, name);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
