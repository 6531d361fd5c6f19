import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { scoreVector } from '../../src/analysis/cvss/score-vector.ts';
import { environmentalScoreV3, temporalScoreV3 } from '../../src/analysis/cvss/v3.ts';
import { parseCvssVector } from '../../src/analysis/cvss/parse-vector.ts';
import { sharedPath } from '../../test/support/shared.ts';
import expectedFailures from './expected-failures.json' with { type: 'json' };

/** The suite's files with their number of cases, so that a file that reads as empty is noticed. */
const FILES: readonly [name: string, version: string, cases: number][] = [
  ['vectors_simple2', '2.0', 729],
  ['vectors_calculator2', '2.0', 5],
  ['vectors_cvsslib2', '2.0', 24],
  ['vectors_simple3', '3.0', 1297],
  ['vectors_simple31', '3.1', 1309],
  ['vectors_cvsslib3', '3.0', 17],
  ['vectors_simple4', '4.0', 1058],
  ['vectors_security4', '4.0', 54],
  ['vectors_supplemental4', '4.0', 576],
  ['vectors_threat4', '4.0', 6],
];

type Scores = (number | null)[];

function readCase(line: string): [vector: string, scores: Scores] {
  const [vector = '', scores = ''] = line.split(' - ');
  const values = scores.replace(/[()]/g, '').split(',');
  const given = values.map((value) => value.trim()).filter((value) => value !== '');
  // The suite writes -0.0 for 0.0.
  return [vector, given.map((value) => (value === 'None' ? null : Math.abs(Number(value))))];
}

/** Our scores in the suite's form: one for the whole vector in 4.0; all three equations in 3.x, whatever is given. */
function scoresOf(vector: string): Scores {
  const { version, base_score, temporal_score, threat_score, environmental_score } = scoreVector(vector);
  if (version === '4.0') return [environmental_score ?? threat_score ?? base_score];
  if (version === '2.0') return [base_score, temporal_score, environmental_score];
  const { metrics } = parseCvssVector(vector);
  return [
    base_score,
    temporal_score ?? temporalScoreV3(version, metrics),
    environmental_score ?? environmentalScoreV3(version, metrics),
  ];
}

const folder = sharedPath('suites', 'cvss');

describe('conformance: CVSS vectors of RedHatProductSecurity/cvss', { skip: folder === null && 'no suites' }, () => {
  for (const [name, version, count] of FILES) {
    it(`${name}: ${count} vectors of CVSS ${version}`, () => {
      const lines = readFileSync(join(folder ?? '', name), 'utf8')
        .trim()
        .split('\n');
      assert.equal(lines.length, count);
      const failed: string[] = [];
      for (const line of lines) {
        const [vector, expected] = readCase(line);
        assert.equal(scoreVector(vector).version, version);
        if (scoresOf(vector).join() !== expected.join()) failed.push(`${line} (ours: ${scoresOf(vector).join()})`);
      }
      const known = expectedFailures.filter((failure: { file: string }) => failure.file === name);
      assert.deepEqual(
        failed,
        known.map((failure: { line: string }) => failure.line),
      );
    });
  }
});
