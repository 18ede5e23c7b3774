/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoClusterView, shared by kymo-cluster-view.c (the widget and
 * its question), kymo-cluster-view-build.c (what is where) and
 * kymo-cluster-view-choose.c (tables, and what is chosen).
 */
#pragma once

#include "kymo-answer-list.h"
#include "kymo-view-asker.h"
#include "kymo-cluster-axes.h"
#include "kymo-cluster-controls.h"
#include "kymo-cluster-view.h"

G_BEGIN_DECLS

struct _KymoClusterView
{
  GtkBox               parent_instance;

  KymoSession         *session;
  KymoViewAsker       *asker;
  KymoTable           *answer;         /* that is shown, or NULL */
  GPtrArray           *canvases;       /* borrowed; the first of clusters */
  KymoClusterControls *controls;
  KymoClusterAxes     *axes;
  KymoAnswerList      *clusters, *members;
  GtkWidget           *stack, *message, *paned, *tables;
  GtkWidget           *words, *title;
  GtkWidget           *by_class, *why;
  KymoIdSet           *picks;          /* chosen PEs, or NULL */
  int                  cluster;        /* that is shown alone, or -1 */
  gboolean             placed;
};

void     kymo_cluster_view_build      (KymoClusterView *self);
void     kymo_cluster_view_queue_ask  (KymoClusterView *self);
/* Tables and marks of an answer that has come. */
void     kymo_cluster_view_fill       (KymoClusterView *self);
void     kymo_cluster_view_follow     (KymoClusterView *self);
void     kymo_cluster_view_on_cluster (KymoClusterView *self,
                                       int              row);
void     kymo_cluster_view_on_cluster_activated
                                      (KymoClusterView *self,
                                       int              row);
void     kymo_cluster_view_on_member  (KymoClusterView *self,
                                       int              row);
void     kymo_cluster_view_on_member_activated
                                      (KymoClusterView *self,
                                       int              row);
void     kymo_cluster_view_on_picked  (KymoCanvas      *canvas,
                                       gint64           cluster,
                                       gboolean         activated,
                                       KymoClusterView *self);
void     kymo_cluster_view_on_why     (KymoClusterView *self);

G_END_DECLS
