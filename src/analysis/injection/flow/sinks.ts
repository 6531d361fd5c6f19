import type { CallArgument } from './call-argument.ts';
import type { Evaluator } from './evaluator.ts';
import type { Span } from '../syntax-tree.ts';
import type { IrCall, IrNode, IrNodeOf } from '../ir/ir.ts';
import type { Sink } from '../rules/rules.ts';
import { isTainted, concatValues, type Value } from './value.ts';
import { type InjectionKind, type TaintSource } from '../taint.ts';

const SQL_STATEMENT =
  /^[\s(]*(select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec(ute)?|call|grant|set|show|use|pragma|copy|attach)\b/i;
const INTERPRETER =
  /^(?:.*[\\/])?(?:sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell|powershell\.exe|pwsh|python3?|perl|ruby|node|php)$/i;
const RUN_FLAG = /^(?:-[a-z]*c|-e|-r|\/c|\/k|-command|-encodedcommand|--command|--eval)$/i;
const GO_CONTEXT = /(^|\.)(ctx|context|Context\(\)|Background\(\)|TODO\(\))$/i;

/** Notes a finding for each sink that the call is and that something untrusted reaches. */
export function checkSinks(
  evaluator: Evaluator,
  call: IrCall,
  called: Value,
  receiver: Value | null,
  callArguments: readonly CallArgument[],
): void {
  if (called.fn !== null) return;
  const preparedStatements = receiver?.names.some((path) => evaluator.rules.preparedStatements.test(path)) === true;
  for (const sink of evaluator.rules.sinks.find(called.names)) {
    if (preparedStatements && sink.kind === 'sql') continue;
    if (sink.safeOption !== undefined && hasOption(callArguments, sink.safeOption)) continue;
    if (sink.afterContext === true && !callArguments[0]?.value.names.some((path) => GO_CONTEXT.test(path))) continue;
    const value =
      sink.kind === 'command' ? commandValue(sink, callArguments) : sinkArgument(sink, receiver, callArguments);
    const statement = sink.kind === 'sql' && value !== null ? statementText(value) : value;
    if (statement === null) continue;
    if (sink.needsSqlEvidence === true && !isSql(evaluator, statement, receiver, called)) continue;
    note(evaluator, sink, statement, call, calleeSpan(call));
  }
}

export function calleeSpan({ syntax, calleeName }: IrCall): Span {
  return { start: Math.min(syntax.start, calleeName.start), end: Math.max(calleeName.end, syntax.start + 1) };
}

/** An assignment to a member that runs what it is given: `command.CommandText = sql`. */
export function checkAssignmentSinks(
  evaluator: Evaluator,
  target: IrNodeOf<'member'>,
  object: Value,
  value: Value,
): void {
  const names = [`*.${target.name}`, ...object.names.map((path) => `${path}.${target.name}`)];
  for (const sink of evaluator.rules.assignmentSinks.find(names)) {
    note(evaluator, sink, value, target, target.syntax);
  }
}

function note(evaluator: Evaluator, sink: Sink, value: Value, node: IrNode, sinkSpan: Span): void {
  const source = value.taint[sink.kind];
  if (source === undefined || !isReportable(sink.kind, source, value)) return;
  if (source.through !== undefined) {
    evaluator.findings.addUnfollowed({ source, through: source.through, sink: sinkSpan });
    return;
  }
  const span = node.op === 'call' ? node.calleeName : node.syntax;
  const matchSpan = node.op === 'call' ? node.syntax : evaluator.findings.lineFrom(node.syntax);
  evaluator.findings.addFlow({ kind: sink.kind, source, span, matchSpan, sinkSpan, remediation: sink.remediation });
}

/** Whether this much is a finding: a statement or path that the caller gives whole is the caller's to build. */
function isReportable(kind: InjectionKind, { level }: TaintSource, value: Value): boolean {
  if (level === 'request') return true;
  if (kind === 'command' && level !== 'free') return true;
  return value.isBuilt;
}

function sinkArgument(sink: Sink, receiver: Value | null, callArguments: readonly CallArgument[]): Value | null {
  const named = callArguments.find(({ name }) => name !== null && name === sink.argumentName);
  if (named !== undefined) return named.value;
  const positional = callArguments
    .filter(({ name, result }) => name === null && result === null)
    .map(({ value }) => value);
  if (sink.argument === 'all') return positional.length === 0 ? null : concatValues(positional, false);
  if (sink.argument === 'receiver') return receiver;
  return sink.argument === 'named' ? null : (positional[sink.argument] ?? null);
}

/** Of `{ text, values }` the text, of `[statement, ...values]` the statement. */
function statementText(value: Value): Value | null {
  if (value.fields !== null) {
    for (const name of ['text', 'sql', 'query', 'statement', 'raw']) {
      const field = value.fields.get(name);
      if (field !== undefined) return field;
    }
    return null;
  }
  return value.elements === null ? value : (value.elements[0] ?? null);
}

function isSql(evaluator: Evaluator, statement: Value, receiver: Value | null, called: Value): boolean {
  if (statement.text !== null && SQL_STATEMENT.test(statement.text)) return true;
  const names = [
    ...(receiver?.names ?? []),
    ...(receiver?.typeName == null ? [] : [receiver.typeName]),
    ...called.names.map(beforeLast),
  ];
  return names.some((name) => evaluator.rules.databaseNames.test(name.slice(name.lastIndexOf('.') + 1)));
}

function beforeLast(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function hasOption(callArguments: readonly CallArgument[], option: string): boolean {
  return callArguments.some(({ name, value }) => name === option || value.fields?.has(option) === true);
}

function hasShellOption(callArguments: readonly CallArgument[]): boolean {
  const option = callArguments.find(({ name }) => name === 'shell')?.value ?? fieldOf(callArguments, 'shell');
  return option !== undefined && option.text !== null && !/^(false|False|0|nil|null)$/.test(option.text);
}

function fieldOf(callArguments: readonly CallArgument[], name: string): Value | undefined {
  return callArguments.map(({ value }) => value.fields?.get(name)).find((value) => value !== undefined);
}

/** What a shell would interpret of the call's arguments; null where they are handed over as they are. */
function commandValue(sink: Sink, callArguments: readonly CallArgument[]): Value | null {
  const named = callArguments.find(({ name }) => name !== null && name === sink.argumentName)?.value;
  const positional = callArguments
    .filter(({ name, result }) => name === null && result === null)
    .map(({ value }) => value);
  const from = typeof sink.argument === 'number' ? sink.argument : 0;
  const values = named === undefined ? positional.slice(from) : [named];
  for (const field of sink.extraArguments ?? []) {
    values.push(...callArguments.filter(({ name }) => name === field).map(({ value }) => value));
  }
  const data = values.filter(({ fields }) => fields === null);
  const [first] = data;
  if (first === undefined) return null;
  const list = first.elements !== null;
  switch (sink.execution) {
    case 'optional': {
      const words = data.flatMap((value) => value.elements ?? [value]);
      return hasShellOption(callArguments) ? concatValues(words, false) : program(data);
    }
    case 'program': {
      const split =
        sink.splitsArguments === true
          ? data.slice(1).find((value) => isTainted(value) && value.elements === null)
          : null;
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
  const all = values.flatMap((value) => value.elements ?? [value]);
  const [name, ...rest] = all;
  if (name === undefined) return null;
  if (isTainted(name)) return name.taint.command?.level === 'request' || name.isBuilt ? name : null;
  if (name.text === null || !INTERPRETER.test(name.text)) return null;
  const flag = rest.findIndex(({ text }) => text !== null && RUN_FLAG.test(text));
  if (flag !== -1) return rest.slice(flag + 1, flag + 2).find(isTainted) ?? null;
  return (
    rest.find(({ text, isBuilt }) => isBuilt && text !== null && /^\s*(?:-[a-z]*c|\/c|\/k|-command)\s/i.test(text)) ??
    null
  );
}
