import { html, type Html } from '../html.ts';
import { severityBadge } from '../parts/severity.ts';

/** Lines before and after a finding, where not the whole text is shown. */
const LINES_AROUND = 3;
const MAX_WHOLE_LINES = 400;
const MAX_SHOWN_LINES = 800;
const MAX_LINE_CHARACTERS = 300;
const MASK = '****';

/** A place in a text. */
export interface Mark {
  /** Anchor of its line. */
  readonly id: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly length: number | null;
  readonly severity: string;
  readonly description: string;
  /** What is shown in its place. */
  readonly match: string;
  readonly isSecret: boolean;
}

/** A text with line numbers and what was found below its line; of a long one the lines around. Secrets are masked. */
export function markedText(text: string, marks: readonly Mark[], id: string): Html {
  const lines = maskSecrets(text, marks).split('\n');
  const byLine = Map.groupBy(marks, ({ line }) => line);
  const isWhole = lines.length <= MAX_WHOLE_LINES;
  const isNear = (line: number): boolean => isWhole || marks.some((mark) => Math.abs(mark.line - line) <= LINES_AROUND);
  const numbers = lines.map((_, at) => at + 1).filter(isNear);
  const shown = numbers.slice(0, MAX_SHOWN_LINES);
  return html`<section id="${id}-text"><h2>${isWhole ? 'The text' : 'The lines around'}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="The text with its findings"><table class="listing"><tbody>
${shown.map((number, at) => [
  at > 0 && number !== shown[at - 1]! + 1 && html`<tr><td colspan="2" class="skipped">…</td></tr>`,
  lineRows(number, lines[number - 1]!, byLine.get(number) ?? []),
])}</tbody></table></div>
${numbers.length > shown.length && html`<p class="note">Later findings are only in the list.</p>`}</section>`;
}

function lineRows(number: number, line: string, marks: readonly Mark[]): Html {
  return html`<tr${marks.length > 0 && html` class="marked" id="${marks[0]!.id}"`}><td>${number}</td><td><code>${around(line, marks[0]?.column ?? 1)}</code>${marks.map(
    ({ id, severity, description }, at) =>
      html`<p${at > 0 && html` id="${id}"`}>${severityBadge(severity)} ${description}</p>`,
  )}</td></tr>
`;
}

/** The part of a long line that a column is in. */
function around(line: string, column: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const start = Math.max(0, Math.min(column - 60, line.length - MAX_LINE_CHARACTERS));
  const end = start + MAX_LINE_CHARACTERS;
  return `${start > 0 ? '… ' : ''}${line.slice(start, end)}${end < line.length ? ' …' : ''}`;
}

/** Each secret as its masked form, with as many line breaks as it had: numbers of lines stay. */
function maskSecrets(text: string, marks: readonly Mark[]): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let masked = '';
  let end = 0;
  const secrets = marks
    .filter(({ isSecret }) => isSecret)
    .map((mark) => ({ ...mark, start: starts[mark.line - 1]! + mark.column - 1 }))
    .toSorted((a, b) => a.start - b.start);
  for (const { start, length, match, line } of secrets) {
    if (start < end) continue;
    const lineEnd = starts[line] ?? text.length;
    const after = start + (length ?? lineEnd - start);
    const breaks = text.slice(start, after).split('\n').length - 1;
    masked += text.slice(end, start) + (match.includes(MASK) ? match : MASK) + `\n${MASK}`.repeat(breaks);
    end = after;
  }
  return masked + text.slice(end);
}
