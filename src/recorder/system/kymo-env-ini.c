/* kymo-env-ini.c: writes groups, keys and values as a key file of GLib reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-env-ini.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kymo-env-mask.h"

/* What stands for bytes that are no UTF-8. */
#define REPLACEMENT "\357\277\275"

/** kymo_env_ini_init: an empty file; @told, if not NULL, hears of each line with @told_data. */
void
kymo_env_ini_init (KymoEnvIni *ini, KymoEnvTold told, void *told_data)
{
  /* The note of what was cut always fits. */
  kymo_node_text_init (&ini->ini, ini->ini_bytes, sizeof ini->ini_bytes - 256);
  kymo_node_text_init (&ini->value, ini->value_bytes, sizeof ini->value_bytes);
  ini->told = told;
  ini->told_data = told_data;
  ini->cut = ini->items = 0;
  ini->group[0] = ini->key[0] = '\0';
}

/* The length of the UTF-8 character at @at, or 0 if there is none that may be written. */
static size_t
utf8_length (const char *at, size_t most)
{
  const unsigned char *c = (const unsigned char *) at;
  size_t length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3
                  : c[0] < 0xf5 ? 4 : 0;
  uint32_t value;

  if (length == 1)
    return c[0] >= 0x20 && c[0] != 0x7f;
  if (length == 0 || length > most)
    return 0;
  value = c[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++)
    {
      if ((c[i] & 0xc0) != 0x80)
        return 0;
      value = value << 6 | (c[i] & 0x3f);
    }
  if ((length == 3 && (value < 0x800 || (value >= 0xd800 && value < 0xe000)))
      || (length == 4 && (value < 0x10000 || value > 0x10ffff)))
    return 0;
  return length;
}

/* What stands for the character at @at, or NULL if it stands for itself. */
static const char *
escape_of (char c, bool first, bool in_list)
{
  switch (c)
    {
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    case ';': return in_list ? "\\;" : NULL;
    case ' ': return first ? "\\s" : NULL;
    default: return NULL;
    }
}

/* Appends a text that was masked already. */
static void
add_escaped (KymoEnvIni *ini, KymoNodeWord text, bool in_list)
{
  for (size_t i = 0; i < text.length;)
    {
      const char *escape = escape_of (text.at[i], i == 0, in_list);
      size_t length = escape != NULL ? 1 : utf8_length (text.at + i, text.length - i);

      if (escape != NULL)
        kymo_node_text_add (&ini->value, escape, strlen (escape));
      else if (length > 0)
        kymo_node_text_add (&ini->value, text.at + i, length);
      else
        kymo_node_text_add (&ini->value, REPLACEMENT, strlen (REPLACEMENT));
      i += length > 0 ? length : 1;
    }
}

/* Appends a text, masked and cut to the longest that may stand. */
static void
add_text (KymoEnvIni *ini, KymoNodeWord text, bool in_list)
{
  char bytes[4 * KYMO_ENV_TEXT_BYTES];
  KymoNodeText masked;

  kymo_node_text_init (&masked, bytes, sizeof bytes);
  if (text.length > KYMO_ENV_TEXT_BYTES)
    {
      ini->cut++;
      text.length = KYMO_ENV_TEXT_BYTES;
    }
  kymo_env_mask (&masked, text);
  add_escaped (ini, kymo_node_word (masked.data, masked.length), in_list);
}

/* A key as it may stand in the file, and which this group does not have yet. */
static void
set_key (KymoEnvIni *ini, const char *key)
{
  size_t length = 0;

  for (size_t i = 0; key[i] != '\0' && length + 16 < sizeof ini->key;)
    {
      size_t bytes = utf8_length (key + i, strlen (key + i));

      if (bytes == 0 || strchr ("=[]", key[i]) != NULL || (length == 0 && strchr ("# ", key[i]))
          || (key[i] == ' ' && key[i + 1] == '\0'))
        {
          ini->key[length++] = '_';
          i++;
          continue;
        }
      memcpy (ini->key + length, key + i, bytes);
      length += bytes;
      i += bytes;
    }
  ini->key[length] = '\0';
}

/* Whether the group that is being written has the key. */
static bool
has_key (const KymoEnvIni *ini, const char *key)
{
  const char *group = ini->ini.data, *next, *at;
  char line[sizeof ini->key + 4];
  int length = snprintf (line, sizeof line, "\n%s=", key);

  while ((next = strstr (group, "\n[")) != NULL)
    group = next + 1;
  at = strstr (group, line);
  return length > 2 && at != NULL;
}

