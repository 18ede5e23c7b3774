/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples another host, such as a file server, while a job runs elsewhere.
 */
#pragma once

int kymo_agent_run (const char *folder);
