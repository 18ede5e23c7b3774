/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the callbacks for the events of OTF2 share among their files.
 */
#pragma once

#include "kymo-otf2-events.h"

G_BEGIN_DECLS

/* The head of a callback for an event: its name and what the event has of its own. All are given
   a location, "time", "position", "data" and "attributes" before that. */
#define KYMO_OTF2_EVENT(name, ...)                                                    \
  static OTF2_CallbackCode                                                            \
  name (OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data, \
        OTF2_AttributeList *attributes, ##__VA_ARGS__)

gboolean            kymo_otf2_begin_record (KymoOtf2Stream          *stream,
                                            OTF2_TimeStamp           time,
                                            gint64                  *ns);
OTF2_CallbackCode   kymo_otf2_skip         (gpointer                 data,
                                            OTF2_TimeStamp           time);
const KymoOtf2Comm *kymo_otf2_comm_of      (const KymoOtf2Stream    *stream,
                                            guint64                  id,
                                            guint32                 *index);
gboolean            kymo_otf2_find_partner (KymoOtf2Stream          *stream,
                                            const KymoOtf2Comm      *comm,
                                            guint64                  rank,
                                            gint32                  *partner);
void                kymo_otf2_add_message_callbacks    (KymoOtf2Events *calls);
void                kymo_otf2_add_rma_callbacks        (KymoOtf2Events *calls);
void                kymo_otf2_add_collective_callbacks (KymoOtf2Events *calls);
void                kymo_otf2_add_metric_callbacks     (KymoOtf2Events *calls);
void                kymo_otf2_add_io_callbacks         (KymoOtf2Events *calls);
void                kymo_otf2_add_parameter_callbacks  (KymoOtf2Events *calls);
GHashTable         *kymo_otf2_new_operations           (void);
GHashTable         *kymo_otf2_new_series               (void);
void                kymo_otf2_add_to_series            (KymoOtf2Stream       *stream,
                                                        gint64                ns,
                                                        const KymoOtf2Metric *metric,
                                                        guint32               index,
                                                        guint                 place,
                                                        double                value);
void                kymo_otf2_add_other_callbacks      (KymoOtf2Events *calls);

/** kymo_otf2_innermost: the innermost open function; G_MAXUINT32 if none is open */
static inline guint32
kymo_otf2_innermost (const KymoOtf2Stream *stream)
{
  return kymo_open_stack_innermost (&stream->open);
}

/**
 * kymo_otf2_totals_at:
 * @ns: time of an event
 *
 * Returns: (transfer none) (nullable): the hardware counters that were read with this event,
 *   owned by the stream
 */
static inline const gint64 *
kymo_otf2_totals_at (const KymoOtf2Stream *stream,
                     gint64                ns)
{
  return stream->totals != NULL && stream->totals_ns == ns ? stream->totals : NULL;
}

G_END_DECLS
