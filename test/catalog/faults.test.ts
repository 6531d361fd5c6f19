import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { contextOf } from '../support/full-catalog.ts';
import { documentOf, FEEDS_OF_MIRROR, makeMirror, type Mirror, nvdRecord, nvdRecords } from '../support/nvd-mirror.ts';
import { NO_SLOW_FILES, slowFile } from '../support/slow-file.ts';

/**
 * Each fault befalls the year 2003 of a mirror that was synced before, together with a good change in 2004. What was known of
 * 2003 must go on answering, the good change must be there, and the state must say what happened.
 */

const NEW = nvdRecords(2003, 30, { lastModified: '2024-05-01T00:00:00.000', vulnStatus: 'Modified' });

interface Fault {
  befalls: (mirror: Mirror) => void;
  /** What `last_error` says. */
  says: RegExp;
}

const GZ = 'nvd/nvdcve-2.0-2003.json.gz';
const META = 'nvd/nvdcve-2.0-2003.meta';
const PAGE = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon</body></html>';

const FAULTS: Record<string, Fault> = {
  'a truncated gzip file': {
    befalls(mirror) {
      mirror.nvd(2003, NEW);
      const packed = gzipSync(documentOf(NEW));
      mirror.raw(GZ, packed.subarray(0, packed.length / 2));
    },
    says: /2003.*ends before it is complete/,
  },
  'a gzip file with flipped bits': {
    befalls(mirror) {
      mirror.nvd(2003, NEW);
      const packed = gzipSync(documentOf(NEW));
      packed[packed.length >> 1]! ^= 0xff;
      mirror.raw(GZ, packed);
    },
    says: /2003.*(corrupt|checksum|JSON)/,
  },
  'a wrong checksum': {
    befalls: (mirror) => mirror.nvd(2003, NEW, { sha256: 'A'.repeat(64) }),
    says: /2003.*does not match its checksum/,
  },
  'a 0-byte file': {
    befalls(mirror) {
      mirror.nvd(2003, NEW);
      mirror.raw(GZ, '');
    },
    says: /2003.*is empty/,
  },
  'a file that is missing beside its .meta': {
    befalls(mirror) {
      mirror.nvd(2003, NEW);
      mirror.remove(GZ);
    },
    says: /2003.*not found/,
  },
  'an HTML error page in the place of the gzip file': {
    befalls(mirror) {
      mirror.nvd(2003, NEW);
      mirror.raw(GZ, PAGE);
    },
    says: /2003.*HTML page/,
  },
  'an HTML error page in the place of the JSON': {
    befalls: (mirror) => mirror.nvd(2003, [], { text: PAGE }),
    says: /2003.*(JSON|HTML)/,
  },
  'JSON that breaks off': {
    befalls: (mirror) => mirror.nvd(2003, [], { text: documentOf(NEW).slice(0, -200) }),
    says: /2003.*before it is complete/,
  },
  'JSON of another kind': {
    befalls: (mirror) => mirror.nvd(2003, [], { text: '{"type":"FeatureCollection","features":[{"id":1}]}' }),
    says: /2003.*not an NVD/,
  },
  'fewer records than announced': {
    befalls: (mirror) => mirror.nvd(2003, NEW, { head: { totalResults: 33 } }),
    says: /2003.*holds 30 records where it announces 33/,
  },
  'a file without a record': {
    befalls: (mirror) => mirror.nvd(2003, []),
    says: /2003.*no records/,
  },
  'a file of which every fifth record is broken': {
    befalls: (mirror) =>
      mirror.nvd(
        2003,
        NEW.map((record, index) => (index % 5 === 0 ? { cve: { id: 'nonsense' } } : record)),
      ),
    says: /2003.*6 of 30 records cannot be read/,
  },
  'a file that shrank by 11 %': {
    befalls: (mirror) => mirror.nvd(2003, NEW.slice(0, 26)),
    says: /2003.*shrank from 30 to 26/,
  },
  'a .meta that is an HTML page': {
    befalls: (mirror) => mirror.raw(META, PAGE),
    says: /2003.*sha256/,
  },
  'a 0-byte .meta': {
    befalls: (mirror) => mirror.raw(META, ''),
    says: /2003.*sha256/,
  },
  'a .meta that is gone from the middle of the years': {
    befalls: (mirror) => mirror.remove(META),
    says: /2003/,
  },
};

async function syncedMirror(t: TestContext): Promise<Mirror> {
  const mirror = makeMirror(t);
  for (const year of [2002, 2003, 2004]) mirror.nvd(year, nvdRecords(year, 30));
  mirror.nvd('modified', nvdRecords(2004, 1));
  mirror.nvd('recent', nvdRecords(2004, 1));
  mirror.kev(['CVE-2003-0001']);
  const { failed } = await mirror.sync();
  assert.deepEqual(failed, []);
  return mirror;
}

