/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-otf2-defs.h"

#include <math.h>
#include <string.h>

#include "kymo-name.h"

/* Numbers below this, or below this multiple of the number of definitions, are kept
   in an array. */
#define DENSE_LEAST 4096
#define DENSE_TIMES 4

static void
ids_init (KymoOtf2Ids *ids)
{
  ids->dense = g_array_new (FALSE, FALSE, sizeof (guint32));
  ids->sparse = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
ids_clear (KymoOtf2Ids *ids)
{
  g_array_unref (ids->dense);
  g_hash_table_unref (ids->sparse);
}

/* FALSE where the number is taken. */
static gboolean
ids_add (KymoOtf2Ids *ids,
         guint64      id,
         guint        index)
{
  if (kymo_otf2_ids_find (ids, id) != KYMO_OTF2_NONE)
    return FALSE;
  if (id >= DENSE_LEAST && id / DENSE_TIMES > index)
    {
      g_hash_table_insert (ids->sparse, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (index + 1));
      return TRUE;
    }
  while (ids->dense->len <= id)
    {
      guint64 next = ids->dense->len;
      guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (ids->sparse, &next)) - 1;

      g_array_append_val (ids->dense, known);
    }
  g_array_index (ids->dense, guint32, id) = index;
  return TRUE;
}

static void
group_clear (gpointer data)
{
  g_free (((KymoOtf2Group *) data)->members);
  g_free (((KymoOtf2Group *) data)->locations);
  g_free (((KymoOtf2Group *) data)->sorted);
}

static void
metric_clear (gpointer data)
{
  KymoOtf2Metric *metric = data;

  if (metric->members != NULL)
    g_free (metric->resolved);
  g_free (metric->members);
  g_free (metric->of);
}

static void
marker_kind_clear (gpointer data)
{
  g_free (((KymoOtf2MarkerKind *) data)->group);
  g_free (((KymoOtf2MarkerKind *) data)->category);
}

static void
marker_clear (gpointer data)
{
  g_free (((KymoOtf2Marker *) data)->text);
}

#define NEW_ARRAY(type) g_array_new (FALSE, TRUE, sizeof (type))

/* All maps from numbers. */
#define ALL_IDS(defs)                                                             \
  { &(defs)->string_ids, &(defs)->node_ids, &(defs)->location_group_ids,          \
    &(defs)->location_ids, &(defs)->region_ids, &(defs)->group_ids,               \
    &(defs)->comm_ids, &(defs)->win_ids, &(defs)->member_ids, &(defs)->metric_ids, \
    &(defs)->context_ids, &(defs)->parameter_ids, &(defs)->paradigm_ids,          \
    &(defs)->file_ids, &(defs)->handle_ids, &(defs)->marker_kind_ids }

/**
 * kymo_otf2_defs_new:
 * @most_bytes: memory that the definitions may take
 *
 * Returns: (transfer full): no definitions; free with kymo_otf2_defs_free()
 */
KymoOtf2Defs *
kymo_otf2_defs_new (gint64 most_bytes)
{
  KymoOtf2Defs *defs = g_new0 (KymoOtf2Defs, 1);
  KymoOtf2Ids *all[] = ALL_IDS (defs);

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    ids_init (all[i]);
  defs->most_bytes = most_bytes;
  defs->ticks_per_second = G_GUINT64_CONSTANT (1000000000);
  defs->strings = g_ptr_array_new_with_free_func (g_free);
  defs->nodes = NEW_ARRAY (KymoOtf2Node);
  defs->location_groups = NEW_ARRAY (KymoOtf2LocationGroup);
  defs->locations = NEW_ARRAY (KymoOtf2Location);
  defs->regions = NEW_ARRAY (KymoOtf2Region);
  defs->groups = NEW_ARRAY (KymoOtf2Group);
  g_array_set_clear_func (defs->groups, group_clear);
  defs->comms = NEW_ARRAY (KymoOtf2Comm);
  defs->wins = NEW_ARRAY (KymoOtf2Win);
  defs->members = NEW_ARRAY (KymoOtf2Member);
  defs->metrics = NEW_ARRAY (KymoOtf2Metric);
  g_array_set_clear_func (defs->metrics, metric_clear);
  defs->contexts = NEW_ARRAY (KymoOtf2Context);
  defs->parameters = NEW_ARRAY (KymoOtf2Parameter);
  defs->paradigms = NEW_ARRAY (KymoOtf2Paradigm);
  defs->files = NEW_ARRAY (KymoOtf2File);
  defs->handles = NEW_ARRAY (KymoOtf2Handle);
  defs->marker_kinds = NEW_ARRAY (KymoOtf2MarkerKind);
  g_array_set_clear_func (defs->marker_kinds, marker_kind_clear);
  defs->properties = NEW_ARRAY (KymoOtf2Property);
  defs->markers = NEW_ARRAY (KymoOtf2Marker);
  g_array_set_clear_func (defs->markers, marker_clear);
  return defs;
}

