import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { padText, wrapText } from '../terminal-text.ts';
import type { DoctorResult } from './doctor-result.ts';

const STATE_MARKS = {
  ok: styleText('green', '✓'),
  note: styleText('yellow', '!'),
  wrong: styleText('red', '✗'),
} as const;

/** The results for people, `width` terminal columns wide. */
export function doctorResultLines(findings: readonly DoctorResult[], width: number): string[] {
  const labelWidth = Math.max(...findings.map(({ check }) => stringWidth(check)));
  const textWidth = width - labelWidth - 4;
  const indent = ' '.repeat(labelWidth + 4);
  const lines = findings.flatMap(({ check, state, detail, hint }) => {
    const [first = '', ...more] = wrapText(detail, textWidth);
    const advice = hint === null ? [] : wrapText(`→ ${hint}`, textWidth).map((line) => styleText('dim', line));
    return [
      `${STATE_MARKS[state]} ${padText(check, labelWidth)}  ${first}`,
      ...[...more, ...advice].map((line) => indent + line),
    ];
  });
  const count = findings.filter(({ state }) => state === 'wrong').length;
  const summary = count === 0 ? 'Nothing is wrong.' : `${count} of ${findings.length} checks failed.`;
  return [...lines, '', styleText('bold', summary)];
}
