/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * own_main.h for files that are about the window.
 */
#include <adwaita.h>

#include "own_main.h"
