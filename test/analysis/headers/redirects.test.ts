import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type HttpsRedirect, classifyHttpsRedirect } from '../../../src/analysis/headers/https-redirect.ts';
import { sharedPath } from '../../support/shared.ts';

const FILE = sharedPath('suites', 'headers', 'redirection.json');

const OUTCOMES: Readonly<Record<HttpsRedirect, string>> = {
  not_needed: 'redirection-not-needed-no-http',
  to_https: 'redirection-to-https',
  off_host_first: 'redirection-off-host-from-http',
  not_to_https_first: 'redirection-not-to-https-on-initial-redirection',
  not_to_https: 'redirection-not-to-https',
  missing: 'redirection-missing',
};

describe('from HTTP to HTTPS, public suite', { skip: FILE === null && 'no suites' }, () => {
  interface Case {
    key: string;
    given: { http_redirects: { url: string }[] };
    expected: { result: string };
  }
  for (const { key, given, expected } of FILE === null ? [] : (JSON.parse(readFileSync(FILE, 'utf8')) as Case[])) {
    test(key, () =>
      assert.equal(OUTCOMES[classifyHttpsRedirect(given.http_redirects.map(({ url }) => url))], expected.result),
    );
  }
});

const chains: [string[], HttpsRedirect][] = [
  [['http://a.example/'], 'missing'],
  [['http://a.example/', 'http://www.a.example/'], 'not_to_https'],
  [['http://a.example/', 'http://www.a.example/', 'https://www.a.example/'], 'not_to_https_first'],
  [['http://a.example/', 'https://a.example/', 'http://a.example/x'], 'not_to_https'],
];
for (const [chain, expected] of chains) {
  test(chain.join(' > '), () => assert.equal(classifyHttpsRedirect(chain), expected));
}
