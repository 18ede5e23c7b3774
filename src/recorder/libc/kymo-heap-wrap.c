/* kymo-heap-wrap.c: wrappers of allocations; a library of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations are made long before any constructor runs, and dlsym () may
 * allocate itself: what is asked for while the next functions are looked up
 * comes from a small piece of static memory, which is never given back.
 */

#define __NO_INLINE__ 1
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kymo-heap.h"

#define WRAPPER __attribute__ ((visibility ("default")))
#define CALLER (caller != NULL ? caller : __builtin_return_address (0))
#define EARLY_BYTES (64 << 10)

#pragma weak kymo_record_allocated
#pragma weak kymo_record_freed

/* The operators of C++, by the names that their compilers give them. */
void *_Znwm (size_t bytes);
void *_Znam (size_t bytes);
void *_ZnwmRKSt9nothrow_t (size_t bytes, const void *tag);
void *_ZnamRKSt9nothrow_t (size_t bytes, const void *tag);
void *_ZnwmSt11align_val_t (size_t bytes, size_t alignment);
void *_ZnamSt11align_val_t (size_t bytes, size_t alignment);

typedef struct
{
  void *(*malloc) (size_t);
  void *(*calloc) (size_t, size_t);
  void *(*realloc) (void *, size_t);
  void (*free) (void *);
  int (*posix_memalign) (void **, size_t, size_t);
  void *(*aligned_alloc) (size_t, size_t);
  void *(*memalign) (size_t, size_t);
  void *(*valloc) (size_t);
  void *(*pvalloc) (size_t);
  void *(*mmap) (void *, size_t, int, int, int, off_t);
  void *(*mmap64) (void *, size_t, int, int, int, off64_t);
  int (*munmap) (void *, size_t);
} Next;

static Next next;
static bool found;
static __thread bool finding __attribute__ ((tls_model ("initial-exec")));
/* Who called an operator of C++, which allocates for it. */
static __thread const void *caller __attribute__ ((tls_model ("initial-exec")));
static _Alignas (64) char early[EARLY_BYTES];
static size_t early_used;

