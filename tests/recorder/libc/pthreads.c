/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that end in every way: by returning, pthread_exit () and pthread_cancel (); some are
 * detached, one creates another, one has a name.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t met;

static void *
return_value (void *data)
{
  pthread_setname_np (pthread_self (), "named");
  return data;
}

static __attribute__ ((noreturn)) void *
leave_early (void *data)
{
  pthread_exit (data);
}

static void *
wait_forever (void *data)
{
  pthread_barrier_wait (&met);
  while (data != NULL)
    pause ();
  return NULL;
}

static void *
be_detached (void *data)
{
  pthread_barrier_wait (&met);
  return NULL;
}

static void *
create_another (void *data)
{
  pthread_t inner;
  void *value;

  if (pthread_create (&inner, NULL, return_value, data) != 0
      || pthread_join (inner, &value) != 0 || value != data)
    abort ();
  return data;
}

int
main (void)
{
  void *(*const functions[]) (void *) = { return_value, leave_early, wait_forever,
                                          create_another, return_value };
  pthread_t ids[5], detached;
  void *value;
  int data;

  pthread_barrier_init (&met, NULL, 2);
  for (int i = 0; i < 5; i++)
    {
      if (pthread_create (&ids[i], NULL, functions[i], &data) != 0)
        return 9;
      if (i == 2)
        {
          pthread_barrier_wait (&met);
          pthread_cancel (ids[i]);
        }
      if (pthread_join (ids[i], &value) != 0 || value != (i == 2 ? PTHREAD_CANCELED : &data))
        return 9;
    }
  if (pthread_create (&detached, NULL, be_detached, NULL) != 0 || pthread_detach (detached) != 0)
    return 9;
  pthread_barrier_wait (&met);
  usleep (100000);              /* it may end in the meantime, or not: both are well */
  puts ("7 threads");
  return 0;
}
