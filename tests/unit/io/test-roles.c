/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules that give names their roles.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-roles.h"

static KymoRole
role_in (KymoRun    *run,
         const char *name)
{
  for (guint i = 0; i < run->activities->len; i++)
    if (g_str_equal (kymo_run_peek_activity (run, i)->name, name))
      return kymo_run_peek_activity (run, i)->role;
  g_assert_not_reached ();
}

static KymoRun *
run_with_roles (void)
{
  KymoRun *run = kymo_run_new ();

  kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 0, "MPI_Wait", NULL, NULL);
  for (guint i = 0; i < 2; i++)
    {
      KymoActivityKind kind = i == 0 ? KYMO_ACTIVITY_EVENT : KYMO_ACTIVITY_FUNCTION;

      kymo_run_add_activity (run, kind, 1, "AMPI_Barrier", NULL, NULL);
      kymo_run_add_activity (run, kind, 2, "AMPI_Waitall", NULL, NULL);
      kymo_run_add_activity (run, kind, 3, "MPI_File_open", NULL, NULL);
      kymo_run_add_activity (run, kind, 4, "PMPI_Init_thread", NULL, NULL);
      kymo_run_add_activity (run, kind, 5, "MPI_Send", NULL, NULL);
      kymo_run_add_activity (run, kind, 6, "!$omp barrier @3", NULL, NULL);
      kymo_run_add_activity (run, kind, 7, "my own", NULL, NULL);
      kymo_run_add_activity (run, kind, 8, "MPI_Barrier()", NULL, NULL);
      kymo_run_add_activity (run, kind, 9, "MPI_Waitall (int, void *)", NULL, NULL);
    }
  kymo_roles_apply (run, NULL);
  return run;
}

/* NULL takes them away. */
static void
write_rules (const char *text)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "kymo", NULL);
  g_autofree char *path = g_build_filename (folder, "roles.conf", NULL);

  if (text == NULL)
    {
      g_unlink (path);
      g_rmdir (folder);
      return;
    }
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_built_in (void)
{
  write_rules (NULL);
  g_autoptr (KymoRun) run = run_with_roles ();

  g_assert_cmpint (role_in (run, "MPI_Wait"), ==, KYMO_ROLE_COMPUTE);
  g_assert_cmpint (role_in (run, "AMPI_Barrier"), ==, KYMO_ROLE_SYNCHRONIZATION);
  g_assert_cmpint (role_in (run, "AMPI_Waitall"), ==, KYMO_ROLE_WAIT);
  g_assert_cmpint (role_in (run, "MPI_File_open"), ==, KYMO_ROLE_IO);
  g_assert_cmpint (role_in (run, "PMPI_Init_thread"), ==, KYMO_ROLE_RUNTIME);
  g_assert_cmpint (role_in (run, "MPI_Send"), ==, KYMO_ROLE_COMMUNICATION);
  g_assert_cmpint (role_in (run, "!$omp barrier @3"), ==, KYMO_ROLE_SYNCHRONIZATION);
  g_assert_cmpint (role_in (run, "my own"), ==, KYMO_ROLE_COMPUTE);
  g_assert_cmpint (role_in (run, "MPI_Barrier()"), ==, KYMO_ROLE_SYNCHRONIZATION);
  g_assert_cmpint (role_in (run, "MPI_Waitall (int, void *)"), ==, KYMO_ROLE_WAIT);
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 0);
}

static void
test_own (void)
{
  write_rules ("# mine\n\nwait\tmy *\nio MPI_S?nd\n");
  g_autoptr (KymoRun) run = run_with_roles ();

  g_assert_cmpint (role_in (run, "my own"), ==, KYMO_ROLE_WAIT);
  g_assert_cmpint (role_in (run, "MPI_Send"), ==, KYMO_ROLE_IO);
  g_assert_cmpint (role_in (run, "AMPI_Barrier"), ==, KYMO_ROLE_COMPUTE);
}

static void
test_malformed (void)
{
  static const char *const bad[] = { "wait\n", "wait a*\nplay b*\n", "\xff\n" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      write_rules (bad[i]);
      g_autoptr (KymoRun) run = run_with_roles ();

      g_assert_cmpint (role_in (run, "AMPI_Barrier"), ==, KYMO_ROLE_SYNCHRONIZATION);
      g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 1);
      g_assert_cmpint (kymo_report_peek_issue (run->report, 0)->severity, ==,
                       KYMO_SEVERITY_NOTE);
    }
}

static void
test_bad_line (void)
{
  guint line = 0;

  g_assert_null (kymo_roles_parse ("io x\nwait\n", 10, &line));
  g_assert_cmpuint (line, ==, 2);
  g_assert_null (kymo_roles_parse ("io\0x", 4, &line));
}

/* What the dialog does with the text of the rules. */
static void
test_edited (void)
{
  gboolean own = TRUE;
  g_autofree char *built_in = NULL, *first = NULL, *second = NULL, *kept = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRun) after = NULL;
  g_autoptr (GError) error = NULL;

  write_rules (NULL);
  built_in = kymo_roles_dup_rules (&own);
  g_assert_false (own);
  g_assert_nonnull (strstr (built_in, "*MPI_Barrier"));
  first = kymo_roles_with (built_in, "my own", KYMO_ROLE_IO);
  second = kymo_roles_with (first, "my own", KYMO_ROLE_RUNTIME);
  g_assert_true (g_str_has_prefix (second, "runtime my own\n"));
  g_assert_null (strstr (second, "io my own"));
  g_assert_cmpuint (strlen (second), ==, strlen (built_in) + strlen ("runtime my own\n"));
  g_assert_true (kymo_roles_save_rules (second, &error));
  g_assert_no_error (error);
  kept = kymo_roles_dup_rules (&own);
  g_assert_true (own);
  g_assert_cmpstr (kept, ==, second);
  run = run_with_roles ();
  g_assert_cmpint (role_in (run, "my own"), ==, KYMO_ROLE_RUNTIME);
  g_assert_cmpint (role_in (run, "MPI_Send"), ==, KYMO_ROLE_COMMUNICATION);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (kymo_roles_save_rules (NULL, &error));
      g_assert_no_error (error);
    }
  after = run_with_roles ();
  g_assert_cmpint (role_in (after, "my own"), ==, KYMO_ROLE_COMPUTE);
  write_rules (NULL);
}

int
main (int    argc,
      char **argv)
{
  /* Not G_TEST_OPTION_ISOLATE_DIRS: it leaks in GLib 2.74. */
  g_autofree char *config = g_dir_make_tmp ("kymo-roles-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roles/built-in", test_built_in);
  g_test_add_func ("/roles/own", test_own);
  g_test_add_func ("/roles/malformed", test_malformed);
  g_test_add_func ("/roles/bad-line", test_bad_line);
  g_test_add_func ("/roles/edited", test_edited);
  status = g_test_run ();
  write_rules (NULL);
  g_rmdir (config);
  return status;
}
