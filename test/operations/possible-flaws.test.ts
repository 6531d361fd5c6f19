import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';

interface Row {
  cve_id: string;
  status: string;
}

/** Of several ecosystems and ages; some have CPE names in purl2cpe, some packages of other languages share theirs. */
const PURLS = [
  'pkg:pypi/protobuf@4.25.5',
  'pkg:pypi/pillow@9.5.0',
  'pkg:pypi/aiohttp@3.8.5',
  'pkg:pypi/flask@2.2.2',
  'pkg:npm/postcss@7.0.16',
  'pkg:npm/jquery@3.4.1',
  'pkg:npm/lodash@4.17.15',
  'pkg:maven/com.google.protobuf/protobuf-java@3.25.5',
  'pkg:maven/com.fasterxml.jackson.core/jackson-databind@2.13.2',
  'pkg:maven/org.apache.commons/commons-text@1.9',
  'pkg:maven/org.apache.struts/struts2-core@2.3.31',
  'pkg:maven/org.springframework/spring-jcl@5.3.17',
  'pkg:golang/github.com/gin-gonic/gin@1.7.0',
  'pkg:gem/rails@6.1.4',
  'pkg:gem/google-protobuf@3.19.1',
  'pkg:composer/laravel/framework@8.0.0',
];

describe('what is possible by CPE names', { skip: noFeeds }, () => {
  test('check_dependencies and affected_check tell the same of a package', async () => {
    const { ask } = await fullCatalog();
    for (const purl of PURLS) {
      const checked = await ask('check_dependencies', { purls: [purl] });
      const affected = new Set<string>();
      const unknown = new Set<string>();
      for (let offset: number | null = 0; offset !== null; ) {
        const page = await ask('affected_check', { purl, offset, limit: 100 });
        for (const { cve_id, status } of page['results'] as Row[]) {
          if (status === 'affected') affected.add(cve_id);
          if (status === 'unknown') unknown.add(cve_id);
        }
        offset = page['next_offset'];
      }
      const possible = checked['possible'] as Row[];
      const found = checked['findings'].flatMap((one: { cve_id: string; aliases: string[] }) => [
        one.cve_id,
        ...one.aliases,
      ]);
      const ofStatus = (wanted: string) =>
        possible.flatMap(({ cve_id, status }) => (status === wanted ? [cve_id] : []));
      const sorted = (ids: Iterable<string>) => [...new Set(ids)].sort();
      const cves = found.filter((id: string | null) => id?.startsWith('CVE-'));
      assert.deepEqual(sorted([...cves, ...ofStatus('affected')]), sorted(affected), purl);
      assert.deepEqual(
        sorted([...checked['undecided'].map(({ cve_id }: Row) => cve_id), ...ofStatus('unknown')]),
        sorted(unknown),
        purl,
      );
    }
  });

  test('is neither a finding nor silence: no verdict is complete, no sentence says that nothing is known', async () => {
    const { ask } = await fullCatalog();
    const answer = await ask('check_dependencies', { lockfile: 'protobuf==4.25.5\n', filename: 'requirements.txt' });
    assert.equal(answer['total'], 0);
    // NVD: google:protobuf-python before 4.25.8.
    const row = answer['possible'].find(({ cve_id }: Row) => cve_id === 'CVE-2025-4565');
    assert.deepEqual([row.status, row.fixed_in], ['affected', '4.25.8']);
    assert.match(row.basis, /^by CPE name: .*google:protobuf-python/);
    assert.notEqual(answer['verdict'].completeness, 'complete');
    assert.ok(answer['verdict'].gaps.some((gap: string) => gap.includes('see possible')));
    assert.match(
      answer['summary'],
      /^No certain vulnerability in the 1 package checked, in the advisories of .*\d{4}-\d\d-\d\d/,
    );
  });

  test('of a Maven package that neither an advisory nor purl2cpe covers, by the CPE name that its coordinates suggest', async () => {
    const { ask } = await fullCatalog();
    const answer = await ask('check_dependencies', { purls: ['pkg:maven/org.apache.struts/struts2-core@2.3.31'] });
    // NVD: apache:struts from 2.3.5 and before 2.3.32, known to be exploited since 2017.
    const row = answer['possible'].find(({ cve_id }: Row) => cve_id === 'CVE-2017-5638');
    assert.deepEqual([row.status, row.in_kev], ['affected', true]);
    assert.match(row.basis, /^by CPE name that the Maven coordinates suggest: .*apache:struts/);
    assert.match(answer['summary'], /^No certain vulnerability/);
    // NVD: vmware:spring_framework from 5.3.0 and before 5.3.18; the group's advisories are about its CVEs.
    const spring = await ask('check_dependencies', { purls: ['pkg:maven/org.springframework/spring-jcl@5.3.17'] });
    assert.ok(
      spring['possible'].some(({ cve_id, status }: Row) => cve_id === 'CVE-2022-22965' && status === 'affected'),
    );
  });

  test('a package that nothing names is not called free of flaws', async () => {
    const { ask } = await fullCatalog();
    const answer = await ask('check_dependencies', { purls: ['pkg:maven/org.example.nothing/no-such-thing@1.0'] });
    assert.deepEqual([answer['total'], answer['unnamed_total'], answer['no_known_flaw_total']], [0, 1, 0]);
    assert.match(answer['summary'], /^Not known: no source that is loaded names this package/);
  });

  test('names of other languages do not match, and the name that they share is not compared', async () => {
    const { ask } = await fullCatalog();
    const answer = await ask('check_dependencies', { purls: ['pkg:pypi/protobuf@4.25.5'] });
    const of = (id: string) => answer['possible'].find(({ cve_id }: Row) => cve_id === id);
    // Of protobuf-java and protobuf-javalite alone.
    assert.equal(of('CVE-2022-3171'), undefined);
    // "google:protobuf before 28.2" is in the numbers of protoc: 4.25.5 of Python is its 25.5.
    assert.deepEqual([of('CVE-2024-7254')?.status, of('CVE-2024-7254')?.fixed_in], ['unknown', null]);
  });
});
