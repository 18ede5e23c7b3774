/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The XML that TAU writes, token by token, in place. It is not quite XML: a file holds
 * several roots one after the other, with NUL bytes between them, and some are cut off;
 * so a parser that insists on a document refuses it.
 *
 * One thread; the bytes are borrowed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  KYMO_XML_END,
  KYMO_XML_OPEN,                /* <name attributes>, of <name/> too */
  KYMO_XML_CLOSE,               /* </name> */
  KYMO_XML_TEXT,                /* between them, with entities as they stand */
  KYMO_XML_CDATA,
} KymoXmlToken;

/**
 * KymoTauXml:
 * @token_begin: where the last token begins
 * @name: of an element that was opened or closed
 * @cut: the bytes end within a token
 */
typedef struct
{
  const char *begin, *next, *end;
  const char *token_begin;
  const char *name;
  gsize       name_length;
  const char *attributes;
  gsize       attributes_length;
  const char *text;
  gsize       text_length;
  gboolean    cut;
} KymoTauXml;

void         kymo_tau_xml_init      (KymoTauXml       *xml,
                                     const char       *text,
                                     gsize             length);
KymoXmlToken kymo_tau_xml_next      (KymoTauXml       *xml);
gboolean     kymo_tau_xml_is        (const KymoTauXml *xml,
                                     const char       *name);
char        *kymo_tau_xml_dup_attribute (const KymoTauXml *xml,
                                     const char       *key);
char        *kymo_tau_xml_dup_text  (KymoTauXml       *xml);

void         kymo_tau_xml_metadata  (KymoTauXml       *xml,
                                     void            (*take) (const char *key,
                                                              const char *value,
                                                              gpointer    data),
                                     gpointer          data);

G_END_DECLS
