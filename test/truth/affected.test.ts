import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test, type TestContext } from 'node:test';
import { decideAffected } from '../../src/analysis/affected/decide-affected.ts';
import { matchPackageAdvisories } from '../../src/analysis/affected/match-package.ts';
import { matchRecord, prepareRecord } from '../../src/analysis/affected/match-record.ts';
import { createSubject, type Subject, subjectOfPackage } from '../../src/analysis/affected/subject.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { factsOfCveRecord } from '../../src/feeds/cvelist/record.ts';
import { CveRecord } from '../../src/feeds/cvelist/schema.ts';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { chance } from '../support/random.ts';
import { sharedPath } from '../support/shared.ts';
import {
  aroundNumbers,
  boundsOf,
  isAffectedByEntry,
  isAffectedByNvd,
  isComparable,
  isNumeric,
  isPlainEntry,
  matchesOf,
  namedBy,
  type RawVersionRow,
} from './raw/affected-oracle.ts';
import { feedFile, NVD_YEARS, nvdYear, zipFiles } from './raw/files.ts';
import { around, isAffected, type RawAffected } from './raw/osv-oracle.ts';
import { cpeComponents, token } from './raw/parts.ts';

/** Versions just inside and just outside ranges drawn from the raw feeds: the matcher against plain readings of the records. */

const DRAWN = 1000;
/** Of the years of the NVD and of the records of the CVE List, so many are one that is drawn from: reading all of them takes a minute. */
const ONE_OF = 3;
const baseline = sharedPath('feeds-history', 'cvelistV5');

interface Sample {
  cveId: string;
  vendor: string;
  product: string;
  version: string;
  expected: boolean | null;
}

function drawn<Item>(items: readonly Item[], seed: number): Item[] {
  const random = chance(seed);
  const pool = [...items];
  return Array.from({ length: Math.min(DRAWN, pool.length) }, () => pool.splice(random.below(pool.length), 1)[0]!);
}

/** Draws from more than memory holds: the items with the smallest random numbers. `make` is called for few; null is not drawn. */
class Draw<Item> {
  readonly #random;
  #drawn: { rank: number; item: Item }[] = [];
  #limit = 1;

  constructor(seed: number) {
    this.#random = chance(seed);
  }

