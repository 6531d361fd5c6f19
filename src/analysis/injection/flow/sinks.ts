import type { IrCall, IrNode, IrNodeOf } from '../ir/ir.ts';
import type { Sink } from '../rules/rules.ts';
import type { Span } from '../syntax-tree.ts';
import type { InjectionKind, TaintSource } from '../taint.ts';
import type { CallArgument, EvaluatedCall } from './evaluated-call.ts';
import type { Evaluator } from './evaluator.ts';
import { concatValues, isTainted, type Value } from './value.ts';

const SQL_STATEMENT =
  /^[\s(]*(select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec(ute)?|call|grant|set|show|use|pragma|copy|attach)\b/i;
/** A condition or an order without its statement, as methods of query builders take it: `u.name = '`. */
const SQL_CONDITION =
  /^[\s(]*[\w.`"[\]:]{1,80}\s*(?:=|<>|!=|<=?|>=?|(?:not\s+)?(?:i?like|in|between)\b|is\b)\s*['"(%\0]/i;
const INTERPRETER =
  /^(?:.*[\\/])?(?:sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell|powershell\.exe|pwsh|python3?|perl|ruby|node|php)$/i;
const RUN_FLAG = /^(?:-[a-z]*c|-e|-r|\/c|\/k|-command|-encodedcommand|--command|--eval)$/i;
const STREAM = /(Stream|Reader|Channel)$/;
const GO_CONTEXT = /(^|\.)(ctx|context|Context\(\)|Background\(\)|TODO\(\))$/i;

/** Reports each sink that the call is and that a tainted value reaches. */
export function reportTaintedSinks(evaluator: Evaluator, call: EvaluatedCall): void {
  const { node, callee, receiver, args } = call;
  if (callee.fn !== null) return;
  const { rules } = evaluator;
  const isPrepared = receiver?.names.some((name) => rules.preparedStatements.test(name)) === true;
  for (const sink of rules.sinks.find(callee.names)) {
    if (isPrepared && sink.kind === 'sql') continue;
    if (sink.safeOption !== undefined && hasOption(args, sink.safeOption)) continue;
    if (sink.afterContext === true && !args[0]?.value.names.some((name) => GO_CONTEXT.test(name))) continue;
    if (sink.unlessReceiver !== undefined && receiver?.names.some((name) => sink.unlessReceiver!.test(name)) === true)
      continue;
    const value = sink.kind === 'command' ? commandValue(sink, args) : sinkArgument(sink, call);
    const statement = sink.kind === 'sql' && value !== null ? statementText(value) : value;
    if (statement === null) continue;
    if (sink.ignoredValues !== undefined && statement.names.some((name) => sink.ignoredValues!.test(name))) continue;
    if (sink.onlyLists === true && !isListArgument(sink, args)) continue;
    const isSqlText = statement.text !== null && SQL_STATEMENT.test(statement.text);
    if (sink.unlessSql === true && isSqlText) continue;
    if (sink.needsSqlEvidence === 'text' && !isSqlText) continue;
    if (sink.needsSqlEvidence === true && !isSqlText && !isSql(evaluator, statement, call)) continue;
    report(evaluator, sink, statement, node, calleeSpan(node));
  }
}

/** The callee with its receiver: `child.exec` of `child.exec(x)`. */
export function calleeSpan({ syntax, calleeName }: IrCall): Span {
  return { start: Math.min(syntax.start, calleeName.start), end: Math.max(calleeName.end, syntax.start + 1) };
}

/** Reports an assignment to a member that is a sink: `command.CommandText = sql`. */
export function reportTaintedAssignment(
  evaluator: Evaluator,
  target: IrNodeOf<'member'>,
  object: Value,
  value: Value,
): void {
  const names = [`*.${target.name}`, ...object.names.map((name) => `${name}.${target.name}`)];
  for (const sink of evaluator.rules.assignmentSinks.find(names)) {
    report(evaluator, sink, value, target, target.syntax);
  }
}

function report(evaluator: Evaluator, sink: Sink, value: Value, node: IrNode, sinkSpan: Span): void {
  // What a stream sends is no path.
  if (sink.kind === 'path' && STREAM.test(value.typeName ?? '')) return;
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

/** A parameter that is a whole statement or path is not reported: the caller is responsible for it. */
function isReportable(kind: InjectionKind, { level }: TaintSource, value: Value): boolean {
  if (level === 'request') return true;
  if (kind === 'command' && level !== 'free') return true;
  return value.isBuilt;
}

/** The arguments without names and without callbacks. */
function positionalValues(args: readonly CallArgument[]): Value[] {
  return args.filter(({ name, result }) => name === null && result === null).map(({ value }) => value);
}

function namedValue(sink: Sink, args: readonly CallArgument[]): Value | undefined {
  return args.find(({ name }) => name !== null && name === sink.argumentName)?.value;
}

function sinkArgument(sink: Sink, { receiver, args }: EvaluatedCall): Value | null {
  const named = namedValue(sink, args);
  if (named !== undefined) return named;
  const positional = positionalValues(args);
  if (sink.argument === 'all') return positional.length === 0 ? null : concatValues(positional, false);
  if (sink.argument === 'receiver') return receiver;
  return sink.argument === 'named' ? null : (positional[sink.argument] ?? null);
}

/** The fields of an options object that hold the statement. */
const STATEMENT_FIELDS = ['text', 'sql', 'query', 'statement', 'raw', 'sqlText', 'Statement', 'QueryString'];

/** The statement in `{ text, values }` or `[statement, ...values]`. */
function statementText(value: Value): Value | null {
  if (value.fields !== null) {
    for (const name of STATEMENT_FIELDS) {
      const field = value.fields.get(name);
      if (field !== undefined) return field;
    }
    return null;
  }
  return value.elements === null ? value : (value.elements[0] ?? null);
}

function isSql({ rules }: Evaluator, statement: Value, { receiver, callee }: EvaluatedCall): boolean {
  if (statement.text !== null && SQL_CONDITION.test(statement.text)) return true;
  const names = [
    ...(receiver?.names ?? []),
    ...(receiver?.typeName == null ? [] : [receiver.typeName]),
    ...callee.names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))),
  ];
  return names.some(
    (name) => rules.databaseNames.test(lastSegment(name)) || rules.databaseNames.test(chainStart(name)),
  );
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** What a chain of calls begins with: `db` of `db.Model().Where()`. */
function chainStart(name: string): string {
  let start = name;
  while (start.endsWith('()') && start.includes('.')) start = start.slice(0, start.lastIndexOf('.'));
  return lastSegment(start);
}

/** Whether the argument of the sink is a list. */
function isListArgument(sink: Sink, args: readonly CallArgument[]): boolean {
  const values = positionalValues(args);
  return typeof sink.argument === 'number' && values[sink.argument]?.elements != null;
}

function hasOption(args: readonly CallArgument[], option: string): boolean {
  return args.some(({ name, value }) => name === option || value.fields?.has(option) === true);
}

function hasShellOption(args: readonly CallArgument[]): boolean {
  const fields = args.map(({ value }) => value.fields?.get('shell'));
  const option = args.find(({ name }) => name === 'shell')?.value ?? fields.find((value) => value !== undefined);
  return option !== undefined && option.text !== null && !/^(false|False|0|nil|null)$/.test(option.text);
}

/** The part of the arguments that a shell interprets; null if no shell does. */
function commandValue(sink: Sink, args: readonly CallArgument[]): Value | null {
  const named = namedValue(sink, args);
  const first = typeof sink.argument === 'number' ? sink.argument : 0;
  const extra = args.filter(({ name }) => name !== null && sink.extraArguments?.includes(name) === true);
  const values = [
    ...(named === undefined ? positionalValues(args).slice(first) : [named]),
    ...extra.map(({ value }) => value),
  ];
  const data = values.filter(({ fields }) => fields === null);
  const [command] = data;
  if (command === undefined) return null;
  const isList = command.elements !== null;
  switch (sink.execution) {
    case 'optional': {
      const words = data.flatMap((value) => value.elements ?? [value]);
      return hasShellOption(args) ? concatValues(words, false) : interpretedValue(data);
    }
    case 'program': {
      const split =
        sink.splitsArguments === true
          ? data.slice(1).find((value) => isTainted(value) && value.elements === null)
          : null;
      return interpretedValue(data) ?? split ?? null;
    }
    case 'single':
      return data.length === 1 && !isList ? command : interpretedValue(data);
    default:
      return isList ? interpretedValue(data) : command;
  }
}

/** Of a program and its arguments: the program, or the code that is passed to it where it is an interpreter. */
function interpretedValue(values: readonly Value[]): Value | null {
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
