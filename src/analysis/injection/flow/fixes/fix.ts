import type { Edit } from '../../source-text.ts';
import type { IrNode } from '../../ir/ir.ts';
import type { Sink } from '../../rules/rules.ts';
import type { EvaluatedCall } from '../call-types.ts';
import type { Evaluator } from '../evaluator.ts';
import { listArguments } from './argument-lists.ts';
import { bindValues } from './bound-values.ts';
import { wrapValues } from './wrapped-values.ts';

/** Edits of the call after which it has no injection; null: they cannot be formed with certainty. */
export function fixOf(evaluator: Evaluator, sink: Sink, call: EvaluatedCall): Edit[] | null {
  const { fixes } = evaluator.rules;
  const argument = argumentNode(sink, call);
  if (argument === null || sink.members !== undefined) return null;
  if (sink.kind === 'sql') return bindValues(evaluator, call, argument);
  if (sink.kind === 'path') return wrapValues(evaluator, fixes.baseName, 'path', argument, call.scope);
  return (
    listArguments(evaluator, sink, call, argument) ??
    wrapValues(evaluator, fixes.shellWord, 'command', argument, call.scope)
  );
}

/** The code of the argument that the sink runs or opens; null: not one argument. */
function argumentNode(sink: Sink, { args }: EvaluatedCall): IrNode | null {
  const named = args.find(({ name }) => name !== null && name === sink.argumentName);
  if (named !== undefined) return named.node;
  const positional = args.filter(({ name, result }) => name === null && result === null);
  if (sink.kind === 'command' && sink.execution !== 'shell') {
    return positional.findLast(({ node }) => node.op === 'concat')?.node ?? null;
  }
  return typeof sink.argument === 'number' ? (positional[sink.argument]?.node ?? null) : null;
}