static void *
take_early (size_t bytes, size_t alignment)
{
  size_t before = __atomic_load_n (&early_used, __ATOMIC_RELAXED), begin, size;

  do
    {
      /* The size stands before the block, for realloc (). */
      begin = (before + sizeof size + alignment - 1) & ~(alignment - 1);
      if (bytes > EARLY_BYTES || begin > EARLY_BYTES - bytes)
        {
          errno = ENOMEM;
          return NULL;
        }
    }
  while (!__atomic_compare_exchange_n (&early_used, &before, begin + bytes, true,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  size = bytes;
  memcpy (early + begin - sizeof size, &size, sizeof size);
  return early + begin;
}

static bool
is_early (const void *block)
{
  return (const char *) block >= early && (const char *) block < early + EARLY_BYTES;
}

static void
find_next (void)
{
  Next all;

  finding = true;
#define FIND(name) all.name = (__typeof__ (all.name)) dlsym (RTLD_NEXT, #name)
  FIND (malloc);
  FIND (calloc);
  FIND (realloc);
  FIND (free);
  FIND (posix_memalign);
  FIND (aligned_alloc);
  FIND (memalign);
  FIND (valloc);
  FIND (pvalloc);
  FIND (mmap);
  FIND (mmap64);
  FIND (munmap);
#undef FIND
  next = all;
  __atomic_store_n (&found, true, __ATOMIC_RELEASE);
  finding = false;
}

/* Whether the next functions can be called; if not, we are being asked by what looks them up. */
static inline bool
has_next (void)
{
  if (__builtin_expect (__atomic_load_n (&found, __ATOMIC_ACQUIRE), 1))
    return true;
  if (finding)
    return false;
  find_next ();
  return true;
}

static inline void *
tell_allocated (void *block, size_t bytes, const void *from)
{
  if (kymo_record_allocated != NULL)
    kymo_record_allocated (block, bytes, from);
  return block;
}

static inline size_t
tell_freed (void *block, const void **from)
{
  return kymo_record_freed != NULL ? kymo_record_freed (block, from) : 0;
}

WRAPPER void *
malloc (size_t bytes)
{
  if (!has_next ())
    return take_early (bytes, 16);
  return tell_allocated (next.malloc (bytes), bytes, CALLER);
}

WRAPPER void *
calloc (size_t n, size_t bytes)
{
  size_t all;

  if (__builtin_mul_overflow (n, bytes, &all))
    {
      errno = ENOMEM;
      return NULL;
    }
  if (!has_next ())
    return take_early (all, 16);        /* static memory is zero */
  return tell_allocated (next.calloc (n, bytes), all, CALLER);
}

WRAPPER void
free (void *block)
{
  if (block == NULL || is_early (block) || !has_next ())
    return;
  tell_freed (block, NULL);
  next.free (block);
}

/* A block of the early memory moves to the heap. */
static void *
move_early (const void *block, size_t bytes, const void *from)
{
  void *moved = has_next () ? next.malloc (bytes) : take_early (bytes, 16);
  size_t before;

  if (moved == NULL)
    return NULL;
  memcpy (&before, (const char *) block - sizeof before, sizeof before);
  memcpy (moved, block, before < bytes ? before : bytes);
  return is_early (moved) ? moved : tell_allocated (moved, bytes, from);
}

/* The old block may be another thread's as soon as it is given back, so it is forgotten before. */
static void *
change_block (void *block, size_t bytes, const void *from)
{
  const void *before_from = NULL;
  size_t before;
  void *changed;

  if (is_early (block))
    return move_early (block, bytes, from);
  if (!has_next ())
    return take_early (bytes, 16);
  before = tell_freed (block, &before_from);
  changed = next.realloc (block, bytes);
  if (changed != NULL)
    return tell_allocated (changed, bytes, from);
  if (bytes > 0 && before_from != NULL)
    tell_allocated (block, before, before_from);
  return NULL;
}

WRAPPER void *
realloc (void *block, size_t bytes)
{
  return change_block (block, bytes, CALLER);
}

WRAPPER void *
reallocarray (void *block, size_t n, size_t bytes)
{
  size_t all;

  if (__builtin_mul_overflow (n, bytes, &all))
    {
      errno = ENOMEM;
      return NULL;
    }
  return change_block (block, all, CALLER);
}

WRAPPER int
posix_memalign (void **block, size_t alignment, size_t bytes)
{
  int result;

  if (!has_next ())
    {
      *block = take_early (bytes, alignment);
      return *block != NULL ? 0 : ENOMEM;
    }
  result = next.posix_memalign (block, alignment, bytes);
  if (result == 0)
    tell_allocated (*block, bytes, CALLER);
  return result;
}

WRAPPER void *
aligned_alloc (size_t alignment, size_t bytes)
{
  if (!has_next ())
    return take_early (bytes, alignment);
  return tell_allocated (next.aligned_alloc (alignment, bytes), bytes, CALLER);
}

WRAPPER void *
memalign (size_t alignment, size_t bytes)
{
  if (!has_next ())
    return take_early (bytes, alignment);
  return tell_allocated (next.memalign (alignment, bytes), bytes, CALLER);
}

WRAPPER void *
valloc (size_t bytes)
{
  if (!has_next ())
    return take_early (bytes, 4096);
  return tell_allocated (next.valloc (bytes), bytes, CALLER);
}

WRAPPER void *
pvalloc (size_t bytes)
{
  if (!has_next ())
    return take_early (bytes, 4096);
  return tell_allocated (next.pvalloc (bytes), bytes, CALLER);
}

/* Memory that a program maps itself; files are no part of the heap. */
#define WRAP_MAP(name, Offset)                                                  \
  WRAPPER void *                                                               \
  name (void *where, size_t bytes, int protection, int flags, int fd, Offset offset) \
  {                                                                            \
    void *block;                                                               \
                                                                               \
    if (!has_next ())                                                          \
      {                                                                        \
        errno = ENOMEM;                                                        \
        return MAP_FAILED;                                                     \
      }                                                                        \
    block = next.name (where, bytes, protection, flags, fd, offset);           \
    if (block != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_FIXED) == 0) \
      tell_allocated (block, bytes, CALLER);                                   \
    return block;                                                              \
  }

WRAP_MAP (mmap, off_t)
WRAP_MAP (mmap64, off64_t)

/* What is left of a mapping of which a part at its begin was given back keeps its call site. */
WRAPPER int
munmap (void *block, size_t bytes)
{
  const void *from = NULL;
  size_t before, given = (bytes + (size_t) getpagesize () - 1) & ~((size_t) getpagesize () - 1);
  int result;

  if (!has_next ())
    return 0;
  before = tell_freed (block, &from);
  result = next.munmap (block, bytes);
  if (from != NULL && result != 0)
    tell_allocated (block, before, from);
  else if (from != NULL && before > given)
    tell_allocated ((char *) block + given, before - given, from);
  return result;
}

/* An exception may leave an operator. */
static void
forget_caller (const void **before)
{
  caller = *before;
}

#define OPERATOR(name, parameters, arguments, type)             \
  WRAPPER void *                                                \
  name parameters                                               \
  {                                                             \
    static type function;                                       \
    __attribute__ ((cleanup (forget_caller))) const void *before = caller; \
                                                                \
    if (function == NULL)                                       \
      function = (type) dlsym (RTLD_NEXT, #name);               \
    if (caller == NULL)                                         \
      caller = __builtin_return_address (0);                    \
    return function arguments;                                  \
  }

typedef void *(*Plain) (size_t);
typedef void *(*Tagged) (size_t, const void *);
typedef void *(*Aligned) (size_t, size_t);

OPERATOR (_Znwm, (size_t bytes), (bytes), Plain)
OPERATOR (_Znam, (size_t bytes), (bytes), Plain)
OPERATOR (_ZnwmRKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag), Tagged)
OPERATOR (_ZnamRKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag), Tagged)
OPERATOR (_ZnwmSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment), Aligned)
OPERATOR (_ZnamSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment), Aligned)
