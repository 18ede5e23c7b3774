/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GApplication asks the owner of the program's name for its actions, once, and sends what is
 * to be opened without waiting for an answer. An owner whose main loop has ended never answers:
 * the question fails when that process is gone, and what was sent is lost. Here such a failure
 * is the sign to try again, and what is handed over is answered.
 */
#include "config.h"

#include "kymo-application-start.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAUSE_US (50 * G_TIME_SPAN_MILLISECOND)
/* Ten seconds, beside the time that questions take. */
#define MOST_TRIES 200

/* The other end has gone, has taken its objects back or lost its name. Not: it is slow. */
static gboolean
is_ending (const GError *error)
{
  static const int codes[] = {
    G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER,
    G_DBUS_ERROR_DISCONNECTED, G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_OBJECT,
    G_DBUS_ERROR_UNKNOWN_INTERFACE,
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, G_DBUS_ERROR, codes[i]))
      return TRUE;
  return FALSE;
}

/**
 * kymo_application_register:
 *
 * Blocks while an instance that owns the name is ending. One that keeps the name but answers
 * nothing leaves this instance on its own.
 *
 * Returns: TRUE if the application is registered, as the first instance or as a remote one
 */
gboolean
kymo_application_register (GApplication *application, GError **error)
{
  g_autoptr (GError) problem = NULL;

  for (guint i = 0; i < MOST_TRIES; i++)
    {
      g_clear_error (&problem);
      if (g_application_register (application, NULL, &problem))
        return TRUE;
      if (!is_ending (problem))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      g_usleep (PAUSE_US);
    }
  g_application_set_flags (application, g_application_get_flags (application)
                                        | G_APPLICATION_NON_UNIQUE);
  return g_application_register (application, NULL, error);
}

/* What the desktop wants to know of a start: where, and by which click. */
static GVariant *
platform_data (GApplication *application)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  G_APPLICATION_GET_CLASS (application)->add_platform_data (application, &builder);
  return g_variant_builder_end (&builder);
}

/* @method: with its interface, divided by a dot.
   Returns: the exit status of this process */
static int
call (GApplication *application, const char *method, GVariant *parameters)
{
  const char *dot = strrchr (method, '.');
  g_autofree char *interface = g_strndup (method, dot - method);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) done = g_dbus_connection_call_sync (
    g_application_get_dbus_connection (application), g_application_get_application_id (application),
    g_application_get_dbus_object_path (application), interface, dot + 1, parameters, NULL,
    G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, &error);

  if (done != NULL)
    return EXIT_SUCCESS;
  if (is_ending (error))
    return KYMO_START_AGAIN;
  g_dbus_error_strip_remote_error (error);
  g_printerr (_("kymo: the instance that runs already does not answer: %s\n"), error->message);
  return EXIT_FAILURE;
}

/**
 * kymo_application_hand_open:
 * @application: registered, remote
 * @files: (element-type GFile): none to show a window
 *
 * Returns: the exit status of this process
 */
int
kymo_application_hand_open (GApplication *application, GPtrArray *files)
{
  GVariantBuilder uris;

  if (files->len == 0)
    return call (application, "org.gtk.Application.Activate",
                 g_variant_new ("(@a{sv})", platform_data (application)));
  g_variant_builder_init (&uris, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < files->len; i++)
    g_variant_builder_add_value (&uris, g_variant_new_take_string (
      g_file_get_uri (files->pdata[i])));
  return call (application, "org.gtk.Application.Open",
               g_variant_new ("(ass@a{sv})", &uris, "", platform_data (application)));
}

/**
 * kymo_application_hand_action:
 * @application: registered, remote
 * @parameter: (nullable): of the action
 *
 * Returns: the exit status of this process
 */
int
kymo_application_hand_action (GApplication *application, const char *action, GVariant *parameter)
{
  GVariantBuilder parameters;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  if (parameter != NULL)
    g_variant_builder_add (&parameters, "v", parameter);
  return call (application, "org.gtk.Actions.Activate",
               g_variant_new ("(sav@a{sv})", action, &parameters, platform_data (application)));
}

/**
 * kymo_application_release_name:
 *
 * Whoever starts from now on is the first instance, however long this one takes to end.
 */
void
kymo_application_release_name (GApplication *application)
{
  GDBusConnection *connection = g_application_get_dbus_connection (application);
  g_autoptr (GVariant) done = NULL;

  if (connection == NULL || g_application_get_is_remote (application)
      || (g_application_get_flags (application) & G_APPLICATION_NON_UNIQUE) != 0)
    return;
  done = g_dbus_connection_call_sync (
    connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
    "ReleaseName", g_variant_new ("(s)", g_application_get_application_id (application)), NULL,
    G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL);
}

/* -- being told to end ---------------------------------------------------- */

static gint told_to_end;
static int told_pipe[2] = { -1, -1 };

/* A second signal does what the system does with it: SA_RESETHAND. */
static void
on_signal (int number)
{
  int kept = errno;

  g_atomic_int_set (&told_to_end, TRUE);
  (void) !write (told_pipe[1], "", 1);
  errno = kept;
}

static gboolean
on_told (int fd, GIOCondition condition, gpointer data)
{
  GSourceFunc ends = g_object_get_data (data, "kymo-ends");

  ends (data);
  return G_SOURCE_REMOVE;
}

/* Thread: that of the connection. The main loop may see what was handed over before it sees the
   signal, would show it and end with it. */
static GDBusMessage *
refuse_at_end (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer path)
{
  g_autoptr (GDBusMessage) refusal = NULL;

  if (!incoming || !g_atomic_int_get (&told_to_end)
      || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL
      || g_strcmp0 (g_dbus_message_get_path (message), path) != 0)
    return message;
  refusal = g_dbus_message_new_method_error_literal (
    message, "org.freedesktop.DBus.Error.UnknownObject", "ending");
  g_dbus_connection_send_message (connection, refusal, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  g_object_unref (message);
  return NULL;
}

/**
 * kymo_application_heed_signals:
 * @application: registered
 * @ends: called in the main loop with @application, once
 *
 * SIGTERM, SIGINT and SIGHUP end the program by @ends; another one of them at once. What whoever
 * started the program wants to be ignored (nohup) stays so. From the signal on nothing is taken
 * over any more: whoever hands something over tries again.
 */
void
kymo_application_heed_signals (GApplication *application, GSourceFunc ends)
{
  static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
  GDBusConnection *connection = g_application_get_dbus_connection (application);
  struct sigaction now, heed = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND | SA_RESTART };

  if (!g_unix_open_pipe (told_pipe, FD_CLOEXEC, NULL))
    return;
  g_object_set_data (G_OBJECT (application), "kymo-ends", ends);
  g_unix_fd_add (told_pipe[0], G_IO_IN, on_told, application);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    if (sigaction (signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaction (signals[i], &heed, NULL);
  if (connection != NULL)
    g_dbus_connection_add_filter (connection, refuse_at_end,
                                  g_strdup (g_application_get_dbus_object_path (application)),
                                  g_free);
}
