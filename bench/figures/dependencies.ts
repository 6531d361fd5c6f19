import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Catalog } from '../../src/catalog/catalog.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { checkPackages } from '../../src/operations/code/lib/check-packages.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import type { PackageRef } from '../../src/analysis/packages/package-ref.ts';
import { readLockfile } from '../../src/analysis/packages/read-document.ts';
import { type Figure, information } from '../figure.ts';
import { Dice, median } from '../statistics.ts';

const PACKAGES = 5000;
const ROUNDS = 5;
const CHECKED = 'packages checked, each known to an advisory';
const UNKNOWN = 'packages checked, none known to an advisory';
const READ = 'packages read of a package-lock.json';

/** Packages a second, in one process: matched against the advisories of the catalog, and read of a lockfile. */
export const dependencies: Figure = {
  name: 'dependencies',
  withoutFeeds: [CHECKED, UNKNOWN],
  async run(bench) {
    const folder = join(await bench.full(), 'catalog');
    bench.say('packages');
    const generation = readCurrentGeneration(folder)!;
    const known = drawPackages(join(folder, generation.file));
    const unknown = known.map((ref, index) => ({ ...ref, name: `${ref.name}-${index}` }));
    const catalog = new Catalog(folder, generation);
    const lockfile = lockfileOf(unknown);
    const rounds = bench.rounds(ROUNDS);
    try {
      let findings = 0;
      const rate = async (work: () => unknown): Promise<number> => {
        const rates: number[] = [];
        for (let round = 0; round <= rounds; round++) {
          const started = performance.now();
          await work();
          rates.push((PACKAGES / (performance.now() - started)) * 1000);
        }
        // The first round warms up.
        return median(rates.slice(1));
      };
      const check = async (packages: readonly PackageRef[]): Promise<void> => {
        const now = new Date();
        const evidence = new Evidence(generation.sources, now);
        const view = new CatalogView(catalog, evidence);
        const signal = new AbortController().signal;
        findings = (await checkPackages(packages, { catalog: view, evidence, now, signal })).found.length;
      };
      const ofKnown = await rate(() => check(known));
      const inKnown = findings;
      const ofUnknown = await rate(() => check(unknown));
      const read = await rate(() => readLockfile({ text: lockfile, filename: 'package-lock.json' }));
      return [
        row(CHECKED, ofKnown, `${inKnown.toLocaleString('en')} findings in ${PACKAGES.toLocaleString('en')} packages`),
        row(UNKNOWN, ofUnknown, ''),
        row(READ, read, `${(lockfile.length / 1e6).toFixed(1)} MB`),
      ];
    } finally {
      catalog.close();
    }
  },
};

function row(figure: string, perSecond: number, reference: string) {
  const result = `${Math.round(perSecond).toLocaleString('en')}/s`;
  return information({ figure, measured: result, reference, result });
}

/** Packages that advisories name, drawn from the catalog; the same ones in every run. */
function drawPackages(file: string): PackageRef[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const names = db
    .prepare("SELECT DISTINCT ecosystem, entry ->> 'name' AS name FROM package_advisory ORDER BY ecosystem, package")
    .all() as { ecosystem: string; name: string }[];
  db.close();
  const dice = new Dice(50);
  return Array.from({ length: PACKAGES }, () => ({ ...dice.sample(names, 1)[0]!, version: '1.2.3' }));
}

function lockfileOf(packages: readonly PackageRef[]): string {
  const entries = packages.map(({ name }, index) => [
    `node_modules/${name}-${index}`,
    { version: `1.2.${index}`, resolved: 'https://registry.example/x.tgz', integrity: 'sha512-x', dev: true },
  ]);
  return JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(entries) });
}
