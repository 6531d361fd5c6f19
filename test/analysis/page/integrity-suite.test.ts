import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type PageSecurityFacts, collectPageSecurity } from '../../../src/analysis/page/page-security.ts';
import { readPage } from '../../../src/analysis/page/read-page.ts';
import { sharedPath } from '../../support/shared.ts';

const FILE = sharedPath('suites', 'headers', 'subresource-integrity.json');

interface Case {
  key: string;
  n: number;
  given: { url: string; response_headers: { 'content-type': string }; html: string };
  expected: { result: string };
}

/** Outcomes of the suite by what we say of a page. */
function outcomeOf(security: PageSecurityFacts, scripts: number): string {
  const { foreign_scripts, scripts_with_integrity, without_integrity } = security;
  if (scripts === 0) return 'sri-not-implemented-but-no-scripts-loaded';
  if (without_integrity.length > 0) return 'sri-not-implemented-but-external-scripts-loaded-securely';
  if (scripts_with_integrity === 0) return 'sri-not-implemented-but-all-scripts-loaded-from-secure-origin';
  return foreign_scripts === 0
    ? 'sri-implemented-and-all-scripts-loaded-securely'
    : 'sri-implemented-and-external-scripts-loaded-securely';
}

describe('subresource integrity, public suite', { skip: FILE === null && 'no suites' }, () => {
  for (const { key, n, given, expected } of FILE === null ? [] : (JSON.parse(readFileSync(FILE, 'utf8')) as Case[])) {
    // Whoever fetches a page reads only what is HTML.
    if (!given.response_headers['content-type'].startsWith('text/html')) continue;
    test(`${key}#${n}`, () => {
      const bytes = Buffer.from(given.html);
      const facts = readPage({
        bytes,
        url: given.url,
        contentType: given.response_headers['content-type'],
        truncated: false,
      });
      assert.equal(outcomeOf(collectPageSecurity(facts), facts.script_count), expected.result);
    });
  }
});
