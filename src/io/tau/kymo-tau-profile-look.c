/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads and metrics of a file of profiles in XML, before its figures are read.
 */
#include "config.h"

#include "kymo-tau-profile-xml.h"

#include <string.h>

/**
 * kymo_tau_xml_scan_thread:
 * @id: "n.c.t", and whatever behind it
 *
 * Returns: whether that names a thread
 */
gboolean
kymo_tau_xml_scan_thread (const char        *id,
                          KymoProfileThread *thread)
{
  char *p;

  thread->node = g_ascii_strtoull (id, &p, 10);
  if (p == id || *p != '.')
    return FALSE;
  thread->context = g_ascii_strtoull (p + 1, &p, 10);
  if (*p != '.')
    return FALSE;
  thread->thread = g_ascii_strtoull (p + 1, &p, 10);
  return MAX (MAX (thread->node, thread->context), thread->thread) <= G_MAXINT32
    && MIN (MIN (thread->node, thread->context), thread->thread) >= 0;
}

/**
 * kymo_tau_xml_file_init:
 *
 * Begins a list without metrics and threads. Clear with kymo_tau_xml_file_clear().
 */
void
kymo_tau_xml_file_init (KymoTauXmlFile *file)
{
  file->metrics = g_ptr_array_new_with_free_func (g_free);
  file->threads = g_array_new (FALSE, FALSE, sizeof (KymoProfileThread));
  file->has_derived = FALSE;
}

/**
 * kymo_tau_xml_file_clear:
 *
 * Frees the lists, not the struct itself.
 */
void
kymo_tau_xml_file_clear (KymoTauXmlFile *file)
{
  g_ptr_array_unref (file->metrics);
  g_array_unref (file->threads);
}

/**
 * kymo_tau_xml_dup_name:
 *
 * Returns: (transfer full) (nullable): the name of what was opened last: the next <name>
 */
char *
kymo_tau_xml_dup_name (KymoTauXml *xml)
{
  KymoXmlToken token;

  while ((token = kymo_tau_xml_next (xml)) != KYMO_XML_END)
    {
      if (token == KYMO_XML_OPEN && kymo_tau_xml_is (xml, "name"))
        return kymo_tau_xml_dup_text (xml);
      if (token == KYMO_XML_CLOSE)
        return NULL;
    }
  return NULL;
}

/**
 * kymo_tau_xml_file_look:
 * @text: of the file
 * @length: of @text, in bytes
 *
 * Adds the metrics and threads that a file names.
 */
void
kymo_tau_xml_file_look (KymoTauXmlFile *file,
                        const char     *text,
                        gsize           length)
{
  KymoTauXml xml;
  KymoXmlToken token;

  kymo_tau_xml_init (&xml, text, length);
  while ((token = kymo_tau_xml_next (&xml)) != KYMO_XML_END)
    {
      if (token != KYMO_XML_OPEN)
        continue;
      if (kymo_tau_xml_is (&xml, "metric"))
        {
          g_autofree char *name = kymo_tau_xml_dup_name (&xml);

          if (name != NULL && file->metrics->len < KYMO_MAX_PROFILE_METRICS
              && !g_ptr_array_find_with_equal_func (file->metrics, name, g_str_equal, NULL))
            g_ptr_array_add (file->metrics, g_steal_pointer (&name));
        }
      else if (kymo_tau_xml_is (&xml, "profile"))
        {
          g_autofree char *id = kymo_tau_xml_dup_attribute (&xml, "thread");
          KymoProfileThread thread;

          if (id != NULL && kymo_tau_xml_scan_thread (id, &thread))
            g_array_append_val (file->threads, thread);
        }
      else if (kymo_tau_xml_is (&xml, "derivedentity"))
        file->has_derived = TRUE;
    }
}
