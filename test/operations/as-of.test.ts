import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Catalog } from '../../src/catalog/catalog.ts';
import { dayNumber } from '../../src/catalog/epss-history.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { type HistoryImportEvent, importHistory } from '../../src/catalog/history/import-history.ts';
import { epssFeed } from '../../src/feeds/epss.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { FEEDS_OF_MIRROR, makeMirror, type Mirror, nvdRecord } from '../support/nvd-mirror.ts';
import { ask } from '../mcp/rpc.ts';
import { startService } from '../support/service.ts';

const [A, B, C] = ['CVE-2002-0001', 'CVE-2002-0002', 'CVE-2002-0003'] as const;
const FEEDS = [...FEEDS_OF_MIRROR, epssFeed as unknown as Feed];
const HIGH = {
  cvssMetricV31: [
    {
      source: 'nvd@nist.gov',
      type: 'Primary',
      cvssData: {
        version: '3.1',
        vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
        baseScore: 7.5,
        baseSeverity: 'HIGH',
      },
    },
  ],
};

function epss(mirror: Mirror, date: string, score: number): void {
  mkdirSync(join(mirror.root, 'epss'), { recursive: true });
  const text = `#model_version:v1,score_date:${date}T12:00:00Z\ncve,epss,percentile\n${A},${score},0.5\n`;
  mirror.raw('epss/epss_scores-current.csv.gz', gzipSync(text));
}

/** On 10 August A is known to be exploited, HIGH, EPSS 0.2; on the 12th that is B, A is CRITICAL, EPSS 0.9, and C came. */
async function serveTwoDays(t: TestContext) {
  const mirror = makeMirror(t);
  mirror.now = () => new Date('2026-08-10T09:00:00Z');
  mirror.kev([A]);
  mirror.nvd(2002, [nvdRecord(A, { metrics: HIGH }), nvdRecord(B)]);
  epss(mirror, '2026-08-10', 0.2);
  await mirror.sync(FEEDS);
  mirror.now = () => new Date('2026-08-12T09:00:00Z');
  mirror.kev([B]);
  const later = { lastModified: '2026-08-12T08:00:00.000' };
  mirror.nvd('modified', [
    nvdRecord(A, { ...later, vulnStatus: 'Modified' }),
    nvdRecord(C, { ...later, published: '2026-08-12T08:00:00.000' }),
  ]);
  epss(mirror, '2026-08-12', 0.9);
  await mirror.sync(FEEDS);
  const service = await startService(t, { catalog: Promise.resolve(mirror.data) });
  service.clock.now = new Date('2026-08-15T12:00:00Z');
  return service;
}