  offer(make: () => Item | null): void {
    const rank = this.#random.next();
    const item = rank < this.#limit ? make() : null;
    if (item === null) return;
    this.#drawn.push({ rank, item });
    if (this.#drawn.length === 2 * DRAWN) this.#keepDrawn();
  }

  items(): Item[] {
    this.#keepDrawn();
    return this.#drawn.map(({ item }) => item);
  }

  #keepDrawn(): void {
    this.#drawn = this.#drawn.sort((a, b) => a.rank - b.rank).slice(0, DRAWN);
    if (this.#drawn.length === DRAWN) this.#limit = this.#drawn.at(-1)!.rank;
  }
}

interface NvdRange {
  cve: any;
  vendor: string;
  product: string;
  bounds: string[];
}

/** Ranges of the NVD, drawn from all and from those of configurations joined by AND. */
function drawNvdRanges(): { all: NvdRange[]; joined: NvdRange[] } {
  const all = new Draw<NvdRange>(1);
  const joined = new Draw<NvdRange>(2);
  for (const year of NVD_YEARS.filter((each) => each % ONE_OF === 0)) {
    for (const cve of nvdYear(year)) {
      if (cve.vulnStatus === 'Rejected') continue;
      for (const configuration of cve.configurations ?? []) {
        const make = (): NvdRange | null => {
          const match = configuration.nodes
            .flatMap(({ cpeMatch }: any) => cpeMatch)
            .find((one: any) => one.vulnerable && boundsOf(one).length > 0);
          const named = match === undefined ? null : namedBy(match);
          if (named === null) return null;
          const { vendor, product } = named;
          return isComparable(cve, vendor, product) ? { cve, vendor, product, bounds: boundsOf(match) } : null;
        };
        all.offer(make);
        if (configuration.operator === 'AND') joined.offer(make);
      }
    }
  }
  return { all: all.items(), joined: joined.items() };
}

/** The versions around the bounds of these ranges. */
function nvdSamples(ranges: readonly NvdRange[]): Sample[] {
  return ranges.flatMap(({ cve, vendor, product, bounds }) =>
    bounds.flatMap(aroundNumbers).map((version) => ({
      cveId: cve.id,
      vendor,
      product,
      version,
      expected: isAffectedByNvd(cve, vendor, product, version),
    })),
  );
}

const escaped = (text: string): string => text.replace(/[^a-z0-9._-]/g, (character) => `\\${character}`);

function subjectOf({ vendor, product, version }: Sample): Subject {
  const subject = createSubject({ product, vendor, version });
  assert.ok(!('problem' in subject));
  return subject;
}

/** What the matcher says by the NVD's record. */
function decideByNvd(catalog: Catalog): (sample: Sample) => boolean | null {
  return (sample) => {
    const record = catalog.affectedFacts(sample.cveId).find(({ source }) => source === 'nvd');
    assert.ok(record !== undefined, sample.cveId);
    return matchRecord(prepareRecord(record), subjectOf(sample))?.finding.truth ?? null;
  };
}

function assertAgrees(samples: readonly Sample[], decide: (sample: Sample) => boolean | null, t: TestContext): void {
  const wrong = samples
    .map((sample) => ({ ...sample, found: decide(sample) }))
    .filter(({ expected, found }) => found !== expected);
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${samples.length}`);
  const count = (truth: boolean | null): number => samples.filter(({ expected }) => expected === truth).length;
  t.diagnostic(`${samples.length} versions: ${count(true)} affected, ${count(false)} not, ${count(null)} not known`);
}

describe('versions around ranges', { skip: noFeeds }, () => {
  let ranges: ReturnType<typeof drawNvdRanges>;
  before(async () => {
    // Others wait for it.
    await fullCatalog();
    ranges = drawNvdRanges();
  });

  test(`${DRAWN} ranges of the NVD`, async (t) => {
    const { catalog } = await fullCatalog();
    assertAgrees(nvdSamples(ranges.all), decideByNvd(catalog), t);
  });

  test(`${DRAWN} ranges of the NVD in configurations joined by AND`, async (t) => {
    const { catalog } = await fullCatalog();
    assertAgrees(nvdSamples(ranges.joined), decideByNvd(catalog), t);
  });

  test(`${DRAWN} ranges of the CVE List`, { skip: baseline === null && 'no baseline' }, (t) => {
    const entries: { cveId: string; vendor: string; product: string; versions: RawVersionRow[] }[] = [];
    const records = new Map<string, any>();
    for (const record of baselineRecords()) {
      const { cveMetadata, containers } = record;
      if (cveMetadata.state !== 'PUBLISHED') continue;
      const all = [containers.cna, ...(containers.adp ?? [])].flatMap((container: any) => container.affected ?? []);
      for (const entry of all) {
        const { vendor, product, cpes = [], versions } = entry;
        // One entry for each product: where several speak of one, it is not plain any more which one to ask.
        const isSame = (other: any): boolean => other !== entry && isOneProduct(other, entry);
        if (!isPlainEntry(entry) || all.some(isSame) || product === undefined) continue;
        if (versions.every((row: RawVersionRow) => row.lessThan === undefined && row.lessThanOrEqual === undefined))
          continue;
        if (cpes.length > 0 || /n\/a/i.test(`${vendor}${product}`)) continue;
        entries.push({ cveId: cveMetadata.cveId, vendor, product, versions });
        records.set(cveMetadata.cveId, record);
      }
    }
    const samples = drawn(entries, 3).flatMap(({ cveId, vendor, product, versions }) =>
      [...new Set(versions.flatMap(({ version, lessThan, lessThanOrEqual }) => [version, lessThan, lessThanOrEqual]))]
        .filter((bound): bound is string => bound !== undefined && isNumeric(bound))
        .flatMap(aroundNumbers)
        .map((version) => ({ cveId, vendor, product, version, expected: isAffectedByEntry(versions, version) })),
    );
    t.diagnostic(`${entries.length} entries`);
    const found = (sample: Sample): boolean | null => {
      const record = prepareRecord(factsOfCveRecord(CveRecord.parse(records.get(sample.cveId))));
      return matchRecord(record, subjectOf(sample))?.finding.truth ?? null;
    };
    assertAgrees(samples, found, t);
  });

  test(`${DRAWN} ranges of OSV`, async (t) => {
    const { catalog } = await fullCatalog();
    const raw: { id: string; affected: RawAffected }[] = [];
    for (const ecosystem of ['npm', 'PyPI', 'Maven', 'Go', 'crates.io', 'RubyGems']) {
      for (const { content } of zipFiles(feedFile('osv', ecosystem, 'all.zip'))) {
        const advisory = JSON.parse(content.toString('utf8'));
        if (advisory.withdrawn != null || /^withdrawn/i.test(advisory.summary ?? '')) continue;
        const own = advisory.affected.filter((one: RawAffected) => one.package?.ecosystem === ecosystem);
        const names = own.map((one: RawAffected) => one.package!.name);
        if (new Set(names).size !== names.length) continue;
        for (const affected of own) raw.push({ id: advisory.id, affected });
      }
    }
    let asked = 0;
    const wrong: object[] = [];
    for (const { id, affected } of drawn(raw, 4)) {
      const { ecosystem, name } = affected.package!;
      const bounds = (affected.ranges ?? [])
        .filter(({ type }) => type !== 'GIT')
        .flatMap(({ events }) =>
          events.map(({ introduced, fixed, last_affected }) => introduced ?? fixed ?? last_affected),
        );
      const advisories = catalog.packageAdvisories.forPackage(ecosystem, name).filter((one) => one.id === id);
      for (const bound of new Set(bounds)) {
        if (bound === undefined || bound === '0') continue;
        for (const version of around(bound, ecosystem)) {
          const subject = subjectOfPackage({ name, version, ecosystem });
          const truth = matchPackageAdvisories(advisories, subject)?.finding.truth ?? null;
          asked++;
          if (truth !== isAffected(version, affected)) wrong.push({ id, ecosystem, name, version, truth });
        }
      }
    }
    t.diagnostic(`${asked} versions`);
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${asked}`);
  });
});

