/** Which changes of a small catalog are told to which watches. */

import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { WatchEvent, WatchSubject } from '../../../src/analysis/watch/watch.ts';
import { CatalogHandle } from '../../../src/catalog/catalog-handle.ts';
import type { Watch } from '../../../src/engine/watch-book.ts';
import { matchChanges, type MatchResult } from '../../../src/watches/matching/match-changes.ts';
import { matchPeriod } from '../../../src/watches/matching/match-period.ts';
import type { MatchingDeps } from '../../../src/watches/matching/matching-deps.ts';
import { MemoryMatchStore, watchOf } from '../../support/memory-match-store.ts';
import { type Mirror, makeMirror, nvdRecord } from '../../support/nvd-mirror.ts';

const CVE = 'CVE-2002-0001';
const { signal } = new AbortController();
const product = (version: string | null, name = 'anvil'): WatchSubject => ({
  kind: 'product',
  vendor: 'acme',
  product: name,
  version,
});

/** A record of a product of Acme, whose versions before `end` are affected. */
function record(id: string, end: string, more: Record<string, unknown> = {}, name = 'anvil') {
  const cpeMatch = [
    {
      vulnerable: true,
      criteria: `cpe:2.3:a:acme:${name}:*:*:*:*:*:*:*:*`,
      versionEndExcluding: end,
      matchCriteriaId: '00000000-0000-4000-8000-000000000000',
    },
  ];
  const configurations = [{ nodes: [{ operator: 'OR', negate: false, cpeMatch }] }];
  return nvdRecord(id, { configurations, ...more });
}

class Lab {
  readonly mirror: Mirror;
  readonly store = new MemoryMatchStore();
  #version = 1;
  #told = new Set<string>();

  constructor(t: TestContext) {
    this.mirror = makeMirror(t);
    this.exploited();
    this.mirror.nvd(2002, [record(CVE, '2.0'), record('CVE-2002-0002', '3.0', {}, 'hammer')]);
  }

  async start(): Promise<void> {
    await this.mirror.sync();
    await this.match();
  }

  /** A catalog that lost many of its entries would be refused. */
  exploited(...ids: string[]): void {
    const others = Array.from({ length: 40 }, (_, number) => `CVE-2001-${1000 + number}`);
    this.mirror.kev([...others, ...ids]);
  }

  /** New versions of records. */
  change(...records: { cve: any }[]): void {
    const lastModified = `2024-06-0${++this.#version}T00:00:00.000`;
    this.mirror.nvd(
      'modified',
      records.map(({ cve }) => ({ cve: { ...cve, lastModified } })),
    );
  }

  async withDeps<Made>(work: (deps: MatchingDeps) => Promise<Made>): Promise<Made> {
    const catalog = new CatalogHandle(this.mirror.data, () => {});
    try {
      const ask = async () => assert.fail('nothing is asked');
      return await work({ store: this.store, catalog, ask, now: () => new Date() });
    } finally {
      catalog.close();
    }
  }

  match(): Promise<MatchResult> {
    return this.withDeps((deps) => matchChanges(deps, signal));
  }

