/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * <kymo-record.h>: what a program can tell kymo-record while it is recorded.
 *
 *     #include <kymo-record.h>
 *
 *     kymo_record_off ();
 *     read_input ();
 *     kymo_record_on ();
 *     for (int step = 0; step < n_steps; step++)
 *       {
 *         if (step % 100 == 0)
 *           kymo_record_marker ("hundred steps");
 *
 * Compile with -DKYMO_RECORD. Without it nothing of this is compiled, and arguments are not
 * evaluated. With it the program needs no library and runs by itself as before: the functions are
 * looked up when they are first called, and do nothing where kymo-record is not there.
 *
 * Any thread may call. C99 or later, C++.
 */
#ifndef KYMO_RECORD_H
#define KYMO_RECORD_H

#ifdef KYMO_RECORD

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1 is a function that is not there. */
static inline void *
kymo_record_look_up_ (void **kept, const char *name)
{
  void *function = __atomic_load_n (kept, __ATOMIC_ACQUIRE);

  if (function == NULL)
    {
      /* NULL is RTLD_DEFAULT: whatever is loaded. */
      function = dlsym (NULL, name);
      if (function == NULL)
        function = (void *) 1;
      __atomic_store_n (kept, function, __ATOMIC_RELEASE);
    }
  return function != (void *) 1 ? function : NULL;
}

/**
 * kymo_record_marker: sets a marker at this moment, which Kymo shows with its text.
 * @text: copied, at most 200 bytes of it; a program should have few different ones
 */
static inline void
kymo_record_marker (const char *text)
{
  static void *kept;
  void (*function) (const char *);

  *(void **) (&function) = kymo_record_look_up_ (&kept, "kymo_recorder_marker");
  if (function != NULL)
    function (text);
}

/* Recording goes on or off in this process. */
static inline void
kymo_record_turn_ (int on)
{
  static void *kept;
  void (*function) (int);

  *(void **) (&function) = kymo_record_look_up_ (&kept, "kymo_recorder_turn");
  if (function != NULL)
    function (on);
}

/**
 * kymo_record_off: nothing more is recorded of this process. All functions end here, for the
 * calling thread; for any other with its next call that would be recorded. What is begun before and
 * ends while recording is off, or is begun then, is not known later.
 */
static inline void
kymo_record_off (void)
{
  kymo_record_turn_ (0);
}

/**
 * kymo_record_on: recording goes on. Functions in which a thread is then begin with its next call
 * that is recorded.
 */
static inline void
kymo_record_on (void)
{
  kymo_record_turn_ (1);
}

#ifdef __cplusplus
}
#endif

#else

#define kymo_record_marker(text) ((void) 0)
#define kymo_record_off() ((void) 0)
#define kymo_record_on() ((void) 0)

#endif
#endif
