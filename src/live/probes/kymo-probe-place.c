/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-probe-place.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-allocation.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-run-environment.h"

/* Groups of environment.ini. */
#define GROUP_FILE "Kymo Environment"
#define GROUP_COMMAND "Command"
#define GROUP_PLACEMENT "Placement"
#define GROUP_SYSTEM "System"

#define MOST_BYTES (2 << 20)
#define MOST_NODES 16384
#define MOST_RANKS 10000000
/* On a processor of this host: a folder may say anything. */
#define MOST_CROWD 32

/**
 * kymo_probe_place_free:
 *
 * Frees @place. %NULL is ignored.
 */
void
kymo_probe_place_free (KymoProbePlace *place)
{
  if (place == NULL)
    return;
  g_free (place->launcher);
  g_free (place->mpi);
  g_ptr_array_unref (place->hosts);
  g_array_unref (place->counts);
  g_free (place);
}

/* -- what the folder tells --------------------------------------------------------- */

static guint
count_ranks (const char *path)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;
  guint n = 0;

  if (!kymo_input_load_key_file (file, path, MOST_BYTES, G_KEY_FILE_NONE, NULL))
    return 0;
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    n += g_str_has_prefix (groups[i], "Process ")
      && g_key_file_has_key (file, groups[i], "rank", NULL);
  return n;
}

static void
add_node (KymoProbePlace *place,
          const char     *name,
          guint           n_ranks)
{
  g_ptr_array_add (place->hosts, g_strdup (name));
  g_array_append_val (place->counts, n_ranks);
}

/* Each node has a file of its name. */
static void
add_nodes (KymoProbePlace *place,
           const char     *folder)
{
  g_autofree char *path = g_build_filename (folder, "environment", NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL && place->hosts->len < MOST_NODES)
    if (g_str_has_suffix (name, ".ini"))
      {
        g_autofree char *file = g_build_filename (path, name, NULL);
        g_autofree char *host = g_strndup (name, strlen (name) - strlen (".ini"));

        add_node (place, host, count_ranks (file));
      }
}

/* (transfer full): a text of the file, or what stands for it */
static char *
dup_text (GKeyFile   *file,
          const char *group,
          const char *key)
{
  char *text = g_key_file_get_string (file, group, key, NULL);

  return text != NULL ? text : g_strdup ("none");
}

/**
 * kymo_probe_place_new:
 * @folder: of a run
 *
 * Returns: (transfer full) (nullable): where it was; %NULL with an error where its environment does
 *   not tell
 */
KymoProbePlace *
kymo_probe_place_new (const char  *folder,
                      GError     **error)
{
  g_autofree char *path = g_build_filename (folder, KYMO_ENVIRONMENT_FILE, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (KymoProbePlace) place = NULL;
  g_autofree char *host = NULL;
  int n_ranks;

  if (!kymo_input_load_key_file (file, path, MOST_BYTES, G_KEY_FILE_NONE, NULL)
      || g_key_file_get_integer (file, GROUP_FILE, "version", NULL) != 1)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("its folder has no environment.ini, which tells where it was"));
      return NULL;
    }
  place = g_new0 (KymoProbePlace, 1);
  place->hosts = g_ptr_array_new_with_free_func (g_free);
  place->counts = g_array_new (FALSE, FALSE, sizeof (guint));
  place->launcher = dup_text (file, GROUP_COMMAND, "launcher");
  place->mpi = dup_text (file, "MPI", "library");
  n_ranks = g_key_file_get_integer (file, GROUP_PLACEMENT, "ranks", NULL);
  place->n_ranks = (guint) CLAMP (n_ranks, 1, MOST_RANKS);
  add_nodes (place, folder);
  host = g_key_file_get_string (file, GROUP_SYSTEM, "host", NULL);
  if (place->hosts->len == 0 && host != NULL)
    add_node (place, host, place->n_ranks);
  if (place->hosts->len > 0)
    return g_steal_pointer (&place);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       _("its environment names no host"));
  return NULL;
}

/* -- how to get there -------------------------------------------------------------- */

/**
 * kymo_probe_place_reach:
 * @place: (inout): hosts get the names that the job writes
 *
 * Looks whether the nodes of the run are those of the batch job that this program is in or,
 * without a job, this host.
 *
 * Returns: FALSE with an error that names the first node that cannot be reached
 */
