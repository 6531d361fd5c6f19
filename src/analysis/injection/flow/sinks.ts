import type { IrCall, IrNode, IrNodeOf } from '../ir/ir.ts';
import { commandSink, REMEDIATION } from '../rules/common.ts';
import type { Sink } from '../rules/rules.ts';
import type { Edit } from '../source-text.ts';
import type { Span } from '../syntax-tree.ts';
import { mergeTaints, NO_TAINT, type Taint, type TaintSource, taintOf } from '../taint.ts';
import { argumentsOf, commandValue, interpretedValue, programWords } from './command-values.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { endOptions } from './fixes/ended-options.ts';
import { fixOf } from './fixes/fix.ts';
import { optionValue } from './option-values.ts';
import {
  hasSafeOption,
  hasTaintedList,
  heldWords,
  isTemplate,
  sinkArgument,
  statementOf,
  withRawValues,
} from './sink-values.ts';
import { hasSqlEvidence, isSqlText } from './sql-evidence.ts';
import { taggedCommand } from './tagged-commands.ts';
import { UNKNOWN_PART, unfollowedPart, type Value } from './value.ts';

const GO_CONTEXT = /(^|\.)(ctx|context|Context\(\)|Background\(\)|TODO\(\))$/i;

const STREAM = /(Stream|Reader|Channel)$/;

/**
 * Reports each sink that the call is and that a tainted value reaches. Returns the taint of what only another call will run: of a
 * prepared statement, of a command that is not started yet.
 */
export function reportTaintedSinks(evaluator: Evaluator, call: EvaluatedCall): Taint {
  const { node, callee } = call;
  let held = NO_TAINT;
  if (callee.fn !== null) return held;
  for (const sink of evaluator.rules.sinks.find(callee.names)) {
    const value = sinkValue(evaluator, sink, call);
    const source =
      value === null
        ? null
        : report(evaluator, sink, value, node, calleeSpan(node), () => fixOf(evaluator, sink, call));
    const option = sink.kind === 'command' && source === null ? reportOption(evaluator, sink, call) : null;
    if (sink.isHeld !== true) continue;
    if (source !== null) held = mergeTaints([held, taintOf(source, [sink.kind])]);
    if (option !== null) held = mergeTaints([held, taintOf(option, ['option'])]);
  }
  return held;
}

/** Reports a command in a tagged template. */
export function reportTaggedCommand(evaluator: Evaluator, call: EvaluatedCall): void {
  const command = taggedCommand(evaluator, call);
  if (command === null) return;
  const value = command.text ?? interpretedValue(command.words);
  const source = value === null ? null : report(evaluator, TAGGED_SINK, value, call.node, calleeSpan(call.node));
  if (source === null) reportOption(evaluator, TAGGED_SINK, call, command.words);
}

const TAGGED_SINK = commandSink('$`ls -- ${name}`, without the option shell.');

/** Reports an argument that a program without a shell may take as an option. Returns the source that was reported. */
function reportOption(
  evaluator: Evaluator,
  sink: Sink,
  call: EvaluatedCall,
  words: readonly Value[] = sink.members === undefined
    ? programWords(sink, argumentsOf(sink, call))
    : heldWords(sink, call),
): TaintSource | null {
  const found = optionValue(words);
  // A process that was made with such an argument before.
  const isHeld = sink.members !== undefined && sink.commandMembers === undefined;
  const value = found?.value ?? (isHeld ? call.receiver : null);
  if (value === null || (found === null && value.taint.option === undefined)) return null;
  const optionSink: Sink = {
    kind: 'option',
    argument: sink.argument,
    remediation: REMEDIATION.option(`${found?.program.end ?? './name'}.`),
  };
  const effect =
    found === null
      ? 'whose program takes it as an option if it begins with "-"'
      : `and ${found.program.name} takes it as an option if it begins with "-": ${found.program.effect}`;
  const fix = (): Edit[] | null => (found === null ? null : endOptions(sink, call, found));
  return report(evaluator, optionSink, value, call.node, calleeSpan(call.node), fix, effect);
}

