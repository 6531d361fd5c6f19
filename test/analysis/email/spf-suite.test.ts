import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadAll } from 'js-yaml';
import { checkHost } from '../../../src/analysis/email/spf/check-host.ts';
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

describe('SPF: the public suite of RFC 7208', { skip }, () => {
  const sections = skip
    ? []
    : (loadAll(readFileSync(SUITE!, 'utf8')) as (Section | undefined)[]).filter((one) => one?.tests);
  let judged = 0;
  for (const section of sections as Section[]) {
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
  test('all 200 cases were judged', (t) => {
    t.diagnostic(`${judged} cases judged`);
    assert.equal(judged, 200);
  });
});
