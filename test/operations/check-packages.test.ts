import assert from 'node:assert/strict';
import { after, describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VexStatement } from '../../src/analysis/affected/vex-statement.ts';
import { type PackageRef, parsePurl } from '../../src/analysis/packages/package-ref.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import { CvesOfProducts } from '../../src/catalog/cves-of-products.ts';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { checkPackages } from '../../src/operations/code/lib/check-packages.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { FEEDS_NOW, fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { fixtureCatalog } from './fixture-catalog.ts';
import { NOW } from './fixture-facts.ts';

const NO_RANGE = { start_including: null, start_excluding: null, end_including: null, end_excluding: null };

function groundOf(catalog: Catalog, now: Date, signal = new AbortController().signal) {
  const evidence = new Evidence(catalog.generation.sources, now);
  return { catalog: new CatalogView(catalog, evidence), evidence, now, signal };
}

describe('a package URL of no registry', () => {
  const handle = new CatalogHandle(fixtureCatalog(), (problem) => {
    throw problem;
  });
  after(() => handle.close());

  test('is compared with products, not with packages of other registries that have its name', async () => {
    const ecosystemsOf = async (ref: PackageRef) => {
      const { found, unchecked } = await checkPackages([ref], groundOf(handle.current!, NOW));
      assert.deepEqual(unchecked, []);
      return new Set(found.map(({ finding }) => finding.ecosystem));
    };
    const plain: PackageRef = { name: 'lodash', version: '4.17.20', ecosystem: null };
    assert.ok((await ecosystemsOf(plain)).has('npm'));
    assert.ok(!(await ecosystemsOf(parsePurl('pkg:generic/lodash@4.17.20'))).has('npm'));
  });
});

describe('what the maker of a package says (VEX)', () => {
  const handle = new CatalogHandle(fixtureCatalog(), (problem) => {
    throw problem;
  });
  after(() => handle.close());
  const lodash: PackageRef = { name: 'lodash', version: '4.17.20', ecosystem: 'npm' };
  const statement = (status: VexStatement['status'], versions: string[] | null, cve_id: string): VexStatement => ({
    cve_id,
    source: 'vex',
    document: 'VEX-1',
    author: 'the lodash team',
    status,
    justification: status === 'not_affected' ? 'vulnerable_code_not_present' : null,
    note: null,
    purl: 'pkg:npm/lodash',
    vendor: null,
    product: null,
    affected: versions && { ...NO_RANGE, versions },
    said_on: null,
  });
  const checkWith = async (statements: VexStatement[]) => {
    const deps = groundOf(handle.current!, NOW);
    deps.catalog.vexOfProduct = (key) => statements.filter(({ purl }) => purl === key);
    const { found, denied, undecided } = await checkPackages([lodash], deps);
    const ids = (rows: readonly { cve_id: string | null }[]) => rows.map(({ cve_id }) => cve_id);
    return { found: found.map(({ finding }) => finding), denied, undecided: ids(undecided) };
  };

  test('a denial for the version takes the finding away, and is listed with its words', async () => {
    const before = await checkWith([]);
    const [first] = before.found;
    const cve = first!.cve_id!;
    const { found, denied } = await checkWith([statement('not_affected', ['4.17.20'], cve)]);
    assert.ok(!found.some(({ cve_id }) => cve_id === cve));
    assert.equal(found.length, before.found.length - 1);
    assert.deepEqual(
      denied.map(({ cve_id, reason }) => [cve_id, reason]),
      [[cve, 'not affected: vulnerable code not present, says the lodash team']],
    );
    const ofAnother = await checkWith([statement('not_affected', ['4.17.19'], cve)]);
    assert.deepEqual([ofAnother.found.length, ofAnother.denied], [before.found.length, []]);
  });

  test('an assertion is a finding, also where no database names the package', async () => {
    const { found } = await checkWith([statement('affected', null, 'CVE-2026-0001')]);
    const own = found.find(({ cve_id }) => cve_id === 'CVE-2026-0001');
    assert.deepEqual([own?.matched_by, own?.confidence], [['vex'], 'high']);
  });

  test('what is under investigation is undecided', async () => {
    const { found, undecided } = await checkWith([statement('under_investigation', null, 'CVE-2026-0001')]);
    assert.ok(!found.some(({ cve_id }) => cve_id === 'CVE-2026-0001'));
    assert.deepEqual(undecided, ['CVE-2026-0001']);
  });
});

describe('an advisory that names no versions', () => {
  const handle = new CatalogHandle(fixtureCatalog(), (problem) => {
    throw problem;
  });
  after(() => handle.close());
  const advisory = (id: string, aliases: string[]) => ({
    id,
    source: 'ghsa' as const,
    aliases,
    title: null,
    severity: null,
    cvss_v3: null,
    published: null,
    spans: [],
    versions: [],
    name: 'silent',
  });

  test('leaves its CVE undecided, and is a gap where it has none', async () => {
    const deps = groundOf(handle.current!, NOW);
    deps.catalog.packageAdvisories = () => [advisory('GHSA-1', ['CVE-2026-0001']), advisory('GHSA-2', [])];
    const { found, undecided } = await checkPackages([{ name: 'silent', version: '1.0.0', ecosystem: 'npm' }], deps);
    assert.deepEqual(found, []);
    assert.deepEqual(
      undecided.map(({ cve_id, reason }) => [cve_id, reason]),
      [['CVE-2026-0001', 'GHSA-1 names no versions']],
    );
    const { gaps, completeness } = deps.evidence.verdict([]);
    assert.ok(gaps.some((gap) => gap.startsWith('GHSA-2 names no versions of silent')));
    assert.notEqual(completeness, 'complete');
  });
});

describe('the time for an answer', () => {
  const handle = new CatalogHandle(fixtureCatalog(), (problem) => {
    throw problem;
  });
  after(() => handle.close());
  const packages: PackageRef[] = [
    { name: 'lodash', version: '4.17.20', ecosystem: 'npm' },
    { name: 'log4j', version: '2.14.1', ecosystem: null },
    { name: 'odd', version: '1', ecosystem: null, problem: 'it is odd' },
  ];

  test('is over: what was not reached is unchecked, with its name, and nothing is thrown', async () => {
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    const { found, unchecked } = await checkPackages(packages, groundOf(handle.current!, NOW, signal));
    assert.deepEqual(found, []);
    assert.deepEqual(
      unchecked.map(({ ref, reason }) => [ref.name, reason]),
      [
        ['lodash', 'the time for this answer was over'],
        ['log4j', 'the time for this answer was over'],
        ['odd', 'it is odd'],
      ],
    );
  });

  test('is over while CPE names are read: what advisories say stands, the others are named', async (t) => {
    const controller = new AbortController();
    const original = CvesOfProducts.prototype.read;
    t.mock.method(CvesOfProducts.prototype, 'read', function* (this: CvesOfProducts) {
      controller.abort(new DOMException('late', 'TimeoutError'));
      yield* original.call(this);
    });
    const ground = groundOf(handle.current!, NOW, controller.signal);
    const { found, unchecked } = await checkPackages([packages[1]!, packages[0]!], ground);
    assert.ok(found.some(({ ref }) => ref.name === 'lodash'));
    assert.ok(!unchecked.some(({ ref }) => ref.name === 'lodash'));
    const { gaps, completeness } = ground.evidence.verdict([]);
    assert.match(gaps.join(), /the time for this answer was over before the CPE names of these were read: .*lodash/);
    assert.equal(completeness, 'partial');
  });

  test('does not matter to a caller who is gone: the work ends', async () => {
    const gone = AbortSignal.abort(new DOMException('gone', 'AbortError'));
    await assert.rejects(checkPackages(packages, groundOf(handle.current!, NOW, gone)), /gone/);
  });
});

describe('fifty versions of one product that thousands of CVEs name', { skip: noFeeds }, () => {
  const versions = Array.from({ length: 50 }, (_, index) => ({
    name: 'chrome',
    version: `1.${index}`,
    ecosystem: null,
  }));

  test('cost the reading of its rows once', async () => {
    const { catalog } = await fullCatalog();
    const rowsRead = async (packages: PackageRef[]): Promise<number> => {
      let read = 0;
      const original = CvesOfProducts.prototype.read;
      const spy = mock.method(CvesOfProducts.prototype, 'read', function* (this: CvesOfProducts) {
        for (const one of original.call(this)) {
          read += one.records.reduce((sum, { rows }) => sum + rows.length, 0);
          yield one;
        }
      });
      await checkPackages(packages, groundOf(catalog, FEEDS_NOW));
      spy.mock.restore();
      return read;
    };
    const one = await rowsRead(versions.slice(0, 1));
    assert.ok(one > 1000, `${one} rows`);
    assert.equal(await rowsRead(versions), one);
  });

  // Counted in turns of the event loop, not in time: the work goes in slices of a few milliseconds.
  test('give others many turns of the event loop, four such calls at once too', async () => {
    const { catalog } = await fullCatalog();
    const work = new AbortController();
    let turns = 0;
    const other = (async () => {
      for (; !work.signal.aborted; turns++) await nextTurn();
    })();
    const checks = Array.from({ length: 4 }, () => checkPackages(versions, groundOf(catalog, FEEDS_NOW)));
    await Promise.all(checks).finally(() => work.abort());
    await other;
    assert.ok(turns > 100, `${turns} turns`);
  });
});
