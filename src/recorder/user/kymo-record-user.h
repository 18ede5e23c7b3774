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
 *
 * With kymo-record --live the person who watches the program can act on it. The program registers
 * what may be changed, and says when:
 *
 *     kymo_record_real ("time step", &dt, 1e-6, 1e-2, KYMO_RECORD_TOGETHER);
 *     kymo_record_action ("balance load now", balance, &mesh, KYMO_RECORD_TOGETHER);
 *     for (int step = 0; step < n_steps; step++)
 *       {
 *         kymo_record_poll ();
 *         advance (dt);
 *         if (step % 1000 == 999)
 *           {
 *             write_checkpoint ();
 *             if (kymo_record_checkpoint ())
 *               break;
 *
 * All processes register the same. Values are changed and functions called inside
 * kymo_record_poll() alone, on the thread that calls it, in the same order on all processes. With
 * KYMO_RECORD_TOGETHER this happens in the same call of all processes, counted from the first:
 * each process then calls kymo_record_poll() as often as the others, from one thread, and the
 * function may communicate. At most 64 can be registered; names have at most 63 bytes.
 */
#ifndef KYMO_RECORD_H
#define KYMO_RECORD_H

#define KYMO_RECORD_TOGETHER 1u

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

/**
 * kymo_record_integer: registers a number that may be changed.
 * @name: that the person sees, without “:”
 * @value: where it is; stays there
 * @least, @most: the range
 * @flags: 0 or KYMO_RECORD_TOGETHER
 */
static inline void
kymo_record_integer (const char *name, long long *value, long long least, long long most,
                     unsigned flags)
{
  static void *kept;
  void (*function) (const char *, long long *, long long, long long, unsigned);

  *(void **) (&function) = kymo_record_look_up_ (&kept, "kymo_recorder_integer");
  if (function != NULL)
    function (name, value, least, most, flags);
}

/**
 * kymo_record_real: as kymo_record_integer().
 */
static inline void
kymo_record_real (const char *name, double *value, double least, double most, unsigned flags)
{
  static void *kept;
  void (*function) (const char *, double *, double, double, unsigned);

  *(void **) (&function) = kymo_record_look_up_ (&kept, "kymo_recorder_real");
  if (function != NULL)
    function (name, value, least, most, flags);
}

/**
 * kymo_record_choice: registers a choice of words.
 * @value: the place of the chosen one, from 0
 * @words: such as "jacobi|multigrid"; at most 255 bytes
 */
static inline void
kymo_record_choice (const char *name, int *value, const char *words, unsigned flags)
{
  static void *kept;
  void (*function) (const char *, int *, const char *, unsigned);

  *(void **) (&function) = kymo_record_look_up_ (&kept, "kymo_recorder_choice");
  if (function != NULL)
    function (name, value, words, flags);
}

/**
 * kymo_record_action: registers a function that may be called.
 * @function: called inside kymo_record_poll()
 * @data: for it
 */
static inline void
kymo_record_action (const char *name, void (*function) (void *data), void *data, unsigned flags)
{
  static void *kept;
  void (*recorder) (const char *, void (*) (void *), void *, unsigned);

  *(void **) (&recorder) = kymo_record_look_up_ (&kept, "kymo_recorder_action");
  if (recorder != NULL)
    recorder (name, function, data, flags);
}

/**
 * kymo_record_on_checkpoint: registers what writes a checkpoint.
 * @function: called inside kymo_record_poll(), in the same call of all processes. With @ends the
 *   program is to end afterwards.
 * @data: for it
 */
static inline void
kymo_record_on_checkpoint (void (*function) (int ends, void *data), void *data)
{
  static void *kept;
  void (*recorder) (void (*) (int, void *), void *);

  *(void **) (&recorder) = kymo_record_look_up_ (&kept, "kymo_recorder_on_checkpoint");
  if (recorder != NULL)
    recorder (function, data);
}

static inline int
kymo_record_point_ (int is_checkpoint)
{
  static void *kept;
  int (*function) (int);

  *(void **) (&function) = kymo_record_look_up_ (&kept, "kymo_recorder_point");
  return function != NULL ? function (is_checkpoint) : 0;
}

/**
 * kymo_record_poll: a safe point, once in each step. A few nanoseconds where nothing was asked for.
 * While another process has still to be asked it waits, for some milliseconds.
 *
 * Returns: 1 if something was done, else 0
 */
static inline int
kymo_record_poll (void)
{
  return kymo_record_point_ (0);
}

/**
 * kymo_record_checkpoint: the program has just written a checkpoint. All processes call it equally
 * often.
 *
 * Returns: 1 if the person asks for the program to end here, on all processes in the same call;
 *   else 0
 */
static inline int
kymo_record_checkpoint (void)
{
  return kymo_record_point_ (1);
}

#ifdef __cplusplus
}
#endif

#else

#define kymo_record_marker(text) ((void) 0)
#define kymo_record_off() ((void) 0)
#define kymo_record_on() ((void) 0)
/* Arguments are named without being evaluated, so that nobody warns of what is not used. */
#define kymo_record_integer(name, value, least, most, flags) ((void) sizeof (value))
#define kymo_record_real(name, value, least, most, flags) ((void) sizeof (value))
#define kymo_record_choice(name, value, words, flags) ((void) sizeof (value))
#define kymo_record_action(name, function, data, flags) \
  ((void) sizeof (&*(function)), (void) sizeof (data))
#define kymo_record_on_checkpoint(function, data) \
  ((void) sizeof (&*(function)), (void) sizeof (data))

static inline int
kymo_record_poll (void)
{
  return 0;
}

static inline int
kymo_record_checkpoint (void)
{
  return 0;
}

#endif
#endif
