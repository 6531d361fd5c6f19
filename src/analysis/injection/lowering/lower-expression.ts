import type { Lowering } from './lowering-context.ts';
import type { Entry, Step } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';

/** A literal, or a join of the literal's pieces and what is interpolated. */
export function lowerString(lowering: Lowering, at: SyntaxNode): Step {
  if (at.children.length === 0) return { op: 'text', text: unquoted(lowering.text(at)), at };
  const parts: Step[] = [];
  let literal = '';
  for (const child of at.children) {
    const role = lowering.role(child);
    if (role === 'skip') continue;
    const part: Step =
      role === 'fragment' ? { op: 'text', text: lowering.text(child), at: child } : lowering.lower(child);
    if (part.op !== 'text') parts.push({ op: 'text', text: literal, at }, part);
    literal = part.op === 'text' ? literal + part.text : '';
  }
  if (parts.length === 0) return { op: 'text', text: literal, at };
  parts.push({ op: 'text', text: literal, at });
  return { op: 'join', parts: parts.filter((part) => part.op !== 'text' || part.text !== ''), at };
}

/** A leaf of a literal without its marks: quotes with their prefix, a symbol's colon. Fragments have none. */
function unquoted(text: string): string {
  const open = /^[A-Za-z@$]{0,2}(?:"""|'''|["'`])|^:"?/.exec(text)?.[0] ?? '';
  if (open === '') return text;
  return text.slice(open.length).replace(/["'`]{1,3}$/, '');
}

const OBJECTS = ['object', 'expression', 'operand', 'receiver', 'scope', 'condition'];
const NAMES = ['property', 'attribute', 'field', 'name', 'method'];

export function lowerMember(lowering: Lowering, at: SyntaxNode): Step {
  const object = inField(at, ...OBJECTS) ?? at.children[0];
  const named = inField(at, ...NAMES) ?? at.children[1];
  if (object === undefined || named === undefined) return { op: 'none', at };
  const from = lowering.lower(object);
  if (named.type === 'element_binding_expression') {
    return { op: 'index', object: from, index: lowerDefaultIndex(lowering, named), at };
  }
  const name = named.type === 'member_binding_expression' ? (inField(named, 'name') ?? named) : named;
  return { op: 'member', object: from, name: lowering.nameOf(name), at };
}

function lowerDefaultIndex(lowering: Lowering, node: SyntaxNode): Step {
  const first = node.children[0];
  return first === undefined ? { op: 'none', at: node } : lowering.lower(first);
}

export function lowerIndex(lowering: Lowering, at: SyntaxNode): Step {
  const object = inField(at, 'object', 'value', 'operand', 'array', 'expression') ?? at.children[0];
  const index = inField(at, 'index', 'subscript') ?? at.children.find((child) => child !== object);
  if (object === undefined) return { op: 'none', at };
  return {
    op: 'index',
    object: lowering.lower(object),
    index: index === undefined ? { op: 'none', at } : lowering.lower(index),
    at,
  };
}

/** Chains of one joining operator lean to the left, as deep as they are long: they are walked, not recursed into. */
export function lowerBinary(lowering: Lowering, at: SyntaxNode): Step {
  const { joins } = lowering.grammar;
  const operator = operatorOf(at);
  if (joins.includes(operator) && operator !== '<<') {
    const parts: Step[] = [];
    let node = at;
    while (lowering.role(node) === 'binary' && joins.includes(operatorOf(node)) && operatorOf(node) !== '<<') {
      const right = inField(node, 'right');
      const left = inField(node, 'left');
      if (left === undefined || right === undefined) break;
      parts.push(lowering.lower(right));
      node = left;
    }
    parts.push(lowering.lower(node));
    return { op: 'join', parts: parts.toReversed(), at };
  }
  const [left, right] = sides(lowering, at);
  if (operator === '<<' && joins.includes('<<')) {
    return { op: 'assign', target: left, value: right, how: 'append', type: null, at };
  }
  if (operator === '&&' || operator === 'and') return { op: 'logic', operator: 'and', left, right, at };
  if (operator === '||' || operator === 'or') return { op: 'logic', operator: 'or', left, right, at };
  if (lowering.grammar.eithers.includes(operator)) return { op: 'either', parts: [left, right], at };
  return { op: 'compare', operator, left, right, at };
}

export function lowerComparison(lowering: Lowering, at: SyntaxNode): Step {
  const operands = at.children.filter(({ field }) => field !== 'operators' && field !== 'operator');
  const operator = inField(at, 'operators', 'operator')?.type ?? 'is';
  const [left, right] = operands.map((child) => lowering.lower(child));
  return { op: 'compare', operator, left: left ?? { op: 'none', at }, right: right ?? { op: 'none', at }, at };
}

export function lowerUnary(lowering: Lowering, at: SyntaxNode): Step {
  const operator = inField(at, 'operator')?.type ?? lowering.text(at).slice(0, 1);
  const value = lowering.lowerFirst(at);
  if (operator === '!' || operator === 'not') return { op: 'not', value, at };
  if (operator === 'typeof') {
    const callee: Step = { op: 'name', name: 'typeof', at };
    return { op: 'call', callee, args: [{ name: null, value }], nameAt: at, tagged: false, at };
  }
  if ('+-~'.includes(operator.slice(0, 1)))
    return { op: 'compare', operator, left: value, right: { op: 'none', at }, at };
  return value;
}

export function lowerCast(lowering: Lowering, at: SyntaxNode): Step {
  const type = inField(at, 'type');
  const value = inField(at, 'value', 'operand') ?? at.children.at(-1);
  if (type !== undefined && lowering.grammar.numeric.test(lowering.text(type))) {
    return { op: 'constant', text: lowering.text(at), at };
  }
  return value === undefined ? { op: 'none', at } : lowering.lower(value);
}

export function lowerAssign(lowering: Lowering, at: SyntaxNode): Step {
  const left = inField(at, 'left');
  const right = inField(at, 'right');
  if (left === undefined) return { op: 'none', at };
  const operator = inField(at, 'operator')?.type ?? '=';
  const type = inField(at, 'type');
  const target = lowerTarget(lowering, left);
  const value: Step = right === undefined ? { op: 'constant', text: '', at } : lowering.lower(right);
  const declared = type === undefined ? null : lowering.text(type);
  if (lowering.grammar.appends.includes(operator)) {
    return { op: 'assign', target, value, how: 'append', type: null, at };
  }
  if (operator === '=' || operator === ':=') return { op: 'assign', target, value, how: 'set', type: declared, at };
  if (operator === '??=' || operator === '||=') {
    return { op: 'assign', target, value, how: 'default', type: null, at };
  }
  return { op: 'assign', target, value: { op: 'constant', text: '', at }, how: 'default', type: null, at };
}

/** One name, or several, and the value that a declaration gives them. */
export function lowerDeclarator(lowering: Lowering, at: SyntaxNode, type: string | null): Step {
  const aliases = allInField(at, 'alias');
  const named = aliases.length > 0 ? aliases : allInField(at, 'name', 'pattern');
  const names = named.length > 0 ? named : at.children.slice(0, 1);
  const value = inField(at, 'value') ?? unnamedValue(lowering, at, names);
  const typed = inField(at, 'type');
  const targets = names.map((name) => lowerTarget(lowering, name));
  const [first] = targets;
  if (first === undefined) return { op: 'none', at };
  return {
    op: 'assign',
    target: targets.length === 1 ? first : { op: 'list', items: targets, at },
    value: value === undefined ? { op: 'none', at } : lowering.lower(value),
    how: 'set',
    type: typed === undefined ? type : lowering.text(typed),
    at,
  };
}

function unnamedValue(lowering: Lowering, at: SyntaxNode, names: readonly SyntaxNode[]): SyntaxNode | undefined {
  return at.children.findLast(
    (child) => child.field === null && !names.includes(child) && lowering.role(child) !== 'skip',
  );
}

/** What is assigned to: names in it become declared. */
export function lowerTarget(lowering: Lowering, node: SyntaxNode): Step {
  const role = lowering.role(node);
  if (role === 'assign') {
    const left = inField(node, 'left');
    return left === undefined ? { op: 'none', at: node } : lowerTarget(lowering, left);
  }
  if (role === 'name') {
    lowering.declare(node);
    return lowering.lower(node);
  }
  if (role === 'record') {
    return { op: 'record', entries: node.children.flatMap((child) => targetEntry(lowering, child)), at: node };
  }
  if (role === 'list') {
    const [only] = node.children;
    if (only !== undefined && node.children.length === 1 && node.type === 'expression_list') {
      return lowerTarget(lowering, only);
    }
    return { op: 'list', items: node.children.map((child) => lowerTarget(lowering, child)), at: node };
  }
  if (role === 'call') {
    const step = lowering.lower(node);
    return step.op === 'call' && step.callee.op === 'member' ? step.callee : step;
  }
  if (role === undefined && node.children.length === 1) return lowerTarget(lowering, node.children[0]!);
  return lowering.lower(node);
}

function targetEntry(lowering: Lowering, node: SyntaxNode): Entry[] {
  if (lowering.role(node) === 'pair') {
    const key = inField(node, 'key');
    const value = inField(node, 'value');
    if (key === undefined || value === undefined) return [];
    return [{ key: lowering.text(key), value: lowerTarget(lowering, value) }];
  }
  const target = lowerTarget(lowering, node);
  return [{ key: target.op === 'name' && isRegister(node) ? target.name : null, value: target }];
}

export function lowerList(lowering: Lowering, at: SyntaxNode): Step {
  const [only] = at.children;
  if (only !== undefined && at.children.length === 1 && at.type === 'expression_list') return lowering.lower(only);
  if (at.children.some(({ type, children }) => type === 'array_element_initializer' && children.length > 1)) {
    return lowerRecord(lowering, at);
  }
  const items = at.children.filter((child) => lowering.role(child) !== 'skip').map((child) => lowering.lower(child));
  return { op: 'list', items, at };
}

export function lowerRecord(lowering: Lowering, at: SyntaxNode): Step {
  const entries = at.children.map((child): Entry => {
    const [first] = child.children;
    if (lowering.role(child) === 'pair' || (child.type === 'array_element_initializer' && child.children.length > 1)) {
      const key = inField(child, 'key') ?? first;
      return {
        key: key === undefined ? null : literalKey(lowering, key),
        value: lowering.lower(child.children.at(-1)!),
      };
    }
    return { key: lowering.role(child) === 'name' ? lowering.text(child) : null, value: lowering.lower(child) };
  });
  return { op: 'record', entries, at };
}

function literalKey(lowering: Lowering, node: SyntaxNode): string | null {
  const step = lowering.lower(node);
  if (step.op === 'text') return step.text;
  return step.op === 'name' ? step.name : null;
}

export function operatorOf(node: SyntaxNode): string {
  return inField(node, 'operator')?.type ?? '';
}

function sides(lowering: Lowering, at: SyntaxNode): [Step, Step] {
  const left = inField(at, 'left');
  const right = inField(at, 'right');
  return [
    left === undefined ? { op: 'none', at } : lowering.lower(left),
    right === undefined ? { op: 'none', at } : lowering.lower(right),
  ];
}

/** In a pattern of names: `{ id }` and `{ id = 1 }` take the member of the same name, `{ ...rest }` does not. */
function isRegister({ type }: SyntaxNode): boolean {
  return type === 'shorthand_property_identifier_pattern' || type === 'object_assignment_pattern';
}
