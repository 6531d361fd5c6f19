import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { affectedVersions } from '../../../src/feeds/cvelist/affected-versions.ts';
import { type AffectedEntry, CveRecord, type VersionRow } from '../../../src/feeds/cvelist/schema.ts';
import { compareVersions } from '../../../src/feeds/cvelist/version-order.ts';
import { readAllBytes, unzip } from '../../../src/feeds/unpack.ts';
import type { VersionSpan } from '../../../src/feeds/version-span.ts';
import { sharedPath } from '../../support/shared.ts';

const deltas = sharedPath('feeds', 'cvelistV5', '2024-10-24_delta_CVEs_at_2200Z.zip');

/** `[2.0.0, 2.5.2)` for a range, the version itself for a single one, `all` for every version. */
function shown(span: VersionSpan): string {
  if (span.version !== null) return span.version;
  const start = span.start_including ?? span.start_excluding;
  const end = span.end_including ?? span.end_excluding;
  if (start === null && end === null) return 'all';
  return `${span.start_including === null ? '(' : '['}${start ?? ''}, ${end ?? ''}${span.end_including === null ? ')' : ']'}`;
}

function affected(versions: Partial<VersionRow>[], defaultStatus?: string): string[] {
  const rows = versions.map((row) => ({ version: '0', status: 'affected', ...row }));
  return affectedVersions({ versions: rows, defaultStatus }).map(shown);
}

test('the examples of the CVE Record Format ("Product and Version Encodings")', () => {
  const fixed = { at: '2.5.2', status: 'unaffected' };
  const again = [fixed, { at: '2.6.0', status: 'affected' }, { at: '2.6.3', status: 'unaffected' }];
  const two = { version: '2.0.0', lessThan: '2.*' };
  assert.deepEqual(affected([{ version: '2.4' }, { version: '2.5' }], 'unaffected'), ['2.4', '2.5']);
  assert.deepEqual(affected([{ version: '2.4' }, { version: '2.6', status: 'unaffected' }]), ['2.4']);
  assert.deepEqual(affected([{ version: '2.0.0', lessThanOrEqual: '2.5.1' }]), ['[2.0.0, 2.5.1]']);
  assert.deepEqual(affected([{ version: '2.0.0', lessThan: '2.5.2' }]), ['[2.0.0, 2.5.2)']);
  // "Infinity, not a wildcard pattern": all of 1.X and 2.X.
  assert.deepEqual(affected([{ version: '1.0', lessThan: '2.*' }]), ['[1.0, 3)']);
  assert.deepEqual(affected([{ ...two, changes: [fixed] }]), ['[2.0.0, 2.5.2)']);
  assert.deepEqual(affected([{ ...two, changes: again }]), ['[2.0.0, 2.5.2)', '[2.6.0, 2.6.3)']);
  assert.deepEqual(affected([{ ...two, changes: again.toReversed() }]), ['[2.0.0, 2.5.2)', '[2.6.0, 2.6.3)']);
  assert.deepEqual(affected([{ version: '2.5.2', lessThan: '*', status: 'unaffected' }], 'affected'), ['(, 2.5.2)']);
  const mirrored = again.map((change) => ({
    ...change,
    status: change.status === 'affected' ? 'unaffected' : 'affected',
  }));
  assert.deepEqual(affected([{ ...two, status: 'unaffected', changes: mirrored }]), ['[2.5.2, 2.6.0)', '[2.6.3, 3)']);
});

test('no bound in many words', () => {
  for (const version of ['0', '*', 'n/a', 'N/A', 'unspecified', '-', 'All', 'all versions', ' unknown ']) {
    assert.deepEqual(affected([{ version, lessThan: '1.0.1' }]), ['(, 1.0.1)'], version);
    assert.deepEqual(affected([{ version }]), ['all'], version);
    assert.deepEqual(affected([{ version: '1.2', lessThanOrEqual: version }]), ['[1.2, )'], version);
  }
  assert.deepEqual(affected([], 'affected'), ['all']);
  assert.deepEqual(affected([], 'unaffected'), []);
  assert.deepEqual(affected([]), []);
});

