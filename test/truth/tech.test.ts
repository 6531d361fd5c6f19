import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeCpeToken } from '../../src/analysis/cve/cpe.ts';
import { detectTechnologies } from '../../src/analysis/tech/detect-technologies.ts';
import { TECHNOLOGIES } from '../../src/analysis/tech/technologies.ts';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { productsWithCpe, findProductCves } from '../../src/operations/web/lib/product-cves.ts';
import { siteOf } from '../analysis/tech/site-with.ts';
import { FEEDS_NOW, fullCatalog, noFeeds } from '../support/full-catalog.ts';

const skip = noFeeds;

test('every CPE name of a technology is one that the NVD gives to some CVE', { skip }, async () => {
  const { catalog } = await fullCatalog();
  const unknown = TECHNOLOGIES.filter(({ cpe }) => {
    if (cpe === undefined) return false;
    const [vendor = '', product = ''] = cpe.split(':').map(normalizeCpeToken);
    return catalog.search({ vendor, product, sort: 'published_desc', limit: 1, offset: 0 }).total === 0;
  });
  assert.deepEqual(
    unknown.map(({ name, cpe }) => `${name} ${cpe}`),
    [],
  );
});

// The fixes as the makers announced them: httpd 2.4.49, PHP 7.3.11, WordPress 5.8.3, jQuery 3.5.0.
for (const [shown, cve, held] of [
  ['Apache/2.4.48 (Unix)', 'CVE-2021-40438', true],
  ['Apache/2.4.49 (Unix)', 'CVE-2021-40438', false],
  // nginx.org, security advisories: vulnerable 0.6.18-1.20.0. Under another of its names it is numbered otherwise.
  ['nginx/1.18.0', 'CVE-2021-23017', true],
  ['nginx/1.20.1', 'CVE-2021-23017', false],
  ['PHP/7.3.10', 'CVE-2019-11043', true],
  ['PHP/7.3.11', 'CVE-2019-11043', false],
  ['<meta name="generator" content="WordPress 5.8.2">', 'CVE-2022-21661', true],
  ['<meta name="generator" content="WordPress 5.8.3">', 'CVE-2022-21661', false],
  ['<script src="/jquery-3.4.1.min.js"></script>', 'CVE-2020-11022', true],
  ['<script src="/jquery-3.5.0.min.js"></script>', 'CVE-2020-11022', false],
] as const) {
  test(`${shown} ${held ? 'has' : 'has not'} ${cve}`, { skip }, async () => {
    const { catalog } = await fullCatalog();
    const headers = { server: [shown], 'x-powered-by': [shown] };
    const found = detectTechnologies(shown.startsWith('<') ? siteOf(shown) : { ...siteOf(''), headers });
    const ground = {
      catalog: new CatalogView(catalog, { recordUsedFeed() {}, recordConsultedFeed() {} }),
      evidence: new Evidence({}, FEEDS_NOW),
      now: FEEDS_NOW,
      signal: new AbortController().signal,
    };
    const { rows } = await findProductCves(productsWithCpe(found), 5000, ground);
    const known = rows.filter(({ version_unknown }) => !version_unknown);
    assert.ok(productsWithCpe(found).some(({ version }) => version !== null));
    assert.equal(
      known.some(({ cves }) => cves.some(({ cve_id }) => cve_id === cve)),
      held,
    );
  });
}
