/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Summary tells of the environment of a recorded program, of its memory by call site, and of a
 * probe of the machine, as lines for a KymoFactsGroup. All of it is in the list "environment" of an
 * answer of kind info.
 */
#pragma once

#include "kymo-table.h"

G_BEGIN_DECLS

GPtrArray *kymo_summary_environment_facts (const KymoTable *info);
GPtrArray *kymo_summary_leak_facts        (const KymoTable *info);
GPtrArray *kymo_summary_peak_facts        (const KymoTable *info);
GPtrArray *kymo_summary_probe_facts       (const KymoTable *info);

G_END_DECLS