gboolean
kymo_probe_place_reach (KymoProbePlace  *place,
                        GError         **error)
{
  g_autoptr (GPtrArray) job = kymo_allocation_dup_hosts ();
  g_autoptr (GPtrArray) here = g_ptr_array_new ();

  place->is_job = job != NULL;
  g_ptr_array_add (here, (gpointer) g_get_host_name ());
  for (guint i = 0; i < place->hosts->len; i++)
    {
      const char *host = kymo_allocation_find (job != NULL ? job : here, place->hosts->pdata[i]);
      g_autofree char *valid = NULL;

      if (host != NULL)
        {
          char *old = place->hosts->pdata[i];

          place->hosts->pdata[i] = g_strdup (host);
          g_free (old);
          continue;
        }
      valid = g_utf8_make_valid (place->hosts->pdata[i], -1);
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, job != NULL
                   ? _("it ran on %s, which is no node of this job")
                   : _("it ran on %s, and this is another host and no job with that node"), valid);
      return FALSE;
    }
  return TRUE;
}

/* "a:2,b:2", or "a,b" without numbers. */
static char *
join_hosts (const KymoProbePlace *place,
            gboolean              with_counts)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < place->hosts->len; i++)
    {
      guint n = g_array_index (place->counts, guint, i);

      g_string_append_printf (list, "%s%s", i > 0 ? "," : "", (char *) place->hosts->pdata[i]);
      if (with_counts && n > 0)
        g_string_append_printf (list, ":%u", n);
    }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static void
take_word (GPtrArray *words,
           char      *word)
{
  g_ptr_array_add (words, word);
}

/* The first of these programs that is there. */
static gboolean
add_program (GPtrArray         *words,
             const char *const *names,
             GError           **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      char *path = g_find_program_in_path (names[i]);

      if (path != NULL)
        {
          take_word (words, path);
          return TRUE;
        }
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, _("%s is not in PATH"), names[0]);
  return FALSE;
}

static gboolean
add_slurm (GPtrArray      *words,
           KymoProbePlace *place,
           GError        **error)
{
  static const char *const names[] = { "srun", NULL };

  if (!place->is_job)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("srun started it, and this is no job"));
      return FALSE;
    }
  if (!add_program (words, names, error))
    return FALSE;
  take_word (words, g_strdup_printf ("--nodes=%u", place->hosts->len));
  take_word (words, g_strdup_printf ("--ntasks=%u", place->n_ranks));
  take_word (words, g_strdup ("--nodelist"));
  take_word (words, join_hosts (place, FALSE));
  return TRUE;
}

static gboolean
add_mpi (GPtrArray      *words,
         KymoProbePlace *place,
         GError        **error)
{
  static const char *const openmpi[] = { "mpirun.openmpi", "mpirun", NULL };
  static const char *const mpich[] = { "mpirun.mpich", "mpiexec.hydra", "mpirun", NULL };
  gboolean is_openmpi = g_str_equal (place->mpi, "Open MPI");

  if (!is_openmpi && !g_str_equal (place->mpi, "MPICH"))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("how it was launched is not known"));
      return FALSE;
    }
  if (!place->is_job && place->n_ranks > MOST_CROWD * g_get_num_processors ())
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("%u ranks are too many for this host"), place->n_ranks);
      return FALSE;
    }
  if (!add_program (words, is_openmpi ? openmpi : mpich, error))
    return FALSE;
  take_word (words, g_strdup ("-n"));
  take_word (words, g_strdup_printf ("%u", place->n_ranks));
  if (place->is_job)
    {
      take_word (words, g_strdup (is_openmpi ? "--host" : "-hosts"));
      take_word (words, join_hosts (place, TRUE));
    }
  else if (is_openmpi && place->n_ranks > g_get_num_processors ())
    take_word (words, g_strdup ("--oversubscribe"));
  if (is_openmpi && geteuid () == 0)
    take_word (words, g_strdup ("--allow-run-as-root"));
  return TRUE;
}

/**
 * kymo_probe_place_dup_launch:
 * @place: that was reached
 *
 * Returns: (transfer full) (nullable): the launcher with its arguments, for a program behind them;
 *   empty where the run needed none; %NULL with an error where it is not there
 */
char **
kymo_probe_place_dup_launch (KymoProbePlace  *place,
                             GError         **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  gboolean is_alone = g_str_equal (place->launcher, "none")
    || (g_str_equal (place->mpi, "none") && place->n_ranks == 1);

  if (is_alone && place->is_job && !g_str_equal (place->hosts->pdata[0], g_get_host_name ()))
    is_alone = FALSE;
  if (!is_alone && !(g_str_equal (place->launcher, "Slurm") ? add_slurm (words, place, error)
                     : add_mpi (words, place, error)))
    return NULL;
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_steal (words, NULL);
}
