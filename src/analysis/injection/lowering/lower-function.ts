import type { IrFunction, IrNode, IrParameter } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { lowerTarget } from './lower-assignment.ts';
import { typeName } from './lower-call.ts';
import type { LoweringContext } from './lowering-context.ts';

const BLOCK_TYPES = /^(statement_block|block|compound_statement|constructor_body)$/;
const MAX_ANNOTATIONS_LENGTH = 1000;

/** A function, method, closure or block. `decorators`: those that are written outside of its syntax node. */
export function lowerFunction(context: LoweringContext, syntax: SyntaxNode, decorators: string): IrFunction {
  const name = inField(syntax, 'name');
  const list = inField(syntax, 'parameters', 'parameter');
  const body = inField(syntax, 'body');
  for (const receiver of allInField(syntax, 'receiver')) lowerParameters(context, receiver);
  if (name !== undefined) context.declare(name);
  const parameters = list === undefined ? [] : lowerParameters(context, list);
  const value = context.lowerOptional(body, syntax);
  const isReturned = body !== undefined && (context.grammar.implicitReturn || !BLOCK_TYPES.test(body.type));
  const annotations = syntax.children
    .filter(({ type }) => type === 'modifiers' || type === 'attribute_list')
    .map((node) => context.text(node));
  // Frameworks know a handler by its result as well: `IActionResult`.
  const resultType = context.optionalText(inField(syntax, 'returns', 'type')) ?? '';
  const lowered: IrFunction = {
    op: 'function',
    name: name === undefined ? null : context.nameOf(name),
    parameters,
    body: isReturned ? { op: 'jump', jump: 'return', value, isLabelled: false, syntax: body } : value,
    annotations: [decorators, ...annotations, resultType].join('\n').slice(0, MAX_ANNOTATIONS_LENGTH),
    syntax,
  };
  const { functions } = context;
  if (lowered.name !== null) functions.set(lowered.name, functions.has(lowered.name) ? null : lowered);
  return lowered;
}

function lowerParameters(context: LoweringContext, list: SyntaxNode): IrParameter[] {
  const isName = list.children.length === 0 && !/parameter(s|_list)$/.test(list.type);
  if (isName || context.role(list) === 'name') return [lowerParameter(context, list, list, undefined)];
  return list.children.flatMap((child) => {
    if (child.field === 'type') return [];
    const names = allInField(child, 'name', 'pattern', 'left');
    const type = inField(child, 'type') ?? child.children.find((part) => /_type$|^type_identifier$/.test(part.type));
    const declarator = child.children.find((part) => part.type === 'variable_declarator');
    if (declarator !== undefined) names.push(...allInField(declarator, 'name'));
    if (names.length === 0) names.push(unmarkedName(context, child));
    return names.map((name) => lowerParameter(context, child, name, type));
  });
}

/** The name of a parameter that has no field for it: the node itself or its first part. */
function unmarkedName(context: LoweringContext, syntax: SyntaxNode): SyntaxNode {
  if (context.role(syntax) !== undefined) return syntax;
  return syntax.children.find((child) => ![undefined, 'skip'].includes(context.role(child))) ?? syntax;
}

function lowerParameter(
  context: LoweringContext,
  syntax: SyntaxNode,
  name: SyntaxNode,
  type: SyntaxNode | undefined,
): IrParameter {
  context.declare(name);
  const role = context.role(name);
  const target: IrNode =
    role === undefined || role === 'name'
      ? { op: 'variable', name: context.nameOf(name), syntax: name }
      : lowerTarget(context, name);
  const typeText = context.optionalText(type)?.replace(/^:\s*/, '') ?? '';
  return {
    target,
    type: typeName(typeText) || null,
    isSafeType: typeText !== '' && isSafeType(typeText, context.grammar.scalarTypes),
    annotations: context.text(syntax).slice(0, MAX_ANNOTATIONS_LENGTH),
  };
}

/** Whether values of the type hold no free text: scalars, optional scalars, lists of them, and literals (`'asc' | 'desc'`). */
function isSafeType(type: string, scalarTypes: RegExp): boolean {
  if (/^['"]/.test(type)) return true;
  const inner = /^[\w.]+\s?[<[]\s?([\w.]+)\s?[>\]]$/.exec(type)?.[1] ?? type.replace(/\[\]$/, '');
  const required = inner.replace(/\s*\|\s*(None|null|undefined)$/, '');
  return scalarTypes.test(type) || scalarTypes.test(required);
}
