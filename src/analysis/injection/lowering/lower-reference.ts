import { type IrFunction, type IrNode, type IrParameter, REFERENCE_PARAMETER } from '../ir/ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { typeName } from './lower-call.ts';
import type { LoweringContext } from './lowering-context.ts';

/** `Type::method` in Java: a function that calls the method with its argument. */
export function lowerReference(context: LoweringContext, syntax: SyntaxNode): IrFunction {
  const [object, method] = syntax.children;
  const parameter: IrNode = { op: 'variable', name: REFERENCE_PARAMETER, syntax };
  const first = context.names.used.length;
  const callee = calleeOf(context, syntax, object, method);
  const args = [{ name: null, value: parameter }];
  const call: IrNode = { op: 'call', callee, args, calleeName: method ?? syntax, isTagged: false, syntax };
  const only: IrParameter = {
    target: parameter,
    type: null,
    isSafeType: false,
    defaultValue: null,
    isRest: false,
    annotations: '',
  };
  return {
    op: 'function',
    name: null,
    parameters: [only],
    body: { op: 'jump', jump: 'return', value: call, isLabelled: false, syntax },
    decorators: [],
    annotations: '',
    owner: null,
    selfName: null,
    isPrivate: true,
    isSafeResult: false,
    names: { first, end: context.names.used.length },
    assigned: new Set(),
    isAbstract: false,
    locals: new Set([REFERENCE_PARAMETER]),
    syntax,
  };
}

function calleeOf(
  context: LoweringContext,
  syntax: SyntaxNode,
  object: SyntaxNode | undefined,
  method: SyntaxNode | undefined,
): IrNode {
  if (object === undefined) return { op: 'empty', syntax };
  if (method === undefined || context.text(method) === 'new')
    return { op: 'variable', name: `new:${typeName(context.text(object))}`, syntax };
  const name = context.nameOf(method);
  context.names.used.push(name);
  const isType = object.type.endsWith('type');
  const from: IrNode = isType
    ? { op: 'variable', name: typeName(context.text(object)), syntax }
    : context.lower(object);
  return { op: 'member', object: from, name, syntax };
}
