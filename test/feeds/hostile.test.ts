import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { attackFeed } from '../../src/feeds/attack/attack.ts';
import { atlasFeed } from '../../src/feeds/atlas/atlas.ts';
import { cvelistFeed } from '../../src/feeds/cvelist/cvelist.ts';
import { cweFeed } from '../../src/feeds/cwe/cwe.ts';
import { asSequenceRecord } from '../../src/feeds/d3fend/json-sequence.ts';
import { d3fendFeed } from '../../src/feeds/d3fend/d3fend.ts';
import { parseOntology } from '../../src/feeds/d3fend/ontology.ts';
import { endoflifeFeed } from '../../src/feeds/endoflife/endoflife.ts';
import { epssFeed } from '../../src/feeds/epss.ts';
import { exploitdbFeed } from '../../src/feeds/exploitdb.ts';
import { type Feed, FeedFormatError } from '../../src/feeds/feed.ts';
import { ghsaFeed } from '../../src/feeds/ghsa/ghsa.ts';
import { cloudFeed } from '../../src/feeds/ip-lists/cloud.ts';
import { feodoFeed } from '../../src/feeds/ip-lists/feodo.ts';
import { fireholFeed } from '../../src/feeds/ip-lists/firehol.ts';
import { torExitFeed } from '../../src/feeds/ip-lists/tor.ts';
import { JsonDepthError, parseBoundedJson } from '../../src/analysis/bounded-json.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { FEEDS } from '../../src/feeds/list.ts';
import { nvdFeed } from '../../src/feeds/nvd/nvd.ts';
import { osvFeed } from '../../src/feeds/osv/osv.ts';
import { purl2cpeFeed } from '../../src/feeds/purl2cpe/purl2cpe.ts';
import { csafFeed } from '../../src/feeds/vex/csaf.ts';
import { vexFeed } from '../../src/feeds/vex/vex.ts';
import { sigmaFeed } from '../../src/feeds/sigma/sigma.ts';
import { parseDirectoryPage } from '../../src/feeds/upstream-directory.ts';
import { UpstreamError } from '../../src/feeds/upstream-error.ts';
import { gunzip, unzip } from '../../src/feeds/unpack.ts';
import { inChunks, parseFeed } from './parse-feed.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { warninglistsFeed } from '../../src/feeds/warninglists/warninglists.ts';
import { zipOf } from './zip-of.ts';

/** Files made to cost whoever reads them: nested, wide, without end, packed a thousandfold. Each is refused, in bounded time. */

const DEEP = 200_000;
/** Of processor time: refusing takes milliseconds, reading it took a quarter of a minute and more. */
const MAX_CPU_MS = 8000;
const STANDS_STILL_MS = 120_000;
const MEGABYTE = 1024 * 1024;

const nested = (open: string, close: string, inner = ''): string => open.repeat(DEEP) + inner + close.repeat(DEEP);
const deepJson = nested('[', ']');
const cwe = (inner: string): Buffer =>
  zipOf([{ name: 'cwec.xml', content: `<Weakness_Catalog Version="1" Date="2030-01-01">${inner}</Weakness_Catalog>` }]);
const weakness = (inner: string): string =>
  `<Weaknesses><Weakness ID="1" Name="x" Abstraction="Base" Status="Draft">${inner}</Weakness></Weaknesses>`;
async function sequence(text: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(asSequenceRecord([Buffer.from(text)])));
}

