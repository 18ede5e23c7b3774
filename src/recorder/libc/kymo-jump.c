/* kymo-jump.c: jumps out of functions that are recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An error handler of MPI or a signal handler may leave by longjmp(), and the wrapper around it
 * never ends. Where the jump goes stands in its buffer, in the way of glibc on x86-64; elsewhere,
 * and where that way is not found to be the known one, kymo_rec_begin() learns of a jump when a
 * frame lies above the wrapper's.
 */

#include <setjmp.h>
#include <stdlib.h>

#include "kymo-rec.h"

#define EXPORTED __attribute__ ((visibility ("default")))
#if defined (__x86_64__) && defined (__GLIBC__) && !defined (__ILP32__)
#define CAN_READ_STACK 1
#else
#define CAN_READ_STACK 0
#endif
#define STACK_WORD 6            /* of the buffer on x86-64 */
#define MOST_AWAY 65536

enum { LONG, LONG_PLAIN, LONG_SIGNAL, LONG_CHECKED, N_JUMPS };

typedef void Jump (struct __jmp_buf_tag *buffer, int value);

static const char *const names[N_JUMPS] = { "longjmp", "_longjmp", "siglongjmp",
                                            "__longjmp_chk" };
static Jump *nexts[N_JUMPS];
static bool knows_stack;

/* Where the stack of a jump ends. The buffer has it rotated, and mixed with a word that is secret
 * to the process. */
static uintptr_t
stack_of (const struct __jmp_buf_tag *buffer)
{
#if CAN_READ_STACK
  uintptr_t word = (uintptr_t) buffer->__jmpbuf[STACK_WORD], secret;

  __asm__ ("mov %%fs:0x30, %0" : "=r" (secret));
  return (word >> 17 | word << 47) ^ secret;
#else
  return 0;
#endif
}

static _Noreturn void
jump (unsigned which, struct __jmp_buf_tag *buffer, int value)
{
  if (knows_stack)
    kymo_rec_jump (stack_of (buffer));
  if (nexts[which] == NULL)
    nexts[which] = (Jump *) kymo_rec_next_symbol (names[which]);
  if (nexts[which] != NULL)
    nexts[which] (buffer, value);
  abort ();
}

/* Under other names, which the headers do not change. */
#define JUMP(function, name, which) \
  EXPORTED _Noreturn void function (struct __jmp_buf_tag *buffer, int value) __asm__ (name); \
  void function (struct __jmp_buf_tag *buffer, int value) { jump (which, buffer, value); }

JUMP (kymo_jump_long, "longjmp", LONG)
JUMP (kymo_jump_plain, "_longjmp", LONG_PLAIN)
JUMP (kymo_jump_signal, "siglongjmp", LONG_SIGNAL)
JUMP (kymo_jump_checked, "__longjmp_chk", LONG_CHECKED)

/* A handler may jump at any time: the functions are found before. */
static __attribute__ ((constructor)) void
find_jumps (void)
{
  jmp_buf here;
  uintptr_t frame = (uintptr_t) __builtin_frame_address (0);

  for (unsigned i = 0; i < N_JUMPS; i++)
    nexts[i] = (Jump *) kymo_rec_next_symbol (names[i]);
  if (CAN_READ_STACK && _setjmp (here) == 0)
    {
      uintptr_t stack = stack_of (here);
      knows_stack = stack <= frame && frame - stack < MOST_AWAY;
    }
}
