import type { IrNode } from '../../ir/ir.ts';
import type { Evaluator } from '../evaluator.ts';

/** A text that is put together in one expression: literal texts and the code of values, by turns. */
export interface BuiltText {
  /** One more than there are values; some may be empty. */
  readonly texts: readonly string[];
  /** The source text of each value. */
  readonly values: readonly string[];
}

/** A longer expression is no line to be mended. */
const MAX_LENGTH = 1000;
/** Code of a value that means the same outside of a literal: names, members, elements, calls. */
const PLAIN_VALUE =
  /^[$@]?[\w$]+(?:(?:\??\.|->|::)\w+|\[(?:"[^"\\]*"|'[^'\\]*'|:?\w+)\]|\((?:"[^"\\]*"|'[^'\\]*'|[\w, ]*)\))*$/;
/** `$row[name]`, which has a meaning in a text of PHP alone. */
const BARE_KEY = /\[[A-Za-z_]\w*\]/;

/** The parts of a concatenation or interpolation; null: another expression, or its parts are not plain. */
export function builtText({ findings }: Evaluator, node: IrNode): BuiltText | null {
  if (node.op !== 'concat' || node.isFormat) return null;
  if (node.syntax.end - node.syntax.start > MAX_LENGTH) return null;
  const texts: string[] = [''];
  const values: string[] = [];
  for (const part of flatParts(node)) {
    if (part.op === 'string') {
      texts[texts.length - 1] += part.text;
      continue;
    }
    const code = findings.source.textOf(part.syntax).replace(/^(?:\$\{|#\{|\{)\s*|\s*\}$/g, '');
    if (!PLAIN_VALUE.test(code) || (code.startsWith('$') && BARE_KEY.test(code))) return null;
    values.push(code);
    texts.push('');
  }
  // Escapes, quotes and lines would be written in another way in another literal.
  return values.length > 0 && texts.every((text) => !/["\\\n\r]|[$#]\{|\$[a-z_]/i.test(text))
    ? { texts, values }
    : null;
}

function flatParts(node: IrNode): IrNode[] {
  if (node.op === 'block' && node.statements.length === 1) return flatParts(node.statements[0]!);
  return node.op === 'concat' && !node.isFormat ? node.parts.flatMap(flatParts) : [node];
}