type Case = [name: string, feed: unknown, content: () => Buffer | Promise<Buffer>, file?: string];
const CASES: Case[] = [
  ['XML nested in a weakness', cweFeed, () => cwe(weakness(nested('<a>', '</a>')))],
  ['XML nested outside of any weakness', cweFeed, () => cwe(nested('<a>', '</a>'))],
  ['XML that is opened and never closed', cweFeed, () => cwe('<a>'.repeat(DEEP))],
  [
    'a weakness of very many pieces',
    cweFeed,
    () => cwe(weakness(`<Description>${'<b/>x '.repeat(DEEP)}</Description>`)),
  ],
  [
    'entities that name each other',
    cweFeed,
    () =>
      cwe(
        `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${nested('<c>', '</c>', '&b;')}`,
      ),
  ],
  [
    'JSON nested: KEV',
    kevFeed,
    () => Buffer.from(`{"catalogVersion":"1","dateReleased":"x","count":1,"vulnerabilities":${deepJson}}`),
  ],
  ['JSON nested: Feodo', feodoFeed, () => Buffer.from(deepJson)],
  ['JSON nested: advisories', ghsaFeed, () => Buffer.from(`[{"ghsa_id":${deepJson}}]`)],
  ['JSON nested: clouds', cloudFeed, () => Buffer.from(`{"prefixes":${deepJson}}`), 'cloud/aws'],
  ['JSON nested: D3FEND', d3fendFeed, () => sequence(`{"@graph":${deepJson}}`)],
  [
    'JSON nested: NVD, in a record',
    nvdFeed,
    () => gzipSync(`{"format":"NVD_CVE","vulnerabilities":[{"cve":${deepJson}}]}`),
  ],
  ['JSON nested: NVD, around', nvdFeed, () => gzipSync(deepJson)],
  ['JSON nested: ATT&CK, around', attackFeed, () => Buffer.from(deepJson), 'enterprise-attack'],
  [
    'an object without end: CAPEC',
    attackFeed,
    () => Buffer.from(`{"type":"bundle","objects":[{"name":"${'x'.repeat(10 * MEGABYTE)}`),
    'capec',
  ],
  ['JSON nested: KEV mappings', attackFeed, () => Buffer.from(`{"mapping_objects":${deepJson}}`), 'kev-enterprise'],
  ['JSON nested: endoflife.date', endoflifeFeed, () => Buffer.from(`{"result":${deepJson}}`)],
  ['a bomb: purl2cpe', purl2cpeFeed, () => gzipSync(Buffer.alloc(64 * MEGABYTE, 'x'))],
  ['a bomb: VEX Hub', vexFeed, () => gzipSync(Buffer.alloc(64 * MEGABYTE, 'x'))],
  [
    'JSON nested: CSAF',
    csafFeed,
    () => zipOf([{ name: 'CSAF-develop/csaf_files/OT/white/2024/icsa-1.json', content: deepJson }]),
  ],
  [
    'JSON nested: warning lists',
    warninglistsFeed,
    () => zipOf([{ name: 'misp-warninglists-main/lists/a/list.json', content: deepJson }]),
  ],
  ['YAML nested: ATLAS', atlasFeed, () => Buffer.from(`a: ${deepJson}`)],
  [
    'YAML of aliases: ATLAS',
    atlasFeed,
    () => Buffer.from(`a: &a [${'x,'.repeat(1000)}]\nb: &b [${'*a,'.repeat(90)}]\nmatrices: [${'*b,'.repeat(90)}]`),
  ],
  ['a line without end: EPSS', epssFeed, () => gzipSync('x'.repeat(10 * MEGABYTE))],
  ['a line without end: Tor', torExitFeed, () => Buffer.alloc(10 * MEGABYTE, 'x')],
  ['a line without end: FireHOL', fireholFeed, () => Buffer.alloc(10 * MEGABYTE, '#')],
  ['a bomb: EPSS', epssFeed, () => gzipSync(Buffer.alloc(64 * MEGABYTE, '\n'))],
  ['a bomb: NVD', nvdFeed, () => gzipSync(Buffer.alloc(64 * MEGABYTE, ' '))],
  ['a bomb: CWE', cweFeed, () => cwe(' '.repeat(64 * MEGABYTE))],
];

function testBounded(name: string, work: () => void | Promise<void>): void {
  test(name, { timeout: STANDS_STILL_MS }, async () => {
    const started = cpuMs();
    await work();
    const taken = cpuMs() - started;
    assert.ok(taken < MAX_CPU_MS, `${taken.toFixed(0)} ms`);
  });
}

describe('a hostile file is refused in bounded time', () => {
  for (const [name, feed, content, file = 'file'] of CASES) {
    testBounded(name, async () => {
      await assert.rejects(parseFeed(feed as Feed, await content(), { name: file }), FeedFormatError);
    });
  }

  test('every feed is among them, or skips such a record', async () => {
    const inRecords = new Set(['cvelist', 'osv', 'sigma']);
    const tried = new Set<string>(['exploitdb', ...CASES.map(([, feed]) => (feed as Feed).id)]);
    assert.deepEqual(
      FEEDS.map(({ id }) => id).filter((id) => !tried.has(id) && !inRecords.has(id)),
      [],
    );
  });
});

