import type { IrEntry, IrNode, IrNodeOf } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { declareStruct } from './declare-struct.ts';
import { isSetByClient } from './declared-inputs.ts';
import { onlyExpression } from './lower-expression.ts';
import type { LoweringContext } from './lowering-context.ts';

export function lowerAssign(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const left = inField(syntax, 'left');
  const right = inField(syntax, 'right');
  if (left === undefined) return { op: 'empty', syntax };
  const operator = inField(syntax, 'operator')?.type ?? '=';
  const unknown: IrNode = { op: 'constant', text: '', syntax };
  const declares = syntax.type === 'short_var_declaration';
  const value = right === undefined ? unknown : context.lower(right);
  const target = lowerTarget(context, left, declares);
  const assign = { op: 'assign', target, value, type: null, declares, syntax } as const;
  if (context.grammar.appendOperators.includes(operator)) return { ...assign, how: 'append' };
  if (operator === '=' || operator === ':=') {
    const set: IrNodeOf<'assign'> = { ...assign, how: 'set', type: context.optionalText(inField(syntax, 'type')) };
    // A variable of a class body is shared by all objects.
    if (context.owner !== null && target.op === 'variable') context.owner.statics.add(target.name);
    context.owner?.fields.push(set);
    if (target.op === 'variable') {
      nameFunction(context, target.name, value);
      declareStruct(context, target.name, value);
    }
    return set;
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
  // The value comes first: in it the name still has its meaning outside.
  const declared = context.optionalText(inField(syntax, 'type')) ?? type;
  const lowered: IrNode = isSetByClient(context, syntax)
    ? { op: 'variable', name: '#request', syntax }
    : context.expecting(declared, () => context.lowerOptional(value, syntax));
  const targets = names.map((name) => lowerTarget(context, name, true));
  const [first] = targets;
  if (first === undefined) return { op: 'empty', syntax };
  const assign: IrNodeOf<'assign'> = {
    op: 'assign',
    target: targets.length === 1 ? first : { op: 'list', elements: targets, syntax },
    value: lowered,
    how: 'set',
    type: declared,
    declares: true,
    syntax,
  };
  if (context.owner !== null) {
    context.owner.fields.push(assign);
    if (context.isStatic && first.op === 'variable') context.owner.statics.add(first.name.replace(/^\$/, ''));
  }
  if (first.op === 'variable') nameFunction(context, first.name, lowered);
  return assign;
}

/** A function without a name of its own has that of its variable. */
function nameFunction(context: LoweringContext, name: string, value: IrNode): void {
  if (value.op === 'function' && value.name === null) context.addFunction(name, value);
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

const REST_TARGET = /^(list_splat_pattern|rest_pattern|rest_assignment)$/;

/** The target of an assignment. `declares`: its names begin here. */
export function lowerTarget(context: LoweringContext, syntax: SyntaxNode, declares = false): IrNode {
  const role = context.role(syntax);
  if (role === 'assign') {
    const left = inField(syntax, 'left');
    return left === undefined ? { op: 'empty', syntax } : lowerTarget(context, left, declares);
  }
  const [only] = syntax.children;
  if (REST_TARGET.test(syntax.type) && only !== undefined) {
    return { op: 'spread', value: lowerTarget(context, only, declares), syntax };
  }
  if (role === 'name') {
    const target = context.lower(syntax);
    if (target.op === 'variable') noteAssigned(context, target.name, declares);
    else if (target.op === 'member') context.names.assign(target.name, false);
    return target;
  }
  if (role === 'member') {
    const target = context.lower(syntax);
    if (target.op === 'member') context.names.assign(target.name, false);
    return target;
  }
  if (role === 'record') {
    return { op: 'record', entries: syntax.children.flatMap((child) => targetEntry(context, child, declares)), syntax };
  }
  if (role === 'list') {
    const only = onlyExpression(syntax);
    if (only !== undefined) return lowerTarget(context, only, declares);
    return { op: 'list', elements: listTargets(context, syntax, declares), syntax };
  }
  if (role === 'call') {
    const call = context.lower(syntax);
    return call.op === 'call' && call.callee.op === 'member' ? call.callee : call;
  }
  if (role === undefined && syntax.children.length === 1) return lowerTarget(context, syntax.children[0]!, declares);
  return context.lower(syntax);
}

/** `[, b]`, `list(, $b)`: an element without a target is between two commas. */
function listTargets(context: LoweringContext, syntax: SyntaxNode, declares: boolean): IrNode[] {
  const targets: IrNode[] = [];
  let { start } = syntax;
  for (const child of syntax.children) {
    const commas = context.text({ ...syntax, start, end: child.start }).split(',').length - 1;
    const holes = start === syntax.start ? commas : commas - 1;
    for (let hole = 0; hole < holes; hole++) targets.push({ op: 'empty', syntax });
    targets.push(lowerTarget(context, child, declares));
    start = child.end;
  }
  return targets;
}

function noteAssigned(context: LoweringContext, name: string, declares: boolean): void {
  if (declares) context.names.declare(name);
  context.names.assign(name, true);
}

function targetEntry(context: LoweringContext, syntax: SyntaxNode, declares: boolean): IrEntry[] {
  if (context.role(syntax) === 'pair') {
    const key = inField(syntax, 'key');
    const value = inField(syntax, 'value');
    if (key === undefined || value === undefined) return [];
    return [{ key: context.text(key), value: lowerTarget(context, value, declares) }];
  }
  const target = lowerTarget(context, syntax, declares);
  return [{ key: target.op === 'variable' && takesMemberOfSameName(syntax) ? target.name : null, value: target }];
}

/** In a destructuring pattern `{ id }` and `{ id = 1 }` take the member with the same name, `{ ...rest }` does not. */
function takesMemberOfSameName({ type }: SyntaxNode): boolean {
  return type === 'shorthand_property_identifier_pattern' || type === 'object_assignment_pattern';
}
