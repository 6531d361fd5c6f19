import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { awaitsNvd } from '../../src/analysis/cve/merge-cve.ts';
import { factsOfNvdRecord } from '../../src/feeds/nvd/record.ts';
import { nvdRecord } from '../support/nvd-mirror.ts';

const factsOf = (more: Record<string, unknown>) => factsOfNvdRecord(nvdRecord('CVE-2024-1001', more));

suite("the CNA's `affected` in an NVD record", () => {
  test("the versions of Log4Shell with its fixed branches, after the NVD's own rows", () => {
    const { products, configurations } = factsOf({
      affected: [
        {
          source: 'security@apache.org',
          affectedData: [
            {
              vendor: 'Apache Software Foundation',
              product: 'Apache Log4j2',
              versions: [
                {
                  version: '2.0-beta9',
                  lessThan: 'log4j-core*',
                  versionType: 'custom',
                  status: 'affected',
                  changes: [
                    { at: '2.3.1', status: 'unaffected' },
                    { at: '2.4', status: 'affected' },
                    { at: '2.12.2', status: 'unaffected' },
                    { at: '2.13.0', status: 'affected' },
                    { at: '2.15.0', status: 'unaffected' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
    const own = new Set(configurations.flatMap(({ nodes }) => nodes.flatMap((node) => node.products)));
    assert.deepEqual([...own], [...products.keys()].slice(0, own.size));
    const named = products.slice(own.size);
    assert.ok(
      named.every(({ vendor, product }) => vendor === 'Apache Software Foundation' && product === 'Apache Log4j2'),
    );
    const isAffected = (fixed: string) => named.some(({ end_excluding }) => end_excluding === fixed);
    assert.deepEqual(['2.3.1', '2.12.2', '2.15.0'].filter(isAffected), ['2.3.1', '2.12.2', '2.15.0']);
  });

  test('a product that is not affected names nothing; a package is named; another form is left out', () => {
    const { products } = factsOf({
      configurations: [],
      affected: [
        {
          source: 'secalert@redhat.com',
          affectedData: [
            {
              defaultStatus: 'unaffected',
              packageName: 'xz',
              versions: [
                { version: '5.6.0', status: 'affected' },
                { version: '5.6.1', status: 'affected' },
              ],
            },
            {
              vendor: 'Red Hat',
              product: 'Red Hat Enterprise Linux 9',
              defaultStatus: 'unaffected',
              packageName: 'xz',
              cpes: ['cpe:/o:redhat:enterprise_linux:9'],
            },
            { vendor: 7 },
            null,
          ],
        },
      ],
    });
    assert.deepEqual(
      products.map(({ product, version }) => `${product} ${version}`),
      ['xz 5.6.0', 'xz 5.6.1'],
    );
  });
});

test('a deferred record is not analysed unless the NVD once scored it or said what it affects', () => {
  const affected = [{ source: 'x', affectedData: [{ vendor: 'a', product: 'b', defaultStatus: 'affected' }] }];
  const deferred = factsOf({ vulnStatus: 'Deferred', metrics: {}, configurations: [], affected });
  assert.equal(deferred.products.length, 1);
  assert.equal(awaitsNvd(deferred, deferred.configurations.length), true);
  const scored = factsOf({ vulnStatus: 'Deferred', configurations: [], affected });
  assert.equal(awaitsNvd(scored, 0), false);
  assert.equal(awaitsNvd({ ...deferred, status: 'Analyzed' }, 0), false);
});
