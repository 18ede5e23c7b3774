/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How actions hang together with the rest of the recorder: hooks, messages of the tree, and the
 * helper thread of rank 0.
 */
#include <locale.h>
#include <stdlib.h>

#include "kymo-act-order.h"
#include "kymo-act-socket.h"
#include "kymo-live.h"
#include "kymo-rec.h"

_Static_assert (KYMO_ACT_MOST_CLIENTS + 1 <= KYMO_LIVE_GUEST_FDS, "descriptors of the guest");

/* Numbers of the protocol have a point, whatever the program's locale says. */
static void
start_guest (uint32_t n_processes)
{
  locale_t plain = newlocale (LC_ALL_MASK, "C", NULL);

  if (plain != NULL)
    uselocale (plain);
  kymo_act_root_start (n_processes);
  kymo_act_socket_open (n_processes);
}

static void
do_guest_work (void)
{
  kymo_act_root_work ();
  kymo_act_socket_work ();
}

static const KymoLiveGuest guest = { start_guest, kymo_act_socket_poll, do_guest_work,
                                     kymo_act_socket_is_busy, kymo_act_socket_close };

/* Rank 0 waits for the others, whose parts come up the tree. */
static void
end_actions (void)
{
  if (kymo_live_is_wanted () && kymo_live_rank () == 0)
    kymo_act_root_finish ();
  kymo_act_end_work ();
}

/* Before the hooks of the live view, which end the tree. */
static __attribute__ ((constructor (199))) void
add_hooks (void)
{
  kymo_live_on (KYMO_LIVE_ORDER, kymo_act_take_order);
  kymo_live_on (KYMO_LIVE_ANSWER, kymo_act_take_answer);
  kymo_live_on (KYMO_LIVE_LOST, kymo_act_take_lost);
  kymo_live_set_guest (&guest);
  kymo_rec_at_end (end_actions);
}
