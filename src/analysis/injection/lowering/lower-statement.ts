import { type IrCase, type IrNode, type IrNodeOf, isLiteral, KEY_OF } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { lowerTarget } from './lower-assignment.ts';
import { callOf } from './lower-call.ts';
import { lowerCaseClause } from './lower-match.ts';
import { patternBindings } from './lower-type-pattern.ts';
import { type LoweringContext, withoutSkipped } from './lowering-context.ts';

/** Types of nodes in which names begin that end with them. */
export const BLOCK_TYPES = new Set(['statement_block', 'block', 'compound_statement', 'switch_body']);

/** A block in which names may begin that have another meaning outside. */
export function lowerBlock(context: LoweringContext, syntax: SyntaxNode): IrNode {
  return withBlock(context, syntax, () => lowerDefault(context, syntax));
}

function withBlock(context: LoweringContext, syntax: SyntaxNode, lower: () => IrNode): IrNode {
  let node: IrNode = { op: 'empty', syntax };
  const locals = context.names.inBlock(() => {
    node = lower();
  });
  return locals.length === 0 ? node : { op: 'block', statements: [node], locals, syntax };
}

/** The children in their order; the value is that of the last one. */
export function lowerDefault(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const parts = withoutSkipped(context, syntax);
  if (parts.length <= 1) return context.lowerOptional(parts[0], syntax);
  return { op: 'block', statements: context.lowerAll(parts), syntax };
}

/** `isNegated` swaps the branches: `unless` in Ruby. */
export function lowerIf(context: LoweringContext, syntax: SyntaxNode, isNegated: boolean): IrNode {
  const initializer = inField(syntax, 'initializer');
  if (initializer === undefined) return lowerAlternatives(context, syntax, isNegated);
  // `if x := f(); x > 0` in Go.
  return withBlock(context, syntax, () => {
    const first = context.lower(initializer);
    return { op: 'block', statements: [first, lowerAlternatives(context, syntax, isNegated)], syntax };
  });
}

function lowerAlternatives(context: LoweringContext, syntax: SyntaxNode, isNegated: boolean): IrNode {
  let otherwise: IrNode = { op: 'empty', syntax };
  for (const alternative of allInField(syntax, 'alternative').toReversed()) {
    otherwise =
      alternative.type.startsWith('el') && context.role(alternative) === 'if'
        ? lowerBranches(context, alternative, otherwise, false)
        : context.lower(alternative);
  }
  return lowerBranches(context, syntax, otherwise, isNegated);
}

function lowerBranches(context: LoweringContext, syntax: SyntaxNode, otherwise: IrNode, isNegated: boolean): IrNode {
  const test = context.lowerOptional(inField(syntax, 'condition'), syntax);
  const then = context.lowerOptional(inField(syntax, 'consequence', 'body'), syntax);
  // The alternatives of Ruby's `elsif` are inside of it.
  const nested = syntax.type === 'elsif' ? inField(syntax, 'alternative') : undefined;
  const rest = nested === undefined ? otherwise : context.lower(nested);
  const [whenTrue, whenFalse] = isNegated ? [rest, then] : [then, rest];
  return { op: 'conditional', test, whenTrue, whenFalse, syntax };
}

export function lowerConditional(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const condition = inField(syntax, 'condition');
  if (condition === undefined) {
    // `a if test else b` in Python.
    const [whenTrue, test, whenFalse] = context.lowerAll(syntax.children);
    if (whenTrue === undefined || test === undefined || whenFalse === undefined) return { op: 'empty', syntax };
    return { op: 'conditional', test, whenTrue, whenFalse, syntax };
  }
  const test = context.lower(condition);
  const then = inField(syntax, 'consequence', 'body');
  const whenFalse = context.lowerOptional(inField(syntax, 'alternative'), syntax);
  if (then === undefined) return { op: 'coalesce', parts: [test, whenFalse], syntax };
  return { op: 'conditional', test, whenTrue: context.lower(then), whenFalse, syntax };
}

export function lowerLoop(context: LoweringContext, syntax: SyntaxNode): IrNode {
  return withBlock(context, syntax, () => loopOf(context, syntax, () => context.lowerAll(syntax.children)));
}

function loopOf(context: LoweringContext, syntax: SyntaxNode, lower: () => IrNode[]): IrNode {
  let statements: IrNode[] = [];
  const assigned = context.names.assignedIn(() => {
    statements = lower();
  });
  return { op: 'loop', statements, assigned, syntax };
}

/** A loop over elements. In Go the clause `range` stands inside of the loop. */
export function lowerForEach(context: LoweringContext, syntax: SyntaxNode): IrNode {
  if (context.role(syntax) === 'range-clause') return { op: 'block', statements: lowerEach(context, syntax), syntax };
  const otherwise = inField(syntax, 'alternative');
  const loop = withBlock(context, syntax, () => loopOf(context, syntax, () => lowerEach(context, syntax)));
  return otherwise === undefined ? loop : { op: 'block', statements: [loop, context.lower(otherwise)], syntax };
}

