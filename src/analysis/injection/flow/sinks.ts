import type { Given } from './call-argument.ts';
import type { Evaluator } from './evaluator.ts';
import type { Span } from '../findings.ts';
import type { Call, Step } from '../ir/ir.ts';
import type { Sink } from '../rules/rules.ts';
import { isTainted, joined, type Kind, type Source, type Value } from './value.ts';

const STATEMENT =
  /^[\s(]*(select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec(ute)?|call|grant|set|show|use|pragma|copy|attach)\b/i;
const INTERPRETER =
  /^(?:.*[\\/])?(?:sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell|powershell\.exe|pwsh|python3?|perl|ruby|node|php)$/i;
const RUN_FLAG = /^(?:-[a-z]*c|-e|-r|\/c|\/k|-command|-encodedcommand|--command|--eval)$/i;
const CONTEXT = /(^|\.)(ctx|context|Context\(\)|Background\(\)|TODO\(\))$/i;

/** Notes a finding for each sink that the call is and that something untrusted reaches. */
export function checkSinks(
  flow: Evaluator,
  call: Call,
  called: Value,
  receiver: Value | null,
  given: readonly Given[],
): void {
  if (called.routine !== null) return;
  const prepared = receiver?.paths.some((path) => flow.rules.prepared.test(path)) === true;
  for (const sink of flow.rules.sinks.find(called.paths)) {
    if (prepared && sink.kind === 'sql') continue;
    if (sink.unless !== undefined && hasOption(given, sink.unless)) continue;
    if (sink.afterContext === true && !given[0]?.value.paths.some((path) => CONTEXT.test(path))) continue;
    const value = sink.kind === 'command' ? commandOf(sink, given) : argumentOf(sink, receiver, given);
    const statement = sink.kind === 'sql' && value !== null ? statementOf(value) : value;
    if (statement === null) continue;
    if (sink.unsure === true && !isSql(flow, statement, receiver, called)) continue;
    note(flow, sink, statement, call, calleeSpan(call));
  }
}

export function calleeSpan({ at, nameAt }: Call): Span {
  return { start: Math.min(at.start, nameAt.start), end: Math.max(nameAt.end, at.start + 1) };
}

/** An assignment to a member that runs what it is given: `command.CommandText = sql`. */
export function checkAssigned(flow: Evaluator, target: Step & { op: 'member' }, object: Value, value: Value): void {
  const paths = [`*.${target.name}`, ...object.paths.map((path) => `${path}.${target.name}`)];
  for (const sink of flow.rules.assigned.find(paths)) {
    note(flow, sink, value, target, target.at);
  }
}

function note(flow: Evaluator, sink: Sink, value: Value, step: Step, named: Span): void {
  const source = value.taint[sink.kind];
  if (source === undefined || !counts(sink.kind, source, value)) return;
  if (source.through !== undefined) {
    flow.findings.addUnfollowed({ source, through: source.through, sink: named });
    return;
  }
  const at = step.op === 'call' ? step.nameAt : step.at;
  const shown = step.op === 'call' ? step.at : flow.findings.lineFrom(step.at);
  flow.findings.addFlow({ kind: sink.kind, source, at, shown, named, remedy: sink.remedy });
}

/** Whether this much is a finding: a statement or path that the caller gives whole is the caller's to build. */
function counts(kind: Kind, { level }: Source, value: Value): boolean {
  if (level === 'request') return true;
  if (kind === 'command' && level !== 'free') return true;
  return value.built;
}

function argumentOf(sink: Sink, receiver: Value | null, given: readonly Given[]): Value | null {
  const named = given.find(({ name }) => name !== null && name === sink.named);
  if (named !== undefined) return named.value;
  const positional = given.filter(({ name, result }) => name === null && result === null).map(({ value }) => value);
  if (sink.arg === 'all') return positional.length === 0 ? null : joined(positional, false);
  return sink.arg === 'receiver' ? receiver : (positional[sink.arg] ?? null);
}

/** Of `{ text, values }` the text, of `[statement, ...values]` the statement. */
function statementOf(value: Value): Value | null {
  if (value.fields !== null) {
    for (const name of ['text', 'sql', 'query', 'statement', 'raw']) {
      const field = value.fields.get(name);
      if (field !== undefined) return field;
    }
    return null;
  }
  return value.items === null ? value : (value.items[0] ?? null);
}

function isSql(flow: Evaluator, statement: Value, receiver: Value | null, called: Value): boolean {
  if (statement.text !== null && STATEMENT.test(statement.text)) return true;
  const names = [
    ...(receiver?.paths ?? []),
    ...(receiver?.typeName == null ? [] : [receiver.typeName]),
    ...called.paths.map(beforeLast),
  ];
  return names.some((name) => flow.rules.databases.test(name.slice(name.lastIndexOf('.') + 1)));
}

function beforeLast(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function hasOption(given: readonly Given[], option: string): boolean {
  return given.some(({ name, value }) => name === option || value.fields?.has(option) === true);
}

function shellOption(given: readonly Given[]): boolean {
  const option = given.find(({ name }) => name === 'shell')?.value ?? fieldOf(given, 'shell');
  return option !== undefined && option.text !== null && !/^(false|False|0|nil|null)$/.test(option.text);
}

function fieldOf(given: readonly Given[], name: string): Value | undefined {
  return given.map(({ value }) => value.fields?.get(name)).find((value) => value !== undefined);
}

/** What a shell would interpret of the call's arguments; null where they are handed over as they are. */
function commandOf(sink: Sink, given: readonly Given[]): Value | null {
  const named = given.find(({ name }) => name !== null && name === sink.named)?.value;
  const positional = given.filter(({ name, result }) => name === null && result === null).map(({ value }) => value);
  const from = typeof sink.arg === 'number' ? sink.arg : 0;
  const values = named === undefined ? positional.slice(from) : [named];
  for (const field of sink.fields ?? []) {
    values.push(...given.filter(({ name }) => name === field).map(({ value }) => value));
  }
  const data = values.filter(({ fields }) => fields === null);
  const [first] = data;
  if (first === undefined) return null;
  const list = first.items !== null;
  switch (sink.runs) {
    case 'optional': {
      const words = data.flatMap((value) => value.items ?? [value]);
      return shellOption(given) ? joined(words, false) : program(data);
    }
    case 'program': {
      const split =
        sink.splits === true ? data.slice(1).find((value) => isTainted(value) && value.items === null) : null;
      return program(data) ?? split ?? null;
    }
    case 'single':
      return data.length === 1 && !list ? first : program(data);
    default:
      return list ? program(data) : first;
  }
}

/** Of a program and its arguments: the program, or the text that an interpreter among them is told to run. */
function program(values: readonly Value[]): Value | null {
  const all = values.flatMap((value) => value.items ?? [value]);
  const [name, ...rest] = all;
  if (name === undefined) return null;
  if (isTainted(name)) return name.taint.command?.level === 'request' || name.built ? name : null;
  if (name.text === null || !INTERPRETER.test(name.text)) return null;
  const flag = rest.findIndex(({ text }) => text !== null && RUN_FLAG.test(text));
  if (flag !== -1) return rest.slice(flag + 1, flag + 2).find(isTainted) ?? null;
  return (
    rest.find(({ text, built }) => built && text !== null && /^\s*(?:-[a-z]*c|\/c|\/k|-command)\s/i.test(text)) ?? null
  );
}
