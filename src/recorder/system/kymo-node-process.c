/* kymo-node-process.c: samples of the processes that are recorded on a node
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-node-folder.h"
#include "kymo-node-sampler.h"

/* The start time of a process, in the words behind its name. */
#define COLUMN_BEGIN 19
#define TEXT_BYTES 8192

typedef struct
{
  KymoNodeSampler *sampler;
  KymoNodeProcess *process;
  char scope[64];
  char resource[32];
  KymoNodeValues values;        /* of all threads */
  const KymoNodeForm *form;
} Finding;

static void
put_values (KymoNodeWord resource, const KymoNodeValues *values, void *data)
{
  *(KymoNodeValues *) data = *values;
}

static ssize_t
read_file (const KymoNodeSampler *sampler, pid_t pid, const char *name, char *text)
{
  char path[128];

  snprintf (path, sizeof path, "/proc/%ld/%s", (long) pid, name);
  return kymo_node_read (sampler->root, path, text, TEXT_BYTES);
}

static bool
find_begin (const KymoNodeSampler *sampler, pid_t pid, uint64_t *begin)
{
  char text[TEXT_BYTES];
  ssize_t length = read_file (sampler, pid, "stat", text);
  const char *end = length > 0 ? memrchr (text, ')', (size_t) length) : NULL;
  KymoNodeWord line, word;

  if (end == NULL)
    return false;
  line = kymo_node_word (end + 1, (size_t) (text + length - end - 1));
  for (int i = 0; i <= COLUMN_BEGIN; i++)
    if (!kymo_node_next_word (&line, &word))
      return false;
  return kymo_node_number (word, begin);
}

/** kymo_node_sampler_add: samples the process @pid, too, from the next sample on, until it ends;
 * @own if it is the one that samples. Does nothing if it is known or gone. */
void
kymo_node_sampler_add (KymoNodeSampler *sampler, pid_t pid, bool own)
{
  KymoNodeProcess *process;
  uint64_t begin;

  for (unsigned i = 0; i < sampler->n_processes; i++)
    if (sampler->processes[i].pid == pid)
      return;
  if (sampler->n_processes == KYMO_NODE_MOST_PROCESSES || !find_begin (sampler, pid, &begin))
    return;
  process = &sampler->processes[sampler->n_processes++];
  memset (process, 0, sizeof *process);
  process->pid = pid;
  process->begin = begin;
  process->own = own;
}

/* Numbers that a thread told, as what they grew since the last sample. */
static void
add_thread (Finding *finding, pid_t tid, const KymoNodeValues *now)
{
  KymoNodeProcess *process = finding->process;
  KymoNodeThread *thread = NULL;

  for (unsigned i = 0; i < process->n_threads && thread == NULL; i++)
    if (process->threads[i].tid == tid)
      thread = &process->threads[i];
  if (thread == NULL && process->n_threads < KYMO_NODE_MOST_THREADS)
    {
      thread = &process->threads[process->n_threads++];
      *thread = (KymoNodeThread) { .tid = tid };
    }
  if (thread == NULL)
    {
      if (!process->said)
        kymo_node_sampler_lost (finding->sampler, "threads",
                                "a process has more threads than are sampled");
      process->said = true;
      return;
    }
  for (unsigned i = 0; i < 5; i++)
    {
      if (now->values[i] > thread->last[i])
        process->sums[i] += now->values[i] - thread->last[i];
      thread->last[i] = now->values[i];
    }
  finding->values.present |= now->present;
}

static void
read_thread (const char *name, void *data)
{
  Finding *finding = data;
  KymoNodeValues now = { .present = 0 }, schedule = { .present = 0 }, switches = { .present = 0 };
  KymoNodeForm keyed = kymo_node_process_schedule;
  char text[TEXT_BYTES], file[64];
  pid_t tid = (pid_t) strtol (name, NULL, 10);
  ssize_t length;

  if (tid <= 0)
    return;
  snprintf (file, sizeof file, "task/%ld/schedstat", (long) tid);
  length = read_file (finding->sampler, finding->process->pid, file, text);
  kymo_node_parse_numbers (&kymo_node_process_schedule,
                           kymo_node_word (text, length > 0 ? (size_t) length : 0), put_values,
                           &schedule);
  /* The last two members have keys and stand in another file. */
  keyed.members += 3;
  keyed.n_members -= 3;
  snprintf (file, sizeof file, "task/%ld/status", (long) tid);
  length = read_file (finding->sampler, finding->process->pid, file, text);
  kymo_node_parse_keyed (&keyed, kymo_node_word (text, length > 0 ? (size_t) length : 0),
                         put_values, &switches);
  now.present = (schedule.present & 7) | switches.present << 3;
  memcpy (now.values, schedule.values, 3 * sizeof now.values[0]);
  memcpy (now.values + 3, switches.values, 2 * sizeof now.values[0]);
  add_thread (finding, tid, &now);
}

static void
sample_threads (Finding *finding)
{
  char path[64];

  snprintf (path, sizeof path, "/proc/%ld/task", (long) finding->process->pid);
  finding->values.present = 0;
  kymo_node_folder_walk (finding->sampler->root, path, read_thread, finding);
  memcpy (finding->values.values, finding->process->sums, sizeof finding->process->sums);
  if (finding->values.present != 0)
    kymo_node_sampler_tell (finding->sampler, &kymo_node_process_schedule, finding->scope,
                            kymo_node_word (finding->resource, strlen (finding->resource)),
                            &finding->values);
}

static void
sample_file (Finding *finding, const KymoNodeForm *form, const char *name)
{
  char text[TEXT_BYTES];
  KymoNodeValues values = { .present = 0 };
  ssize_t length = read_file (finding->sampler, finding->process->pid, name, text);

  if (length > 0)
    form->parse (form, kymo_node_word (text, (size_t) length), put_values, &values);
  if (values.present == 0)
    return;
  if (form == &kymo_node_process_io)
    {
      finding->sampler->own_read += values.values[4];
      finding->sampler->own_written += values.values[5];
    }
  kymo_node_sampler_tell (finding->sampler, form, finding->scope,
                          kymo_node_word (finding->resource, strlen (finding->resource)), &values);
}

/** kymo_node_sampler_processes: tells what the processes did, and forgets those that ended. */
void
kymo_node_sampler_processes (KymoNodeSampler *sampler)
{
  sampler->own_read = sampler->own_written = 0;
  for (unsigned i = 0; i < sampler->n_processes;)
    {
      KymoNodeProcess *process = &sampler->processes[i];
      Finding finding = { .sampler = sampler, .process = process };
      uint64_t begin;

      if (!find_begin (sampler, process->pid, &begin) || begin != process->begin)
        {
          *process = sampler->processes[--sampler->n_processes];
          continue;
        }
      snprintf (finding.resource, sizeof finding.resource, "%ld", (long) process->pid);
      snprintf (finding.scope, sizeof finding.scope, process->own ? "process" : "process %ld",
                (long) process->pid);
      sample_threads (&finding);
      sample_file (&finding, &kymo_node_process_stat, "stat");
      sample_file (&finding, &kymo_node_process_status, "status");
      sample_file (&finding, &kymo_node_process_io, "io");
      i++;
    }
}
