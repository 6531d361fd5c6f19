import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { describe, test } from 'node:test';
import { scanSecrets } from '../../../src/analysis/secrets/scan-secrets.ts';
import { judgeFindings, lineStarts } from '../../../quality/corpora/secrets/judge-findings.ts';
import { cases as ownCases } from '../../../quality/corpora/secrets/own/make.ts';
import type { SecretCase } from '../../../quality/corpora/secrets/secret-case.ts';

/** Labelled files: that what is known stays known. How good the rules are elsewhere, docs/quality.md says. */

const { cases: blindCases } = (await import('../../../quality/corpora/secrets/batch1/make.mjs' as string)) as {
  cases: () => SecretCase[];
};
/** Of all files together. */
const LEAST = { precision: 0.98, recall: 0.96 };
const LEAST_WITHOUT_PATHS = { precision: 0.97, recall: 0.94 };

function measure(
  cases: readonly SecretCase[],
  withPaths: boolean,
): { precision: number; recall: number; wrong: string[] } {
  let [found, missed, alarms] = [0, 0, 0];
  const wrong: string[] = [];
  for (const one of cases) {
    const path = withPaths ? one.path : '';
    const { findings } = scanSecrets({ code: one.text, language: extname(path).slice(1) || 'auto', path });
    const starts = lineStarts(one.text);
    const judged = judgeFindings(
      one,
      findings.map(({ line, column, length = 0 }) => {
        const start = starts[line - 1]! + column - 1;
        return { line, start, end: start + length };
      }),
    );
    found += judged.found.length;
    missed += judged.missed.length;
    alarms += judged.reportedClean.length + judged.elsewhere.length;
    for (const { line } of judged.missed) wrong.push(`missed ${one.path}:${line}`);
    for (const { line } of [...judged.reportedClean, ...judged.elsewhere]) wrong.push(`false ${one.path}:${line}`);
  }
  return { precision: found / (found + alarms), recall: found / (found + missed), wrong };
}

describe('labelled files', () => {
  for (const [name, cases] of [
    ['written beside the rules', ownCases()],
    ['of the first blind batch', blindCases()],
  ] as const) {
    for (const withPaths of [true, false]) {
      test(`${name}, ${withPaths ? 'with' : 'without'} their paths`, () => {
        const { precision, recall, wrong } = measure(cases, withPaths);
        const least = withPaths ? LEAST : LEAST_WITHOUT_PATHS;
        assert.ok(
          precision >= least.precision && recall >= least.recall,
          `${precision} ${recall}\n${wrong.join('\n')}`,
        );
      });
    }
  }
});
