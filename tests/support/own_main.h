/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many test programs in one: each file has a main() of its own, and own_main.c calls the one it
 * is asked for. What all of them include is compiled once, and one program is linked instead of
 * a hundred. The build puts this header before each of these files, and before no other.
 */
#ifndef OWN_MAIN_H
#define OWN_MAIN_H

#include <gio/gio.h>

/** OwnMain: main() of a file */
typedef int (*OwnMain) (int    argc,
                        char **argv);

void own_main_add (const char *file,
                   OwnMain     own_main);

#ifndef OWN_MAIN_ITSELF
static int own_main (int argc, char **argv);

/* What stands where a file has main(): it is known by the name of the file. */
#define main(...)                                         \
  own_main (__VA_ARGS__);                                 \
  static void __attribute__ ((constructor))               \
  own_main_known (void)                                   \
  {                                                       \
    own_main_add (__BASE_FILE__, own_main);               \
  }                                                       \
  int own_main (__VA_ARGS__)
#endif
#endif
