import type { Edit } from '../../source-text.ts';
import type { IrNode } from '../../ir/ir.ts';
import type { Wrapper } from '../../rules/rules.ts';
import type { InjectionKind } from '../../taint.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Scope } from '../scope.ts';

const MAX_DEPTH = 6;

/** The expression with each tainted part in a call that makes it harmless; null: the parts are not to be seen in it. */
export function wrapValues(
  evaluator: Evaluator,
  wrappers: readonly Wrapper[],
  kind: InjectionKind,
  whole: IrNode,
  scope: Scope,
): Edit[] | null {
  const { declared } = evaluator.program;
  const wrapper = wrappers.find(({ needs }) => needs === undefined || declared.has(needs));
  if (wrapper === undefined) return null;
  const edits: Edit[] = [];
  const wrap = (node: IrNode, depth: number): boolean => {
    if (evaluator.evaluate(node, scope).taint[kind] === undefined) return true;
    const parts = partsOf(evaluator, node);
    if (parts !== null && depth < MAX_DEPTH) return parts.every((part) => wrap(part, depth + 1));
    // The whole expression: the folder is not to be seen, and would be lost.
    if (depth === 0 || !isExpression(evaluator, node)) return false;
    const { start, end } = node.syntax;
    edits.push(
      { span: { start, end: start }, text: wrapper.before },
      { span: { start: end, end }, text: wrapper.after },
    );
    return true;
  };
  return wrap(whole, 0) && edits.length > 0 ? edits : null;
}

/** The parts of a text or path that is put together here; null: it is not. */
function partsOf({ rules }: Evaluator, node: IrNode): readonly IrNode[] | null {
  if (node.op === 'concat') return node.isFormat ? null : node.parts;
  if (node.op === 'block' && node.statements.length === 1) return node.statements;
  if (node.op !== 'call') return null;
  const name = calleeName(node.callee);
  const args = node.args.map(({ value }) => value);
  if (
    /^new:(File|FileInfo)$/.test(name) ||
    (args.length > 1 && /(^|\.)(join|Join|Combine|resolve|get|of)$/.test(name))
  ) {
    return rules.concatenators.has([name]) || rules.pathNormalizers.has([name]) ? args : null;
  }
  return null;
}

function calleeName(node: IrNode): string {
  if (node.op === 'variable') return node.name;
  return node.op === 'member' ? `${calleeName(node.object)}.${node.name}` : '';
}

/** Whether a call may be written around the node: not around what stands in a text as it is, as `$name` in PHP. */
function isExpression({ findings }: Evaluator, { syntax }: IrNode): boolean {
  const code = findings.source.textOf(syntax);
  const { before, after } = findings.source.around(syntax);
  if (/^[#$]?\{/.test(code)) return false;
  const isInText = before === '{' && after === '}';
  return (
    !code.startsWith('$') ||
    (!isInText && /[\s.(,]/.test(before) && /[\s.),;]/.test(after) && !findings.source.isInQuotes(syntax))
  );
}
