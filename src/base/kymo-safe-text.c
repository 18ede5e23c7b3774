/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-safe-text.h"

#include <string.h>

#define REPLACEMENT 0xfffd

/** Unsafe: a place in a text that cannot be shown as it is */
typedef struct
{
  const char *at;       /* the end of the text where there is none */
  gsize       n_bytes;
  gunichar    c;        /* U+FFFD where the byte is no UTF-8 */
} Unsafe;

static gboolean
is_unsafe (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f
         || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static Unsafe
find_unsafe (const char *text,
             const char *end)
{
  const char *p = text;

  while (p < end)
    {
      guchar byte = *p;
      gunichar c = byte;

      if (byte >= 0x80)
        c = g_utf8_get_char_validated (p, end - p);
      if ((gint32) c < 0)
        return (Unsafe) { p, 1, REPLACEMENT };
      if (is_unsafe (c))
        return (Unsafe) { p, g_utf8_skip[byte], c };
      p += g_utf8_skip[byte];
    }
  return (Unsafe) { .at = end };
}

/* Replaces a control character by a single visible character, so that columns stay lined up.
   Unicode has pictures of C0 controls and of DEL. */
static gunichar
get_visible (gunichar c)
{
  return c < 0x20 ? 0x2400 + c : c == 0x7f ? 0x2421 : REPLACEMENT;
}

/**
 * kymo_safe_text_is_safe:
 * @text: any bytes
 *
 * Returns: whether @text can be shown on one line as it is
 */
gboolean
kymo_safe_text_is_safe (const char *text)
{
  return *find_unsafe (text, text + strlen (text)).at == '\0';
}

/**
 * kymo_safe_text_append:
 * @out: appended to
 * @text: any bytes
 * @length: of @text in bytes; -1 if it ends with a zero
 * @kept: the ASCII controls that are kept, as "\n"; "" for none
 *
 * Appends @text with a visible character in place of each unsafe one: U+241B (␛) for
 * ESC and so on for the other C0 controls and DEL, U+FFFD (�) for everything else.
 */
void
kymo_safe_text_append (GString    *out,
                       const char *text,
                       gssize      length,
                       const char *kept)
{
  const char *end = text + (length < 0 ? strlen (text) : (gsize) length);

  while (text < end)
    {
      Unsafe unsafe = find_unsafe (text, end);

      g_string_append_len (out, text, unsafe.at - text);
      if (unsafe.at == end)
        return;
      if (unsafe.c > 0 && unsafe.c < 0x80 && strchr (kept, unsafe.c) != NULL)
        g_string_append_c (out, unsafe.c);
      else
        g_string_append_unichar (out, get_visible (unsafe.c));
      text = unsafe.at + unsafe.n_bytes;
    }
}

/**
 * kymo_safe_text_dup:
 * @text: any bytes
 *
 * Returns: (transfer full): @text on one line of valid UTF-8, as
 *   kymo_safe_text_append() makes it when it keeps nothing
 */
char *
kymo_safe_text_dup (const char *text)
{
  GString *out = g_string_new (NULL);

  kymo_safe_text_append (out, text, -1, "");
  return g_string_free (out, FALSE);
}

/**
 * kymo_safe_text_clean:
 * @text: any bytes; changed in place
 * @kept: as for kymo_safe_text_append()
 *
 * Makes a text safe that is about to be written. Costs one look at it where it
 * is safe already.
 */
void
kymo_safe_text_clean (GString    *text,
                      const char *kept)
{
  const char *end = text->str + text->len;
  const char *p = text->str;
  Unsafe unsafe;

  for (;; p = unsafe.at + unsafe.n_bytes)
    {
      unsafe = find_unsafe (p, end);
      if (unsafe.at == end)
        return;
      if (unsafe.c == 0 || unsafe.c >= 0x80 || strchr (kept, unsafe.c) == NULL)
        break;
    }

  g_autofree char *raw = g_strndup (unsafe.at, end - unsafe.at);
  gsize n_raw = end - unsafe.at;

  g_string_truncate (text, unsafe.at - text->str);
  kymo_safe_text_append (text, raw, n_raw, kept);
}

/**
 * kymo_safe_text_append_json:
 * @out: appended to
 * @text: any bytes
 *
 * Appends a JSON string, with its quotes. It stands for the same characters as @text;
 * unsafe ones are escaped as \uXXXX. Bytes that are no UTF-8 become U+FFFD.
 */
void
kymo_safe_text_append_json (GString    *out,
                            const char *text)
{
  const char *end = text + strlen (text);

  g_string_append_c (out, '"');
  while (text < end)
    {
      Unsafe unsafe = find_unsafe (text, end);

      for (; text < unsafe.at; text++)
        {
          if (*text == '"' || *text == '\\')
            g_string_append_c (out, '\\');
          g_string_append_c (out, *text);
        }
      if (unsafe.at == end)
        break;
      if (unsafe.c == REPLACEMENT)
        g_string_append_unichar (out, unsafe.c);
      else
        g_string_append_printf (out, "\\u%04x", unsafe.c);
      text = unsafe.at + unsafe.n_bytes;
    }
  g_string_append_c (out, '"');
}

static gboolean
is_number (const char *text)
{
  char *end;

  if (text[strspn (text, "+-.0123456789eE")] != '\0' || strpbrk (text, "0123456789") == NULL)
    return FALSE;
  g_ascii_strtod (text, &end);
  return *end == '\0';
}

/* As spreadsheets take them; some take the wide forms as well. */
static gboolean
looks_like_formula (const char *text)
{
  gunichar first = g_utf8_get_char (text);

  if (first < 0x80)
    return first != 0 && strchr ("=+-@\n", first) != NULL && !is_number (text);
  return first == 0xff1d || first == 0xff0b || first == 0xff0d || first == 0xff20;
}

/**
 * kymo_safe_text_append_csv:
 * @out: appended to
 * @text: any bytes
 *
 * Appends a cell of CSV, in quotes where it needs them (RFC 4180). Unsafe characters but
 * line feeds are replaced as by kymo_safe_text_append(). A text that a spreadsheet would
 * take for a formula, because it begins with `=`, `+`, `-`, `@` or a line feed, gets an
 * apostrophe in front, as OWASP advises; numbers stay as they are.
 */
void
kymo_safe_text_append_csv (GString    *out,
                           const char *text)
{
  g_autoptr (GString) changed = NULL;
  const char *cell = text;
  gboolean quotes = strpbrk (text, ",\"\n") != NULL;

  if (!kymo_safe_text_is_safe (text))
    {
      changed = g_string_new (NULL);
      kymo_safe_text_append (changed, text, -1, "\n");
      cell = changed->str;
    }
  if (quotes)
    g_string_append_c (out, '"');
  if (looks_like_formula (cell))
    g_string_append_c (out, '\'');
  for (; *cell != '\0'; cell++)
    {
      if (*cell == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *cell);
    }
  if (quotes)
    g_string_append_c (out, '"');
}
