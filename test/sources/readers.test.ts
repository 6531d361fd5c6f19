import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { githubAdvisories } from '../../src/sources/github-advisories.ts';
import { LIVE_SOURCE_POLICIES } from '../../src/sources/registry.ts';
import { shodanCvedb } from '../../src/sources/shodan-cvedb.ts';
import { sharedPath } from '../support/shared.ts';

const CVE = 'CVE-2021-44228';
const HIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;
const NASTY = 'a\u0000b\u001b[31mc\u202ed\u200be\u2066f\u{e0041}g\ud800h';

const advisory = {
  ghsa_id: 'GHSA-jfh8-c2jp-5v3q',
  html_url: 'https://github.com/advisories/GHSA-jfh8-c2jp-5v3q',
  summary: 'Remote code injection',
  severity: 'critical',
  published_at: '2021-12-10T00:40:56Z',
  withdrawn_at: null,
};

const readGithub = (body: unknown, status = 200) => githubAdvisories.read(status, JSON.stringify(body), CVE);
const readShodan = (body: unknown, status = 200) => shodanCvedb.read(status, JSON.stringify(body), CVE);
const ghsaSample = sharedPath('feeds', 'ghsa', 'page-1.json');
const cvedbSample = sharedPath('feeds', 'samples', 'shodan-cvedb', 'cve.CVE-2021-44228.json');

describe('GitHub advisories', () => {
  test('are read as GitHub gives them', () => {
    assert.deepEqual(readGithub([advisory]), [
      {
        ghsa_id: 'GHSA-jfh8-c2jp-5v3q',
        url: 'https://github.com/advisories/GHSA-jfh8-c2jp-5v3q',
        summary: 'Remote code injection',
        severity: 'CRITICAL',
        published: '2021-12-10T00:40:56Z',
        withdrawn: false,
      },
    ]);
  });

  test('none is none', () => assert.deepEqual(readGithub([]), []));

  test('a real page is read whole', { skip: ghsaSample === null && 'no feeds' }, () => {
    const page = JSON.parse(readFileSync(ghsaSample!, 'utf8')) as unknown[];
    assert.equal(readGithub(page.slice(0, 20)).length, 20);
  });

  for (const [what, body, status] of [
    ['an error', { message: 'API rate limit exceeded' }, 403],
    ['an object', { message: 'Not Found' }, 200],
    ['null', null, 200],
    ['a list of something else', [{ id: 1 }], 200],
  ] as const) {
    test(`${what} is no answer`, () => assert.throws(() => readGithub(body, status)));
  }

  test('no text of it carries what cannot be seen, or runs on', () => {
    const long = NASTY + 'x'.repeat(100_000);
    const hostile = { ...advisory, summary: long, severity: long, published_at: long };
    let found: ReturnType<typeof readGithub>;
    try {
      found = readGithub([hostile]);
    } catch {
      // Refusing it is as good.
      return;
    }
    for (const entry of found) assertPlain(Object.values(entry));
  });

  test('an id that is none is not passed on', () => {
    let found: ReturnType<typeof readGithub> = [];
    try {
      found = readGithub([{ ...advisory, ghsa_id: `../..?${NASTY}${'x'.repeat(1000)}` }]);
    } catch {
      return;
    }
    for (const { ghsa_id } of found) assert.match(ghsa_id, /^GHSA(-[0-9a-z]{4}){3}$/);
  });

  test('a summary is not cut within a character', () => {
    const [found] = readGithub([{ ...advisory, summary: `${'x'.repeat(299)}\u{1f512}` }]);
    assert.ok(found!.summary.isWellFormed());
  });

  test('no more are taken than were asked for', () => {
    assert.ok(readGithub(Array.from({ length: 5000 }, () => advisory)).length <= 20);
  });
});

describe('Shodan CVEDB', () => {
  test('references are read as CVEDB gives them, each once', () => {
    const references = ['https://a.example/1', 'http://b.example/2', 'https://a.example/1'];
    assert.deepEqual(readShodan({ cve_id: CVE, references }), ['https://a.example/1', 'http://b.example/2']);
  });

  test('a CVE that it does not know is null', () => {
    assert.equal(readShodan({ detail: 'No information available' }, 404), null);
  });

  test('the real answer is read', { skip: cvedbSample === null && 'no feeds' }, () => {
    const references = shodanCvedb.read(200, readFileSync(cvedbSample!, 'utf8'), CVE);
    assert.ok(references!.length > 0);
  });

  test('addresses that are none of the web are left out', () => {
    const references = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://ok.example/',
      'https://a b',
      '',
      '//x.example',
    ];
    assert.deepEqual(readShodan({ cve_id: CVE, references }), ['https://ok.example/']);
  });

  test('no address carries what cannot be seen, or runs on', () => {
    const references = [
      `https://a.example/${NASTY}`,
      `https://a.example/${'x'.repeat(5000)}`,
      'https://\u202ea.example/',
    ];
    assertPlain(readShodan({ cve_id: CVE, references }) ?? []);
  });

  for (const [what, body, status] of [
    ['an error', { detail: 'boom' }, 500],
    ['a list', [], 200],
    ['null', null, 200],
    ['an answer about nothing', {}, 200],
    ['an error with status 200', { error: 'try later' }, 200],
    ['references that are no list', { cve_id: CVE, references: 'https://a.example' }, 200],
  ] as const) {
    test(`${what} is no answer`, () => assert.throws(() => readShodan(body, status)));
  }

  test('an answer about another CVE is no answer', () => {
    assert.throws(() => readShodan({ cve_id: 'CVE-2014-0160', references: ['https://a.example/1'] }));
  });
});

describe('policies of live sources', () => {
  for (const policy of LIVE_SOURCE_POLICIES) {
    test(`${policy.id} is bounded, and its address ends with a slash`, () => {
      assert.ok(policy.timeoutMs <= 15_000);
      assert.ok(policy.maxBytes <= 8 * 1024 * 1024);
      assert.ok(policy.concurrency >= 1 && policy.concurrency <= (policy.baseUrl === null ? 4000 : 400));
      if (policy.baseUrl !== null) assert.match(policy.baseUrl, /^(https|whois):\/\/.+\/$/);
      assert.match(policy.id, /^[a-z0-9_]+$/);
    });
  }

  test('an id in a request is encoded', () => {
    for (const source of [githubAdvisories, shodanCvedb]) {
      const { path } = source.request('a/../b?c=d&e#f', null);
      assert.doesNotMatch(path, /\.\.\/b|c=d|#/);
    }
  });

  test('the token goes into a header, never into the address', () => {
    const { path, headers } = githubAdvisories.request(CVE, 'token-value');
    assert.ok(!path.includes('token-value'));
    assert.equal(headers?.['authorization'], 'Bearer token-value');
  });
});

function assertPlain(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'string') continue;
    // Not assert.doesNotMatch: it would print what must not be seen.
    assert.ok(!HIDDEN.test(value), `hidden characters in ${JSON.stringify(value.slice(0, 60))}`);
    assert.ok(value.isWellFormed());
    assert.ok(value.length <= 2048, `${value.length} characters`);
  }
}
