/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "answer-of-run.h"

#include "kymo-run-source.h"

/** answer_of_run: Returns: (transfer full): what the run answers; a refusal ends the test */
KymoTable *
answer_of_run (KymoRun      *run,
               KymoQuestion *question,
               guint         n_threads)
{
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, n_threads);
  g_autoptr (GError) error = NULL;
  KymoTable *answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);

  g_assert_no_error (error);
  return answer;
}
