/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile of this process until now, from the sums of the live view, as TAU writes it: one file
 * a thread. Runs on a thread of its own.
 */
#include <errno.h>
#include <inttypes.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-act-order.h"
#include "kymo-archive-pool.h"
#include "kymo-live-bins.h"
#include "kymo-rec-inner.h"

typedef struct
{
  const char *folder;
  uint32_t rank;
  int64_t thread;               /* whose lines are in `text`; -1: nobody's */
  unsigned n_lines;
  KymoArchiveBytes text;
  bool has_failed;
} Profile;

static void
write_thread (Profile *profile)
{
  char path[KYMO_SYS_MOST_PATH + 128], head[128];

  if (profile->thread < 0)
    return;
  snprintf (path, sizeof path, "%s/profile.%u.0.%d", profile->folder, profile->rank,
            (int) profile->thread);
  int n = snprintf (head, sizeof head, "%u templated_functions_MULTI_TIME\n"
                    "# Name Calls Subrs Excl Incl ProfileCalls #\n", profile->n_lines);
  kymo_archive_bytes_print (&profile->text, "0 aggregates\n0 userevents\n");
  int fd = kymo_sys_open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (fd < 0 || profile->text.failed || !kymo_sys_write (fd, head, (size_t) n)
      || !kymo_sys_write (fd, (const char *) profile->text.at, profile->text.n))
    profile->has_failed = true;
  if (fd >= 0)
    kymo_sys_close (fd);
  profile->text.n = 0;
  profile->n_lines = 0;
}

static const char *
group_of (int role,
          int paradigm)
{
  if (paradigm == OTF2_PARADIGM_MPI)
    return "MPI";
  return role == OTF2_REGION_ROLE_FILE_IO || role == OTF2_REGION_ROLE_FILE_IO_METADATA
         ? "TAU_IO" : "TAU_USER";
}

static void
add_region (uint32_t            thread,
            uint32_t            region,
            const KymoLiveSums *sums,
            void               *data)
{
  Profile *profile = data;
  const char *found;
  char name[512];
  int role, paradigm;

  if (profile->thread != thread)
    {
      write_thread (profile);
      profile->thread = thread;
    }
  if (!kymo_rec_region_look (region, &found, &role, &paradigm))
    return;
  snprintf (name, sizeof name, "%s", found);
  for (char *at = name; *at != '\0'; at++)
    if (*at == '"' || (unsigned char) *at < 32)
      *at = '\'';
  uint64_t exclusive = kymo_rec_ticks_to_ns (sums->exclusive);
  uint64_t inclusive = kymo_rec_ticks_to_ns (sums->inclusive);
  /* What was open when the two were read may have got a little longer between. */
  inclusive = inclusive < exclusive ? exclusive : inclusive;
  kymo_archive_bytes_print (&profile->text, "\"%s\" %" PRIu64 " %" PRIu64 " %" PRIu64 ".%03u %"
                            PRIu64 ".%03u 0 GROUP=\"%s\"\n", name, sums->calls, sums->subcalls,
                            exclusive / 1000, (unsigned) (exclusive % 1000), inclusive / 1000,
                            (unsigned) (inclusive % 1000), group_of (role, paradigm));
  profile->n_lines++;
}

/**
 * kymo_act_profile: writes the profile of this process.
 * @folder: made if need be; its parent exists
 * @rank: of this process
 * @words: (out): KYMO_ACT_MOST_WORDS bytes: why it failed
 *
 * Returns: FALSE if it cannot be written
 */
bool
kymo_act_profile (const char *folder,
                  uint32_t    rank,
                  char       *words)
{
  Profile profile = { .folder = folder, .rank = rank, .thread = -1 };

  kymo_sys_mkdir (folder);
  kymo_live_profile (add_region, &profile);
  write_thread (&profile);
  kymo_archive_bytes_clear (&profile.text);
  words[0] = '\0';
  if (profile.has_failed)
    snprintf (words, KYMO_ACT_MOST_WORDS, "cannot write its profile (%s)", strerror (errno));
  return !profile.has_failed;
}
