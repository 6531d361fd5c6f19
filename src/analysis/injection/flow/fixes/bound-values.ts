import type { Edit } from '../../source-text.ts';
import type { IrNode } from '../../ir/ir.ts';
import type { Binding, Placeholder } from '../../rules/rules.ts';
import type { EvaluatedCall } from '../call-types.ts';
import type { Evaluator } from '../evaluator.ts';
import { type BuiltText, builtText } from './built-text.ts';

/** After such text a value stands, not a name. */
const BEFORE_VALUE = /(?:[=<>]|\b(?:limit|offset|between|like|and))\s*$|\bvalues\s*\([^()]*[(,]?\s*$|\bin\s*\(\s*$/i;

/** The call with placeholders in its statement and the values beside it; null: it cannot be written so with certainty. */
export function bindValues(evaluator: Evaluator, call: EvaluatedCall, statement: IrNode): Edit[] | null {
  const [binding] = evaluator.rules.bindings.find(call.callee.names);
  const built = builtText(evaluator, statement);
  const placeholder = binding?.placeholder === 'driver' ? driverPlaceholder(evaluator) : binding?.placeholder;
  if (binding === undefined || built === null || placeholder == null) return null;
  const text = withPlaceholders(built, placeholder);
  const place = placeOfValues(call, statement, binding);
  if (text === null || place === null) return null;
  const values = passedValues(built.values, binding);
  const literal = `"${text}"`;
  const edits: Edit[] = [
    { span: statement.syntax, text: binding.values === 'list' ? `[${literal}, ${built.values.join(', ')}]` : literal },
  ];
  if (binding.values !== 'list') edits.push({ span: { start: place, end: place }, text: values });
  if (binding.method !== undefined) edits.push({ span: call.node.calleeName, text: binding.method });
  return edits;
}

/** The statement with a placeholder for each value, without the quotes around it; null: a value stands for a name or part of a text. */
function withPlaceholders({ texts, values }: BuiltText, placeholder: Placeholder): string | null {
  let statement = texts[0]!;
  for (const [index] of values.entries()) {
    let after = texts[index + 1]!;
    if (statement.endsWith("'")) {
      if (!after.startsWith("'")) return null;
      statement = statement.slice(0, -1);
      after = after.slice(1);
    } else if (/^[\w'%]/.test(after)) return null;
    if (!BEFORE_VALUE.test(statement) || quotes(statement) % 2 === 1) return null;
    statement += placeholder.replace(/\d/, (first) => String(Number(first) + index)) + after;
  }
  return quotes(statement) % 2 === 1 || /[?]|%s/.test(texts.join('')) ? null : statement;
}

function quotes(text: string): number {
  return text.split("'").length - 1;
}

/** Where the values are written; null: the call has further arguments, which may be values already. */
function placeOfValues({ node, args }: EvaluatedCall, statement: IrNode, { values }: Binding): number | null {
  if (values === 'setParameter') return node.syntax.end;
  const index = args.findIndex((argument) => argument.node === statement);
  const rest = args.slice(index + 1).filter(({ node: { op } }) => op !== 'function');
  if (values === 'arguments')
    return rest.some(({ node: { op } }) => op === 'string') ? null : args.at(-1)!.node.syntax.end;
  return rest.length > 0 ? null : statement.syntax.end;
}

function passedValues(values: readonly string[], { values: how }: Binding): string {
  const list = values.join(', ');
  switch (how) {
    case 'array':
      return `, [${list}]`;
    case 'tuple':
      return `, (${list}${values.length === 1 ? ',' : ''})`;
    case 'object':
      return `, new { ${values.map((value, index) => `p${index} = ${value}`).join(', ')} }`;
    case 'setParameter':
      return values.map((value, index) => `.setParameter(${index + 1}, ${value})`).join('');
    default:
      return `, ${list}`;
  }
}

/** The placeholder of the driver that the code imports; null: not known, or several. */
function driverPlaceholder({ rules, findings }: Evaluator): Placeholder | null {
  const found = rules.fixes.drivers.filter(([pattern]) => findings.source.matches(pattern));
  return found.length === 1 ? found[0]![1] : null;
}
