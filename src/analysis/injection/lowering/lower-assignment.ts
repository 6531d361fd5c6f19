import type { IrEntry, IrNode } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { onlyExpression } from './lower-expression.ts';
import type { LoweringContext } from './lowering-context.ts';

export function lowerAssign(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const left = inField(syntax, 'left');
  const right = inField(syntax, 'right');
  if (left === undefined) return { op: 'empty', syntax };
  const operator = inField(syntax, 'operator')?.type ?? '=';
  const unknown: IrNode = { op: 'constant', text: '', syntax };
  const target = lowerTarget(context, left);
  const value = right === undefined ? unknown : context.lower(right);
  const assign = { op: 'assign', target, value, type: null, syntax } as const;
  if (context.grammar.appendOperators.includes(operator)) return { ...assign, how: 'append' };
  if (operator === '=' || operator === ':=') {
    return { ...assign, how: 'set', type: context.optionalText(inField(syntax, 'type')) };
  }
  // Other operators are arithmetic.
  return { ...assign, value: operator === '??=' || operator === '||=' ? value : unknown, how: 'default' };
}

/** A declaration of one or several names with a value. `type`: the declared type, where it is written outside of the declarator. */
export function lowerDeclarator(context: LoweringContext, syntax: SyntaxNode, type: string | null): IrNode {
  const aliases = allInField(syntax, 'alias');
  const named = aliases.length > 0 ? aliases : allInField(syntax, 'name', 'pattern');
  const names = named.length > 0 ? named : syntax.children.slice(0, 1);
  const value = inField(syntax, 'value') ?? unnamedValue(context, syntax, names);
  const targets = names.map((name) => lowerTarget(context, name));
  const [first] = targets;
  if (first === undefined) return { op: 'empty', syntax };
  return {
    op: 'assign',
    target: targets.length === 1 ? first : { op: 'list', elements: targets, syntax },
    value: context.lowerOptional(value, syntax),
    how: 'set',
    type: context.optionalText(inField(syntax, 'type')) ?? type,
    syntax,
  };
}

function unnamedValue(
  context: LoweringContext,
  syntax: SyntaxNode,
  names: readonly SyntaxNode[],
): SyntaxNode | undefined {
  return syntax.children.findLast(
    (child) => child.field === null && !names.includes(child) && context.role(child) !== 'skip',
  );
}

/** The target of an assignment: its names become declared. */
export function lowerTarget(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const role = context.role(syntax);
  if (role === 'assign') {
    const left = inField(syntax, 'left');
    return left === undefined ? { op: 'empty', syntax } : lowerTarget(context, left);
  }
  if (role === 'name') {
    context.declare(syntax);
    return context.lower(syntax);
  }
  if (role === 'record') {
    return { op: 'record', entries: syntax.children.flatMap((child) => targetEntry(context, child)), syntax };
  }
  if (role === 'list') {
    const only = onlyExpression(syntax);
    if (only !== undefined) return lowerTarget(context, only);
    return { op: 'list', elements: syntax.children.map((child) => lowerTarget(context, child)), syntax };
  }
  if (role === 'call') {
    const call = context.lower(syntax);
    return call.op === 'call' && call.callee.op === 'member' ? call.callee : call;
  }
  if (role === undefined && syntax.children.length === 1) return lowerTarget(context, syntax.children[0]!);
  return context.lower(syntax);
}

function targetEntry(context: LoweringContext, syntax: SyntaxNode): IrEntry[] {
  if (context.role(syntax) === 'pair') {
    const key = inField(syntax, 'key');
    const value = inField(syntax, 'value');
    if (key === undefined || value === undefined) return [];
    return [{ key: context.text(key), value: lowerTarget(context, value) }];
  }
  const target = lowerTarget(context, syntax);
  return [{ key: target.op === 'variable' && takesMemberOfSameName(syntax) ? target.name : null, value: target }];
}

/** In a destructuring pattern `{ id }` and `{ id = 1 }` take the member with the same name, `{ ...rest }` does not. */
function takesMemberOfSameName({ type }: SyntaxNode): boolean {
  return type === 'shorthand_property_identifier_pattern' || type === 'object_assignment_pattern';
}
