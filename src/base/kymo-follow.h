/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One object that listens to another for as long as both live, and the signals that it listens to.
 */
#pragma once

#include <glib-object.h>

/**
 * kymo_follow:
 * @object: (transfer none): who has the signal
 * @signal: its name, with "notify::" for a property
 * @callback: called with @self first, then with what the signal tells, at last with @object
 * @self: (transfer none): a #GObject; the connection ends when it is disposed of
 *
 * Returns: the number of the connection
 */
#define kymo_follow(object, signal, callback, self) \
  g_signal_connect_object (object, signal, G_CALLBACK (callback), self, G_CONNECT_SWAPPED)

/**
 * kymo_signal_new:
 * @name: of the signal
 * @type: the class that emits it
 * @...: the number of its parameters, and the type of each
 *
 * Adds a signal that returns nothing and has no handler of the class.
 *
 * Returns: the number of the signal
 */
#define kymo_signal_new(name, type, ...) \
  g_signal_new (name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, __VA_ARGS__)
