import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import cvss from 'ae-cvss-calculator';
import fc from 'fast-check';
import { type CvssVersion, CVSS_METRICS } from '../../../src/analysis/cvss/metrics.ts';
import { describeBaseMetrics } from '../../../src/analysis/cvss/describe-base-metrics.ts';
import { scoreVector, type VectorScore } from '../../../src/analysis/cvss/score-vector.ts';
import { CvssVectorError, parseCvssVector } from '../../../src/analysis/cvss/parse-vector.ts';

const VERSIONS: readonly CvssVersion[] = ['2.0', '3.0', '3.1', '4.0'];

const write = (version: CvssVersion, parts: readonly string[]) =>
  (version === '2.0' ? '' : `CVSS:${version}/`) + parts.join('/');

/** The parts of a valid vector: every base metric, each other metric or not. */
const parts = (version: CvssVersion): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      ...CVSS_METRICS[version].map(({ abbreviation, group, values }) => {
        const part = fc.constantFrom(...values).map((value) => `${abbreviation}:${value}`);
        return group === 'base' ? part : fc.option(part);
      }),
    )
    .map((given) => given.filter((part) => part !== null));

const vectors = (...versions: CvssVersion[]): fc.Arbitrary<string> =>
  fc.constantFrom(...versions).chain((version) => parts(version).map((given) => write(version, given)));

/** All 2,592 combinations of base metrics of 3.x. */
function* allBaseVectors(version: '3.0' | '3.1'): Generator<string> {
  let heads = [`CVSS:${version}`];
  for (const { abbreviation, group, values } of CVSS_METRICS[version]) {
    if (group === 'base') heads = heads.flatMap((head) => values.map((value) => `${head}/${abbreviation}:${value}`));
  }
  yield* heads;
}

const scoresOf = (result: VectorScore) => [
  result.base_score,
  result.temporal_score,
  result.threat_score,
  result.environmental_score,
];

describe('CVSS properties', () => {
  it('scores are 0.0 to 10.0 with one decimal', () => {
    fc.assert(
      fc.property(vectors(...VERSIONS), (vector) => {
        for (const score of scoresOf(scoreVector(vector))) {
          if (score === null) continue;
          assert.ok(score >= 0 && score <= 10, `${vector}: ${score}`);
          assert.equal(score, Number(score.toFixed(1)));
          assert.ok(!Object.is(score, -0), vector);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('the order of metrics does not matter', () => {
    const pair = fc
      .constantFrom(...VERSIONS)
      .chain((version) =>
        parts(version).chain((given) =>
          fc
            .shuffledSubarray(given, { minLength: given.length })
            .map((shuffled) => [write(version, given), write(version, shuffled)] as const),
        ),
      );
    fc.assert(
      fc.property(pair, ([vector, shuffled]) => {
        assert.equal(parseCvssVector(vector).vector, vector);
        assert.deepEqual(scoreVector(shuffled), scoreVector(vector));
        assert.deepEqual(describeBaseMetrics(shuffled), describeBaseMetrics(vector));
      }),
    );
  });

  it('X and ND say the same as nothing', () => {
    fc.assert(
      fc.property(vectors(...VERSIONS), (vector) => {
        const bare = vector.replace(/\/\w+:(X|ND)(?=\/|$)/g, '');
        assert.deepEqual(scoresOf(scoreVector(bare)), scoresOf(scoreVector(vector)));
      }),
    );
  });

  it('more impact never lowers a base score of 3.x (every combination)', () => {
    for (const version of ['3.0', '3.1'] as const) {
      for (const vector of allBaseVectors(version)) {
        const score = scoreVector(vector).base_score;
        for (const metric of ['C', 'I', 'A']) {
          const worse = vector.replace(new RegExp(`/${metric}:[NL]`), (part) =>
            part.replace(/.$/, part.endsWith('N') ? 'L' : 'H'),
          );
          assert.ok(scoreVector(worse).base_score >= score, `${vector} -> ${worse}`);
        }
      }
    }
  });

  it('base scores of 3.x agree with ae-cvss-calculator (every combination)', () => {
    for (const vector of allBaseVectors('3.0')) {
      assert.equal(scoreVector(vector).base_score, new cvss.Cvss3P0(vector).calculateScores().base, vector);
    }
    for (const vector of allBaseVectors('3.1')) {
      assert.equal(scoreVector(vector).base_score, new cvss.Cvss3P1(vector).calculateScores().base, vector);
    }
  });

  it('temporal and environmental scores of 3.1 agree with ae-cvss-calculator', () => {
    fc.assert(
      fc.property(vectors('3.1'), (vector) => {
        const ours = scoreVector(vector);
        const theirs = new cvss.Cvss3P1(vector).calculateScores();
        if (ours.temporal_score !== null) assert.equal(ours.temporal_score, theirs.temporal);
        if (ours.environmental_score !== null) assert.equal(ours.environmental_score, theirs.environmental);
      }),
      { numRuns: 2000 },
    );
  });

  it('any text is scored or refused with a CvssVectorError', () => {
    const refusedOrScored = (text: string) => {
      try {
        scoreVector(text);
        describeBaseMetrics(text);
      } catch (error) {
        assert.ok(error instanceof CvssVectorError, `${text}: ${error}`);
      }
    };
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 600 }), refusedOrScored), { numRuns: 500 });
    const damaged = fc
      .tuple(vectors(...VERSIONS), fc.nat(300), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([vector, at, drop, insert]) => vector.slice(0, at) + insert + vector.slice(at + drop));
    fc.assert(fc.property(damaged, refusedOrScored), { numRuns: 2000 });
  });
});
