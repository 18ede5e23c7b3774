/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of TAU in XML: snapshots, a file a thread with a profile a step, and the merged
 * file of all ranks. Both are read alike: definitions give numbers names, of a thread
 * or ("*") of all; a <profile> has figures by number.
 *
 * One thread per reading; the bytes are borrowed and have a NUL behind.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-profile-builder.h"
#include "kymo-profile-run.h"
#include "kymo-report.h"
#include "kymo-tau-xml.h"

G_BEGIN_DECLS

/** KymoTauXmlFile: what there is in a file, before its figures are read */
typedef struct
{
  GPtrArray *metrics;           /* char *: names, each once */
  GArray    *threads;           /* KymoProfileThread of <profile>, as they come */
  gboolean   has_derived;       /* sums over threads */
} KymoTauXmlFile;

/**
 * KymoTauXmlReading:
 * @name: of the file, for the report
 * @part: of a profile in the making, with @metrics
 * @threads: (nullable): sorted: which location a thread is; else all is of @location
 * @derived: (nullable): sums over threads of that kind ("mean_all") are read, as @location
 * @metadata: (nullable): called with the metadata of the first thread
 * @job: (nullable): where it is cancelled, reading ends with the next profile
 * @n_steps: (out): of the location that was read last
 * @begin_us: (out): when the program began, or 0
 * @steps: (nullable) (out): KymoTauXmlStep of each <profile>
 */
typedef struct
{
  const char      *name;
  const char      *text;
  gsize            length;
  KymoReport      *report;
  KymoProfilePart *part;
  GPtrArray       *metrics;
  GArray          *threads;
  guint            location;
  const char      *derived;
  void           (*metadata) (const char *key,
                              const char *value,
                              gpointer    data);
  gpointer         metadata_data;
  KymoJob         *job;
  guint            n_steps;
  gint64           begin_us;
  GArray          *steps;
} KymoTauXmlReading;

typedef struct
{
  char   *name;
  gint64  time_us;              /* of the day; 0 = not known */
} KymoTauXmlStep;

gboolean kymo_tau_xml_scan_thread (const char      *id,
                                  KymoProfileThread *thread);
char    *kymo_tau_xml_dup_name   (KymoTauXml        *xml);
void     kymo_tau_xml_file_init  (KymoTauXmlFile    *file);
void     kymo_tau_xml_file_clear (KymoTauXmlFile    *file);
void     kymo_tau_xml_file_look  (KymoTauXmlFile    *file,
                                  const char        *text,
                                  gsize              length);
gboolean kymo_tau_xml_read       (KymoTauXmlReading *reading);
GArray  *kymo_tau_xml_steps_new  (void);

G_END_DECLS