/** The value that the call runs or opens; null: it is no sink in this form. */
function sinkValue(evaluator: Evaluator, sink: Sink, call: EvaluatedCall): Value | null {
  const { receiver } = call;
  const args = argumentsOf(sink, call);
  const receiverIs = (pattern: RegExp | undefined): boolean =>
    pattern !== undefined && receiver?.names.some((name) => pattern.test(name)) === true;
  if (sink.kind === 'sql' && sink.argument !== 'receiver' && receiverIs(evaluator.rules.preparedStatements))
    return null;
  if (receiverIs(sink.unlessReceiver)) return null;
  if (sink.safeOption !== undefined && hasSafeOption(sink, sink.safeOption, args)) return null;
  if (sink.afterContext === true && !args[0]?.value.names.some((name) => GO_CONTEXT.test(name))) return null;
  if (sink.bindsTemplate === true && isTemplate(args[0])) return null;
  if (sink.onlyLists === true && !hasTaintedList(args, sink.argument)) return null;
  const isCommand = sink.kind === 'command' && sink.members === undefined;
  const argument = isCommand ? commandValue(sink, args) : sinkArgument(sink, call);
  const value =
    sink.kind === 'sql' && argument !== null && sink.recordValues !== true
      ? statementOf(withRawValues(argument, args))
      : argument;
  if (value === null || (value.taint[sink.kind] === undefined && unfollowedPart(value) === null)) return null;
  // What is read of another host is no path.
  if (sink.kind === 'path' && /^https?:\/\//.test(value.text ?? '')) return null;
  // What a stream sends is no path.
  if (sink.kind === 'path' && STREAM.test(value.typeName ?? '')) return null;
  if (sink.ignoredValues !== undefined && value.names.some((name) => sink.ignoredValues!.test(name))) return null;
  if (sink.onlyValues !== undefined && !value.names.some((name) => sink.onlyValues!.test(name))) return null;
  if (sink.onlyStart === true && value.text !== null && !value.text.startsWith(UNKNOWN_PART)) return null;
  if (sink.unlessSql === true && isSqlText(value)) return null;
  if (sink.needsSqlEvidence === 'text' && !isSqlText(value)) return null;
  if (sink.needsSqlEvidence === true && !hasSqlEvidence(evaluator, value, call)) return null;
  return value;
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

/** Reports an element whose index is run: `DB["SELECT ..."]`. */
export function reportTaintedIndex(evaluator: Evaluator, node: IrNodeOf<'index'>, object: Value, index: Value): void {
  for (const sink of evaluator.rules.indexSinks.find(object.names)) {
    if (sink.needsSqlEvidence === undefined || isSqlText(index)) report(evaluator, sink, index, node, node.syntax);
  }
}

/** Returns the source that was reported. */
function report(
  evaluator: Evaluator,
  sink: Sink,
  value: Value,
  node: IrNode,
  sinkSpan: Span,
  fix: () => Edit[] | null = () => null,
  effect?: string,
): TaintSource | null {
  const source = value.taint[sink.kind];
  const made = source === undefined ? unfollowedPart(value) : null;
  if (made !== null) evaluator.findings.addUnknown(made, sinkSpan);
  if (source === undefined || !isReportable(sink, source, value)) return null;
  if (source.through !== undefined) {
    evaluator.findings.addUnfollowed({ source, through: source.through, sink: sinkSpan });
    return null;
  }
  const span = node.op === 'call' ? node.calleeName : node.syntax;
  const matchSpan = node.op === 'call' ? node.syntax : evaluator.findings.source.lineFrom(node.syntax);
  evaluator.findings.addFlow(
    {
      kind: sink.kind,
      source,
      span,
      matchSpan,
      sinkSpan,
      remediation: sink.remediation,
      ...(effect === undefined ? {} : { effect }),
    },
    fix,
  );
  return source;
}

/** A parameter that is a whole statement or path is not reported: the caller is responsible for it. */
function isReportable({ kind, members, onlyMembers }: Sink, { level }: TaintSource, value: Value): boolean {
  if (level === 'request' || (members !== undefined && onlyMembers !== true)) return true;
  if (kind === 'command' && level !== 'free') return true;
  return value.isBuilt;
}
