/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of every room include anyway, compiled once (option "precompiled").
 * Nothing of Kymo may be here: it would hide a missing include.
 */
#include <gio/gio.h>