/**
 * kymo_otf2_defs_free:
 *
 * Frees the definitions.
 */
void
kymo_otf2_defs_free (KymoOtf2Defs *defs)
{
  GArray *arrays[] = { defs->nodes, defs->location_groups, defs->locations, defs->regions,
    defs->groups, defs->comms, defs->wins, defs->members, defs->metrics, defs->contexts,
    defs->parameters, defs->paradigms, defs->files, defs->handles, defs->marker_kinds,
    defs->markers, defs->properties };
  KymoOtf2Ids *all[] = ALL_IDS (defs);

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    ids_clear (all[i]);
  g_ptr_array_unref (defs->strings);
  g_free (defs);
}

/**
 * kymo_otf2_defs_string:
 * @id: number of a text in the archive
 *
 * Returns: (transfer none): the text, owned by the definitions; "" if there is none
 */
const char *
kymo_otf2_defs_string (const KymoOtf2Defs *defs,
                       guint64             id)
{
  guint32 index = kymo_otf2_ids_find (&defs->string_ids, id);

  return index < defs->strings->len ? g_ptr_array_index (defs->strings, index) : "";
}

/**
 * kymo_otf2_defs_use_string:
 * @id: number of a text in the archive
 *
 * Counts the bytes of the copies that a run makes of the text, because a long text may be the
 * name of many things.
 *
 * Returns: (transfer none): as kymo_otf2_defs_string(); "" once the texts take more than the
 *   definitions may
 */
const char *
kymo_otf2_defs_use_string (KymoOtf2Defs *defs,
                           guint64       id)
{
  const char *string = kymo_otf2_defs_string (defs, id);

  defs->n_bytes += 2 * strlen (string);
  return defs->n_bytes <= defs->most_bytes ? string : "";
}

/**
 * kymo_otf2_defs_charge:
 * @n_bytes: that a definition takes, and about what the run makes of it
 *
 * Returns: %OTF2_CALLBACK_INTERRUPT if definitions take more than they may
 */
