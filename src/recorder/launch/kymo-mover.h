/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Brings files to the folder of a run, or from there; called by the library alone.
 */
#pragma once

int kymo_mover_run (const char  *from,
                    const char  *to,
                    char       **skip);
