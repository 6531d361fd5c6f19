import { type IrClass, type IrFunction, type IrNode, type IrParameter, setterName } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';
import { addMethod } from './lower-function.ts';
import type { LoweringContext } from './lowering-context.ts';

/** The methods that a property with code is: one that computes it, one that sets it. Empty: it is a field. */
export function lowerAccessors(context: LoweringContext, syntax: SyntaxNode, name: string): IrFunction[] {
  const { owner } = context;
  const value = inField(syntax, 'value');
  if (owner === null) return [];
  if (value?.type === 'arrow_expression_clause') return [accessor(context, syntax, value, name, owner, false)];
  return (inField(syntax, 'accessors')?.children ?? []).flatMap((part) => {
    const body = inField(part, 'body');
    const isSetter = inField(part, 'name')?.type !== 'get';
    return body === undefined ? [] : [accessor(context, syntax, body, name, owner, isSetter)];
  });
}

function accessor(
  context: LoweringContext,
  syntax: SyntaxNode,
  body: SyntaxNode,
  property: string,
  owner: IrClass,
  isSetter: boolean,
): IrFunction {
  const first = context.names.used.length;
  const lowered = context.inClass(null, () =>
    context.names.inFunction(false, (locals) => {
      if (isSetter) context.names.declare('value');
      let lowered: IrNode = { op: 'empty', syntax };
      const assigned = context.names.assignedIn(() => {
        lowered = context.lower(body);
      });
      return { locals, assigned, lowered };
    }),
  );
  const name = isSetter ? setterName(property) : property;
  const isReturned = !isSetter && body.type !== 'block';
  const type = context.optionalText(inField(syntax, 'type'));
  const value: IrParameter = {
    target: { op: 'variable', name: 'value', syntax },
    type,
    isSafeType: type !== null && context.grammar.scalarTypes.test(type),
    defaultValue: null,
    isRest: false,
    annotations: '',
  };
  const fn: IrFunction = {
    op: 'function',
    name,
    parameters: isSetter ? [value] : [],
    body: isReturned
      ? { op: 'jump', jump: 'return', value: lowered.lowered, isLabelled: false, syntax: body }
      : lowered.lowered,
    decorators: [],
    annotations: isSetter ? 'set' : 'get',
    owner,
    selfName: context.grammar.selfName ?? 'this',
    isPrivate: false,
    names: { first, end: context.names.used.length },
    assigned: lowered.assigned,
    isAbstract: false,
    isSafeResult: value.isSafeType && context.grammar.enforcesTypes === true,
    locals: lowered.locals,
    syntax: body,
  };
  context.addFunction(name, fn);
  addMethod(owner, name, fn);
  return fn;
}