OTF2_CallbackCode
kymo_otf2_defs_charge (KymoOtf2Defs *defs,
                       gsize         n_bytes)
{
  defs->n_bytes += n_bytes + KYMO_OTF2_DEFINITION_BYTES;
  return defs->n_bytes <= defs->most_bytes ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/**
 * kymo_otf2_defs_add:
 * @ids: (inout): numbers of definitions of this kind
 * @array: (inout): gets a copy of the definition
 * @value: the definition
 * @id: its number
 *
 * Adds a definition, unless its number is taken; then it counts as left out.
 *
 * Returns: whether it was added
 */
gboolean
kymo_otf2_defs_add (KymoOtf2Defs  *defs,
                    KymoOtf2Ids   *ids,
                    GArray        *array,
                    gconstpointer  value,
                    guint64        id)
{
  if (array->len == G_MAXUINT32 - 1 || !ids_add (ids, id, array->len))
    {
      defs->n_left_out++;
      return FALSE;
    }
  g_array_append_vals (array, value, 1);
  return TRUE;
}

static OTF2_CallbackCode
on_clock (void     *data,
          uint64_t  resolution,
          uint64_t  global_offset,
          uint64_t  length,
          uint64_t  realtime_ns)
{
  KymoOtf2Defs *defs = data;

  if (resolution > 0)
    defs->ticks_per_second = resolution;
  defs->global_offset = global_offset;
  defs->length = length;
  defs->realtime_ns = realtime_ns == OTF2_UNDEFINED_TIMESTAMP ? 0 : realtime_ns;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_string (void           *data,
           OTF2_StringRef  self,
           const char     *string)
{
  KymoOtf2Defs *defs = data;

  if (!ids_add (&defs->string_ids, self, defs->strings->len))
    defs->n_left_out++;
  else
    g_ptr_array_add (defs->strings, kymo_name_dup (string, -1));
  return kymo_otf2_defs_charge (defs, 4 * strlen (string));
}

static OTF2_CallbackCode
on_node (void                  *data,
         OTF2_SystemTreeNodeRef self,
         OTF2_StringRef         name,
         OTF2_StringRef         class_name,
         OTF2_SystemTreeNodeRef parent)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Node node = { self, name, class_name, parent, -1 };

  kymo_otf2_defs_add (defs, &defs->node_ids, defs->nodes, &node, self);
  return kymo_otf2_defs_charge (defs, sizeof node);
}

static OTF2_CallbackCode
on_location_group (void                   *data,
                   OTF2_LocationGroupRef   self,
                   OTF2_StringRef          name,
                   OTF2_LocationGroupType  type,
                   OTF2_SystemTreeNodeRef  node,
                   OTF2_LocationGroupRef   creator)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2LocationGroup group = { .id = self, .name = name, .node = node, .creator = creator,
                                  .type = type, .rank = -1, .place = -1 };

  kymo_otf2_defs_add (defs, &defs->location_group_ids, defs->location_groups, &group, self);
  return kymo_otf2_defs_charge (defs, sizeof group);
}

static OTF2_CallbackCode
on_location (void                 *data,
             OTF2_LocationRef      self,
             OTF2_StringRef        name,
             OTF2_LocationType     type,
             uint64_t              n_events,
             OTF2_LocationGroupRef group)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Location location = { .id = self, .name = name, .group_id = group, .type = type,
                                .n_events = n_events, .rank = -1, .row = KYMO_OTF2_NONE,
                                .sampler = KYMO_OTF2_NONE };

  kymo_otf2_defs_add (defs, &defs->location_ids, defs->locations, &location, self);
  return kymo_otf2_defs_charge (defs, sizeof location);
}

static OTF2_CallbackCode
on_region (void            *data,
           OTF2_RegionRef   self,
           OTF2_StringRef   name,
           OTF2_StringRef   canonical,
           OTF2_StringRef   description,
           OTF2_RegionRole  role,
           OTF2_Paradigm    paradigm,
           OTF2_RegionFlag  flags,
           OTF2_StringRef   file,
           uint32_t         begin_line,
           uint32_t         end_line)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Region region = { .id = self, .name = name, .canonical = canonical, .file = file,
                            .line = begin_line, .description = description, .role = role,
                            .paradigm = paradigm, .group_name = KYMO_OTF2_NONE };

  kymo_otf2_defs_add (defs, &defs->region_ids, defs->regions, &region, self);
  return kymo_otf2_defs_charge (defs, sizeof region + sizeof (KymoActivity)
                                + KYMO_OTF2_DEFINITION_BYTES);
}

static OTF2_CallbackCode
on_group (void           *data,
          OTF2_GroupRef   self,
          OTF2_StringRef  name,
          OTF2_GroupType  type,
          OTF2_Paradigm   paradigm,
          OTF2_GroupFlag  flags,
          uint32_t        n_members,
          const uint64_t *members)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Group group = { .id = self, .name = name, .type = type, .paradigm = paradigm,
                          .flags = flags, .n_members = n_members };

  group.members = g_memdup2 (members, (gsize) n_members * sizeof *members);
  if (!kymo_otf2_defs_add (defs, &defs->group_ids, defs->groups, &group, self))
    g_free (group.members);
  return kymo_otf2_defs_charge (defs, sizeof group
                                + (gsize) n_members * (sizeof *members + 3 * sizeof (guint)));
}

static OTF2_CallbackCode
on_inter_comm (void           *data,
               OTF2_CommRef    self,
               OTF2_StringRef  name,
               OTF2_GroupRef   group,
               OTF2_GroupRef   other,
               OTF2_CommRef    parent,
               OTF2_CommFlag   flags)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Comm comm = { .id = self, .name = name, .group_id = group, .other_id = other,
                        .parent_id = parent };

  kymo_otf2_defs_add (defs, &defs->comm_ids, defs->comms, &comm, self);
  return kymo_otf2_defs_charge (defs, sizeof comm + sizeof (KymoComm));
}