function lowerEach(context: LoweringContext, syntax: SyntaxNode): IrNode[] {
  // The grammar of PHP has no fields for them.
  const unnamed = syntax.children.filter(({ field }) => field === null);
  const target = inField(syntax, 'left', 'name', 'pattern') ?? unnamed[1];
  const over = inField(syntax, 'right', 'value') ?? unnamed[0];
  const body = inField(syntax, 'body');
  const statements: IrNode[] = [];
  if (target !== undefined && over !== undefined) statements.push(assignElement(context, target, over, syntax));
  else if (over !== undefined) statements.push(context.lower(over));
  if (body !== undefined) statements.push(context.lower(body));
  return statements;
}

function assignElement(context: LoweringContext, target: SyntaxNode, over: SyntaxNode, syntax: SyntaxNode): IrNode {
  const value: IrNodeOf<'index'> = {
    op: 'index',
    object: context.lower(over),
    index: { op: 'empty', syntax },
    syntax: over,
  };
  const variables = context.role(target) === 'pair' ? target.children.at(-1)! : target;
  const isRange = context.role(syntax) === 'range-clause';
  const hasIndex = isRange && variables.children.length === 2;
  if (hasIndex) for (const name of variables.children) context.names.declare(context.nameOf(name));
  const variable = hasIndex ? variables.children[1]! : variables;
  // `for k := range m` in Go, `for (k in object)` in JavaScript.
  const isKeyAlone = (isRange && !hasIndex) || inField(syntax, 'operator')?.type === 'in';
  // `for (x of list)` in JavaScript assigns to a variable that is there.
  const declares = syntax.type !== 'for_in_statement' || inField(syntax, 'kind') !== undefined;
  const assign: IrNode = {
    op: 'assign',
    target: lowerTarget(context, variable, declares),
    value: isKeyAlone ? callOf(KEY_OF, value.object, syntax) : value,
    how: 'set',
    type: null,
    declares,
    syntax,
  };
  const named = hasIndex ? variables : target;
  if (!hasIndex && (variables === target || target.children.length < 2)) return assign;
  // `foreach ($list as $key => $value)`
  const key: IrNode = {
    op: 'assign',
    target: lowerTarget(context, named.children[0]!, declares),
    value: callOf(KEY_OF, value.object, syntax),
    how: 'set',
    type: null,
    declares,
    syntax,
  };
  return { op: 'block', statements: [key, assign], syntax };
}

/** `break`, `continue` and what other languages call them. Their operand is a value in Ruby and in Java's `yield`, else a label. */
export function lowerJump(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const hasValue = /^(break|next|yield_statement)$/.test(syntax.type);
  const jump = /^(break|goto|yield)/.test(syntax.type) ? 'break' : 'continue';
  const value: IrNode = hasValue ? context.lowerFirst(syntax) : { op: 'empty', syntax };
  return { op: 'jump', jump, value, isLabelled: !hasValue && syntax.children.length > 0, syntax };
}

/** `yield value`, `yield key => value`, or in C# `yield break`. */
export function lowerYield(context: LoweringContext, syntax: SyntaxNode): IrNode {
  if (context.text(syntax).startsWith('yield break'))
    return { op: 'jump', jump: 'return', value: { op: 'empty', syntax }, isLabelled: false, syntax };
  const pair = syntax.children.length === 1 ? syntax.children[0]! : syntax;
  const isPair = pair.type === 'array_element_initializer';
  const parts = context.lowerAll(isPair ? pair.children : syntax.children);
  const isKeyed = parts.length > 1;
  const value: IrNode = isKeyed ? { op: 'coalesce', parts, syntax } : (parts[0] ?? { op: 'empty', syntax });
  const isDelegated = /^yield\s*(?:from\b|\*)/.test(context.text(syntax));
  return { op: 'yield', value, isDelegated, isKeyed, syntax };
}

/** The body includes what runs when no exception was thrown (`else`). */
export function lowerTry(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const handlers = syntax.children.filter((child) => context.role(child) === 'handler');
  const finalizer = syntax.children.find(({ type }) => type === 'finally_clause' || type === 'ensure');
  const rest = syntax.children.filter((child) => !handlers.includes(child) && child !== finalizer);
  const body = lowerDefault(context, { ...syntax, children: rest });
  if (handlers.length === 0 && finalizer === undefined) return body;
  return {
    op: 'try',
    body,
    handlers: context.lowerAll(handlers),
    finalizer: finalizer === undefined ? { op: 'empty', syntax } : lowerDefault(context, finalizer),
    syntax,
  };
}

