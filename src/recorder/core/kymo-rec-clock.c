/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock of the process. The time-stamp counter is used only where the processor says that it
 * runs at a constant rate in all states and the kernel has found the counters of all cores in step
 * (it uses them as its own clock source then).
 */
#include "kymo-rec-inner.h"

#include <string.h>

static uint64_t first_ticks, first_ns;  /* one moment on both clocks */
static double ns_per_tick;

/**
 * kymo_rec_monotonic_ns: CLOCK_MONOTONIC in nanoseconds.
 */
uint64_t
kymo_rec_monotonic_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

#if defined (__x86_64__)
/* Whether a file begins with a word, or has it between blanks in its first bytes. */
static bool
file_has_word (const char *path,
               const char *word)
{
  char text[6144];
  int fd = kymo_sys_open (path, O_RDONLY, 0);
  long n = fd >= 0 ? kymo_sys_read (fd, text, sizeof text - 1) : -1;
  size_t length = strlen (word);

  if (fd >= 0)
    kymo_sys_close (fd);
  text[n > 0 ? n : 0] = '\0';
  for (const char *at = text; (at = strstr (at, word)) != NULL; at += length)
    if ((at == text || at[-1] <= ' ') && at[length] <= ' ')
      return true;
  return false;
}
#endif

/**
 * kymo_rec_clock_is_tsc: whether rdtsc is a clock here. Reads two small files.
 */
bool
kymo_rec_clock_is_tsc (void)
{
#if defined (__x86_64__)
  return file_has_word ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc")
         && file_has_word ("/proc/cpuinfo", "constant_tsc")
         && file_has_word ("/proc/cpuinfo", "nonstop_tsc");
#else
  return false;
#endif
}

/**
 * kymo_rec_clock_read_both: one moment on both clocks: of a few tries the one counts that was least
 * interrupted.
 * @ticks: (out): of kymo_rec_now()
 * @ns: (out): of CLOCK_MONOTONIC
 */
void
kymo_rec_clock_read_both (uint64_t *ticks,
                          uint64_t *ns)
{
  uint64_t best = UINT64_MAX;

  for (int i = 0; i < 8; i++)
    {
      uint64_t before = kymo_rec_now (), its_ns = kymo_rec_monotonic_ns ();
      uint64_t after = kymo_rec_now ();
      if (after - before < best)
        {
          best = after - before;
          *ticks = before + (after - before) / 2;
          *ns = its_ns;
        }
    }
}

/**
 * kymo_rec_clock_learn: finds out how long a tick is, the better the later it is called.
 */
void
kymo_rec_clock_learn (void)
{
  uint64_t ns, ticks;

  if (!kymo_rec_page->tsc)
    {
      ns_per_tick = 1;
      return;
    }
  kymo_rec_clock_read_both (&ticks, &ns);
  if (first_ns == 0)
    {
      first_ns = ns;
      first_ticks = ticks;
    }
  else if (ticks > first_ticks && ns > first_ns)
    ns_per_tick = (double) (ns - first_ns) / (double) (ticks - first_ticks);
}

/**
 * kymo_rec_clock_watched_ns: how long the clock has been watched to learn its rate.
 */
uint64_t
kymo_rec_clock_watched_ns (void)
{
  if (!kymo_rec_page->tsc)
    return UINT64_MAX;
  return first_ns != 0 ? kymo_rec_monotonic_ns () - first_ns : 0;
}

/**
 * kymo_rec_ticks_to_ns:
 * @ticks: a length of time in ticks
 *
 * Returns: about as many nanoseconds
 */
uint64_t
kymo_rec_ticks_to_ns (uint64_t ticks)
{
  if (ns_per_tick == 0)
    kymo_rec_clock_learn ();
  return (uint64_t) ((double) ticks * ns_per_tick);
}

/**
 * kymo_rec_define_clock: writes what all clocks show now into the definitions. Of a few tries
 * the one counts that was least interrupted.
 */
void
kymo_rec_define_clock (void)
{
  uint64_t best = UINT64_MAX, ticks = 0, mono_ns = 0, real_ns = 0;

  for (int i = 0; i < 8; i++)
    {
      struct timespec real;
      uint64_t before = kymo_rec_now ();
      uint64_t ns = kymo_rec_monotonic_ns ();
      uint64_t after = kymo_rec_now ();
      clock_gettime (CLOCK_REALTIME, &real);
      if (after - before < best)
        {
          best = after - before;
          ticks = before + (after - before) / 2;
          mono_ns = ns;
          real_ns = (uint64_t) real.tv_sec * 1000000000 + (uint64_t) real.tv_nsec;
        }
    }
  kymo_rec_define ("clock", "sUUU", kymo_rec_page->tsc ? "tsc" : "monotonic", ticks, mono_ns,
                   real_ns);
  kymo_rec_clock_learn ();
}
