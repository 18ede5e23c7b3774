/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of clusters share: the question as it was read, and what was
 * made of the sums.
 */
#pragma once

#include "kymo-pe-choice.h"
#include "kymo-pe-vectors.h"
#include "kymo-principal.h"

G_BEGIN_DECLS

/** KymoClustersPlan: the words of the question */
typedef struct
{
  guint        k_low, k_high;
  KymoSeeding  seeding;
  gint64       seed;
  KymoPeScale  scale;
  guint        with;
  KymoPeQuota  quota;
  guint        union_of;        /* KymoPeComponents */
  gboolean     critical_path;
  KymoIdSet   *also;            /* asked for by name, or NULL */
  gboolean     places_alone;    /* of a scatter: no clusters */
  const char  *outliers;        /* of the question; NULL where kept says it */
  const char  *kept;
} KymoClustersPlan;

/** KymoAlsoKept: PEs that are kept beside representatives and outliers */
typedef enum
{
  KYMO_ALSO_UNION = 1 << 0,     /* clusters by one figure alone would keep it */
  KYMO_ALSO_PATH = 1 << 1,      /* it is on the critical path */
  KYMO_ALSO_ASKED = 1 << 2,     /* its number was given */
} KymoAlsoKept;

/** KymoClasses: what was made of the sums; each part is freed where it is set */
typedef struct
{
  KymoPeVectors *vectors;
  KymoKmeans    *kmeans;
  KymoPeChoice  *choice;
  KymoPrincipal *principal;     /* of the vectors; directions where asked for */
  guint8        *also;          /* by vector: KymoAlsoKept; NULL: none */
  double        *silhouettes;   /* by cluster */
  double         silhouette;
  guint          k;             /* seeds of it */
  KymoTable     *tried;         /* NULL where one k was asked for */
} KymoClasses;

/* The kind "clusters"; extrema answers with it which PEs are kept. */
extern const KymoAnswerClass kymo_answer_clusters;

extern const char *const kymo_clusters_seedings[];     /* by KymoSeeding */
extern const char *const kymo_clusters_scales[];       /* by KymoPeScale */
extern const char *const kymo_clusters_components[];   /* by bit of KymoPeComponents */
extern const char *const kymo_clusters_quotas[];       /* by KymoPeQuota */

gboolean     kymo_clusters_is_scatter    (const KymoAsk  *ask);
KymoClasses *kymo_clusters_dup_classes   (const KymoAsk  *ask,
                                          KymoPeSums     *sums,
                                          GError        **error);
void         kymo_clusters_unref_classes (KymoClasses    *classes);

KymoTable  *kymo_clusters_places     (const KymoAsk         *ask,
                                      const KymoClasses     *classes);
KymoTable  *kymo_clusters_answer     (const KymoAsk         *ask,
                                      const KymoClasses     *classes);
const char *kymo_clusters_name_of    (const KymoAsk         *ask,
                                      const KymoPeComponent *component);
char       *kymo_clusters_dup_key    (const KymoAsk         *ask,
                                      const KymoPeComponent *component);
gboolean    kymo_clusters_check_axes (const KymoAsk         *ask,
                                      GError               **error);
guint       kymo_clusters_axes_with  (const KymoAsk         *ask);
gboolean    kymo_clusters_set_axes   (const KymoAsk         *ask,
                                      const KymoPeSums      *sums,
                                      const KymoClasses     *classes,
                                      KymoTable             *answer,
                                      GError               **error);

gboolean    kymo_thread_scatter_set  (const KymoAsk         *ask,
                                      const KymoClasses     *classes,
                                      KymoTable             *answer,
                                      GError               **error);

G_END_DECLS
