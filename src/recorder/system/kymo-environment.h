/* kymo-environment.h: what surrounds a program that is recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * docs/formats/environment.md says what is written. Everything that is read
 * stands behind a root, which is "" but in tests. Nothing here runs a program,
 * waits for a network, or changes anything but the file that is written.
 */

#pragma once

#include "kymo-env-ini.h"

/* What only the caller knows. All texts are borrowed and may be NULL. */
typedef struct
{
  const char *version;          /* of Kymo */
  const char *library;          /* MPI: "Open MPI", "MPICH", "none" */
  const char *library_version;
  const char *thread_level;
  const char *job;              /* the launcher's id */
  int rank;                     /* -1: none */
  int ranks;                    /* 0: no MPI */
} KymoEnvFacts;

void kymo_env_run (KymoEnvIni *ini, const char *root, const KymoEnvFacts *facts);
void kymo_env_node (KymoEnvIni *ini, const char *root, const char *version);
void kymo_env_process (KymoEnvIni *ini, const char *root, int rank);
bool kymo_env_save (const KymoEnvIni *ini, const char *path);

/* The parts. */
void kymo_env_machine (KymoEnvIni *ini, const char *root);
void kymo_env_mounts (KymoEnvIni *ini, const char *root);
void kymo_env_program (KymoEnvIni *ini, const char *root, const KymoEnvFacts *facts);
void kymo_env_variables (KymoEnvIni *ini, char *const *variables);
void kymo_env_libraries (KymoEnvIni *ini);
void kymo_env_limits (KymoEnvIni *ini);
void kymo_env_git (KymoEnvIni *ini, const char *root, const char *folder);
void kymo_env_arguments (KymoEnvIni *ini, KymoNodeWord bytes);
bool kymo_env_build_id (const void *notes, size_t length, char *id, size_t size);
void kymo_env_executable (KymoEnvIni *ini, const void *bytes, size_t length);
