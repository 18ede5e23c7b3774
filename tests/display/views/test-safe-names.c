/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of a run that hold ESC, a C1 control, a bidirectional override and a line break: no
 * label, tooltip, entry or title in any view has them as they are.
 */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "kymo-run-source.h"
#include "kymo-safe-text.h"
#include "program.h"
#include "run_desk.h"
#include "wait_for.h"

/* What a file may hold. Lines that the window makes stay lines; this break would be none of
   them. */
#define BREAK "break\nhere"
#define UNSAFE "\033[31m\302\2332J\342\200\256"
#define EVIL UNSAFE BREAK

static GHashTable *told;        /* texts that were complained of */

static void
spoil (char **name)
{
  char *with = g_strconcat (*name != NULL ? *name : "", EVIL, NULL);

  g_free (*name);
  *name = with;
}

static void
add_definitions (KymoRun *run)
{
  KymoMarkerKind kind = { g_strdup ("tool" EVIL), g_strdup ("marker" EVIL), KYMO_MARKER_HIGH };
  KymoMarker marker = { 20000, 20000, 0, KYMO_SCOPE_RUN, -1, g_strdup ("text" EVIL) };

  run->definitions = kymo_definitions_new ();
  g_array_append_val (run->definitions->marker_kinds, kind);
  g_array_append_val (run->definitions->markers, marker);
}

static KymoSource *
new_source (void)
{
  g_autoptr (KymoRun) run = NULL;
  Program p;

  program_init (&p, 3);
  for (guint i = 0; i < 3; i++)
    program_begin (&p, i, 0, PROGRAM_MAIN);
  program_call (&p, 0, PROGRAM_SEND, 10000, 30000, 1, -1);
  program_call (&p, 1, PROGRAM_RECV, 10000, 40000, -1, 0);
  program_call (&p, 2, PROGRAM_SOLVE, 50000, 70000, -1, -1);
  run = program_end (&p, 100000);
  for (guint i = 0; i < run->activities->len; i++)
    {
      KymoActivity *activity = &g_array_index (run->activities, KymoActivity, i);

      spoil (&activity->name);
      spoil (&activity->signature);
      spoil (&activity->group);
      spoil (&activity->file);
    }
  for (guint i = 0; i < run->locations->len; i++)
    spoil (&g_array_index (run->locations, KymoLocation, i).label);
  spoil (&run->title);
  /* Of values lines stay: they may be many. */
  kymo_run_add_fact (run, "program", "value" UNSAFE);
  kymo_run_add_fact (run, "key" EVIL, "value" UNSAFE);
  kymo_report_add (run->report, "file" EVIL, KYMO_SEVERITY_NOTE, 1, -1, "made %s", "up" EVIL);
  add_definitions (run);
  return KYMO_SOURCE (kymo_run_source_new (run, 1));
}

static void
check_text (const char *what,
            const char *text)
{
  g_autoptr (GString) kept = g_string_new (NULL);

  if (text == NULL)
    return;
  kymo_safe_text_append (kept, text, -1, "\n\t");
  if ((strcmp (kept->str, text) == 0 && strstr (text, BREAK) == NULL)
      || !g_hash_table_add (told, g_strdup (text)))
    return;
  g_test_message ("%s%s: %s", strcmp (kept->str, text) != 0 ? "unsafe, " : "line break, ",
                  what, kept->str);
  g_test_fail ();
}

/* Below a widget, whether it is to be seen now or not. */
static void
check_below (GtkWidget *widget)
{
  const char *tip = gtk_widget_get_tooltip_text (widget);

  check_text ("tooltip", tip);
  if (GTK_IS_LABEL (widget))
    check_text (G_OBJECT_TYPE_NAME (gtk_widget_get_parent (widget)),
                gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_ACCESSIBLE (widget) && ADW_IS_PREFERENCES_ROW (widget))
    check_text ("row", adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_below (child);
}

static gboolean
check_picture (Desk *desk, KymoCanvas *canvas)
{
  check_below (desk->window);
  return TRUE;
}

static void
open_evil (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoTable) info = NULL;

  desk->source = new_source ();
  info = desk_ask (desk->source, "info", NULL, NULL);
  desk->session = kymo_session_new (desk->source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  desk->window = desk_present (GTK_WIDGET (desk->view), 1500, 900);
  desk_settle (desk);
}

static void
test_views (Desk *desk, gconstpointer data)
{
  g_autoptr (GHashTable) plots = NULL;

  kymo_session_set_block (desk->session, 1, 20000);
  plots = desk_each_picture (desk, check_picture);
  g_assert_cmpuint (g_hash_table_size (plots), >, 5);
  check_below (desk->window);
}

int
main (int argc, char **argv)
{
  int status;

  desk_init (&argc, &argv);
  told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_test_add ("/safe-names/views", Desk, NULL, open_evil, test_views, desk_close);
  status = g_test_run ();
  g_hash_table_unref (told);
  return status;
}
