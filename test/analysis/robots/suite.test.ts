import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isPathAllowed } from '../../../src/analysis/robots/path-access.ts';
import { decodeRobots } from '../../../src/analysis/robots/decode-robots.ts';
import { parseRobotsRecords } from '../../../src/analysis/robots/robots-records.ts';
import { normalizePath } from '../../../src/analysis/robots/path-pattern.ts';
import { presentRobots } from '../../../src/analysis/robots/present-robots.ts';
import { readRobots } from '../../../src/analysis/robots/read-robots.ts';
import { sharedPath } from '../../support/shared.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const SUITE = sharedPath('suites', 'robots');
const skip = SUITE === null && 'no suites';

/**
 * Where we decide otherwise than the suite. RFC 9309, section 2.2.2: octets beyond ASCII are percent-encoded, and encoded
 * unreserved ones decoded, in both the rule and the address, before they are compared. The suite compares the address as given.
 */
const OTHERWISE: readonly string[] = ['ID_Encoding#3', 'ID_Encoding#5', 'ID_Encoding#6'];

/**
 * Not judged: `path-of-url` and `user-agent-valid`, as a path comes from the URL standard's parser and a token from a table of
 * ours; in `parse` and `reporting` the numbers of lines and the kinds of unusable lines, which no answer of ours holds.
 */
interface Decision {
  name: string;
  robots_txt?: string;
  robots_txt_parts?: [string, number][];
  user_agent: string;
  url?: string;
  url_parts?: [string, number][];
  allowed: boolean;
}

function load<Case>(file: string): Case[] {
  return JSON.parse(readFileSync(join(SUITE!, 'google', file), 'utf8')) as Case[];
}

describe('robots.txt: decisions of the public suite', { skip }, () => {
  const cases = skip ? [] : [...load<Decision>('allowed.json'), ...load<Decision>('allowed-long-lines.json')];

  test('all of them are here', () => assert.equal(cases.length, 145));

  for (const decision of cases) {
    const otherwise = OTHERWISE.includes(decision.name);
    test(`${decision.name}${otherwise ? ' (we decide otherwise)' : ''}`, () => {
      const robots = readRobots(decision.robots_txt ?? joined(decision.robots_txt_parts!));
      const path = pathOf(decision.url ?? joined(decision.url_parts!));
      const expected = otherwise ? !decision.allowed : decision.allowed;
      assert.equal(isPathAllowed(robots, decision.user_agent, path), expected);
    });
  }
});

describe('robots.txt: records of the public suite', { skip }, () => {
  interface Parse {
    name: string;
    robots_txt?: string;
    robots_txt_base64?: string;
    expect: { valid_directives?: number; unknown_directives?: number; sitemap?: string };
  }
  const GOOGLE = new Set(['user-agent', 'allow', 'disallow', 'sitemap']);

  for (const [at, { name, expect, ...given }] of (skip ? [] : load<Parse>('parse.json')).entries()) {
    test(`${name} ${at}`, () => {
      const bytes = Buffer.from(
        given.robots_txt ?? given.robots_txt_base64!,
        given.robots_txt === undefined ? 'base64' : 'utf8',
      );
      const records = [...parseRobotsRecords(decodeRobots(bytes))];
      const valid = records.filter((record) => GOOGLE.has(record.name ?? ''));
      if (expect.valid_directives !== undefined) assert.equal(valid.length, expect.valid_directives);
      if (expect.unknown_directives !== undefined)
        assert.equal(records.length - valid.length, expect.unknown_directives);
      if (expect.sitemap !== undefined) assert.deepEqual(readRobots(bytes).sitemaps, [expect.sitemap]);
    });
  }

  interface Report {
    name: string;
    robots_txt?: string;
    robots_txt_parts?: [string, number][];
    valid_directives: number;
  }
  for (const report of skip ? [] : load<Report>('reporting.json')) {
    test(report.name, () => {
      const records = [...parseRobotsRecords(report.robots_txt ?? joined(report.robots_txt_parts!))];
      assert.equal(records.filter((record) => GOOGLE.has(record.name ?? '')).length, report.valid_directives);
    });
  }

  for (const { input, expected } of skip ? [] : load<{ input: string; expected: string }>('escape-pattern.json')) {
    test(`pattern ${input}`, () => assert.equal(normalizePath(input), expected));
  }
});

test('robots.txt: every real file of the suite is read, quickly', { skip }, () => {
  const folder = join(SUITE!, 'protego');
  const files = readdirSync(folder);
  assert.equal(files.length, 200);
  for (const file of files) {
    const started = cpuMs();
    const robots = readRobots(readFileSync(join(folder, file)));
    presentRobots(robots);
    isPathAllowed(robots, 'GPTBot', '/some/path?with=query');
    assert.ok(cpuMs() - started < 5000, file);
  }
});

function joined(parts: [string, number][]): string {
  return parts.map(([text, times]) => text.repeat(times)).join('');
}

function pathOf(url: string): string {
  if (url === '') return '/';
  const { pathname, search } = new URL(url);
  return pathname + search;
}
