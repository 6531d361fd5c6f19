import type { IrNode } from '../../ir/ir.ts';
import type { Sink } from '../../rules/rules.ts';
import type { Edit } from '../../source-text.ts';
import type { EvaluatedCall } from '../call-types.ts';
import { commandArguments } from '../command-values.ts';
import type { OptionValue } from '../option-values.ts';

/** What ends the options, written before the argument; null: the program knows nothing like that, or the argument is not to be seen. */
export function endOptions(sink: Sink, call: EvaluatedCall, { index, program }: OptionValue): Edit[] | null {
  const node = program.end === null ? undefined : wordNodes(sink, call)[index];
  if (node == null) return null;
  const { start } = node.syntax;
  return [{ span: { start, end: start }, text: `"${program.end}", ` }];
}

/** The code of each word; null where it is not written in the call. */
function wordNodes(sink: Sink, call: EvaluatedCall): (IrNode | null)[] {
  return commandArguments(sink, call.args).flatMap(({ node, value }) => {
    if (value.elements === null) return [node];
    const written = node.op === 'list' && node.elements.length === value.elements.length ? node.elements : null;
    return value.elements.map((_, index) => written?.[index] ?? null);
  });
}