test('versions that CNAs write as words', () => {
  const words: [string, string[]][] = [
    ['>= 0.10.0, < 0.24.2', ['[0.10.0, 0.24.2)']],
    ['< 9.20', ['(, 9.20)']],
    ['= 5.0.0', ['5.0.0']],
    ['<= V1.21', ['(, V1.21]']],
    ['v1.5.10 and earlier', ['(, v1.5.10]']],
    ['24.1.0 and below', ['(, 24.1.0]']],
    ['prior to v1.19.1', ['(, v1.19.1)']],
    ['All versions prior to 2.0.6.0.0', ['(, 2.0.6.0.0)']],
    ['10.5, 11.1, 11.5', ['10.5', '11.1', '11.5']],
    ['9.5 - 9.5.24, 10.0 - 10.0.11', ['[9.5, 9.5.24]', '[10.0, 10.0.11]']],
    ['15.01 P1', ['15.01 P1']],
    ['See the bulletin for affected versions.', ['See the bulletin for affected versions.']],
    ['1.0, and others', ['1.0, and others']],
  ];
  for (const [version, expected] of words) assert.deepEqual(affected([{ version }]), expected, version);
});

test('affected by default: all but what is said to be unaffected', () => {
  const fine = (version: string, end: Partial<VersionRow> = {}) => ({ version, status: 'unaffected', ...end });
  const kernel = [
    { version: '5.15' },
    fine('0', { lessThan: '5.15' }),
    fine('6.1.113', { lessThanOrEqual: '6.1.*' }),
    fine('5.15.168', { lessThanOrEqual: '5.15.*' }),
    fine('6.12-rc1', { lessThanOrEqual: '*' }),
  ];
  assert.deepEqual(affected(kernel, 'affected'), ['[5.15, 5.15.168)', '[5.16, 6.1.113)', '[6.2, 6.12-rc1)']);
  assert.deepEqual(affected([fine('0:1.2.4-4.el7_7', { lessThan: '*' })], 'affected'), ['(, 0:1.2.4-4.el7_7)']);
  assert.deepEqual(affected([fine('4.2.1')], 'affected'), ['(, 4.2.1)']);
  assert.deepEqual(affected([fine('4.2.1'), fine('4.1.5')], 'affected'), ['(, 4.1.5)', '(4.1.5, 4.2.1)']);
  assert.deepEqual(affected([fine('0', { lessThanOrEqual: '3.4' })], 'affected'), ['(3.4, )']);
  // A gap within another gap opens nothing.
  const nested = [fine('1', { lessThan: '10' }), fine('2', { lessThan: '5' })];
  assert.deepEqual(affected(nested, 'affected'), ['(, 1)', '[10, )']);
  // Rows that cannot be put in order: the affected ones as they stand, else every version.
  const words = [fine('R2022x GA'), fine('SP 2')];
  assert.deepEqual(affected([{ version: '1.0' }, ...words], 'affected'), ['1.0']);
  assert.deepEqual(affected(words, 'affected'), ['all']);
  // CNAs that list what is affected mean that list.
  assert.deepEqual(affected([{ version: '2024' }], 'affected'), ['2024']);
});

test('changes beyond the end of a range, or in words, leave it as it is', () => {
  const turn = (at: string) => [{ at, status: 'unaffected' }];
  assert.deepEqual(affected([{ version: 'n/a', lessThanOrEqual: '6.4.1', changes: turn('6.5.1') }]), ['(, 6.4.1]']);
  assert.deepEqual(affected([{ version: '11.0.0', lessThan: '11.0.5', changes: turn('+security-01') }]), [
    '[11.0.0, 11.0.5)',
  ]);
  const hotfixes = ['10.2.9-h1', '10.2.8-h3', '10.2.7-h8'].flatMap(turn);
  assert.deepEqual(affected([{ version: '10.2.0', lessThan: '10.2.10', changes: hotfixes }]), ['[10.2.0, 10.2.9-h1)']);
});

