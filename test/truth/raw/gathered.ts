import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { buildOnce, keyOf } from '../../support/build-once.ts';
import { feedKey } from '../../support/full-catalog.ts';
import { chance } from '../../support/random.ts';
import { sharedPath } from '../../support/shared.ts';
import { cvelistPart, cvelistRecords, ghsaParts, nvdMetrics, nvdPart, nvdRecords, type Part } from './parts.ts';
import { joinRows, type Row } from './rows.ts';

/** What the truth tests ask of the raw feeds. Gathered in one pass of `JSON.parse` over every year, and kept. */
export interface Gathered {
  rows: Row[];
  /** `cve` objects of the NVD feeds as they stand there, drawn at random. */
  sample: any[];
  /** Of every NVD record that has any: each CVSS assessment as `version vector score scorer`. */
  vectors: [id: string, assessments: string[]][];
  /** NVD records whose first reference tagged `Patch` comes after ten others. */
  latePatches: [id: string, url: string][];
  /** NVD records with a reference of another scheme than http(s). */
  otherSchemes: [id: string, urls: string[], tagged: string[]][];
}

const FILE = 'gathered.bin';
const FOLDERS = ['nvd', 'cvelistV5', 'ghsa', 'kev', 'epss'];
const SAMPLE = 2000;
const SEED = 20_250_830;

let gathering: Promise<Gathered> | null = null;

export function gathered(): Promise<Gathered> {
  gathering ??= open();
  return gathering;
}

async function open(): Promise<Gathered> {
  const feeds = sharedPath('feeds');
  if (feeds === null) throw new Error('no feeds');
  const own = ['files.ts', 'parts.ts', 'rows.ts', 'gathered.ts'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const folder = await buildOnce('raw', `${keyOf(own, 'content')}-${feedKey(feeds, FOLDERS)}`, async (target) => {
    writeFileSync(join(target, FILE), serialize(gather()));
  });
  return deserialize(readFileSync(join(folder, FILE))) as Gathered;
}

function gather(): Gathered {
  const draw = reservoir<any>(SAMPLE);
  const parts: Part[] = [];
  const found: Omit<Gathered, 'rows' | 'sample'> = { vectors: [], latePatches: [], otherSchemes: [] };
  for (const cve of nvdRecords()) {
    draw.offer(cve);
    parts.push(nvdPart(cve));
    const vectors = nvdMetrics(cve).map(
      ({ version, vector, score, scorer }) => `${version} ${vector} ${score} ${scorer}`,
    );
    if (vectors.length > 0) found.vectors.push([cve.id, vectors]);
    const references = distinctReferences(cve);
    const patchAt = references.findIndex(({ tags }) => tags.includes('Patch'));
    if (patchAt >= 10) found.latePatches.push([cve.id, references[patchAt]!.url]);
    const others = references.filter(({ url }) => !/^https?:\/\//i.test(url));
    const tagged = others.filter(({ tags }) => tags.includes('Patch')).map(({ url }) => url);
    if (others.length > 0) found.otherSchemes.push([cve.id, others.map(({ url }) => url), tagged]);
  }
  parts.push(...cvelistRecords().map(cvelistPart), ...withScores(ghsaParts(), parts));
  return { ...found, rows: joinRows(parts), sample: draw.kept };
}

/** GitHub gives some vectors without a score, or with 0.0 where they have one: it is that of the same vector in the NVD feeds. */
function withScores(parts: Part[], scored: readonly Part[]): Part[] {
  const base = (vector: string): string =>
    vector
      .split('/')
      .slice(0, vector.startsWith('CVSS:4') ? 12 : 9)
      .join('/');
  const scores = new Map(scored.flatMap(({ metrics }) => metrics).map(({ vector, score }) => [base(vector), score]));
  for (const metric of parts.flatMap(({ metrics }) => metrics))
    metric.score ||= scores.get(base(metric.vector)) ?? null;
  return parts;
}

export interface RawReference {
  url: string;
  tags: string[];
  source: string;
}

/** The references of an NVD record; an address that stands there twice is one, with the tags of both. */
export function distinctReferences(cve: any): RawReference[] {
  const byUrl = new Map<string, RawReference>();
  for (const { url, tags = [], source } of cve.references ?? []) {
    const known = byUrl.get(url);
    byUrl.set(
      url,
      known === undefined
        ? { url, tags: [...new Set<string>(tags)], source }
        : { ...known, tags: [...new Set([...known.tags, ...tags])] },
    );
  }
  return [...byUrl.values()];
}

/** Draws `size` of a row of items that is seen once, each with the same chance. */
function reservoir<Item>(size: number): { kept: Item[]; offer(item: Item): void } {
  const { below } = chance(SEED);
  const kept: Item[] = [];
  let seen = 0;
  return {
    kept,
    offer(item) {
      seen++;
      if (kept.length < size) kept.push(item);
      else {
        const place = below(seen);
        if (place < size) kept[place] = item;
      }
    },
  };
}
