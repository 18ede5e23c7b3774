/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-application-options.h.
 */
#include "config.h"

#include "kymo-application-options.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "kymo-application-start.h"
#include "kymo-attach-dialog.h"
#include "kymo-place.h"
#include "kymo-remote-address.h"
#include "kymo-safe-text.h"
#include "kymo-settings.h"
#include "kymo-view-groups.h"

/* As kymo-cli has it. */
#define EXIT_USAGE 2

/* A path or an address may hold anything. */
static void
tell_error (const GError *error)
{
  g_autofree char *safe = kymo_safe_text_dup (error->message);

  g_printerr ("kymo: %s\n", safe);
}

/* Hands an action over to the process that runs already, if there is one:
   then this one is done. -1 to go on, or the exit status. */
static int
hand_over (GApplication *application, const char *action, GVariant *parameter)
{
  g_autoptr (GVariant) owned = parameter != NULL
                               ? g_variant_ref_sink (parameter) : NULL;
  g_autoptr (GError) error = NULL;

  if (!kymo_application_register (application, &error))
    {
      tell_error (error);
      return EXIT_FAILURE;
    }
  if (g_application_get_is_remote (application))
    return kymo_application_hand_action (application, action, owned);
  g_action_group_activate_action (G_ACTION_GROUP (application), action, owned);
  return -1;
}

static char *
dup_path_option (GVariantDict *options, const char *name)
{
  g_autofree char *path = NULL;

  if (!g_variant_dict_lookup (options, name, "^ay", &path))
    return g_strdup ("");
  return kymo_place_dup_full (path);
}

static int
attach_by_options (GApplication *application, GVariantDict *options)
{
  g_autofree char *address = NULL, *through = NULL;
  g_autofree char *key_file = dup_path_option (options, "key");
  g_autofree char *names = dup_path_option (options, "names");
  g_autoptr (KymoAttachChoice) choice = NULL;
  g_autoptr (KymoCcsTarget) target = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_dict_lookup (options, "attach", "s", &address);
  g_variant_dict_lookup (options, "through", "s", &through);
  choice = kymo_attach_choice_new (address, through, key_file, names);
  target = kymo_attach_choice_parse (choice, &error);
  if (target == NULL)
    {
      tell_error (error);
      return EXIT_USAGE;
    }
  return hand_over (application, "attach-with", g_variant_new_bytestring_array (
    (const char *const[]) { choice->address, choice->through,
                            choice->key_file, choice->names }, 4));
}

static int
replay_by_option (GApplication *application, GVariantDict *options)
{
  g_autofree char *path = dup_path_option (options, "replay");
  g_autofree char *text = kymo_settings_encode_path (path);

  return hand_over (application, "replay-file", g_variant_new_string (text));
}

/* The paths that follow the options, from where the program was started. */
static GStrv
dup_paths (GVariantDict *options)
{
  g_auto (GStrv) given = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_variant_dict_lookup (options, G_OPTION_REMAINING, "^aay", &given);
  for (guint i = 0; given != NULL && given[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (given[i]);
      g_autofree char *path = kymo_remote_is_address (given[i]) ? g_strdup (given[i])
                              : g_file_get_path (file);

      if (path != NULL)
        g_strv_builder_add (builder, path);
    }
  return g_strv_builder_end (builder);
}

static int
compare_by_option (GApplication *application, GVariantDict *options)
{
  g_auto (GStrv) paths = dup_paths (options);

  if (g_strv_length (paths) < 2)
    {
      g_printerr ("kymo: %s\n", _("--compare takes two runs or more"));
      return EXIT_USAGE;
    }
  return hand_over (application, "compare", g_variant_new_bytestring_array (
    (const char *const *) paths, -1));
}

/* A GFile would change the bytes of an address.
   Returns: -1 to go on, or the exit status */
static int
open_addresses (GApplication *application, char **given)
{
  int status = -1;

  for (guint i = 0; given != NULL && given[i] != NULL && status <= 0; i++)
    if (kymo_remote_is_address (given[i]))
      status = hand_over (application, "open-address", g_variant_new_bytestring (given[i]));
  return status;
}

/* As GApplication does it where it is not told of an option for what remains. */
static int
open_by_option (GApplication *application, GVariantDict *options)
{
  g_auto (GStrv) given = NULL;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  int status;

  g_variant_dict_lookup (options, G_OPTION_REMAINING, "^aay", &given);
  status = open_addresses (application, given);
  for (guint i = 0; given != NULL && given[i] != NULL; i++)
    if (!kymo_remote_is_address (given[i]))
      g_ptr_array_add (files, g_file_new_for_commandline_arg (given[i]));
  if (status > 0 || (status == 0 && files->len == 0))
    return status;
  /* Started by the bus, which has the name for it. */
  if (given == NULL && (g_application_get_flags (application) & G_APPLICATION_IS_SERVICE) != 0)
    return -1;
  if (!kymo_application_register (application, &error))
    {
      tell_error (error);
      return EXIT_FAILURE;
    }
  if (g_application_get_is_remote (application))
    return kymo_application_hand_open (application, files);
  if (files->len > 0)
    g_application_open (application, (GFile **) files->pdata, files->len, "");
  return -1;
}

/* Returns: -1 to go on, or the exit status */
static int
choose_view (GApplication *application, GVariantDict *options)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  const char *view;
  int status;

  if (!g_variant_dict_lookup (options, "view", "&s", &view))
    return -1;
  if (kymo_view_find (view) == NULL)
    {
      g_autofree char *safe = kymo_safe_text_dup (view);

      for (const KymoViewInfo *info = kymo_views; info->id != NULL; info++)
        g_string_append_printf (ids, "%s%s", ids->len > 0 ? ", " : "", info->id);
      g_printerr (_("kymo: there is no view “%s”, but %s\n"), safe, ids->str);
      return EXIT_USAGE;
    }
  status = hand_over (application, "open-with", g_variant_new_string (view));
  return status == EXIT_SUCCESS ? -1 : status;
}

