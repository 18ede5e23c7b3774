/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-tau-xml.h"

#include <string.h>

/**
 * kymo_tau_xml_init:
 * @text: the bytes, borrowed, with a NUL behind
 * @length: of @text
 *
 * Begins to read at the first token.
 */
void
kymo_tau_xml_init (KymoTauXml *xml,
                   const char *text,
                   gsize       length)
{
  *xml = (KymoTauXml) { text, text, text + length, text };
}

/* The rest of the bytes, as text that ends nowhere. */
static KymoXmlToken
cut_off (KymoTauXml *xml)
{
  xml->cut = TRUE;
  xml->next = xml->end;
  return KYMO_XML_END;
}

static KymoXmlToken
take_cdata (KymoTauXml *xml,
            const char *begin)
{
  const char *close = memmem (begin, xml->end - begin, "]]>", 3);

  if (close == NULL)
    return cut_off (xml);
  xml->text = begin;
  xml->text_length = close - begin;
  xml->next = close + 3;
  return KYMO_XML_CDATA;
}

static KymoXmlToken
take_tag (KymoTauXml *xml)
{
  const char *p = xml->next + 1;
  const char *close = memchr (p, '>', xml->end - p);
  gboolean closes;

  if (close == NULL)
    return cut_off (xml);
  closes = p < close && *p == '/';
  xml->name = p + closes;
  for (p = xml->name; p < close && !g_ascii_isspace (*p) && *p != '/'; p++)
    ;
  xml->name_length = p - xml->name;
  xml->attributes = p;
  xml->attributes_length = close - p;
  xml->next = close + 1;
  return closes ? KYMO_XML_CLOSE : KYMO_XML_OPEN;
}

/**
 * kymo_tau_xml_next:
 *
 * Returns: what comes next; %KYMO_XML_END at the end of the bytes
 */
KymoXmlToken
kymo_tau_xml_next (KymoTauXml *xml)
{
  static const char cdata[] = "<![CDATA[";
  const char *p = xml->token_begin = xml->next;
  const char *tag;

  if (p >= xml->end)
    return KYMO_XML_END;
  if (*p == '<')
    {
      if ((gsize) (xml->end - p) >= sizeof cdata - 1 && memcmp (p, cdata, sizeof cdata - 1) == 0)
        return take_cdata (xml, p + sizeof cdata - 1);
      return take_tag (xml);
    }
  tag = memchr (p, '<', xml->end - p);
  xml->text = p;
  xml->text_length = (tag != NULL ? tag : xml->end) - p;
  xml->next = p + xml->text_length;
  return KYMO_XML_TEXT;
}

/**
 * kymo_tau_xml_is:
 *
 * Returns: whether the last element that was opened or closed has that name
 */
gboolean
kymo_tau_xml_is (const KymoTauXml *xml,
                 const char       *name)
{
  return xml->name_length == strlen (name) && memcmp (xml->name, name, xml->name_length) == 0;
}

/* A character by its number, &#10; or &#xa;: how many bytes it takes, 0 = it is none. */
static gsize
take_character (const char *p,
                const char *end,
                gunichar   *character)
{
  gboolean hexadecimal = end - p > 3 && p[2] == 'x';
  const char *digits = p + (hexadecimal ? 3 : 2);
  guint64 value = 0;

  if (end - p < 4 || p[1] != '#')
    return 0;
  for (p = digits; p < end && *p != ';' && p - digits < 8; p++)
    {
      int digit = g_ascii_xdigit_value (*p);

      if (digit < 0 || (!hexadecimal && digit > 9))
        return 0;
      value = value * (hexadecimal ? 16 : 10) + digit;
    }
  *character = value;
  return p > digits && p < end && *p == ';' && value > 0 && g_unichar_validate (value)
    ? p + 1 - digits + (hexadecimal ? 3 : 2) : 0;
}

/* Text with its five entities and those of numbers resolved; others stay. */
static void
append_decoded (GString    *out,
                const char *text,
                gsize       length)
{
  static const struct { const char *name; char byte; } entities[] =
    { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' } };
  const char *end = text + length;

  while (text < end)
    {
      const char *p = memchr (text, '&', end - text);
      gsize taken = 1;
      gunichar character = '&';

      g_string_append_len (out, text, (p != NULL ? p : end) - text);
      if (p == NULL)
        return;
      taken = MAX (1, take_character (p, end, &character));
      for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
        {
          gsize n = strlen (entities[i].name);

          if ((gsize) (end - p) >= n && memcmp (p, entities[i].name, n) == 0)
            {
              character = entities[i].byte;
              taken = n;
            }
        }
      g_string_append_unichar (out, character);
      text = p + taken;
    }
}

/**
 * kymo_tau_xml_dup_attribute:
 * @key: name of the attribute
 *
 * Returns: (transfer full) (nullable): value of an attribute of the element that was opened
 *   last
 */
char *
kymo_tau_xml_dup_attribute (const KymoTauXml *xml,
                            const char       *key)
{
  const char *p = xml->attributes, *end = p + xml->attributes_length;
  gsize length = strlen (key);

  while (p < end)
    {
      const char *name, *quote, *close;

      while (p < end && g_ascii_isspace (*p))
        p++;
      name = p;
      quote = memchr (p, '"', end - p);
      close = quote != NULL ? memchr (quote + 1, '"', end - quote - 1) : NULL;
      if (close == NULL)
        return NULL;
      if (quote - name == (gssize) length + 1 && memcmp (name, key, length) == 0)
        {
          GString *value = g_string_new (NULL);

          append_decoded (value, quote + 1, close - quote - 1);
          return g_string_free (value, FALSE);
        }
      p = close + 1;
    }
  return NULL;
}

/**
 * kymo_tau_xml_dup_text:
 *
 * Returns: (transfer full): all text up to where the element that was opened last is
 *   closed, or the next one opens
 */
char *
kymo_tau_xml_dup_text (KymoTauXml *xml)
{
  GString *text = g_string_new (NULL);

  for (;;)
    switch (kymo_tau_xml_next (xml))
      {
      case KYMO_XML_TEXT:
        append_decoded (text, xml->text, xml->text_length);
        break;
      case KYMO_XML_CDATA:
        g_string_append_len (text, xml->text, xml->text_length);
        break;
      case KYMO_XML_OPEN:
        xml->next = xml->token_begin;
        G_GNUC_FALLTHROUGH;
      default:
        return g_string_free (text, FALSE);
      }
}

/**
 * kymo_tau_xml_metadata:
 * @take: called with the name and the value of each attribute
 * @data: for @take
 *
 * Reads the content of the element that was opened last, <metadata>, until it ends.
 */
void
kymo_tau_xml_metadata (KymoTauXml *xml,
                       void      (*take) (const char *key,
                                          const char *value,
                                          gpointer    data),
                       gpointer    data)
{
  g_autofree char *key = NULL;
  KymoXmlToken token;

  while ((token = kymo_tau_xml_next (xml)) != KYMO_XML_END)
    {
      if (token == KYMO_XML_CLOSE && kymo_tau_xml_is (xml, "metadata"))
        return;
      if (token != KYMO_XML_OPEN)
        continue;
      if (kymo_tau_xml_is (xml, "name"))
        {
          g_free (key);
          key = kymo_tau_xml_dup_text (xml);
        }
      else if (kymo_tau_xml_is (xml, "value") && key != NULL)
        {
          g_autofree char *value = kymo_tau_xml_dup_text (xml);

          take (key, value, data);
          g_clear_pointer (&key, g_free);
        }
    }
}
