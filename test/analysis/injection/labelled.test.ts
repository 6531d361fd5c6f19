import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkInjectionInThisThread } from '../../../src/threads/check-injection-in-this-thread.ts';
import { labelledSnippets } from './labelled.ts';

interface Score {
  right: number;
  madeUp: number;
  missed: number;
}

const snippets = labelledSnippets();
const scores = new Map<string, Score>();
const wrong: string[] = [];

for (const { language, title, code, expected } of snippets) {
  const { findings, analysis, parse_errors } = await checkInjectionInThisThread({ code, language });
  assert.deepEqual([analysis, parse_errors], ['syntax_tree', 0], `${language}: ${title}`);
  const found = new Set(findings.map(({ line, id }) => `${line} ${id}`));
  for (const label of new Set([...found, ...expected])) {
    const outcome = !found.has(label) ? 'missed' : expected.includes(label) ? 'right' : 'madeUp';
    if (outcome !== 'right') wrong.push(`${outcome}: ${language}, ${title}: ${label}`);
    for (const group of ['all', language, label.split(' ')[1]!]) {
      const score = scores.get(group) ?? { right: 0, madeUp: 0, missed: 0 };
      score[outcome] += 1;
      scores.set(group, score);
    }
  }
}

const precision = ({ right, madeUp }: Score): number => right / (right + madeUp);
const recall = ({ right, missed }: Score): number => right / (right + missed);

describe('injection in labelled snippets', () => {
  test('there are at least 200 with an injection, and 200 without', (t) => {
    const safe = snippets.filter(({ expected }) => expected.length === 0).length;
    t.diagnostic(`${snippets.length} snippets, ${safe} without an injection`);
    assert.ok(safe >= 200 && snippets.length - safe >= 200);
  });

  test('precision and recall of all, each language and each kind', (t) => {
    for (const [group, score] of scores) {
      const { right, madeUp, missed } = score;
      t.diagnostic(
        `${group}: precision ${precision(score).toFixed(3)}, recall ${recall(score).toFixed(3)} (${right} right, ${madeUp} made up, ${missed} missed)`,
      );
    }
    for (const line of wrong) t.diagnostic(line);
    const all = scores.get('all')!;
    assert.ok(precision(all) >= 0.98, `precision ${precision(all)}`);
    assert.ok(recall(all) >= 0.95, `recall ${recall(all)}`);
    for (const [group, score] of scores) {
      assert.ok(precision(score) >= 0.95, `precision of ${group}: ${precision(score)}`);
      assert.ok(recall(score) >= 0.9, `recall of ${group}: ${recall(score)}`);
    }
  });
});
