import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';

suite('products under several names, over the feeds', { skip: noFeeds }, () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const ask = async (id: string, input: Record<string, unknown>): Promise<any> => (await fullCatalog()).ask(id, input);

  test('log4j2 is a name of no CPE product: its CVEs are those of Apache Log4j, and the answer says so', async () => {
    const idsOf = ({ results }: any): string[] => results.map(({ cve_id }: any) => cve_id);
    const meant = await ask('cve_search', { product: 'log4j', vendor: 'apache', limit: 100 });
    const answer = await ask('cve_search', { product: 'log4j2', limit: 100 });
    const { summary, query_echo } = answer;
    assert.ok(meant['total'] > 0);
    // Those of the package log4j-core are among them, too.
    assert.deepEqual([...new Set([...idsOf(answer), ...idsOf(meant)])].sort(), idsOf(answer).sort());
    assert.match(summary, /No CVE names a product "log4j2": these are of apache:log4j/);
    assert.equal(query_echo.product, 'log4j2');
  });

  test('an exact search stays exact, and says what other names of the product have', async () => {
    const { results, summary } = await ask('cve_search', {
      product: 'nginx',
      vendor: 'f5',
      limit: 200,
      include: 'full',
    });
    assert.ok(results.length > 0);
    assert.match(summary, /under other names of the product: .*nginx:nginx/);
  });

  test('a product without a vendor is also judged under its other names, if all of its name are one', async () => {
    const input = { product: 'confluence', version: '7.0.0', cve_ids: ['CVE-2022-26134'] };
    const { results } = await ask('affected_check', input);
    assert.equal(results[0].status, 'affected');
  });

  test('a CPE name in an SBOM finds the CVEs of the other names: nginx 1.18.0 and CVE-2021-23017', async () => {
    const component = {
      type: 'application',
      name: 'nginx',
      version: '1.18.0',
      cpe: 'cpe:2.3:a:nginx:nginx:1.18.0:*:*:*:*:*:*:*',
    };
    const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', components: [component] };
    const { findings } = await ask('check_dependencies', { sbom });
    const ids = findings.map(({ cve_id }: any) => cve_id);
    assert.ok(ids.includes('CVE-2021-23017'));
    assert.deepEqual(ids, [...new Set(ids)]);
  });
});
