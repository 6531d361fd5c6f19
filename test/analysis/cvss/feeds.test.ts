import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { CvssVersion } from '../../../src/analysis/cvss/metrics.ts';
import { describeBaseMetrics } from '../../../src/analysis/cvss/describe-base-metrics.ts';
import { scoreVector, type VectorScore } from '../../../src/analysis/cvss/score-vector.ts';
import { environmentalScoreV3 } from '../../../src/analysis/cvss/v3.ts';
import { parseCvssVector } from '../../../src/analysis/cvss/parse-vector.ts';
import { sharedPath } from '../../support/shared.ts';

interface Published {
  cve: string;
  version: CvssVersion;
  vectorString: string;
  baseScore: number;
  baseSeverity?: string;
  [metric: string]: unknown;
}

interface Computed {
  score: VectorScore;
  words: Readonly<Record<string, unknown>>;
}

/** Assessments in one NVD 2.0 feed file: every `cvssData` object (which holds no other object) after its CVE's `id`. */
function* published(file: string): Generator<Published> {
  const text = gunzipSync(readFileSync(file)).toString('latin1');
  const mark = '"cvssData":';
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const data = JSON.parse(text.slice(at + mark.length, text.indexOf('}', at) + 1));
    const id = text.lastIndexOf('"id":"CVE-', at) + '"id":"'.length;
    yield { ...data, cve: text.slice(id, text.indexOf('"', id)) };
  }
}

/** NVD's name for our field. */
const publishedName = (field: string) =>
  field
    .replace('vulnerable_system_', 'vuln_')
    .replace('subsequent_system_', 'sub_')
    .replace(/^((?:vuln|sub)_.*)$/, '$1_impact')
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Why a published base score is not that of its base metrics, where one mistake explains many. */
function mistake({ version, vectorString, baseScore }: Published, { score }: Computed): string {
  if (baseScore === score.temporal_score) return 'the temporal score, published as the base score';
  if (baseScore === score.threat_score) return 'the threat score, published as the base score';
  if (version === '3.1' && baseScore === environmentalScoreV3('3.1', parseCvssVector(vectorString).metrics)) {
    return 'worked out by the environmental equation';
  }
  return 'other';
}

/** How many of each mistake the feeds hold. */
const MISTAKES = {
  '3.0: other': 1,
  '3.1: the temporal score, published as the base score': 215,
  '3.1: worked out by the environmental equation': 101,
  '3.1: other': 12,
  '4.0: the threat score, published as the base score': 6,
  '4.0: other': 3,
};

/** The other ones: published and computed base score. CVE-2024-24552 is a tie (5.65), rounded down there. */
const OTHER_MISTAKES = [
  'CVE-2022-46647 2.5 2.2',
  'CVE-2023-36860 7.6 7.1',
  'CVE-2023-44154 4.6 3.5',
  'CVE-2024-0095 4.3 9',
  'CVE-2024-8642 5 5.1',
  'CVE-2024-9798 5.3 9',
  'CVE-2024-20848 5.1 4',
  'CVE-2024-24552 5.6 5.7',
  'CVE-2024-28568 8.4 6.2',
  'CVE-2024-28575 8.4 6.2',
  'CVE-2024-33509 4.4 4.8',
  'CVE-2024-36989 6.5 7.1',
  'CVE-2024-36995 4.3 5.4',
  'CVE-2024-36997 4.6 8.1',
  'CVE-2024-38863 2 5.1',
  'CVE-2024-45323 4.6 4.3',
];

const folder = sharedPath('feeds', 'nvd');

describe('CVSS against the NVD feeds', { skip: folder === null && 'no feeds' }, () => {
  it('recomputes what was published, but for listed mistakes of publishers', (t: TestContext) => {
    const compared = { '2.0': 0, '3.0': 0, '3.1': 0, '4.0': 0 };
    let words = 0;
    const mistakes: Record<string, number> = {};
    const other: string[] = [];
    const known = new Map<string, Computed>();

    const files = readdirSync(folder ?? '').filter((name) => /-\d{4}\.json\.gz$/.test(name));
    for (const file of files) {
      for (const entry of published(join(folder ?? '', file))) {
        const { cve, version, vectorString, baseScore, baseSeverity } = entry;
        const computed = known.get(vectorString) ?? {
          score: scoreVector(vectorString),
          words: { ...describeBaseMetrics(vectorString) },
        };
        known.set(vectorString, computed);
        compared[version] += 1;
        assert.equal(computed.score.version, version, cve);
        if (baseScore !== computed.score.base_score) {
          const why = mistake(entry, computed);
          mistakes[`${version}: ${why}`] = (mistakes[`${version}: ${why}`] ?? 0) + 1;
          if (why === 'other') other.push(`${cve} ${baseScore} ${computed.score.base_score}`);
        } else if (baseSeverity !== undefined) {
          assert.equal(computed.score.base_severity, baseSeverity.toUpperCase(), `${cve} ${vectorString}`);
        }
        for (const [field, word] of Object.entries(computed.words)) {
          const theirs = entry[publishedName(field)];
          if (theirs === undefined) continue;
          words += 1;
          assert.equal(word, theirs, `${cve} ${vectorString} ${field}`);
        }
      }
    }

    t.diagnostic(`compared: ${JSON.stringify(compared)}, ${known.size} distinct vectors, ${words} words`);
    t.diagnostic(`publishers' mistakes: ${JSON.stringify(mistakes)}`);
    for (const line of other) t.diagnostic(`published, computed: ${line}`);
    for (const [version, count] of Object.entries(compared)) assert.ok(count > 1000, version);
    assert.ok(words > 1_000_000);
    assert.deepEqual(mistakes, MISTAKES);
    assert.deepEqual(other, OTHER_MISTAKES);
  });
});
