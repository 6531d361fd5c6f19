import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawTechnologies, type TechnologiesAnswer } from '../../src/pages/domain/technologies.ts';

/** A row of a technology without a version. */
const row = (name: string, party: 'first' | 'third'): TechnologiesAnswer['technologies'][number] => ({
  name,
  category: 'CMS',
  source: 'script',
  version: null,
  party,
  confidence: 1,
  cpe: { vendor: name.toLowerCase(), product: name.toLowerCase() },
  purl: null,
  support: null,
  cves_looked_up: party === 'first',
});

test('what another host is made with stands last, is called so, and is not said to have no CVEs', () => {
  const answer = {
    technologies: [row('WordPress', 'third'), row('Drupal', 'first')],
    vulnerabilities: [],
    catalog: { as_of: '2026-06-17', feeds: [{ feed: 'nvd', as_of: '2026-06-17' }], cves: 240_000, is_starter: false },
  } as unknown as TechnologiesAnswer;
  const rows = String(drawTechnologies(answer)).split('<tr>').slice(2);
  assert.match(rows[0]!, />Drupal<.*none in this catalog/s);
  assert.doesNotMatch(rows[0]!, /another host/);
  assert.match(rows[1]!, />WordPress<.*another host.*not looked up: of a host that the page takes a file from/s);
});
