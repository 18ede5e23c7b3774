/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hog KIND: a foreign process that takes something until it is ended: `spin` a processor, `cache`
 * the caches, `bandwidth` that of memory, `leak` memory, up to 256 MiB.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
copy_always (size_t bytes)
{
  char *a = malloc (bytes), *b = malloc (bytes);

  if (a == NULL || b == NULL)
    exit (9);
  memset (a, 1, bytes);
  for (;;)
    {
      memcpy (b, a, bytes);
      memcpy (a, b, bytes);
      __asm__ volatile ("" : : "r" (a), "r" (b) : "memory");
    }
}

static void
leak_always (void)
{
  for (int i = 0; i < 256; i++)
    {
      char *bytes = malloc (1 << 20);

      if (bytes != NULL)
        memset (bytes, i, 1 << 20);
      __asm__ volatile ("" : : "r" (bytes) : "memory");
      usleep (5000);
    }
  for (;;)
    pause ();
}

int
main (int    argc,
      char **argv)
{
  const char *kind = argc > 1 ? argv[1] : "spin";

  if (strcmp (kind, "cache") == 0)
    copy_always (256 << 10);
  if (strcmp (kind, "bandwidth") == 0)
    copy_always (64 << 20);
  if (strcmp (kind, "leak") == 0)
    leak_always ();
  for (volatile unsigned long n = 0;; n++)
    ;
}
