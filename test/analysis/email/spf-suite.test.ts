import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadAll } from 'js-yaml';
import { checkHost } from '../../../src/analysis/email/spf/check-host.ts';
import { lookUpSpf } from '../../../src/analysis/email/spf/look-up-spf.ts';
import { sharedPath } from '../../support/shared.ts';
import { mailDnsOf, type ZoneRecord } from './mail-dns-of.ts';

const SUITE = sharedPath('suites', 'spf', 'rfc7208-tests.yml');
const skip = SUITE === null && 'no suites';

interface Case {
  helo: string;
  host: string;
  mailfrom: string;
  result: string | string[];
  explanation?: string;
}

interface Section {
  description: string;
  tests: Record<string, Case>;
  zonedata: Record<string, (Record<string, unknown> | 'TIMEOUT')[]>;
}

/** The suite's notation: an `SPF` record stands for a TXT one where there is none; the bare `TIMEOUT` for all that is not listed. */
function zoneOf(section: Section): Record<string, ZoneRecord> {
  return Object.fromEntries(
    Object.entries(section.zonedata).map(([name, rows]) => {
      const records: ZoneRecord = {};
      const listed = rows.filter((row) => row !== 'TIMEOUT').flatMap((row) => Object.entries(row));
      const texts = listed.filter(([type]) => type === 'TXT');
      for (const [type, value] of listed) {
        if (value === 'NONE') continue;
        if (type === 'SPF' && texts.length > 0) continue;
        const name = type === 'SPF' ? 'TXT' : type;
        records[name] = [records[name] ?? [], type === 'MX' || !Array.isArray(value) ? [value] : value.join('')].flat();
      }
      if (rows.includes('TIMEOUT')) records['elsewhere'] = 'fails';
      return [name.toLowerCase(), records];
    }),
  );
}

const SECTIONS = skip
  ? []
  : (loadAll(readFileSync(SUITE!, 'utf8')) as (Section | undefined)[]).filter((one) => one?.tests);

describe('SPF: the public suite of RFC 7208', { skip }, () => {
  let judged = 0;
  for (const section of SECTIONS as Section[]) {
    describe(section.description, () => {
      const dns = mailDnsOf(zoneOf(section));
      for (const [name, { host, mailfrom, helo, result, explanation }] of Object.entries(section.tests)) {
        test(name, async () => {
          judged++;
          const answer = await checkHost({ ip: host, sender: mailfrom, helo }, dns);
          assert.ok([result].flat().includes(answer.result), `${answer.result} (${answer.reason}), not ${result}`);
          if (answer.result !== 'fail' || explanation === undefined) return;
          assert.equal(answer.explanation, explanation === 'DEFAULT' ? null : explanation);
        });
      }
    });
  }
  test('all cases were judged', () => assert.equal(judged, 200));
});

/** The survey judges no message, so of the suite's results it can confirm only that a record is broken, or that it is not. */
describe('SPF: the public suite of RFC 7208, records alone', { skip }, () => {
  let judged = 0;
  for (const section of SECTIONS as Section[]) {
    describe(section.description, () => {
      const dns = mailDnsOf(zoneOf(section));
      for (const [name, { mailfrom, helo, result }] of Object.entries(section.tests)) {
        test(name, async () => {
          const domain = (mailfrom === '' ? helo : mailfrom.slice(mailfrom.lastIndexOf('@') + 1)).replace(/\.$/, '');
          const { records, syntaxError, loops, brokenIncludes, crowdedMx, lookupCount, voids } = await lookUpSpf(
            domain,
            dns,
          );
          if (result === 'none' || result === 'temperror') return;
          judged++;
          if (result !== 'permerror') assert.equal(syntaxError, null);
          else {
            const problems = [...loops, ...brokenIncludes, ...crowdedMx, ...voids.slice(2), ...records.slice(1)];
            assert.ok(syntaxError !== null || problems.length > 0 || lookupCount! > 10);
          }
        });
      }
    });
  }
  test('cases were judged', () => {
    assert.equal(judged, 187);
  });
});