suite('a fault in one file of a feed', () => {
  for (const [what, { befalls, says }] of Object.entries(FAULTS)) {
    test(what, async (t) => {
      const mirror = await syncedMirror(t);
      const before = contextOf(mirror.data).catalog.generation;
      befalls(mirror);
      const { failed, generation } = await mirror.sync();
      assert.deepEqual(failed, ['nvd']);
      const { nvd } = generation!.sources;
      assert.match(nvd!.last_error ?? '', says);
      assert.equal(nvd!.last_success_at, before.sources['nvd']!.last_success_at);
      assert.equal(nvd!.records, 90);
      const { catalog, ask } = contextOf(mirror.data);
      for (let number = 1; number <= 30; number++) {
        const record = catalog.cve(`CVE-2003-${String(number).padStart(4, '0')}`, false)?.record;
        assert.equal(record?.status, 'Analyzed', `${number}`);
      }
      const { data_sources } = await ask('status', {});
      assert.equal(data_sources.nvd.status, 'error');

      // What the fault was about is taken once it is gone.
      mirror.nvd(2003, NEW);
      assert.deepEqual((await mirror.sync()).failed, []);
      assert.equal(contextOf(mirror.data).catalog.cve('CVE-2003-0001', false)?.record?.status, 'Modified');
    });
  }
});

test('what is good in a feed is taken though another file of it is bad', async (t) => {
  const mirror = await syncedMirror(t);
  mirror.nvd(2003, NEW, { sha256: '0'.repeat(64) });
  mirror.nvd(2004, nvdRecords(2004, 31, { lastModified: '2024-05-01T00:00:00.000', vulnStatus: 'Modified' }));
  const { failed, generation } = await mirror.sync();
  assert.deepEqual(failed, ['nvd']);
  assert.equal(generation!.sources['nvd']!.records, 91);
  const { catalog } = contextOf(mirror.data);
  assert.equal(catalog.cve('CVE-2004-0031', false)?.record?.status, 'Modified');
  assert.equal(catalog.cve('CVE-2003-0001', false)?.record?.status, 'Analyzed');
});

test('a feed that fails does not keep the others from theirs', async (t) => {
  const mirror = await syncedMirror(t);
  mirror.raw('kev/known_exploited_vulnerabilities.json', PAGE);
  mirror.nvd(2004, nvdRecords(2004, 31));
  const { failed, generation } = await mirror.sync();
  assert.deepEqual(failed, ['kev']);
  assert.match(generation!.sources['kev']!.last_error ?? '', /HTML/);
  assert.equal(generation!.sources['nvd']!.records, 91);
  assert.equal(contextOf(mirror.data).catalog.kev('CVE-2003-0001')?.product, 'Anvil');
});

suite('one broken record among good ones: skipped, counted, named, the rest taken', () => {
  for (const [what, broken] of Object.entries({
    'descriptions that are a number': { descriptions: 5 },
    'references that are null inside': { references: [null] },
    'a tag that is null': { references: [{ url: 'https://acme.example/', source: 'cna', tags: [null] }] },
    'a product that is a number': {
      configurations: [{ nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 5 }] }] }],
    },
    'a score that is a word': {
      metrics: {
        cvssMetricV31: [
          { source: 'x', type: 'Primary', cvssData: { version: '3.1', vectorString: 'V', baseScore: 'high' } },
        ],
      },
    },
  })) {
    test(what, async (t) => {
      const mirror = await syncedMirror(t);
      const bad = nvdRecord('CVE-2003-0030', {
        lastModified: '2024-05-01T00:00:00.000',
        vulnStatus: 'Modified',
        ...broken,
      });
      mirror.nvd(2003, [...NEW.slice(0, 29), bad]);
      const { failed, events, generation } = await mirror.sync();
      assert.deepEqual(failed, [], generation!.sources['nvd']!.last_error ?? '');
      const done = events.find((event) => event.type === 'file_done' && event.file.includes('2003'));
      assert.ok(done?.type === 'file_done' && done.skipped === 1, JSON.stringify(done));
      assert.match(done.skips[0]!, /^CVE-2003-0030: /);
      assert.equal(generation!.sources['nvd']!.skipped, 1);
      const { catalog, ask } = contextOf(mirror.data);
      assert.equal(catalog.cve('CVE-2003-0029', false)?.record?.status, 'Modified');
      assert.equal(catalog.cve('CVE-2003-0030', false)?.record?.status, 'Analyzed');
      assert.equal((await ask('status', {}))['data_sources'].nvd.skipped_records, 1);
    });
  }
});

