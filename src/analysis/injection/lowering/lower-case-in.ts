import type { IrCase, IrNode } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import type { LoweringContext } from './lowering-context.ts';

/** `case value in pattern` of Ruby: a switch whose cases begin with the names that their pattern binds. */
export function lowerCaseIn(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const { subject, assign } = subjectOf(context, syntax);
  const empty: IrNode = { op: 'empty', syntax };
  const cases = allInField(syntax, 'clauses').map((clause): IrCase => {
    const pattern = inField(clause, 'pattern');
    const guard = inField(clause, 'guard');
    const bound = pattern === undefined ? [] : bindings(context, pattern, subject);
    const body = context.lowerOptional(inField(clause, 'body'), clause);
    const guarded: IrNode =
      guard === undefined
        ? body
        : { op: 'conditional', test: context.lowerFirst(guard), whenTrue: body, whenFalse: empty, syntax: clause };
    const statements = [...bound, guarded];
    return {
      isLiteral: false,
      labels: [empty],
      fallsThrough: false,
      body: { op: 'block', statements, syntax: clause },
    };
  });
  const otherwise = inField(syntax, 'else');
  if (otherwise !== undefined)
    cases.push({ isLiteral: false, labels: [], fallsThrough: false, body: context.lowerFirst(otherwise) });
  return { op: 'block', statements: [assign, { op: 'switch', subject, cases, breaks: false, syntax }], syntax };
}

/** `value in pattern` and `value => pattern`: the names that the pattern binds. */
export function lowerPatternMatch(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const { subject, assign } = subjectOf(context, syntax);
  const pattern = inField(syntax, 'pattern');
  const bound = pattern === undefined ? [] : bindings(context, pattern, subject);
  return { op: 'block', statements: [assign, ...bound, { op: 'empty', syntax }], syntax };
}

/** A name for the value, which is evaluated once. */
function subjectOf(context: LoweringContext, syntax: SyntaxNode): { subject: IrNode; assign: IrNode } {
  const subject: IrNode = { op: 'variable', name: `case:${syntax.start}`, syntax };
  const value = context.lowerOptional(inField(syntax, 'value'), syntax);
  return { subject, assign: { op: 'assign', target: subject, value, how: 'set', type: null, declares: true, syntax } };
}

/** Assigns to each name in a pattern the part of the value that it stands for. */
function bindings(context: LoweringContext, pattern: SyntaxNode, value: IrNode): IrNode[] {
  const inside = (child: SyntaxNode, index: IrNode): IrNode[] =>
    bindings(context, child, { op: 'index', object: value, index, syntax: child });
  switch (pattern.type) {
    case 'identifier':
      return [bind(context, pattern, value)];
    case 'as_pattern': {
      const name = inField(pattern, 'name');
      const inner = inField(pattern, 'value');
      const bound = inner === undefined ? [] : bindings(context, inner, value);
      if (name === undefined) return bound;
      const { syntax } = value;
      const isSafe = inner !== undefined && isHarmless(context, inner);
      const safe: IrNode = { op: 'compare', operator: 'cast', left: value, right: { op: 'empty', syntax }, syntax };
      return [...bound, bind(context, name, isSafe ? safe : value)];
    }
    case 'hash_pattern':
      return pattern.children.flatMap((child) => {
        if (child.type === 'ERROR') return bindings(context, child, value);
        const key = inField(child, 'key');
        if (child.type !== 'keyword_pattern' || key === undefined) return [];
        const index = context.lower(key);
        const part = inField(child, 'value');
        const named: IrNode = { op: 'index', object: value, index, syntax: child };
        return part === undefined ? [bind(context, key, named)] : inside(part, index);
      });
    case 'array_pattern':
    case 'find_pattern':
      return pattern.children.flatMap((child, position) => {
        const isKnown = pattern.type === 'array_pattern' && pattern.children.slice(0, position).every(isElement);
        return inside(
          child.type === 'splat_parameter' ? (child.children[0] ?? child) : child,
          isKnown ? { op: 'constant', text: String(position), syntax: child } : { op: 'empty', syntax: child },
        );
      });
    case 'ERROR':
      // What cannot be parsed may bind any part.
      return pattern.children.flatMap((child) => inside(child, { op: 'empty', syntax: child }));
    case 'parenthesized_pattern':
      return pattern.children.flatMap((child) => bindings(context, child, value));
    default:
      return [];
  }
}

function isElement({ type }: SyntaxNode): boolean {
  return type !== 'splat_parameter';
}

function bind(context: LoweringContext, name: SyntaxNode, value: IrNode): IrNode {
  const target: IrNode = { op: 'variable', name: context.text(name).replace(/:$/, ''), syntax: name };
  context.names.declare(target.name);
  return { op: 'assign', target, value, how: 'set', type: null, declares: true, syntax: name };
}

/** An anchored pattern without a place for arbitrary characters. */
const NARROW = /^(?:\/|%r.)\\A(?!.*(?:[^\\]\.[*+]|\[\^|\\S|\\D|\\W)).*\\z/s;

/** Whether what the pattern matches is no free text: a number, one of some literals, letters and digits. */
function isHarmless(context: LoweringContext, pattern: SyntaxNode): boolean {
  const { type, children } = pattern;
  if (type === 'alternative_pattern' || type === 'parenthesized_pattern')
    return children.every((child) => isHarmless(context, child));
  if (type === 'constant')
    return /^(?:Integer|Float|Numeric|Rational|TrueClass|FalseClass|NilClass|Date|Time)$/.test(context.text(pattern));
  if (type === 'regex') return NARROW.test(context.text(pattern));
  return /^(?:string|simple_symbol|integer|float|true|false|nil|range)$/.test(type);
}
