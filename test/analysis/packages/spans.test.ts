import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchAdvisory, type PackageAdvisory } from '../../../src/analysis/packages/match-advisory.ts';
import {
  isInRange,
  type RangeEvent,
  createAffectedRange,
  rangesFromEvents,
  UnreadableVersionError,
} from '../../../src/analysis/packages/affected-range.ts';
import { pep440Order } from '../../../src/analysis/versions/pep440.ts';
import { semverOrder } from '../../../src/analysis/versions/semver.ts';

function affects(events: readonly RangeEvent[], version: string): boolean {
  const parsed = semverOrder.parse(version)!;
  return rangesFromEvents(events, semverOrder).some((span) => isInRange(span, parsed, semverOrder));
}

test('events switch on and off in the order of their versions, in whatever order they are written', () => {
  const events = [{ fixed: '2.2.0' }, { introduced: '2.0.0' }, { fixed: '1.1.0' }, { introduced: '1.0.0' }];
  const expected: Record<string, boolean> = {
    '0.9.9': false,
    '1.0.0': true,
    '1.0.9': true,
    '1.1.0': false,
    '2.0.0': true,
    '2.2.0-rc.1': true,
    '2.2.0': false,
  };
  for (const [version, is] of Object.entries(expected)) assert.equal(affects(events, version), is, version);
});

test('"0" is before every version, pre-releases too', () => {
  assert.equal(affects([{ introduced: '0' }], '0.0.0-0'), true);
  assert.equal(affects([{ introduced: '0' }, { fixed: '0.0.1' }], '0.0.0-alpha'), true);
});

test('last_affected is affected, what comes after it is not', () => {
  const events = [{ introduced: '0' }, { last_affected: '1.2.3' }];
  assert.equal(affects(events, '1.2.3'), true);
  assert.equal(affects(events, '1.2.4-0'), false);
});

test('nothing is affected from the highest limit on', () => {
  const events = [{ introduced: '1.0.0' }, { limit: '2.0.0' }, { limit: '3.0.0' }];
  assert.equal(affects(events, '2.5.0'), true);
  assert.equal(affects(events, '3.0.0'), false);
  assert.equal(affects([...events, { limit: '*' }], '9.0.0'), true);
  const [span] = rangesFromEvents(events, semverOrder);
  assert.equal(span?.fixed, null, 'a limit is no fix');
});

test('a range that ends where it begins holds nothing; one that goes on after its end holds all of it', () => {
  assert.equal(affects([{ introduced: '1.0.0' }, { fixed: '1.0.0' }], '1.0.0'), false);
  const going = [{ introduced: '1.0.0' }, { fixed: '1.5.0' }, { introduced: '1.5.0' }, { fixed: '1.6.0' }];
  assert.equal(affects(going, '1.5.0'), true);
});

test('an event that is no version of its ecosystem is refused, not guessed at', () => {
  assert.throws(() => rangesFromEvents([{ introduced: 'dev-master' }], semverOrder), UnreadableVersionError);
});

const advisory = (of: Partial<PackageAdvisory>): PackageAdvisory => ({
  id: 'A-1',
  source: 'osv',
  aliases: [],
  title: null,
  severity: null,
  cvss_v3: null,
  published: null,
  spans: [],
  versions: [],
  ...of,
});

test('the fix is the one of the branch that the version is on', () => {
  const spans = [
    createAffectedRange({ start_including: '1.0', end_excluding: '1.4.2', fixed: '1.4.2' }),
    createAffectedRange({ start_including: '2.0', end_excluding: '2.1', fixed: '2.1' }),
  ];
  const match = matchAdvisory(advisory({ spans }), '2.0.5', pep440Order.parse('2.0.5'), pep440Order);
  assert.equal(match?.fixed, '2.1');
});

test('a fix that the advisory itself calls affected again is no fix', () => {
  const spans = [
    createAffectedRange({ end_excluding: '1.4', fixed: '1.4' }),
    createAffectedRange({ start_including: '1.4', end_excluding: '1.5', fixed: '1.5' }),
  ];
  assert.equal(matchAdvisory(advisory({ spans }), '1.0', pep440Order.parse('1.0'), pep440Order)?.fixed, '1.5');
});

test('a listed version is found in another spelling of it', () => {
  const listed = advisory({ versions: ['1.0rc1'] });
  assert.ok(matchAdvisory(listed, '1.0-RC1', pep440Order.parse('1.0-RC1'), pep440Order));
  assert.equal(matchAdvisory(listed, '1.0', pep440Order.parse('1.0'), pep440Order), null);
});