test('skipped records of one file are still counted when the next file has none', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, [...nvdRecords(2002, 30), { cve: { id: 'CVE-2002-9999', descriptions: 5 } }, { cve: {} }]);
  mirror.nvd(2003, nvdRecords(2003, 30));
  const first = await mirror.sync();
  assert.equal(first.generation!.sources['nvd']!.skipped, 2);
  mirror.nvd(2003, nvdRecords(2003, 31));
  const second = await mirror.sync();
  assert.equal(second.generation!.sources['nvd']!.skipped, 2, 'the year 2002 is as it was');
  mirror.nvd(2002, nvdRecords(2002, 32));
  const third = await mirror.sync();
  assert.equal(third.generation!.sources['nvd']!.skipped, 0);
});

test('an id that no CVE can have is skipped and counted, not dropped in silence', async (t) => {
  const mirror = makeMirror(t);
  mirror.nvd(2002, [...nvdRecords(2002, 30), nvdRecord('CVE-2002-00001234')]);
  const { events } = await mirror.sync();
  const done = events.find((event) => event.type === 'file_done' && event.feed === 'nvd');
  assert.ok(done?.type === 'file_done');
  assert.deepEqual([done.entries, done.skipped], [30, 1]);
});

test('a feed that shrinks by 9 % is accepted', async (t) => {
  const mirror = makeMirror(t);
  const ids = nvdRecords(2002, 100).map(({ cve }) => cve.id as string);
  mirror.nvd(2002, nvdRecords(2002, 100));
  mirror.kev(ids);
  await mirror.sync();
  mirror.nvd(2002, nvdRecords(2002, 91, { lastModified: '2024-05-01T00:00:00.000', vulnStatus: 'Modified' }));
  mirror.kev(ids.slice(0, 91));
  const { failed, generation } = await mirror.sync();
  assert.deepEqual(failed, []);
  const { catalog } = contextOf(mirror.data);
  assert.equal(catalog.cve(ids[90]!, false)?.record?.status, 'Modified');
  assert.equal(generation!.sources['kev']!.records, 91);
  assert.equal(catalog.kev(ids[99]!), null, 'what the catalog of known-exploited ones dropped is not in it');
});

test('nothing at all to be had at first: no generation, and a message for each feed', async (t) => {
  const mirror = makeMirror(t);
  const { failed, generation, events } = await mirror.sync();
  assert.deepEqual(failed, ['kev', 'nvd']);
  assert.equal(generation, null);
  assert.equal(events.filter(({ type }) => type === 'refused').length, 2);
  assert.deepEqual(
    readdirSync(mirror.data).filter((name) => name.endsWith('.db')),
    [],
  );
});

test('on a first sync a gap in the years is no whole feed either', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  for (const year of [2002, 2003, 2005, 2006]) mirror.nvd(year, nvdRecords(year, 10));
  const { failed, generation } = await mirror.sync();
  assert.deepEqual(failed, ['nvd']);
  assert.match(generation!.sources['nvd']!.last_error ?? '', /2004/);
});

test('a first sync that gets all years but one: what came answers, and the answer says that the feed is not whole', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, nvdRecords(2002, 10));
  mirror.nvd(2003, nvdRecords(2003, 10), { sha256: '0'.repeat(64) });
  assert.deepEqual((await mirror.sync()).failed, ['nvd']);
  const { ask } = contextOf(mirror.data);
  const { severity, sources, verdict } = await ask('cve_lookup', { cve_id: 'CVE-2002-0001' });
  assert.deepEqual([severity, sources], ['CRITICAL', ['nvd', 'kev']]);
  assert.ok(verdict.sources_queried.includes('nvd'), 'it was asked, and it answered');
  assert.doesNotMatch(verdict.gaps.join('\n'), /nvd has not been synced yet/);
  assert.notEqual(verdict.completeness, 'complete');
});

suite('a feed file on a disk that does not answer', () => {
  test('is given up in its time; the rest is taken', { skip: NO_SLOW_FILES, timeout: 120_000 }, async (t) => {
    const mirror = makeMirror(t);
    mirror.kev(['CVE-2002-0001']);
    mirror.nvd(2002, nvdRecords(2002, 10));
    const slow = await slowFile(t, join(mirror.root, 'kev/known_exploited_vulnerabilities.json'));
    const { generation } = await mirror.sync(FEEDS_OF_MIRROR, { feedMs: 5000, syncMs: 600_000 });
    await slow.wanted;
    assert.match(generation!.sources['kev']!.last_error ?? '', /it took longer than 5 seconds$/);
    assert.equal(generation!.sources['nvd']!.records, 10);
  });
});