function* baselineRecords(): Iterable<any> {
  const name = readdirSync(baseline!).find((one) => one.endsWith('.zip.zip'))!;
  for (const { content: inner } of zipFiles(readFileSync(join(baseline!, name)))) {
    const isDrawn = (file: string): boolean => Number(/CVE-\d+-(\d+)\.json$/.exec(file)?.[1]) % ONE_OF === 0;
    for (const { content } of zipFiles(inner, isDrawn)) yield JSON.parse(content.toString('utf8'));
  }
}

function isOneProduct(a: any, b: any): boolean {
  return token(a.product ?? '') === token(b.product ?? '');
}

test('names that have to be quoted in a CPE name are found', { skip: noFeeds }, async () => {
  const { catalog } = await fullCatalog();
  const odd = [...nvdYear(2023)]
    .flatMap((cve) => matchesOf(cve).map((match) => ({ cve, match })))
    .filter(({ cve, match }) => cve.vulnStatus !== 'Rejected' && match.vulnerable && match.criteria.includes('\\'))
    .slice(0, 200);
  assert.ok(odd.length > 50);
  for (const { cve, match } of odd) {
    const [part, vendor, product] = cpeComponents(match.criteria)!;
    const subject = createSubject({ cpe: `cpe:2.3:${part}:${escaped(vendor!)}:${escaped(product!)}:1.0` });
    assert.ok(!('problem' in subject));
    const records = catalog.affectedFacts(cve.id).map(prepareRecord);
    const found = decideAffected({ cve_id: cve.id, rejected: false, records, advisories: [], vex: [] }, subject);
    assert.notEqual(found.rule.kind, 'none', match.criteria);
  }
});
