/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fixed work quanta: the same short work again and again on all ranks at the same time. What a
 * quantum takes beyond the shortest one, something else took.
 */
#include "kymo-probe.h"

#define QUANTUM_NS 100000
#define TRIALS 50

static volatile uint64_t sink;

/* Work that touches no memory and that no compiler shortens. */
static uint64_t
work_ns (uint64_t n_steps)
{
  uint64_t begin_ns = kymo_probe_now (), x = begin_ns | 1;

  for (uint64_t i = 0; i < n_steps; i++)
    {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
  sink = x;
  return kymo_probe_now () - begin_ns;
}

static uint64_t
least_of_trials (uint64_t n_steps)
{
  uint64_t least = UINT64_MAX;

  for (int i = 0; i < TRIALS; i++)
    {
      uint64_t ns = work_ns (n_steps);

      least = ns < least ? ns : least;
    }
  return least;
}

/* How many steps a quantum has. */
static uint64_t
find_steps (void)
{
  uint64_t n_steps = 1000, ns = least_of_trials (n_steps);

  return ns > 0 ? n_steps * QUANTUM_NS / ns + 1 : n_steps * 100;
}

/**
 * kymo_probe_noise: measures how much of the time of the calling rank others take.
 * @share_ns: how long
 */
void
kymo_probe_noise (KymoProbe *probe,
                  uint64_t   share_ns)
{
  KymoProbeRank *own = &probe->own;
  uint64_t n_steps = find_steps (), least = UINT64_MAX, most = 0, sum = 0, n = 0, end_ns;

  kymo_probe_barrier ();
  end_ns = kymo_probe_now () + share_ns;
  do
    {
      uint64_t ns = work_ns (n_steps);

      least = ns < least ? ns : least;
      most = ns > most ? ns : most;
      sum += ns;
      n++;
    }
  while (kymo_probe_now () < end_ns);
  own->n_quanta = n;
  own->quantum_ns = least;
  own->gap_ns = most - least;
  own->noise_ppm = (uint64_t) ((double) (sum - n * least) / (double) sum * 1e6 + 0.5);
}
