import { styleText } from 'node:util';
import { displayWidth, pad, wrap } from '../text.ts';
import type { Finding } from './finding.ts';

const MARKS = {
  ok: styleText('green', '✓'),
  note: styleText('yellow', '!'),
  wrong: styleText('red', '✗'),
} as const;

export function findingLines(findings: readonly Finding[], width: number): string[] {
  const label = Math.max(...findings.map(({ check }) => displayWidth(check)));
  const room = width - label - 4;
  const indent = ' '.repeat(label + 4);
  const lines = findings.flatMap(({ check, state, detail, hint }) => {
    const [first = '', ...more] = wrap(detail, room);
    const advice = hint === null ? [] : wrap(`→ ${hint}`, room).map((line) => styleText('dim', line));
    return [`${MARKS[state]} ${pad(check, label)}  ${first}`, ...[...more, ...advice].map((line) => indent + line)];
  });
  const count = findings.filter(({ state }) => state === 'wrong').length;
  const summary = count === 0 ? 'Nothing is wrong.' : `${count} of ${findings.length} checks failed.`;
  return [...lines, '', styleText('bold', summary)];
}
