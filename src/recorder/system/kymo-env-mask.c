/* kymo-env-mask.c: no secret reaches a file of ours
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-env-mask.h"

#include <string.h>
#include <strings.h>

/* A user's name without password that is as long as this is an access token. */
#define LONGEST_USER 16

/** kymo_env_is_secret: whether the value of something that is called @name has to be hidden. */
bool
kymo_env_is_secret (KymoNodeWord name)
{
  static const char *const parts[] = { "TOKEN", "KEY", "PASS", "SECRET" };

  for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
    for (size_t i = 0; i + strlen (parts[part]) <= name.length; i++)
      if (strncasecmp (name.at + i, parts[part], strlen (parts[part])) == 0)
        return true;
  return false;
}

static bool
is_of_name (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
         || c == '-' || c == '.';
}

static bool
is_quote (char c)
{
  return c == '"' || c == '\'' || c == '`';
}

static bool
ends_value (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '&' || c == ';' || c == ',' || is_quote (c);
}

/* If a secret name ends before @i and its value begins behind it: where that begins, else 0. */
static size_t
find_value (KymoNodeWord text, size_t i)
{
  size_t end = i, begin, value = i + 1;
  bool quoted = i > 0 && is_quote (text.at[i - 1]);

  if (text.at[i] != '=' && !(text.at[i] == ':' && quoted))
    return 0;
  end -= quoted;
  for (begin = end; begin > 0 && is_of_name (text.at[begin - 1]); begin--)
    ;
  if (!kymo_env_is_secret (kymo_node_word (text.at + begin, end - begin)))
    return 0;
  while (quoted && value < text.length && text.at[value] == ' ')
    value++;
  return value;
}

/* The index behind the value that begins at @i. */
static size_t
skip_value (KymoNodeWord text, size_t i)
{
  if (i < text.length && is_quote (text.at[i]))
    {
      const char *end = memchr (text.at + i + 1, text.at[i], text.length - i - 1);

      return end != NULL ? (size_t) (end - text.at) + 1 : text.length;
    }
  while (i < text.length && !ends_value (text.at[i]))
    i++;
  return i;
}

/* The bytes from @i, behind `://`, in which the user and the host may stand: to a blank, a quote or
 * the scheme of the next URL. */
static KymoNodeWord
authority_of (KymoNodeWord text, size_t i)
{
  size_t end = i;

  while (end < text.length && !is_quote (text.at[end]) && text.at[end] != ' '
         && text.at[end] != '\t' && text.at[end] != '\n'
         && !(text.length - end >= 3 && memcmp (text.at + end, "://", 3) == 0))
    end++;
  return kymo_node_word (text.at + i, end - i);
}

/* Writes the user of a URL whose scheme ends before @i, masked. Returns: how many bytes that is of
 * the text; 0 if the URL has nothing to hide. */
static size_t
mask_user (KymoNodeText *out, KymoNodeWord text, size_t i)
{
  KymoNodeWord part = authority_of (text, i);
  const char *at = part.length > 0 ? memrchr (part.at, '@', part.length) : NULL;
  const char *slash = part.length > 0 ? memchr (part.at, '/', part.length) : NULL;
  const char *colon = at != NULL ? memchr (part.at, ':', (size_t) (at - part.at)) : NULL;

  if (at == NULL)
    return 0;
  if (colon != NULL && (slash == NULL || colon < slash))
    kymo_node_text_add (out, part.at, (size_t) (colon + 1 - part.at));
  else if (at - part.at <= LONGEST_USER || (slash != NULL && slash < at))
    return 0;
  kymo_node_text_add (out, KYMO_ENV_MASK, strlen (KYMO_ENV_MASK));
  return (size_t) (at - part.at);
}

/** kymo_env_mask: appends @text to @out with what is secret in it hidden: values behind secret
 * names (`token=…`, `"password": "…"`), and passwords in URLs. */
void
kymo_env_mask (KymoNodeText *out, KymoNodeWord text)
{
  size_t i = 0, kept = 0;

  while (i < text.length)
    {
      size_t value = find_value (text, i);
      size_t hidden;

      if (value > 0)
        {
          kymo_node_text_add (out, text.at + kept, value - kept);
          i = kept = skip_value (text, value);
          if (kept > value)
            kymo_node_text_add (out, KYMO_ENV_MASK, strlen (KYMO_ENV_MASK));
          continue;
        }
      if (text.length - i >= 3 && memcmp (text.at + i, "://", 3) == 0)
        {
          i += 3;
          kymo_node_text_add (out, text.at + kept, i - kept);
          kept = i;
          hidden = mask_user (out, text, i);
          i = kept = i + hidden;
          continue;
        }
      i++;
    }
  kymo_node_text_add (out, text.at + kept, text.length - kept);
}
