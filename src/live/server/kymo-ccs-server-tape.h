/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording as it runs off before a CCS server: its blocks become due at
 * the distance from its begin at which they came (divided by the speed), and
 * wait, however many, until they are taken one by one, in their order.
 * Waiting blocks stay in the file: a block is due where its time has come, so
 * that a queue without bound costs nothing.
 *
 * What lies more than a minute apart (a recording that was resumed the day
 * after) comes a minute apart. A recording may be of several programs, one
 * after the other; the next, of another form, is gone on to on demand.
 *
 * One thread at a time.
 */
#pragma once

#include "kymo-stream-file.h"

G_BEGIN_DECLS

typedef struct _KymoCcsTape KymoCcsTape;

KymoCcsTape *kymo_ccs_tape_new    (const char            *path,
                                   double                 speed,
                                   gboolean               repeat,
                                   gint64                 now_us,
                                   KymoReport            *report,
                                   GError               **error);
void         kymo_ccs_tape_free   (KymoCcsTape           *tape);
const KymoStreamForm *kymo_ccs_tape_get_form (const KymoCcsTape *tape);
guint        kymo_ccs_tape_get_n_pes (const KymoCcsTape      *tape);
guint        kymo_ccs_tape_get_processes (const KymoCcsTape *tape);
guint        kymo_ccs_tape_get_word_bits (const KymoCcsTape *tape);
GBytes      *kymo_ccs_tape_take   (KymoCcsTape           *tape,
                                   gint64                 now_us);
gint64       kymo_ccs_tape_get_n_taken (const KymoCcsTape *tape);
gboolean     kymo_ccs_tape_has_next_program (const KymoCcsTape *tape);
gboolean     kymo_ccs_tape_next_program (KymoCcsTape         *tape);
gint64       kymo_ccs_tape_get_end_us (const KymoCcsTape *tape);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCcsTape, kymo_ccs_tape_free)

G_END_DECLS
