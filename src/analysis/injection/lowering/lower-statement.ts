import { lowerTarget } from './lower-expression.ts';
import type { Lowering } from './lowering-context.ts';
import type { Case, Step } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';

/** Parts in their order; the value is that of the last. */
export function lowerDefault(lowering: Lowering, at: SyntaxNode): Step {
  const parts = at.children.filter((child) => lowering.role(child) !== 'skip');
  const [only] = parts;
  if (only === undefined) return { op: 'none', at };
  if (parts.length === 1) return lowering.lower(only);
  return { op: 'block', steps: parts.map((child) => lowering.lower(child)), at };
}

/** `negated` swaps the branches: Ruby's `unless`. */
export function lowerIf(lowering: Lowering, at: SyntaxNode, negated: boolean): Step {
  const none: Step = { op: 'none', at };
  const init = inField(at, 'initializer');
  const alternatives = allInField(at, 'alternative').toReversed();
  let otherwise: Step = none;
  for (const alternative of alternatives) {
    otherwise =
      alternative.type.startsWith('el') && lowering.role(alternative) === 'if'
        ? decide(lowering, alternative, otherwise, false)
        : lowering.lower(alternative);
  }
  const decided = decide(lowering, at, otherwise, negated);
  return init === undefined ? decided : { op: 'block', steps: [lowering.lower(init), decided], at };
}

function decide(lowering: Lowering, at: SyntaxNode, otherwise: Step, negated: boolean): Step {
  const none: Step = { op: 'none', at };
  const condition = inField(at, 'condition');
  const consequence = inField(at, 'consequence', 'body');
  // Ruby's `elsif` holds what comes after it.
  const nested = at.type === 'elsif' ? inField(at, 'alternative') : undefined;
  const test = condition === undefined ? none : lowering.lower(condition);
  const yes = consequence === undefined ? none : lowering.lower(consequence);
  const no = nested === undefined ? otherwise : lowering.lower(nested);
  return { op: 'choice', test, yes: negated ? no : yes, no: negated ? yes : no, at };
}

export function lowerConditional(lowering: Lowering, at: SyntaxNode): Step {
  const condition = inField(at, 'condition');
  if (condition === undefined) {
    const [yes, test, no] = at.children.map((child) => lowering.lower(child));
    if (yes === undefined || test === undefined || no === undefined) return { op: 'none', at };
    return { op: 'choice', test, yes, no, at };
  }
  const test = lowering.lower(condition);
  const yes = inField(at, 'consequence', 'body');
  const no = inField(at, 'alternative');
  const otherwise: Step = no === undefined ? { op: 'none', at } : lowering.lower(no);
  if (yes === undefined) return { op: 'either', parts: [test, otherwise], at };
  return { op: 'choice', test, yes: lowering.lower(yes), no: otherwise, at };
}

export function lowerLoop(lowering: Lowering, at: SyntaxNode): Step {
  return { op: 'loop', steps: at.children.map((child) => lowering.lower(child)), at };
}

/** A loop over the elements of something. */
export function lowerEach(lowering: Lowering, at: SyntaxNode): Step {
  const unnamed = at.children.filter(({ field }) => field === null);
  const php = lowering.role(at) === 'each-php';
  const target = php ? unnamed[1] : inField(at, 'left', 'name', 'pattern');
  const over = php ? unnamed[0] : inField(at, 'right', 'value');
  const body = inField(at, 'body');
  const otherwise = inField(at, 'alternative');
  const steps: Step[] = [];
  if (target !== undefined && over !== undefined) steps.push(takeElement(lowering, target, over, at));
  else if (over !== undefined) steps.push(lowering.lower(over));
  if (body !== undefined) steps.push(lowering.lower(body));
  if (lowering.role(at) === 'range') return { op: 'block', steps, at };
  const loop: Step = { op: 'loop', steps, at };
  return otherwise === undefined ? loop : { op: 'block', steps: [loop, lowering.lower(otherwise)], at };
}

/** `break` and `continue` by their names in each language. What they carry is a value in Ruby and in Java's `yield`, else a label. */
export function lowerLeave(lowering: Lowering, at: SyntaxNode): Step {
  const carries = /^(break|next|yield_statement)$/.test(at.type);
  const leaves = /^(break|goto|yield)/.test(at.type) ? 'break' : 'continue';
  const value: Step = carries ? lowering.lowerFirst(at) : { op: 'none', at };
  return { op: 'exit', value, leaves, far: !carries && at.children.length > 0, at };
}