suite('as_of', () => {
  test('tells what was known of a CVE at the end of that day, and what of it is of today', async (t) => {
    const service = await serveTwoDays(t);
    const lookUp = async (id: string, day: string) => (await service.get(`/v1/cve/${id}?as_of=${day}`)).body;
    const then = await lookUp(A, '2026-08-11');
    assert.deepEqual(
      [then.severity, then.cvss_v3, then.status, then.epss.score, then.kev.in_kev, then.modified],
      ['HIGH', 7.5, 'Analyzed', 0.2, true, null],
    );
    assert.equal(then.verdict.completeness, 'partial');
    assert.match(then.verdict.gaps.join('\n'), /as of 2026-08-11.* kev 2026-08-10.*titles, descriptions/);
    for (const now of [await lookUp(A, '2026-08-12'), (await service.get(`/v1/cve/${A}`)).body])
      assert.deepEqual(
        [now.severity, now.cvss_v3, now.status, now.epss.score, now.kev.in_kev],
        ['CRITICAL', 9.8, 'Modified', 0.9, false],
      );
    assert.equal((await lookUp(B, '2026-08-11')).kev.in_kev, false);
    const score = (await service.get(`/v1/cve/${A}/risk_score?as_of=2026-08-11`)).body.components;
    assert.deepEqual([score.cvss_v3, score.epss_score, score.in_kev], [7.5, 0.2, true]);
  });

  test('a CVE that came later was not known', async (t) => {
    const service = await serveTwoDays(t);
    const answer = await service.get(`/v1/cve/${C}?as_of=2026-08-11`);
    assert.equal(answer.status, 404);
    assert.match(answer.body.error.message, /not known on that day/);
    assert.equal((await service.get(`/v1/cve/${C}/risk_score?as_of=2026-08-11`)).status, 404);
    assert.equal((await service.get(`/v1/cve/${C}?as_of=2026-08-12`)).status, 200);
    const { results } = (await service.get('/v1/cves?as_of=2026-08-11')).body;
    assert.deepEqual(results.map(({ cve_id }: { cve_id: string }) => cve_id).sort(), [A, B]);
  });

  test('a search finds what matched then', async (t) => {
    const service = await serveTwoDays(t);
    const find = async (query: string): Promise<string[]> => {
      const { status, body } = await service.get(`/v1/cves?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.results.map(({ cve_id }: { cve_id: string }) => cve_id);
    };
    for (const [query, before, today] of [
      ['kev=true', [A], [B]],
      ['severity=HIGH', [A], []],
      ['epss_min=0.5', [], [A]],
      ['q=anvil&sort=published_desc', [B, A], [C, B, A]],
      ['days=1', [], []],
    ] as const) {
      assert.deepEqual(await find(`${query}&as_of=2026-08-11`), before, query);
      assert.deepEqual(await find(query), today, query);
    }
    // Counted from the end of the day.
    assert.deepEqual(await find('days=1&as_of=2026-08-12'), [C]);
    const { verdict } = (await service.get('/v1/cves?q=anvil&as_of=2026-08-11')).body;
    assert.match(verdict.gaps.join('\n'), /words were searched for in the texts of today/);
  });

  test('is an input of the tools, and its answers are kept until the catalog changes', async (t) => {
    const service = await serveTwoDays(t);
    const call = { name: 'cve_lookup', arguments: { cve_id: A, as_of: '2026-08-11' } };
    const { result } = (await ask(service, 'tools/call', call)).body;
    assert.equal(result.structuredContent.severity, 'HIGH');
    const { responseCache } = service.services;
    for (const path of ['/v1/cves', `/v1/cve/${A}/risk_score`]) {
      const kept = await service.get(`${path}?as_of=2026-08-11`);
      const hits = responseCache.hits;
      assert.deepEqual((await service.get(`${path}?as_of=2026-08-11`)).body, kept.body);
      assert.equal(responseCache.hits, hits + 1, path);
      await service.get(path);
      await service.get(path);
      assert.equal(responseCache.hits, hits + 1, `${path} of today`);
    }
  });

  test('a day that the history does not reach is refused, and the first one is named', async (t) => {
    const service = await serveTwoDays(t);
    for (const path of [`/v1/cve/${A}`, `/v1/cve/${A}/risk_score`, '/v1/cves']) {
      const early = await service.get(`${path}?as_of=2026-08-09`);
      assert.equal(early.status, 422, path);
      assert.match(JSON.stringify(early.body), /kev.*the first day possible is 2026-08-10/);
      assert.equal((await service.get(`${path}?as_of=2026-08-10`)).status, 200, path);
      assert.equal((await service.get(`${path}?as_of=2026-08-15`)).status, 200, path);
      assert.match(JSON.stringify((await service.get(`${path}?as_of=2026-08-16`)).body), /has not begun/);
      assert.equal((await service.get(`${path}?as_of=2026-02-30`)).status, 422, path);
    }
  });

  test('facts of the starter catalog have no history', async (t) => {
    const service = await startService(t);
    const answer = await service.get('/v1/cve/CVE-2021-44228?as_of=2026-01-01');
    assert.equal(answer.status, 422);
    assert.match(JSON.stringify(answer.body), /no day in the past is known/);
  });
});

suite('imported days', () => {
  const kevFile = (ids: readonly string[], due: string) =>
    gzipSync(
      JSON.stringify({
        catalogVersion: '2026.08.01',
        dateReleased: '2026-08-01T00:00:00.000Z',
        count: ids.length,
        vulnerabilities: ids.map((cveID) => ({
          cveID,
          vendorProject: 'Acme',
          product: 'Anvil',
          vulnerabilityName: 'Drop',
          dateAdded: '2026-07-01',
          dueDate: due,
          shortDescription: 'It drops.',
          requiredAction: 'Hold it.',
        })),
      }),
    );

  test('are reached through what changed between the last file and the first sync, and not the days between', async (t) => {
    const mirror = makeMirror(t);
    mkdirSync(join(mirror.root, 'kev/history'));
    const write = (day: string, content: Uint8Array) =>
      writeFileSync(join(mirror.root, `kev/history/known_exploited_vulnerabilities-${day}.json.gz`), content);
    write('2026-08-01', kevFile([A], '2026-08-20'));
    write('2026-08-03', kevFile([A, C], '2026-08-20'));
    mirror.now = () => new Date('2026-08-10T09:00:00Z');
    mirror.kev([A, B]);
    await mirror.sync();
    mirror.now = () => new Date('2026-08-12T09:00:00Z');
    mirror.kev([B, C]);
    await mirror.sync();
    const events: HistoryImportEvent[] = [];
    const run = () =>
      importHistory({ folder: mirror.data, from: mirror.root, now: mirror.now, report: (event) => events.push(event) });
    const asOf = (day: string): { first: number | null; listed: string[]; due: unknown } => {
      using catalog = open(mirror.data);
      const view = catalog.asOf(dayNumber(day));
      const listed = [A, B, C].filter((id) => view.cve(id, false)?.kev != null);
      const first = catalog.changes.firstKnownDay('kev', dayNumber(day));
      return { first: first === null ? null : first - dayNumber(day), listed, due: view.cve(A, false)?.kev?.due_date };
    };
    await run();
    const expectDays = (): void => {
      assert.deepEqual(asOf('2026-07-31').first, 1);
      assert.deepEqual(asOf('2026-08-01'), { first: 0, listed: [A], due: '2026-08-20' });
      assert.deepEqual(asOf('2026-08-03'), { first: 0, listed: [A, C], due: '2026-08-20' });
      assert.deepEqual(asOf('2026-08-10').listed, [A, B]);
      assert.notEqual(asOf('2026-08-10').due, '2026-08-20');
      assert.deepEqual(asOf('2026-08-12').listed, [B, C]);
    };
    expectDays();
    assert.equal(asOf('2026-08-05').first, 5, 'between the last file and the first sync');

    // Another file in between: what led from the one before to the first sync is found anew.
    write('2026-08-07', kevFile([A], '2026-08-21'));
    await run();
    expectDays();
    assert.deepEqual(asOf('2026-08-07'), { first: 0, listed: [A], due: '2026-08-21' });
    assert.equal(asOf('2026-08-08').first, 2);
    assert.deepEqual(
      events.filter(({ type }) => type === 'refused' || type === 'not_linked'),
      [],
    );
  });
});

function open(folder: string): Catalog & Disposable {
  const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
  return Object.assign(catalog, { [Symbol.dispose]: () => catalog.close() });
}
