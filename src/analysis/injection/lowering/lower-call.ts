import type { Lowering } from './lowering-context.ts';
import type { Argument, Call, Step } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';

export function lowerCall(lowering: Lowering, at: SyntaxNode): Step {
  const callee = inField(at, 'function');
  const receiver = inField(at, 'object', 'receiver', 'scope');
  const named = inField(at, 'name', 'method');
  const args = inField(at, 'arguments') ?? at.children.find(({ type }) => type === 'argument_list');
  const block = inField(at, 'block');
  const given = args === undefined ? [] : argumentsOf(lowering, args);
  if (block !== undefined) given.push({ name: null, value: lowering.lower(block) });
  const nameAt = named ?? lastName(callee) ?? at;
  return {
    op: 'call',
    callee: calleeOf(lowering, at, callee, receiver, named),
    args: given,
    nameAt,
    tagged: args?.type === 'template_string',
    at,
  };
}

function calleeOf(
  lowering: Lowering,
  at: SyntaxNode,
  callee: SyntaxNode | undefined,
  receiver: SyntaxNode | undefined,
  named: SyntaxNode | undefined,
): Step {
  if (callee !== undefined) return lowering.lower(callee);
  if (named === undefined) return receiver === undefined ? { op: 'none', at } : lowering.lower(receiver);
  if (receiver === undefined) return { op: 'name', name: lowering.nameOf(named), at: named };
  return { op: 'member', object: lowering.lower(receiver), name: lowering.nameOf(named), at };
}

function lastName(callee: SyntaxNode | undefined): SyntaxNode | undefined {
  return callee === undefined ? undefined : (inField(callee, 'property', 'attribute', 'field', 'name') ?? callee);
}

function argumentsOf(lowering: Lowering, args: SyntaxNode): Argument[] {
  const role = lowering.role(args);
  if (role === 'string' || role === 'comprehension') return [{ name: null, value: lowering.lower(args) }];
  return args.children
    .filter((child) => lowering.role(child) !== 'skip' || child.type.endsWith('_type'))
    .map((child) => {
      const value = child.children.at(-1);
      const name = inField(child, 'name', 'key');
      if (name !== undefined && value !== undefined && (child.type === 'argument' || lowering.role(child) === 'pair')) {
        return { name: lowering.text(name).replace(/^["':]|["':]$/g, ''), value: lowering.lower(value) };
      }
      return { name: null, value: lowering.lower(child) };
    });
}

/** `new T(...)`: a call of `new T`. Properties that are set at once are arguments with names. */
export function lowerNew(lowering: Lowering, at: SyntaxNode): Call {
  const type = inField(at, 'type', 'constructor') ?? at.children.find(({ type }) => type.endsWith('name'));
  const args = inField(at, 'arguments') ?? at.children.find(({ type }) => /^argument(s|_list)$/.test(type));
  const fill = inField(at, 'initializer') ?? at.children.find(({ type }) => type === 'initializer_expression');
  const given = args === undefined ? [] : argumentsOf(lowering, args);
  if (fill !== undefined) given.push(...filled(lowering, fill));
  const body = at.children.find(({ type }) => type === 'class_body' || type === 'anonymous_class');
  if (body !== undefined) given.push({ name: 'body', value: lowering.lower(body) });
  const name = type === undefined ? '' : typeName(lowering.text(type));
  return {
    op: 'call',
    callee: { op: 'name', name: `new:${name}`, at: type ?? at },
    args: given,
    nameAt: type ?? at,
    tagged: false,
    at,
  };
}

function filled(lowering: Lowering, fill: SyntaxNode): Argument[] {
  return fill.children.map((child) => {
    const left = inField(child, 'left');
    const right = inField(child, 'right');
    return left !== undefined && right !== undefined
      ? { name: lowering.text(left), value: lowering.lower(right) }
      : { name: null, value: lowering.lower(child) };
  });
}

/** `List` of `java.util.List<String>`. */
export function typeName(text: string): string {
  const plain = /^[^<[(\s]*/.exec(text.replace(/^[:*&?\s]+/, ''))?.[0] ?? '';
  return plain.slice(Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('\\')) + 1).replace(/\?$/, '');
}

/** A command in backticks: a call of `` ` `` with the command. */
export function lowerShell(lowering: Lowering, at: SyntaxNode): Step {
  const parts = at.children.map(
    (child): Step =>
      lowering.role(child) === 'fragment'
        ? { op: 'text', text: lowering.text(child), at: child }
        : lowering.lower(child),
  );
  return named('`', { op: 'join', parts, at }, at);
}

/** `include x`: a call of `include`, under whichever of its names. */
export function lowerInclude(lowering: Lowering, at: SyntaxNode): Step {
  return named('include', lowering.lowerFirst(at), at);
}

/** `channel <- value`: what receives it is not known. */
export function lowerSend(lowering: Lowering, at: SyntaxNode): Step {
  const channel = inField(at, 'channel') ?? at;
  const value = inField(at, 'value');
  if (value === undefined) return { op: 'none', at };
  const callee: Step = { op: 'member', object: lowering.lower(channel), name: '<-', at: channel };
  return {
    op: 'call',
    callee,
    args: [{ name: null, value: lowering.lower(value) }],
    nameAt: channel,
    tagged: false,
    at,
  };
}

function named(name: string, value: Step, at: SyntaxNode): Step {
  return { op: 'call', callee: { op: 'name', name, at }, args: [{ name: null, value }], nameAt: at, tagged: false, at };
}