/** A block with handlers of exceptions, what runs without one, and what runs in the end. */
export function lowerTry(lowering: Lowering, at: SyntaxNode): Step {
  const handlers = at.children.filter((child) => lowering.role(child) === 'maybe');
  const last = at.children.find(({ type }) => type === 'finally_clause' || type === 'ensure');
  const rest = at.children.filter((child) => !handlers.includes(child) && child !== last);
  const body = lowerDefault(lowering, { ...at, children: rest });
  if (handlers.length === 0 && last === undefined) return body;
  return {
    op: 'try',
    body,
    handlers: handlers.map((handler) => lowering.lower(handler)),
    last: last === undefined ? { op: 'none', at } : lowerDefault(lowering, last),
    at,
  };
}

function takeElement(lowering: Lowering, target: SyntaxNode, over: SyntaxNode, at: SyntaxNode): Step {
  const value: Step = { op: 'index', object: lowering.lower(over), index: { op: 'none', at }, at: over };
  const named = lowering.role(target) === 'pair' ? target.children.at(-1)! : target;
  const counted = lowering.role(at) === 'range' && named.children.length === 2;
  if (counted) for (const name of named.children) lowering.declare(name);
  const into = counted ? named.children[1]! : named;
  return { op: 'assign', target: lowerTarget(lowering, into), value, how: 'set', type: null, at };
}

export function lowerComprehension(lowering: Lowering, at: SyntaxNode): Step {
  const none: Step = { op: 'none', at };
  const body = inField(at, 'body');
  const condition = at.children.find(({ type }) => type === 'if_clause');
  let inner: Step = body === undefined ? none : lowering.lower(body);
  let test: Step = condition === undefined ? none : lowering.lower(condition);
  for (const clause of at.children.filter(({ type }) => type === 'for_in_clause').toReversed()) {
    const left = inField(clause, 'left');
    const right = inField(clause, 'right');
    if (left === undefined || right === undefined) continue;
    inner = { op: 'each', target: lowerTarget(lowering, left), over: lowering.lower(right), test, body: inner, at };
    test = none;
  }
  return inner;
}

const LABELS = new Set([
  'switch_label',
  'constant_pattern',
  'case_pattern',
  'discard',
  'declaration_pattern',
  'pattern',
]);
const LABEL_FIELDS = new Set(['value', 'pattern', 'conditional_expressions', 'type']);

export function lowerSwitch(lowering: Lowering, at: SyntaxNode): Step {
  const subject = inField(at, 'value', 'subject', 'condition') ?? at.children[0];
  const held = inField(at, 'body')?.children ?? [];
  const cases = [...at.children, ...held]
    .filter((child) => lowering.role(child) === 'case')
    .map((child) => lowerCase(lowering, child));
  const init = inField(at, 'initializer');
  const decided: Step = {
    op: 'switch',
    subject: subject === undefined ? { op: 'none', at } : lowering.lower(subject),
    cases,
    breaks: !/^(match_statement|case)$/.test(at.type),
    at,
  };
  return init === undefined ? decided : { op: 'block', steps: [lowering.lower(init), decided], at };
}

function lowerCase(lowering: Lowering, node: SyntaxNode): Case {
  const isLabel = (child: SyntaxNode): boolean =>
    LABELS.has(child.type) || (child.field !== null && LABEL_FIELDS.has(child.field));
  const labels = node.children.filter(isLabel).map((label) => lowering.lower(label));
  const steps = node.children.filter((child) => !isLabel(child)).map((child) => lowering.lower(child));
  return {
    literal: labels.length > 0 && labels.every(isLiteral),
    falls: /^(switch_case|switch_default|switch_block_statement_group|case_statement|default_statement)$/.test(
      node.type,
    ),
    body: { op: 'block', steps, at: node },
  };
}

export function isLiteral(step: Step): boolean {
  if (step.op === 'block') return step.steps.length > 0 && step.steps.every(isLiteral);
  if (step.op === 'list') return step.items.length > 0 && step.items.every(isLiteral);
  return step.op === 'text' || step.op === 'constant';
}