test('order of versions', () => {
  const rising = ['0.9', '1.0-alpha', '1.0-beta2', '1.0-rc1', '1.0', '1.0.1', '1.2', '1.10', 'v2', '2.0.0p1', '2.1'];
  for (const [i, a] of rising.entries()) {
    for (const [j, b] of rising.entries())
      assert.equal(Math.sign(compareVersions(a, b) ?? Number.NaN), Math.sign(i - j), `${a} ${b}`);
  }
  assert.ok((compareVersions('10.2.9', '10.2.9-h1') ?? 0) < 0 && (compareVersions('10.2.9-h1', '10.2.9-h2') ?? 0) < 0);
  assert.equal(compareVersions('1.0', '1.0.0'), 0);
  assert.equal(compareVersions('V1.0', 'v1.0'), 0);
  for (const [a, b] of [
    ['1.0', 'latest'],
    ['0:1.2', '0:1.3'],
    ['9.1r2', '9.1.2'],
    ['', '1'],
  ])
    assert.equal(compareVersions(a!, b!), null);
});

test('order of versions is one: antisymmetric', () => {
  const version = fc.array(fc.oneof(fc.nat(30).map(String), fc.constantFrom('rc', 'p', 'beta', 'h')), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(version, version, (a, b) => {
      const there = compareVersions(`1.${a.join('-')}`, `1.${b.join('-')}`);
      const back = compareVersions(`1.${b.join('-')}`, `1.${a.join('-')}`);
      assert.equal(there === null, back === null);
      if (there !== null && back !== null) assert.equal(Math.sign(there) + Math.sign(back), 0);
    }),
  );
});

/** The format's own algorithm ("Version Status Decisions") for one version, without `changes`. */
function statusOf(entry: AffectedEntry, version: string): string {
  const order = (other: string) =>
    compareVersions(version, other.endsWith('.*') ? `${other.slice(0, -1)}99999` : other) ?? 0;
  for (const row of entry.versions ?? []) {
    const end = row.lessThan ?? row.lessThanOrEqual;
    const isMatch =
      end === undefined
        ? order(row.version) === 0
        : (row.version === '0' || order(row.version) >= 0) &&
          (end === '*' || order(end) < 0 || (row.lessThan === undefined && order(end) === 0));
    if (isMatch) return row.status;
  }
  return entry.defaultStatus ?? 'unknown';
}

function holds(span: VersionSpan, version: string): boolean {
  const order = (other: string) => compareVersions(version, other) ?? Number.NaN;
  return (
    (span.version === null || order(span.version) === 0) &&
    (span.start_including === null || order(span.start_including) >= 0) &&
    (span.start_excluding === null || order(span.start_excluding) > 0) &&
    (span.end_including === null || order(span.end_including) <= 0) &&
    (span.end_excluding === null || order(span.end_excluding) < 0)
  );
}

test('real kernel records: every version has the status that the format gives it', {
  skip: deltas === null && 'no feeds',
}, async () => {
  let checked = 0;
  const differing: string[] = [];
  for await (const file of unzip(createReadStream(deltas!), {
    maxBytes: 1e7,
    maxUnpackedBytes: 1e8,
    maxEntries: 2000,
  })) {
    const record = CveRecord.parse(JSON.parse((await readAllBytes(file.bytes, 1e7)).toString()));
    if (record.cveMetadata.assignerShortName !== 'Linux') continue;
    for (const entry of record.containers.cna.affected ?? []) {
      const rows = entry.versions ?? [];
      if (entry.defaultStatus !== 'affected' || rows.length === 0) continue;
      const spans = affectedVersions(entry);
      const bounds = rows.flatMap((row) => [row.version, row.lessThan ?? '', row.lessThanOrEqual ?? '']);
      const releases = bounds.filter((bound) => /^[\d.]+$/.test(bound)).flatMap((bound) => [bound, `${bound}.1`]);
      for (const version of ['2.6.1', '4.9.1', '6.9.99', '7.0', ...releases]) {
        checked++;
        const expected = statusOf(entry, version) === 'affected';
        if (spans.some((span) => holds(span, version)) !== expected)
          differing.push(`${record.cveMetadata.cveId} ${version}`);
      }
    }
  }
  assert.deepEqual(differing, []);
  assert.ok(checked > 5000, `${checked} versions`);
});