static OTF2_CallbackCode
on_comm (void           *data,
         OTF2_CommRef    self,
         OTF2_StringRef  name,
         OTF2_GroupRef   group,
         OTF2_CommRef    parent,
         OTF2_CommFlag   flags)
{
  return on_inter_comm (data, self, name, group, OTF2_UNDEFINED_GROUP, parent, flags);
}

static OTF2_CallbackCode
on_win (void           *data,
        OTF2_RmaWinRef  self,
        OTF2_StringRef  name,
        OTF2_CommRef    comm,
        OTF2_RmaWinFlag flags)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Win win = { self, comm, KYMO_OTF2_NONE, name };

  kymo_otf2_defs_add (defs, &defs->win_ids, defs->wins, &win, self);
  return kymo_otf2_defs_charge (defs, sizeof win + sizeof (KymoComm));
}

static OTF2_CallbackCode
on_member (void                 *data,
           OTF2_MetricMemberRef  self,
           OTF2_StringRef        name,
           OTF2_StringRef        description,
           OTF2_MetricType       type,
           OTF2_MetricMode       mode,
           OTF2_Type             value_type,
           OTF2_Base             base,
           int64_t               exponent,
           OTF2_StringRef        unit)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Member member = { .id = self, .name = name, .unit = unit, .mode = mode, .base = base,
                            .description = description, .exponent = exponent,
                            .scale = pow (base == OTF2_BASE_BINARY ? 2 : 10, (double) exponent),
                            .counter = KYMO_OTF2_NONE, .activity = KYMO_OTF2_NONE };

  kymo_otf2_defs_add (defs, &defs->member_ids, defs->members, &member, self);
  return kymo_otf2_defs_charge (defs, sizeof member + sizeof (KymoActivity)
                                + KYMO_OTF2_DEFINITION_BYTES);
}

static OTF2_CallbackCode
on_metric_class (void                       *data,
                 OTF2_MetricRef              self,
                 uint8_t                     n_members,
                 const OTF2_MetricMemberRef *members,
                 OTF2_MetricOccurrence       occurrence,
                 OTF2_RecorderKind           kind)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Metric metric = { .id = self, .class_id = self, .n_members = n_members,
                            .occurrence = occurrence };

  metric.members = g_new (guint64, MAX (n_members, 1));
  for (guint i = 0; i < n_members; i++)
    metric.members[i] = members[i];
  if (!kymo_otf2_defs_add (defs, &defs->metric_ids, defs->metrics, &metric, self))
    g_free (metric.members);
  return kymo_otf2_defs_charge (defs, sizeof metric + 2 * (gsize) n_members * sizeof (guint64));
}

static OTF2_CallbackCode
on_metric_instance (void             *data,
                    OTF2_MetricRef    self,
                    OTF2_MetricRef    metric_class,
                    OTF2_LocationRef  recorder,
                    OTF2_MetricScope  scope_kind,
                    uint64_t          scope)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Metric metric = { .id = self, .class_id = metric_class, .scope = KYMO_OTF2_NONE,
                            .group = KYMO_OTF2_NONE };

  if (scope_kind == OTF2_SCOPE_SYSTEM_TREE_NODE)
    metric.scope = scope;
  if (scope_kind == OTF2_SCOPE_LOCATION_GROUP)
    metric.group = scope;
  kymo_otf2_defs_add (defs, &defs->metric_ids, defs->metrics, &metric, self);
  return kymo_otf2_defs_charge (defs, sizeof metric);
}

static OTF2_CallbackCode
on_context (void                       *data,
            OTF2_CallingContextRef      self,
            OTF2_RegionRef              region,
            OTF2_SourceCodeLocationRef  where,
            OTF2_CallingContextRef      parent)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Context context = { self, region };

  kymo_otf2_defs_add (defs, &defs->context_ids, defs->contexts, &context, self);
  return kymo_otf2_defs_charge (defs, sizeof context);
}

