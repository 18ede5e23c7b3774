/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions to a run that a test made.
 */
#pragma once

#include "kymo-question.h"
#include "kymo-run.h"

KymoTable *answer_of_run (KymoRun      *run,
                          KymoQuestion *question,
                          guint         n_threads);
