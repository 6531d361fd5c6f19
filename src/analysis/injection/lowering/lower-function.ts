import { typeName } from './lower-call.ts';
import { lowerTarget } from './lower-expression.ts';
import type { Lowering } from './lowering-context.ts';
import type { Parameter, Routine, Step } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';

const BLOCKS = new Set(['statement_block', 'block', 'compound_statement', 'constructor_body']);
const NOTES_SHOWN = 1000;

/** A function, method, closure or block. `notes` are decorators that stand around it. */
export function lowerRoutine(lowering: Lowering, at: SyntaxNode, notes: string): Step {
  const name = inField(at, 'name');
  const given = inField(at, 'parameters', 'parameter');
  const body = inField(at, 'body');
  for (const receiver of allInField(at, 'receiver')) parametersOf(lowering, receiver);
  if (name !== undefined) lowering.declare(name);
  const parameters = given === undefined ? [] : parametersOf(lowering, given);
  const run: Step = body === undefined ? { op: 'none', at } : lowering.lower(body);
  const isResult = body !== undefined && (lowering.grammar.lastIsResult || !BLOCKS.has(body.type));
  const written = at.children.filter(({ type }) => type === 'modifiers' || type === 'attribute_list');
  const routine: Routine = {
    op: 'routine',
    name: name === undefined ? null : lowering.nameOf(name),
    parameters,
    body: isResult ? { op: 'exit', value: run, leaves: 'routine', far: false, at: body } : run,
    notes: [notes, ...written.map((node) => lowering.text(node))].join('\n').slice(0, NOTES_SHOWN),
    at,
  };
  const { routines } = lowering;
  if (routine.name !== null) routines.set(routine.name, routines.has(routine.name) ? null : routine);
  return routine;
}

function parametersOf(lowering: Lowering, node: SyntaxNode): Parameter[] {
  const bare = node.children.length === 0 && !/parameter(s|_list)$/.test(node.type);
  if (bare || lowering.role(node) === 'name') return [parameter(lowering, node, node, null)];
  return node.children.flatMap((child) => {
    if (child.field === 'type') return [];
    const names = allInField(child, 'name', 'pattern', 'left');
    const type = inField(child, 'type') ?? child.children.find((part) => /_type$|^type_identifier$/.test(part.type));
    const declarator = child.children.find(({ type }) => type === 'variable_declarator');
    if (declarator !== undefined) names.push(...allInField(declarator, 'name'));
    if (names.length === 0) names.push(bareName(lowering, child));
    return names.map((name) => parameter(lowering, child, name, type ?? null));
  });
}

/** The name in a parameter that marks it by no field: itself, or its first part. */
function bareName(lowering: Lowering, node: SyntaxNode): SyntaxNode {
  const role = lowering.role(node);
  if (role !== undefined || node.children.length === 0) return node;
  return node.children.find((child) => lowering.role(child) !== undefined && lowering.role(child) !== 'skip') ?? node;
}

function parameter(lowering: Lowering, at: SyntaxNode, name: SyntaxNode, type: SyntaxNode | null): Parameter {
  lowering.declare(name);
  const role = lowering.role(name);
  const target: Step =
    role === undefined || role === 'name'
      ? { op: 'name', name: lowering.nameOf(name), at: name }
      : lowerTarget(lowering, name);
  const written = type === null ? null : lowering.text(type).replace(/^:\s*/, '');
  const plain = typeName(written ?? '');
  const harmless = written !== null && isHarmless(written, lowering.grammar.numeric);
  return { target, type: plain === '' ? null : plain, harmless, notes: lowering.text(at).slice(0, NOTES_SHOWN) };
}

/** Of numbers, also in a list or where they may be missing; of literals: `'asc' | 'desc'`. */
function isHarmless(type: string, numeric: RegExp): boolean {
  if (/^['"]/.test(type)) return true;
  const inner = /^[\w.]+\s?[<[]\s?([\w.]+)\s?[>\]]$/.exec(type)?.[1] ?? type.replace(/\[\]$/, '');
  const required = inner.replace(/\s*\|\s*(None|null|undefined)$/, '');
  return numeric.test(type) || numeric.test(required);
}