export function lowerComprehension(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const condition = syntax.children.find(({ type }) => type === 'if_clause');
  let body = context.lowerOptional(inField(syntax, 'body'), syntax);
  let test = context.lowerOptional(condition, syntax);
  for (const clause of syntax.children.filter(({ type }) => type === 'for_in_clause').toReversed()) {
    const left = inField(clause, 'left');
    const right = inField(clause, 'right');
    if (left === undefined || right === undefined) continue;
    const target = lowerTarget(context, left);
    body = { op: 'comprehension', target, over: context.lower(right), test, body, syntax };
    test = { op: 'empty', syntax };
  }
  return body;
}

/** `from x in xs where f(x) select g(x)`: a comprehension. */
export function lowerQuery(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const clause = (type: string): SyntaxNode | undefined => syntax.children.find((child) => child.type === type);
  const from = clause('from_clause');
  const name = from === undefined ? undefined : inField(from, 'name');
  const over = from?.children.at(-1);
  if (name === undefined || over === undefined) return lowerDefault(context, syntax);
  return {
    op: 'comprehension',
    over: context.lower(over),
    target: lowerTarget(context, name, true),
    test: context.lowerOptional(clause('where_clause')?.children[0], syntax),
    body: context.lowerOptional(clause('select_clause')?.children[0], syntax),
    syntax,
  };
}

const LABEL_TYPES = /^(switch_label|constant_pattern|case_pattern|discard|\w+_pattern|pattern)$/;
const LABEL_FIELDS = /^(value|pattern|conditional_expressions|type)$/;
const FALL_THROUGH_CASES =
  /^(switch_case|switch_default|switch_block_statement_group|case_statement|default_statement)$/;

export function lowerSwitch(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const subject = lowerSubject(context, syntax);
  const isMatch = syntax.type === 'match_statement';
  // `switch v := x.(type)` in Go.
  const alias = inField(syntax, 'alias');
  const declared = alias === undefined ? null : lowerTarget(context, alias, true);
  // The patterns read the parts of the subject from a variable: it is evaluated once.
  const isNamed = subject.op === 'variable' || (!isMatch && subject.op === 'member');
  const own: IrNode = isNamed ? subject : { op: 'variable', name: `match:${syntax.start}`, syntax: subject.syntax };
  const matched = declared ?? own;
  let hasBindings = isMatch || declared !== null;
  const cases = [...syntax.children, ...(inField(syntax, 'body')?.children ?? [])]
    .filter((child) => context.role(child) === 'case')
    .map((child) => {
      if (isMatch) return lowerCaseClause(context, child, matched);
      const { node, isBinding } = lowerCase(context, child, matched, declared);
      hasBindings ||= isBinding;
      return node;
    });
  const initializer = inField(syntax, 'initializer');
  const node: IrNode = {
    op: 'switch',
    subject: hasBindings ? matched : subject,
    cases,
    breaks: !/^(match_statement|case)$/.test(syntax.type),
    syntax,
  };
  if (hasBindings && matched !== subject) {
    const named: IrNode = { op: 'assign', target: matched, value: subject, how: 'set', type: null, syntax };
    return { op: 'block', statements: [named, node], syntax };
  }
  return initializer === undefined ? node : { op: 'block', statements: [context.lower(initializer), node], syntax };
}

/** Several values are a list in Python. */
function lowerSubject(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const subjects = allInField(syntax, 'subject');
  if (subjects.length > 1) return { op: 'list', elements: context.lowerAll(subjects), syntax };
  return context.lowerOptional(inField(syntax, 'value', 'subject', 'condition') ?? syntax.children[0], syntax);
}

/** `typed`: the variable that has the type of the case inside. */
function lowerCase(
  context: LoweringContext,
  syntax: SyntaxNode,
  subject: IrNode,
  typed: IrNode | null,
): { node: IrCase; isBinding: boolean } {
  const isLabel = ({ type, field }: SyntaxNode): boolean =>
    LABEL_TYPES.test(type) || (field !== null && LABEL_FIELDS.test(field));
  const written = syntax.children.filter(isLabel);
  const bindings = written.flatMap((label) => patternBindings(context, label, subject));
  const labels = context.lowerAll(written);
  const statements = context.lowerAll(syntax.children.filter((child) => !isLabel(child)));
  const types = allInField(syntax, 'type').map((type) => context.text(type));
  const isScalar = types.length > 0 && types.every((type) => type === ',' || context.grammar.scalarTypes.test(type));
  if (typed !== null && isScalar) {
    const value: IrNode = { op: 'constant', text: '', syntax };
    statements.unshift({ op: 'assign', target: typed, value, how: 'set', type: null, syntax });
  }
  const node: IrCase = {
    isLiteral: labels.length > 0 && labels.every(isLiteral),
    labels,
    fallsThrough: FALL_THROUGH_CASES.test(syntax.type),
    body: { op: 'block', statements: [...bindings, ...statements], syntax },
  };
  return { node, isBinding: bindings.length > 0 };
}