static void
number_key (KymoEnvIni *ini)
{
  size_t length = strlen (ini->key);

  for (unsigned n = 2; has_key (ini, ini->key) && n < KYMO_ENV_MOST_ITEMS; n++)
    snprintf (ini->key + length, sizeof ini->key - length, " (%u)", n);
}

static void
begin_line (KymoEnvIni *ini, const char *key)
{
  set_key (ini, key);
  number_key (ini);
  kymo_node_text_init (&ini->value, ini->value_bytes, sizeof ini->value_bytes);
}

/* Writes key and value; a line that does not fit is left out as a whole. */
static void
end_line (KymoEnvIni *ini)
{
  char name[sizeof ini->group + sizeof ini->key + 2];
  size_t before = ini->ini.length;
  bool cut = ini->ini.cut;

  ini->cut += ini->value.cut;
  kymo_node_text_add (&ini->ini, ini->key, strlen (ini->key));
  kymo_node_text_add (&ini->ini, "=", 1);
  kymo_node_text_add (&ini->ini, ini->value.data, ini->value.length);
  kymo_node_text_add (&ini->ini, "\n", 1);
  if (ini->ini.cut && !cut)
    {
      ini->ini.cut = false;
      ini->ini.length = before;
      ini->ini.data[before] = '\0';
      ini->cut++;
      return;
    }
  if (ini->told == NULL)
    return;
  snprintf (name, sizeof name, "%s.%s", ini->group, ini->key);
  ini->told (name, ini->value.data, ini->told_data);
}

/** kymo_env_ini_group: begins the group @group; in properties it is called @short_name, or the same
 * if that is NULL. */
void
kymo_env_ini_group (KymoEnvIni *ini, const char *group, const char *short_name)
{
  kymo_node_text_printf (&ini->ini, "%s[%s]\n", ini->ini.length > 0 ? "\n" : "", group);
  snprintf (ini->group, sizeof ini->group, "%s", short_name != NULL ? short_name : group);
}

/** kymo_env_ini_word: writes the line of @key with @text; no line if @text is empty. A secret @key
 * has a hidden value. */
void
kymo_env_ini_word (KymoEnvIni *ini, const char *key, KymoNodeWord text)
{
  if (text.length == 0)
    return;
  begin_line (ini, key);
  if (kymo_env_is_secret (kymo_node_word (key, strlen (key))))
    text = kymo_node_word (KYMO_ENV_MASK, strlen (KYMO_ENV_MASK));
  add_text (ini, text, false);
  end_line (ini);
}

/** kymo_env_ini_text: as kymo_env_ini_word(), for a terminated @text or NULL. */
void
kymo_env_ini_text (KymoEnvIni *ini, const char *key, const char *text)
{
  if (text != NULL)
    kymo_env_ini_word (ini, key, kymo_node_word (text, strlen (text)));
}

/** kymo_env_ini_printf: as kymo_env_ini_word(), for what printf () makes of @format, at most 255
 * bytes. */
void
kymo_env_ini_printf (KymoEnvIni *ini, const char *key, const char *format, ...)
{
  char text[256];
  va_list list;

  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  kymo_env_ini_text (ini, key, text);
}

/** kymo_env_ini_list: begins the line of @key, whose items follow. */
void
kymo_env_ini_list (KymoEnvIni *ini, const char *key)
{
  begin_line (ini, key);
  ini->items = 0;
}

/** kymo_env_ini_item_word: appends @text to the list. */
void
kymo_env_ini_item_word (KymoEnvIni *ini, KymoNodeWord text)
{
  size_t before = ini->value.length;

  if (ini->items >= KYMO_ENV_MOST_ITEMS)
    {
      ini->cut++;
      return;
    }
  add_text (ini, text, true);
  kymo_node_text_add (&ini->value, ";", 1);
  if (ini->value.cut)
    {
      ini->value.length = before;
      ini->value.data[before] = '\0';
      ini->items = KYMO_ENV_MOST_ITEMS;
      return;
    }
  ini->items++;
}

/** kymo_env_ini_item: as kymo_env_ini_item_word(), for a terminated @text. */
void
kymo_env_ini_item (KymoEnvIni *ini, const char *text)
{
  kymo_env_ini_item_word (ini, kymo_node_word (text, strlen (text)));
}

/** kymo_env_ini_end_list: writes the line of the list; none if the list is empty. */
void
kymo_env_ini_end_list (KymoEnvIni *ini)
{
  if (ini->items > 0)
    end_line (ini);
}
