import type { IrNode } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';
import { lowerTarget } from './lower-assignment.ts';
import type { LoweringContext } from './lowering-context.ts';

/** `x is Type name`, `x instanceof Type name`, `x in list`: a comparison, before which the names of a pattern get their values. */
export function lowerComparison(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const operands = syntax.children.filter(({ field }) => field !== 'operators' && field !== 'operator');
  const operator = inField(syntax, 'operators', 'operator')?.type ?? 'is';
  const [left, right] = [0, 1].map((index) => context.lowerOptional(operands[index], syntax)) as [IrNode, IrNode];
  const pattern = inField(syntax, 'pattern');
  const [joined] = pattern?.type === 'constant_pattern' ? pattern.children : [];
  if (joined !== undefined && logicalOperator(joined) !== null) return lowerJoined(context, joined, left);
  const plain: IrNode = { op: 'compare', operator, left, right, syntax };
  // `x is not ("a" or "b")`
  const compare: IrNode = pattern?.type === 'negated_pattern' ? { op: 'not', value: plain, syntax } : plain;
  const bindings =
    pattern === undefined ? instanceBindings(context, syntax, left) : patternBindings(context, pattern, left);
  return bindings.length === 0 ? compare : { op: 'block', statements: [...bindings, compare], syntax };
}

function logicalOperator(node: SyntaxNode): 'and' | 'or' | null {
  if (node.type !== 'binary_expression') return null;
  const operator = inField(node, 'operator')?.type;
  return operator === '||' ? 'or' : operator === '&&' ? 'and' : null;
}

/** `x is null || y`, which the grammar takes for `x is (null || y)`. */
function lowerJoined(context: LoweringContext, syntax: SyntaxNode, subject: IrNode): IrNode {
  const operator = logicalOperator(syntax);
  if (operator === null) return { op: 'compare', operator: 'is', left: subject, right: context.lower(syntax), syntax };
  const [left, right] = [inField(syntax, 'left') ?? syntax, inField(syntax, 'right')];
  return {
    op: 'logical',
    operator,
    left: lowerJoined(context, left, subject),
    right: context.lowerOptional(right, syntax),
    syntax,
  };
}

/** Assignments to the names that a pattern of a test or a case gives to its subject or to parts of it. */
export function patternBindings(context: LoweringContext, pattern: SyntaxNode, subject: IrNode): IrNode[] {
  switch (pattern.type) {
    case 'declaration_pattern':
    case 'var_pattern':
    case 'type_pattern': {
      const name = inField(pattern, 'name') ?? pattern.children.at(-1);
      return name === undefined ? [] : nameSubject(context, name, inField(pattern, 'type'), subject);
    }
    case 'recursive_pattern': {
      const name = inField(pattern, 'name');
      const clauses = pattern.children.filter(({ type }) => type.endsWith('_clause'));
      return [
        ...(name === undefined ? [] : nameSubject(context, name, inField(pattern, 'type'), subject)),
        ...clauses.flatMap((clause) =>
          clause.type === 'property_pattern_clause'
            ? clause.children.flatMap((part) => memberBindings(context, part, subject))
            : partBindings(context, clause.children, subject, inField(pattern, 'type')),
        ),
      ];
    }
    case 'record_pattern':
      return partBindings(context, pattern.children.at(-1)?.children ?? [], subject, pattern.children[0]);
    case 'constant_pattern': {
      // `Copy(var from, var label)` is written like a call.
      const call = pattern.children.find(({ type }) => type === 'invocation_expression');
      const list = call === undefined ? undefined : inField(call, 'arguments');
      return list === undefined ? [] : partBindings(context, list.children, subject, inField(call!, 'function'));
    }
    case 'and_pattern':
    case 'parenthesized_pattern':
    case 'pattern':
    case 'switch_label':
    case 'case_pattern_switch_label':
      return pattern.children.flatMap((part) => patternBindings(context, part, subject));
    default:
      return [];
  }
}

/** `x instanceof String text` */
function instanceBindings(context: LoweringContext, test: SyntaxNode, subject: IrNode): IrNode[] {
  const name = test.type === 'instanceof_expression' ? inField(test, 'name') : undefined;
  return name === undefined ? [] : nameSubject(context, name, inField(test, 'right'), subject);
}

/** `Key: var key` */
function memberBindings(context: LoweringContext, { children }: SyntaxNode, subject: IrNode): IrNode[] {
  const [name, pattern] = children;
  if (name === undefined || pattern === undefined) return [];
  const member: IrNode = { op: 'member', object: subject, name: context.nameOf(name), syntax: name };
  return patternBindings(context, pattern, member);
}

/** `(String text, int page)`: the parts of the subject in their order. */
function partBindings(
  context: LoweringContext,
  parts: readonly SyntaxNode[],
  subject: IrNode,
  type: SyntaxNode | undefined,
): IrNode[] {
  const numbers: IrNode[] = [];
  const targets = parts.map((part): IrNode => {
    const inner = part.children.length === 1 ? part.children[0]! : part;
    if (inner.type === 'record_pattern') {
      const nested = partBindings(context, inner.children.at(-1)?.children ?? [], subject, undefined)[0];
      return nested?.op === 'assign' ? nested.target : { op: 'empty', syntax: part };
    }
    const name = inField(inner, 'name') ?? inner.children.at(-1);
    const own = inField(inner, 'type') ?? inner.children[0];
    if (name === undefined || inner.children.length < 2) return { op: 'empty', syntax: part };
    if (own === undefined || !context.grammar.scalarTypes.test(context.text(own)))
      return lowerTarget(context, name, true);
    numbers.push(...nameSubject(context, name, own, { op: 'constant', text: '', syntax: name }));
    return { op: 'empty', syntax: part };
  });
  const { syntax } = subject;
  const target: IrNode = { op: 'list', elements: targets, syntax };
  const of = type === undefined ? null : context.text(type);
  return [{ op: 'assign', target, value: subject, how: 'set', type: of, declares: true, syntax }, ...numbers];
}

function nameSubject(
  context: LoweringContext,
  name: SyntaxNode,
  type: SyntaxNode | undefined,
  subject: IrNode,
): IrNode[] {
  const target = lowerTarget(context, name, true);
  if (target.op !== 'variable') return [];
  const written = type === undefined || type.type === 'implicit_type' ? null : context.text(type);
  return [{ op: 'assign', target, value: subject, how: 'set', type: written, declares: true, syntax: name }];
}