describe('a hostile record is skipped, and those beside it are read', () => {
  for (const [name, feed, inside, file] of [
    ['CVE List', cvelistFeed, 'cves/CVE-2030-1001.json', '2030-01-01_delta_CVEs_at_end_of_day.zip'],
    ['OSV', osvFeed, 'GHSA-1.json', 'npm/all.zip'],
    ['Sigma', sigmaFeed, 'rules/deep.yml', 'sigma_all_rules.zip'],
  ] as [string, unknown, string, string][]) {
    testBounded(name, async () => {
      const { told } = await parseFeed(feed as Feed, zipOf([{ name: inside, content: `{"id": ${deepJson}}` }]), {
        name: file,
      });
      assert.equal(told.skipped.length, 1);
    });
  }
});

testBounded('a row without end is no row that is skipped: those after it are lost', async () => {
  const head = 'id,description,date_published,author,type,platform,codes';
  const rows = `1,"${'x'.repeat(MEGABYTE)}",2030-01-01,a,b,c,d\n2,t,2030-01-01,a,b,c,d\n`;
  await assert.rejects(parseFeed(exploitdbFeed, Buffer.from(`${head}\n${rows}`)), FeedFormatError);
});

describe('parseBoundedJson', () => {
  const deep = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
  test('reads what JSON.parse reads, up to a depth of 100', () => {
    for (const text of [
      deep(100),
      '"[[[["',
      `"${'['.repeat(500)}"`,
      `["\\\\", "\\"${'{'.repeat(500)}"]`,
      '5',
      `[${'[],{},'.repeat(500)}0]`,
    ]) {
      assert.deepEqual(parseBoundedJson(text), JSON.parse(text));
    }
  });
  test('refuses what is deeper, and what is no JSON', () => {
    assert.throws(() => parseBoundedJson(deep(102)), JsonDepthError);
    assert.throws(() => parseBoundedJson(deepJson), JsonDepthError);
    for (const text of ['', '{', '"', '[1', '"\\', ']]]]']) assert.throws(() => parseBoundedJson(text), SyntaxError);
  });
});

testBounded('a directory page that is nested is no directory page', () => {
  assert.throws(() => parseDirectoryPage(nested('<div>', '</div>'), 'https://feeds.example/nvd/'), UpstreamError);
});

testBounded('classes of D3FEND that have many ways up, or go in a ring, cost no more than their number', () => {
  const LAYERS = 40;
  const node = (id: string, ...parents: string[]): object => ({
    '@id': `d3f:${id}`,
    'rdfs:label': id,
    'rdfs:subClassOf': parents.map((parent) => ({ '@id': `d3f:${parent}` })),
  });
  const layers = Array.from({ length: LAYERS }, (_, at) => [
    node(`A${at}`, `A${at + 1}`, `B${at + 1}`),
    node(`B${at}`, `A${at + 1}`, `B${at + 1}`),
  ]).flat();
  const ring = [node('X', 'Y'), node('Y', 'X', 'Known')];
  const { techniques } = parseOntology({ '@graph': [...layers, ...ring, node('Known', 'DefensiveTechnique')] });
  assert.deepEqual([...techniques.keys()].toSorted(), ['Known', 'X', 'Y']);
  assert.deepEqual([techniques.get('X')!.parent, techniques.get('Y')!.parent], ['Y', 'Known']);
});

describe('what unpacks to a multiple that no data has', () => {
  const drain = async (bytes: AsyncIterable<Uint8Array>): Promise<number> => {
    let length = 0;
    for await (const chunk of bytes) length += chunk.length;
    return length;
  };
  const limits = { maxBytes: 10 * MEGABYTE, maxUnpackedBytes: 1000 * MEGABYTE, maxEntries: 10 };
  const bomb = Buffer.alloc(64 * MEGABYTE);

  test('gzip', async () => {
    await assert.rejects(drain(gunzip(inChunks(gzipSync(bomb), 1000), limits)), /more than 256 times its size/);
    // Small files are not worth a judgement.
    assert.equal(await drain(gunzip(inChunks(gzipSync(Buffer.alloc(MEGABYTE)), 1000), limits)), MEGABYTE);
  });
  test('zip', async () => {
    const read = async (): Promise<void> => {
      const zip = zipOf([{ name: 'a', content: bomb.toString('latin1') }]);
      for await (const entry of unzip(inChunks(zip, 1000), limits)) await drain(entry.bytes);
    };
    await assert.rejects(read(), /more than 256 times its size/);
  });
});
