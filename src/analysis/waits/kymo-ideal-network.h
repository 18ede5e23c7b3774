/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a run of ranks would have taken on an ideal network, with unlimited bandwidth and no
 * latency. It parts the communication efficiency into serialization (time lost because ranks
 * depend on each other) and transfer (time lost in the network and in MPI itself):
 *
 *   serialization efficiency = highest useful time / ideal time
 *   transfer efficiency      = ideal time / elapsed time
 *
 * as published by Casas, Badia and Labarta: "Automatic Analysis of Speedup of MPI Applications",
 * ICS 2008, and used by the POP centre of excellence; they simulate the ideal network with
 * Dimemas. Here the recorded calls are replayed: useful time and input and output keep their
 * length, all other time of a rank is 0 unless it must wait. A receive ends no earlier than its
 * send begins, and a collective operation no earlier than those have come whom its kind waits for
 * (kymo-collectives.h).
 *
 * Approximations: sends never wait for their receiver, as if the network buffered all messages;
 * each rank makes its calls in the recorded order; what a rank needs from before the asked range
 * was there at its begin.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

gint64 kymo_ideal_network_ns (const KymoAsk *ask);

G_END_DECLS