/* What surrounded the program is in properties of its processes. */
static OTF2_CallbackCode
on_process_property (void                  *data,
                     OTF2_LocationGroupRef  group,
                     OTF2_StringRef         name,
                     OTF2_Type              type,
                     OTF2_AttributeValue    value)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Property property = { group, name, value.stringRef };

  if (type != OTF2_TYPE_STRING)
    {
      defs->n_not_shown++;
      return OTF2_CALLBACK_SUCCESS;
    }
  g_array_append_val (defs->properties, property);
  return kymo_otf2_defs_charge (defs, sizeof property);
}

/* The number that a thread had in the system means nothing once it has ended. */
static OTF2_CallbackCode
on_location_property (void                *data,
                      OTF2_LocationRef     location,
                      OTF2_StringRef       name,
                      OTF2_Type            type,
                      OTF2_AttributeValue  value)
{
  KymoOtf2Defs *defs = data;

  if (!g_str_equal (kymo_otf2_defs_string (defs, name), "TID"))
    defs->n_not_shown++;
  return OTF2_CALLBACK_SUCCESS;
}

/* A callback that only counts definitions of a kind that a run has no place for. */
#define NOT_SHOWN(Definition, ...)                                      \
  static OTF2_CallbackCode                                              \
  on_##Definition (void *data, __VA_ARGS__)                             \
  {                                                                     \
    ((KymoOtf2Defs *) data)->n_not_shown++;                             \
    return OTF2_CALLBACK_SUCCESS;                                       \
  }

NOT_SHOWN (CartTopology, OTF2_CartTopologyRef a, OTF2_StringRef b, OTF2_CommRef c, uint8_t d,
           const OTF2_CartDimensionRef *e)
NOT_SHOWN (CartCoordinate, OTF2_CartTopologyRef a, uint32_t b, uint8_t c, const uint32_t *d)
NOT_SHOWN (SystemTreeNodeProperty, OTF2_SystemTreeNodeRef a, OTF2_StringRef b, OTF2_Type c,
           OTF2_AttributeValue d)
NOT_SHOWN (CallingContextProperty, OTF2_CallingContextRef a, OTF2_StringRef b, OTF2_Type c,
           OTF2_AttributeValue d)
NOT_SHOWN (IoFileProperty, OTF2_IoFileRef a, OTF2_StringRef b, OTF2_Type c, OTF2_AttributeValue d)

/**
 * kymo_otf2_defs_calls_init:
 * @calls: (out): a function for each kind of global definition
 */
void
kymo_otf2_defs_calls_init (KymoOtf2DefCalls *calls)
{
  calls->ClockProperties = on_clock;
  calls->String = on_string;
  calls->SystemTreeNode = on_node;
  calls->LocationGroup = on_location_group;
  calls->Location = on_location;
  calls->Region = on_region;
  calls->Group = on_group;
  calls->Comm = on_comm;
  calls->InterComm = on_inter_comm;
  calls->RmaWin = on_win;
  calls->MetricMember = on_member;
  calls->MetricClass = on_metric_class;
  calls->MetricInstance = on_metric_instance;
  calls->CallingContext = on_context;
  kymo_otf2_defs_add_io_callbacks (calls);
  calls->CartTopology = on_CartTopology;
  calls->CartCoordinate = on_CartCoordinate;
  calls->LocationProperty = on_location_property;
  calls->LocationGroupProperty = on_process_property;
  calls->SystemTreeNodeProperty = on_SystemTreeNodeProperty;
  calls->CallingContextProperty = on_CallingContextProperty;
  calls->IoFileProperty = on_IoFileProperty;
}

/**
 * kymo_otf2_defs_new_callbacks:
 *
 * Returns: (transfer full): what fills a #KymoOtf2Defs, which goes with it as user
 * data, while the library reads definitions
 */
OTF2_GlobalDefReaderCallbacks *
kymo_otf2_defs_new_callbacks (void)
{
  OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New ();
  KymoOtf2DefCalls defs;

  kymo_otf2_defs_calls_init (&defs);
#define X(Definition) \
  OTF2_GlobalDefReaderCallbacks_Set##Definition##Callback (calls, defs.Definition);
  KYMO_OTF2_DEFINITIONS (X)
#undef X
  return calls;
}
