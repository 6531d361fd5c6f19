import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { createSubject } from '../../src/analysis/affected/subject.ts';
import { escapeCpeText } from '../../src/analysis/cve/cpe.ts';
import type { PackageRef } from '../../src/analysis/packages/package-ref.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { POSTING_KINDS } from '../../src/catalog/postings.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { checkPackages } from '../../src/operations/code/lib/check-packages.ts';
import { findAffected } from '../../src/operations/cve/lib/find-affected.ts';
import { type Figure, atMost, judged, type Row } from '../figure.ts';
import { Dice, median } from '../statistics.ts';

const PACKAGES = 5000;
const MOST_NAMED = 1500;
const ROUNDS = 3;
const SBOM = `SBOM of ${PACKAGES} packages, ${MOST_NAMED} of them products of most CVEs: CPU`;
const SBOM_TURN = 'event loop held up by it';
const KERNEL = 'all CVEs of one Linux kernel: CPU';
const VERSIONS = ['1.0', '2.4.1', '5.10.3', '10.0.19041.1', '3.2.1', '0.9.8', '11.4', '7.0.0', '2019', '115.0'];
const TARGET_SBOM_SECONDS = 5;
const TARGET_KERNEL_SECONDS = 0.5;
const TARGET_TURN_MS = 50;

/** Whether versions are affected, by the products that most CVEs name: CPU time in one process, and how long others wait meanwhile. */
export const matcher: Figure = {
  name: 'matcher',
  withoutFeeds: [SBOM, SBOM_TURN, KERNEL],
  async run(bench) {
    const folder = join(await bench.full(), 'catalog');
    bench.say('versions matched');
    const generation = readCurrentGeneration(folder)!;
    const { packages, named } = drawPackages(join(folder, generation.file));
    const catalog = new Catalog(folder, generation);
    const deps = () => {
      const now = new Date();
      const evidence = new Evidence(generation.sources, now);
      return { catalog: new CatalogView(catalog, evidence), evidence, now, signal: new AbortController().signal };
    };
    try {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const sbom = await cpuSeconds(bench.rounds(ROUNDS), () => checkPackages(packages, deps()));
      delay.disable();
      const subject = createSubject({ cpe: 'cpe:2.3:o:linux:linux_kernel:5.10.3:*:*:*:*:*:*:*' });
      if ('problem' in subject) throw new Error(subject.problem);
      let cves = 0;
      const kernel = await cpuSeconds(bench.rounds(ROUNDS), async () => {
        cves = (await findAffected(subject, null, deps())).cves.length;
      });
      const each = (sbom / named) * 1e6;
      const turn = delay.max / 1e6;
      return [
        row(SBOM, `${sbom.toFixed(2)} s, ${each.toFixed(0)} us a product and CVE`, sbom, TARGET_SBOM_SECONDS, 's'),
        row(
          SBOM_TURN,
          `p50 ${(delay.percentile(50) / 1e6).toFixed(1)}, max ${turn.toFixed(1)} ms`,
          turn,
          TARGET_TURN_MS,
          'ms',
        ),
        row(KERNEL, `${kernel.toFixed(2)} s for ${cves.toLocaleString('en')} CVEs`, kernel, TARGET_KERNEL_SECONDS, 's'),
      ];
    } finally {
      catalog.close();
    }
  },
};

/** Of this process; the first round, which warms up, is left out. */
async function cpuSeconds(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const used: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    used.push((user + system) / 1e6);
  }
  return median(used.slice(1));
}

function row(figure: string, measured: string, value: number, target: number, unit: string): Row {
  return judged({ figure, measured, result: `${value.toFixed(2)} ${unit}` }, atMost(target, null, ` ${unit}`), value);
}

/** Packages that advisories name, and the products that most CVEs name by CPE; the same ones in every run. */
function drawPackages(file: string): { packages: PackageRef[]; named: number } {
  const db = new DatabaseSync(file, { readOnly: true });
  const advised = db
    .prepare("SELECT DISTINCT ecosystem, entry ->> 'name' AS name FROM package_advisory ORDER BY ecosystem, package")
    .all() as { ecosystem: string; name: string }[];
  const products = db
    .prepare(
      `SELECT vendor, product, length(cves) / 4 AS cves FROM posting WHERE kind = ${POSTING_KINDS.affected}
       ORDER BY cves DESC, vendor, product LIMIT ?`,
    )
    .all(MOST_NAMED) as { vendor: string; product: string; cves: number }[];
  db.close();
  const dice = new Dice(51);
  const version = (): string => dice.sample(VERSIONS, 1)[0]!;
  const packages: PackageRef[] = Array.from({ length: PACKAGES - MOST_NAMED }, () => ({
    ...dice.sample(advised, 1)[0]!,
    version: version(),
  }));
  for (const { vendor, product } of products) {
    const cpe = `cpe:2.3:*:${escapeCpeText(vendor)}:${escapeCpeText(product)}:*:*:*:*:*:*:*:*`;
    packages.push({ name: product, version: version(), ecosystem: null, cpe });
  }
  return { packages, named: products.reduce((sum, { cves }) => sum + cves, 0) };
}
