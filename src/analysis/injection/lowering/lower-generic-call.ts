import type { IrCall, IrNode } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';
import type { LoweringContext } from './lowering-context.ts';

/** A type of another package is no index of a table of functions. */
const TYPE_NAME = /^[*[\]]*[A-Z]\w*$/;

/** `read[T](x)` and `handlers[name](x)` in Go, which the grammar takes for a conversion: a call of a function, or of an element. */
export function lowerGenericCall(
  context: LoweringContext,
  syntax: SyntaxNode,
  type: SyntaxNode,
  value: SyntaxNode,
): IrCall {
  const name = inField(type, 'type') ?? type;
  const types = inField(type, 'type_arguments');
  const element = types === undefined ? null : elementCalled(context, name, types);
  const isFunction = element === null && types?.children.length === 1;
  const path = context.text(name).split('.');
  context.names.used.push(path.at(-1)!);
  return {
    op: 'call',
    callee: element ?? memberPath(path, name),
    args: [{ name: null, value: context.lower(value) }],
    calleeName: name,
    isTagged: false,
    ...(isFunction ? { resultType: context.text(types.children[0]!) } : {}),
    syntax,
  };
}

/** The element of a table of functions that is called where the grammar sees a type argument: `handlers[name](x)`; null: a generic function. */
export function elementCalled(context: LoweringContext, name: SyntaxNode, types: SyntaxNode): IrNode | null {
  const [index, ...others] = types.children;
  if (index?.type !== 'type_elem' || others.length > 0) return null;
  const path = context.text(name).split('.');
  const text = context.text(index);
  const isFunction =
    path.length === 1
      ? genericFunctions(context).has(path[0]!)
      : TYPE_NAME.test(text) || context.grammar.scalarTypes.test(text);
  if (isFunction) return null;
  return { op: 'index', object: memberPath(path, name), index: memberPath(text.split('.'), index), syntax: name };
}

/** `a.b.c` of its names. */
function memberPath(names: readonly string[], syntax: SyntaxNode): IrNode {
  const [first = '', ...members] = names;
  return members.reduce<IrNode>((object, name) => ({ op: 'member', object, name, syntax }), {
    op: 'variable',
    name: first,
    syntax,
  });
}

const known = new WeakMap<SyntaxNode, ReadonlySet<string>>();

/** The names of the functions of this code that have type parameters. */
function genericFunctions(context: LoweringContext): ReadonlySet<string> {
  const { root } = context;
  let found = known.get(root);
  if (found === undefined) {
    const generic = root.children.filter((child) => inField(child, 'type_parameters') !== undefined);
    found = new Set(generic.map((child) => context.optionalText(inField(child, 'name')) ?? ''));
    known.set(root, found);
  }
  return found;
}
