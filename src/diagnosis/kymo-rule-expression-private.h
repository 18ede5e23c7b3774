/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of an expression, which the parser makes and the evaluation walks.
 */
#pragma once

#include "kymo-rule-expression.h"

G_BEGIN_DECLS

typedef enum
{
  NODE_NUMBER,
  NODE_NAME,
  NODE_REF,                     /* functions of one metric */
  NODE_EXCEEDS,
  NODE_BEYOND,
  NODE_KNOWN,
  NODE_NEGATE,
  NODE_NOT,
  NODE_LOG2,
  NODE_MIN,
  NODE_MAX,
  NODE_FIRST,                   /* the first operand that is known */
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_DIVIDE,
  NODE_LESS,
  NODE_LESS_OR_EQUAL,
  NODE_MORE,
  NODE_MORE_OR_EQUAL,
  NODE_AND,
  NODE_OR,
} KymoRuleNodeKind;

/**
 * KymoRuleNode:
 * @number: of a number, in ns and bytes
 * @type: of a number
 * @name: (nullable): of a name, or what a function is of; owned by the expression's names
 * @left, @right: operands, as indices of nodes that come before
 */
typedef struct
{
  KymoRuleNodeKind kind;
  double           number;
  KymoRuleType     type;
  const char      *name;
  guint            left, right;
} KymoRuleNode;

/* The last node is the root. */
struct _KymoRuleExpression
{
  char      *text;
  GPtrArray *names;             /* char *, each once */
  GArray    *nodes;             /* KymoRuleNode */
};

G_END_DECLS