  /** Syncs and matches; the new events as `watch: status: what`, in order of the watches. */
  async told(): Promise<string[]> {
    await this.mirror.sync();
    await this.match();
    const fresh = [...this.store.events.values()].filter(({ id }) => !this.#told.has(id));
    for (const { id } of fresh) this.#told.add(id);
    return fresh.map(({ watch_id, status, what }) => `${watch_id}: ${status}: ${what}`).sort();
  }

  eventsOf(watchId: string): WatchEvent[] {
    return [...this.store.events.values()].filter(({ watch_id }) => watch_id === watchId);
  }
}

suite('matching of watches', () => {
  test('begins at the end of what is known', async (t) => {
    const lab = new Lab(t);
    lab.store.add(watchOf('cve', { kind: 'cve', cve_id: CVE }));
    await lab.mirror.sync();
    lab.exploited(CVE);
    await lab.mirror.sync();
    assert.deepEqual(await lab.match(), { changes: 0, watches: 0, events: 0, gaps: [] });
    assert.ok(lab.store.cursor!.seq > 0);
    assert.deepEqual(await lab.match(), { changes: 0, watches: 0, events: 0, gaps: [] });
  });

  test('tells each kind of watch, and only whom it concerns', async (t) => {
    const lab = new Lab(t);
    const components = (version: string): WatchSubject => ({
      kind: 'components',
      components: [
        { purl: 'pkg:npm/left-pad', cpe: null, version: '1.0.0' },
        { purl: null, cpe: `cpe:2.3:a:acme:anvil:${version}:*:*:*:*:*:*:*`, version: null },
        { purl: 'pkg:generic/hammer', cpe: null, version: '1.0' },
      ],
    });
    const all: [string, WatchSubject, Partial<Watch>?][] = [
      ['components-1.5', components('1.5')],
      ['components-2.5', components('2.5')],
      ['cve', { kind: 'cve', cve_id: CVE }],
      ['other-cve', { kind: 'cve', cve_id: 'CVE-2002-0002' }],
      ['paused', { kind: 'cve', cve_id: CVE }, { isPaused: true }],
      ['made-later', { kind: 'cve', cve_id: CVE }, { createdAt: new Date(Date.now() + 3_600_000) }],
      ['muted', { kind: 'cve', cve_id: CVE }, { mute: { until: new Date('2100-01-01'), reason: '' } }],
      ['product-1.5', product('1.5')],
      ['product-2.5', product('2.5')],
      ['product-any', product(null)],
      ['product-other', product('1.0', 'hammer')],
      ['product-without-vendor', { kind: 'product', vendor: null, product: 'Anvil', version: '1.5' }],
      ['search', { kind: 'search', filters: { vendor: 'acme', kev: true } }],
      ['search-other', { kind: 'search', filters: { vendor: 'acme', kev: true, cvss_max: 9 } }],
      ['vendor', { kind: 'vendor', vendor: 'acme' }],
      ['vendor-other', { kind: 'vendor', vendor: 'cme' }],
    ];
    for (const [id, subject, more] of all) lab.store.add(watchOf(id, subject, more));
    await lab.start();
    lab.exploited(CVE);
    const what = 'Known exploited since 2024-05-01, to be mended by 2024-05-22.';
    assert.deepEqual(await lab.told(), [
      `components-1.5: affected: ${what}`,
      `cve: null: ${what}`,
      `muted: null: ${what}`,
      `product-1.5: affected: ${what}`,
      `product-any: null: ${what}`,
      `product-without-vendor: affected: ${what}`,
      `search: null: ${what}`,
      `vendor: null: ${what}`,
    ]);
    const [event] = lab.eventsOf('product-1.5');
    assert.equal(event!.why, 'acme anvil 1.5 is affected: 1.5 is affected: before 2.0 (NVD), fixed in 2.0.');
    assert.deepEqual(event!.current, {
      severity: 'CRITICAL',
      cvss: 9.8,
      kev: true,
      kev_due: '2024-05-22',
      epss: null,
      fixed_in: '2.0',
      urgency: event!.current!.urgency,
    });
    assert.deepEqual(lab.eventsOf('components-1.5')[0]!.components, [
      { name: 'acme anvil', version: '1.5', status: 'affected', fixed_in: '2.0' },
    ]);
    // The same state again is no change.
    assert.deepEqual(await lab.told(), []);
  });

  test('ranges that change are told where they change the status, and so is their end', async (t) => {
    const lab = new Lab(t);
    lab.store.add(watchOf('old', product('1.5')));
    lab.store.add(watchOf('new', product('2.5')));
    lab.store.add(watchOf('any', product(null)));
    await lab.start();
    lab.change(record(CVE, '3.0'));
    const wider = 'Fixed version changed from 2.0 to 3.0.';
    const range = 'Affected versions of acme:anvil: no longer <2.0, now <3.0.';
    assert.deepEqual(await lab.told(), [
      `any: null: ${wider}`,
      `new: affected: ${wider} ${range}`,
      `old: affected: ${wider} ${range}`,
    ]);
    lab.change(record(CVE, '4.0'));
    const fix = 'Fixed version changed from 3.0 to 4.0.';
    assert.deepEqual(await lab.told(), [`any: null: ${fix}`, `new: affected: ${fix}`, `old: affected: ${fix}`]);
    lab.change(record(CVE, '2.0'));
    const narrower = 'Fixed version changed from 4.0 to 2.0.';
    assert.deepEqual(await lab.told(), [
      `any: null: ${narrower}`,
      `new: not_affected: ${narrower} Affected versions of acme:anvil: no longer <4.0, now <2.0.`,
      `old: affected: ${narrower}`,
    ]);
    assert.match(lab.eventsOf('new').at(-1)!.why, /^acme anvil 2\.5 is no longer affected: /);
    lab.exploited(CVE);
    assert.deepEqual(
      (await lab.told()).map((text) => text.split(':')[0]),
      ['any', 'old'],
    );
    lab.change(record(CVE, '2.0', { vulnStatus: 'Rejected' }));
    assert.deepEqual(
      (await lab.told()).map((text) => text.slice(0, 30)),
      ['any: null: Rejected, says NVD ', 'old: not_affected: Rejected, s'],
    );
  });

  test('a product that a record names now, or no longer, is told to whom it concerns', async (t) => {
    const lab = new Lab(t);
    lab.store.add(watchOf('anvil', product(null)));
    lab.store.add(watchOf('anvil-1.5', product('1.5')));
    lab.store.add(watchOf('saw', product(null, 'saw')));
    lab.store.add(watchOf('saw-1.0', product('1.0', 'saw')));
    await lab.start();
    lab.exploited(CVE);
    assert.equal((await lab.told()).length, 2);
    lab.change(record(CVE, '2.0', {}, 'saw'));
    const what = 'NVD no longer names acme:anvil. NVD now names acme:saw: <2.0.';
    assert.deepEqual(await lab.told(), [
      `anvil-1.5: unknown: ${what}`,
      `anvil: null: ${what}`,
      `saw-1.0: affected: ${what}`,
      `saw: null: ${what}`,
    ]);
  });

  test('conditions hold back what is not asked for', async (t) => {
    const lab = new Lab(t);
    const conditions = watchOf('', product(null)).conditions;
    const add = (id: string, more: Partial<Watch['conditions']>, version: string | null = null): void =>
      lab.store.add(watchOf(id, product(version), { conditions: { ...conditions, ...more } }));
    add('default', {});
    add('scores', { kinds: ['score', 'weakness'] });
    add('high', { severity_min: 'HIGH' });
    add('exploited', { kev_only: true });
    add('unaffected', { affected: 'all' }, '9.0');
    add('affected', {}, '9.0');
    await lab.start();
    const metric = (baseScore: number, baseSeverity: string) => ({
      metrics: {
        cvssMetricV31: [
          {
            source: 'nvd@nist.gov',
            type: 'Primary',
            cvssData: {
              version: '3.1',
              vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
              baseScore,
              baseSeverity,
            },
          },
        ],
      },
    });
    lab.change(record(CVE, '2.0', metric(5.3, 'MEDIUM')));
    const ids = async (): Promise<string[]> => (await lab.told()).map((text) => text.split(':')[0]!);
    assert.deepEqual(await ids(), ['default', 'scores', 'unaffected']);
    const weaknesses = [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-89' }] }];
    lab.change(record(CVE, '2.0', { ...metric(5.3, 'MEDIUM'), weaknesses }));
    assert.deepEqual(await ids(), ['scores']);
    lab.exploited(CVE);
    assert.deepEqual(await ids(), ['default', 'exploited', 'unaffected']);
    lab.exploited();
    assert.deepEqual(await ids(), ['default', 'exploited', 'unaffected']);
  });

  test('a replay makes the events that were made, with the same ids', async (t) => {
    const lab = new Lab(t);
    const since = Date.now();
    const watches = [watchOf('a', product('1.5')), watchOf('b', { kind: 'search', filters: { vendor: 'acme' } })];
    for (const watch of watches) lab.store.add(watch);
    await lab.start();
    lab.exploited(CVE);
    await lab.told();
    lab.change(record(CVE, '3.0'), record('CVE-2002-0003', '1.6'));
    lab.exploited(CVE, 'CVE-2002-0002');
    await lab.told();
    for (const watch of [...watches, watchOf('late', product('1.5'), { isPaused: true, createdAt: new Date() })]) {
      const again = await lab.withDeps((deps) => matchPeriod(deps, watch, since, Date.now(), signal));
      const made = lab.eventsOf(watch.id === 'late' ? 'a' : watch.id);
      assert.ok(made.length >= 2);
      assert.equal(again.length, made.length);
      if (watch.id === 'late') continue;
      assert.deepEqual(new Set(again.map(({ id }) => id)), new Set(made.map(({ id }) => id)));
    }
    assert.deepEqual(await lab.withDeps((deps) => matchPeriod(deps, watches[0]!, 0, since - 1, signal)), []);
  });

  test('what another process matched is not matched again', async (t) => {
    const lab = new Lab(t);
    lab.store.add(watchOf('cve', { kind: 'cve', cve_id: CVE }));
    await lab.start();
    lab.exploited(CVE);
    await lab.mirror.sync();
    const commit = lab.store.commitMatches.bind(lab.store);
    lab.store.commitMatches = async (from, to, matches) => {
      lab.store.commitMatches = commit;
      // The other one was faster.
      assert.equal(await commit(from, to, matches), true);
      return commit(from, to, matches);
    };
    assert.deepEqual(await lab.match(), { changes: 0, watches: 0, events: 0, gaps: [] });
    assert.equal(lab.eventsOf('cve').length, 1);
  });

  test('in a catalog that was built anew it goes on by time, and says so', async (t) => {
    const lab = new Lab(t);
    lab.store.add(watchOf('cve', { kind: 'cve', cve_id: CVE }));
    await lab.start();
    lab.store.cursor = { historyId: '00000000', seq: 9_000_000, seenAt: Date.now() };
    const seenAt = lab.store.cursor.seenAt;
    await lab.match();
    lab.exploited(CVE);
    assert.deepEqual(await lab.told(), ['cve: null: Known exploited since 2024-05-01, to be mended by 2024-05-22.']);
    // What was seen until then was told by the other catalog.
    lab.store.events.clear();
    lab.store.cursor = { historyId: '00000000', seq: 1, seenAt: seenAt - 1 };
    const again = await lab.match();
    assert.equal(again.events, 1);
    assert.match(again.gaps.join(), /built anew: matching goes on with what was seen since/);
    lab.store.cursor = { historyId: '00000000', seq: 1, seenAt: Date.now() };
    assert.equal((await lab.match()).events, 0);
    // An older catalog took the place of a damaged one: its numbers were given out before.
    lab.store.cursor = { ...lab.store.cursor, seq: lab.store.cursor.seq + 1000, seenAt: seenAt - 1 };
    const older = await lab.match();
    assert.equal(older.events, 1);
    assert.match(older.gaps.join(), /an older one/);
  });
});
