import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { after, test } from 'node:test';
import type { Feed } from '../../src/feeds/feed.ts';
import { osvFeed } from '../../src/feeds/osv/osv.ts';
import { readAllBytes, unzip } from '../../src/feeds/unpack.ts';
import { packageIdentity } from '../../src/analysis/packages/package-ref.ts';
import { checkPackages } from '../../src/operations/code/lib/check-packages.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { syncInto } from '../support/catalog-of.ts';
import { chance } from '../support/random.ts';
import { sharedPath } from '../support/shared.ts';
import { around, isAffected, type RawAffected } from './raw/osv-oracle.ts';

const feeds = sharedPath('feeds');
const ARCHIVES = ['npm', 'PyPI', 'Maven', 'Go', 'crates.io', 'RubyGems'];
const DRAWN = 300;
const NOW = new Date('2026-09-01T00:00:00Z');

interface Raw {
  id: string;
  withdrawn?: string;
  affected: RawAffected[];
}

async function rawAdvisories(): Promise<{ ecosystem: string; advisory: Raw }[]> {
  const found: { ecosystem: string; advisory: Raw }[] = [];
  for (const ecosystem of ARCHIVES) {
    const path = sharedPath('feeds', 'osv', ecosystem, 'all.zip')!;
    const limits = { maxBytes: 1e9, maxUnpackedBytes: 1e10, maxEntries: 1e6 };
    for await (const entry of unzip(createReadStream(path), limits)) {
      found.push({ ecosystem, advisory: JSON.parse((await readAllBytes(entry.bytes, 1e9)).toString()) });
    }
  }
  return found;
}

test(`${DRAWN} advisories drawn from the OSV archives: versions just inside and just outside each range`, {
  skip: feeds === null && 'no feeds',
}, async (t) => {
  const folder = temporaryFolder();
  assert.deepEqual(await syncInto(folder, feeds!, [osvFeed as unknown as Feed<'document'>], NOW), []);
  const handle = new CatalogHandle(folder, (problem) => {
    throw problem;
  });
  after(() => handle.close());
  const dice = chance(20_260_901);
  const advisories = await rawAdvisories();
  const drawn = Array.from({ length: DRAWN }, () => dice.pick(advisories));
  const counts = { affected: 0, unaffected: 0, ranges: 0 };
  const wrong: string[] = [];
  for (const { ecosystem, advisory } of drawn) {
    const own = advisory.affected.filter(({ package: named }) => named?.ecosystem === ecosystem);
    for (const name of new Set(own.map((affected) => affected.package!.name))) {
      const parts = own.filter((affected) => affected.package!.name === name);
      const ranges = parts.flatMap(({ ranges = [] }) => ranges).filter(({ type }) => type !== 'GIT');
      counts.ranges += ranges.length;
      const bounds = ranges.flatMap(({ events }) => events.flatMap((event) => Object.values(event)));
      const versions = new Set(bounds.filter((bound) => bound !== '0').flatMap((bound) => around(bound, ecosystem)));
      for (const listed of parts.flatMap(({ versions = [] }) => versions).slice(0, 5)) versions.add(listed);
      if (versions.size === 0) versions.add('1.0.0');
      for (const version of versions) {
        const expected = advisory.withdrawn === undefined && parts.some((affected) => isAffected(version, affected));
        counts[expected ? 'affected' : 'unaffected']++;
        const ref = { name, version, ecosystem };
        const evidence = new Evidence(handle.current!.generation.sources, NOW);
        const catalog = new CatalogView(handle.current!, evidence);
        const { found: all, unchecked } = await checkPackages([ref], {
          catalog,
          evidence,
          now: NOW,
          signal: new AbortController().signal,
        });
        const found = all.some(({ finding }) => finding.evidence.includes(advisory.id));
        if (found !== expected || unchecked.length > 0) {
          wrong.push(`${advisory.id} ${packageIdentity(ref).replaceAll('\n', ' ')}: ${found}, not ${expected}`);
        }
      }
    }
  }
  t.diagnostic(
    `${DRAWN} advisories, ${counts.ranges} ranges: ${counts.affected} affected, ${counts.unaffected} unaffected`,
  );
  assert.deepEqual(wrong, []);
  assert.ok(counts.affected > DRAWN && counts.unaffected > DRAWN);
});
