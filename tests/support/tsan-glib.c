/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tells ThreadSanitizer of GLib's locks, which are made of system calls that it
 * does not see: without, all that they protect looks like a race, and with
 * races suppressed wherever GLib is on the stack none is found at all. Not part
 * of any build:
 *
 *   meson setup build-tsan -Db_sanitize=thread -Db_lundef=false -Dgui=disabled
 *   gcc -fsanitize=thread -shared -fPIC -o tsan-glib.so tests/support/tsan-glib.c \
 *     $(pkg-config --cflags --libs glib-2.0)
 *   TSAN_OPTIONS="suppressions=tests/tsan.supp report_mutex_bugs=0" \
 *   G_SLICE=always-malloc \
 *   LD_PRELOAD="libtsan.so.2 ./tsan-glib.so" build-tsan/tests/unit/test-team
 *
 * Each function calls GLib's of the same name; what a thread did before it lets
 * go of a lock happens before what another does after taking it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* The function itself, also where a macro of the same name stands before it. */
#define GLIB(type, name, ...) ((type (*) (__VA_ARGS__)) dlsym (RTLD_NEXT, #name))

/* All pools together. */
static int pushed, worked;

void
g_mutex_lock (GMutex *mutex)
{
  GLIB (void, g_mutex_lock, GMutex *) (mutex);
  __tsan_acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  gboolean locked = GLIB (gboolean, g_mutex_trylock, GMutex *) (mutex);

  if (locked)
    __tsan_acquire (mutex);
  return locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  __tsan_release (mutex);
  GLIB (void, g_mutex_unlock, GMutex *) (mutex);
}

void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  __tsan_release (mutex);
  GLIB (void, g_cond_wait, GCond *, GMutex *) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end_us)
{
  gboolean signalled;

  __tsan_release (mutex);
  signalled = GLIB (gboolean, g_cond_wait_until, GCond *, GMutex *, gint64) (cond, mutex, end_us);
  __tsan_acquire (mutex);
  return signalled;
}

void
(g_pointer_bit_lock) (volatile void *address,
                      gint           bit)
{
  GLIB (void, g_pointer_bit_lock, volatile void *, gint) (address, bit);
  __tsan_acquire ((void *) address);
}

void
(g_pointer_bit_unlock) (volatile void *address,
                        gint           bit)
{
  __tsan_release ((void *) address);
  GLIB (void, g_pointer_bit_unlock, volatile void *, gint) (address, bit);
}

gboolean
(g_once_init_enter) (volatile void *location)
{
  gboolean first = GLIB (gboolean, g_once_init_enter, volatile void *) (location);

  __tsan_acquire ((void *) location);
  return first;
}

void
(g_once_init_leave) (volatile void *location,
                     gsize          value)
{
  __tsan_release ((void *) location);
  GLIB (void, g_once_init_leave, volatile void *, gsize) (location, value);
}

gboolean
(g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  gboolean last;

  __tsan_release (count);
  last = GLIB (gboolean, g_atomic_ref_count_dec, gatomicrefcount *) (count);
  __tsan_acquire (count);
  return last;
}

typedef struct
{
  GFunc    func;
  gpointer data;
} Work;

static void
run (gpointer item,
     gpointer data)
{
  Work *work = data;

  __tsan_acquire (&pushed);
  work->func (item, work->data);
  __tsan_release (&worked);
}

/* The Work is never freed: a pool may outlive its g_thread_pool_free(). */
GThreadPool *
g_thread_pool_new (GFunc      func,
                   gpointer   data,
                   gint       most_threads,
                   gboolean   exclusive,
                   GError   **error)
{
  Work *work = g_new (Work, 1);

  *work = (Work) { func, data };
  return GLIB (GThreadPool *, g_thread_pool_new, GFunc, gpointer, gint, gboolean, GError **)
           (run, work, most_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool  *pool,
                    gpointer      item,
                    GError      **error)
{
  __tsan_release (&pushed);
  return GLIB (gboolean, g_thread_pool_push, GThreadPool *, gpointer, GError **) (pool, item,
                                                                                 error);
}

void
g_thread_pool_free (GThreadPool *pool,
                    gboolean     immediate,
                    gboolean     wait)
{
  GLIB (void, g_thread_pool_free, GThreadPool *, gboolean, gboolean) (pool, immediate, wait);
  __tsan_acquire (&worked);
}

/* Idle sources and timeouts: what a thread did before it attached one happens
   before what is done when it is due. Other sources have callbacks of other
   kinds and are left as they are. */
typedef struct
{
  GSource        *source;
  GSourceFunc     func;
  gpointer        data;
  GDestroyNotify  notify;
} Call;

static gboolean
call (gpointer data)
{
  Call *call = data;

  __tsan_acquire (call);
  __tsan_acquire (call->source);
  return call->func (call->data);
}

static void
call_free (gpointer data)
{
  Call *call = data;

  __tsan_acquire (call);
  __tsan_acquire (call->source);
  if (call->notify != NULL)
    call->notify (call->data);
  free (call);
}

void
g_source_set_callback (GSource        *source,
                       GSourceFunc     func,
                       gpointer        data,
                       GDestroyNotify  notify)
{
  if (source->source_funcs == &g_idle_funcs || source->source_funcs == &g_timeout_funcs)
    {
      Call *wrapped = malloc (sizeof *wrapped);

      *wrapped = (Call) { source, func, data, notify };
      __tsan_release (wrapped);
      func = call;
      data = wrapped;
      notify = call_free;
    }
  GLIB (void, g_source_set_callback, GSource *, GSourceFunc, gpointer, GDestroyNotify)
    (source, func, data, notify);
}

guint
g_source_attach (GSource      *source,
                 GMainContext *context)
{
  __tsan_release (source);
  return GLIB (guint, g_source_attach, GSource *, GMainContext *) (source, context);
}

guint
g_idle_add_full (gint            priority,
                 GSourceFunc     func,
                 gpointer        data,
                 GDestroyNotify  notify)
{
  GSource *source = g_idle_source_new ();
  guint id;

  g_source_set_priority (source, priority);
  g_source_set_callback (source, func, data, notify);
  id = g_source_attach (source, NULL);
  g_source_unref (source);
  return id;
}

void
g_async_queue_push (GAsyncQueue *queue,
                    gpointer     item)
{
  __tsan_release (queue);
  GLIB (void, g_async_queue_push, GAsyncQueue *, gpointer) (queue, item);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer item = GLIB (gpointer, g_async_queue_pop, GAsyncQueue *) (queue);

  __tsan_acquire (queue);
  return item;
}