/**
 * kymo_application_do_options:
 * @options: of the process that was started
 *
 * Acts on the command line. Where a process of the program runs already, runs and streams are
 * handed to it.
 *
 * Returns: -1 to go on as the first process; else the exit status of this process
 */
int
kymo_application_do_options (GApplication *application, GVariantDict *options)
{
  int status;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("kymo %s\n", KYMO_VERSION);
      return EXIT_SUCCESS;
    }
  status = choose_view (application, options);
  if (status >= 0)
    return status;
  if (g_variant_dict_contains (options, "attach"))
    return attach_by_options (application, options);
  if (g_variant_dict_contains (options, "replay"))
    return replay_by_option (application, options);
  if (g_variant_dict_contains (options, "sample"))
    return hand_over (application, "sample", NULL);
  if (g_variant_dict_contains (options, "compare"))
    return compare_by_option (application, options);
  return open_by_option (application, options);
}

/**
 * kymo_application_add_options:
 *
 * Adds the options and the summary of the command line; kymo_application_do_options() acts on
 * them.
 */
void
kymo_application_add_options (GApplication *application)
{
  static const GOptionEntry options[] = {
    { "sample", 0, 0, G_OPTION_ARG_NONE, NULL,
      N_("Open the run that comes with the program"), NULL },
    { "attach", 0, 0, G_OPTION_ARG_STRING, NULL,
      N_("Follow a running program; also ssh://USER@HOST:PORT"), "HOST:PORT" },
    { "through", 0, 0, G_OPTION_ARG_STRING, NULL,
      N_("Reach it by ssh through this host"), "USER@HOST" },
    { "key", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      N_("Keys of the program’s server"), "FILE" },
    { "names", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      N_("Names of its entry methods (.util.sts)"), "FILE" },
    { "compare", 0, 0, G_OPTION_ARG_NONE, NULL,
      N_("Compare two runs or more, the first with the others"), NULL },
    { "replay", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      N_("Play a recording"), "FILE" },
    { "view", 0, 0, G_OPTION_ARG_STRING, NULL,
      N_("Open runs with this view, such as timeline, in place of their findings"), "VIEW" },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Show the version"), NULL },
    { "screenshot", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, NULL,
      "Write each view as a picture into DIR and end", "DIR" },
    { "do", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL,
      "Do these actions of the window first", "ACTIONS" },
    { "size", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL,
      "Size of the window", "WxH" },
    { "dark", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL,
      "Dark colours", NULL },
    { "text-scale", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_DOUBLE, NULL,
      "Size of text", "FACTOR" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
    { NULL }
  };

  g_application_add_main_option_entries (application, options);
  g_application_set_option_context_parameter_string (application,
                                                     _("[RUN…]"));
  g_application_set_option_context_summary (
    application,
    _("Shows what a parallel program did. RUN is the folder of a trace or "
      "profile, or any file of one."));
}
