import { type ChildProcess, execFile } from 'node:child_process';
import { closeSync, constants, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Catalog } from '../src/catalog/catalog.ts';
import { readCurrentGeneration } from '../src/catalog/generation.ts';
import { cveIdFromKey } from '../src/analysis/cve/cve-id.ts';
import { freePort, hasEnded, killAll, projectFile, startNode, stop } from './child.ts';
import { Dice } from './statistics.ts';
import { makeTenthFeeds } from './tenth-feeds.ts';
import { measureRun, type Usage } from './usage.ts';

/** What users start: the build while it is current (`Workbench.build` makes it so), else the source. */
export const PROGRAM = projectFile('../bin/sextant.js');
const START_WITHIN_MS = 30_000;
const BUILD_TIMEOUT_MS = 120_000;

export interface Service {
  child: ChildProcess;
  port: number;
}

/** What the figures share: a temporary folder, the catalogs, running services. `close()` leaves nothing behind. */
export class Workbench {
  /** The folder of real feeds; null where there is none. */
  readonly feeds: string | null;
  /** The data folder of the caller, that is copied; null: none. */
  readonly given: string | null;
  readonly quick: boolean;
  readonly #root = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  #full: Promise<string> | null = null;
  #tenth: Promise<string> | null = null;
  #built: Promise<unknown> | null = null;
  #made = 0;

  constructor(feeds: string | null, given: string | null, quick: boolean) {
    this.feeds = feeds;
    this.given = given;
    this.quick = quick;
  }

  rounds(usual: number): number {
    return this.quick ? 1 : usual;
  }

  /** A new empty folder. */
  folder(name: string): string {
    const path = join(this.#root, `${++this.#made}-${name}`);
    mkdirSync(path);
    return path;
  }

  /** Says on standard error what goes on; the table alone goes to standard output. */
  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Data folder with all feeds; with the starter catalog where there are no feeds. */
  full(): Promise<string> {
    if (this.given !== null) return (this.#full ??= this.copyOf(this.given));
    return (this.#full ??= this.feeds === null ? this.#starter() : this.#synced(this.feeds, 'full'));
  }

  /** A copy of the catalog of the data folder that the caller gave: a service writes into its data folder. */
  async copyOf(dataDir: string): Promise<string> {
    const copy = this.folder('copy');
    cpSync(join(dataDir, 'catalog'), join(copy, 'catalog'), { recursive: true, mode: constants.COPYFILE_FICLONE });
    // Throws where this version cannot read it; a service would answer from the starter catalog.
    countCves(copy);
    // The first start reads the whole file once.
    const { child } = await this.serve(copy);
    await stop(child);
    return copy;
  }

  /** Takes a data folder that a figure made as the full one. */
  offerFull(dataDir: string): void {
    this.#full ??= Promise.resolve(dataDir);
  }

  /** Data folder with a tenth of the feeds. */
  tenth(): Promise<string> {
    if (this.feeds === null) throw new Error('no feeds');
    const feeds = this.feeds;
    return (this.#tenth ??= makeTenthFeeds(feeds, this.folder('tenth-feeds')).then((folder) =>
      this.#synced(folder, 'tenth'),
    ));
  }

  /** Builds the program once: what `PROGRAM` starts then. */
  async build(): Promise<void> {
    const run = promisify(execFile);
    await (this.#built ??=
      (this.say('building'),
      run(process.execPath, [projectFile('../scripts/build.ts')], { timeout: BUILD_TIMEOUT_MS })));
  }

  /** One sync of `feeds` into an empty data folder. */
  async sync(feeds: string, dataDir: string): Promise<Usage> {
    await this.build();
    const usageFile = join(this.folder('usage'), 'usage.json');
    return measureRun([PROGRAM, 'sync', '--report', 'ipc'], environment(dataDir, { SEXTANT_FEEDS: feeds }), usageFile);
  }

  /** Starts the service on a free port, its log going to a file, and waits until it is ready. */
  async serve(dataDir: string, extra: NodeJS.ProcessEnv = {}, script = PROGRAM): Promise<Service> {
    await this.build();
    const port = await freePort();
    const env = environment(dataDir, { SEXTANT_PORT: String(port), SEXTANT_SYNC: 'off', ...extra });
    const log = join(this.folder('log'), 'log');
    const lines = openSync(log, 'w');
    const child = startNode([script, 'serve'], { env, stdio: ['ignore', 'ignore', lines, 'ipc'] });
    closeSync(lines);
    try {
      await answers(child, port, '/readyz');
    } catch (error) {
      throw new Error(readFileSync(log, 'utf8').slice(-2000), { cause: error });
    }
    return { child, port };
  }

  close(): void {
    killAll();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #synced(feeds: string, name: string): Promise<string> {
    this.say(`making the ${name} catalog`);
    const dataDir = this.folder(name);
    await this.sync(feeds, dataDir);
    return dataDir;
  }

  /** The service makes the starter catalog at its first start. */
  async #starter(): Promise<string> {
    const dataDir = this.folder('starter');
    const { child } = await this.serve(dataDir);
    await stop(child);
    return dataDir;
  }
}

/** This process's environment with the given settings and none of the caller's own. */
export function environment(dataDir: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('SEXTANT_'));
  return {
    ...Object.fromEntries(others),
    SEXTANT_HOST: '127.0.0.1',
    SEXTANT_DATA_DIR: dataDir,
    // High, not off: counting is part of what a request costs.
    SEXTANT_QUOTA_KEYLESS: '1000000000',
    ...settings,
  };
}

/** Asks until the first 200. Throws when the process ends or half a minute has gone. */
export async function answers(child: ChildProcess, port: number, path: string): Promise<void> {
  const until = performance.now() + START_WITHIN_MS;
  while (performance.now() < until && !hasEnded(child)) {
    const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    );
    if (status === 200) return;
    await sleep(2);
  }
  throw new Error(`no answer to ${path} from the service started`);
}

/** CVE ids drawn from all that a data folder's catalog holds, in random order; the same ones in every run. */
export function drawCveIds(dataDir: string, count = Number.POSITIVE_INFINITY): string[] {
  const folder = join(dataDir, 'catalog');
  const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
  try {
    return new Dice(20_021).sample(catalog.cveColumns.key, count).map(cveIdFromKey);
  } finally {
    catalog.close();
  }
}

/** How many CVEs a data folder's catalog holds. */
export function countCves(dataDir: string): number {
  const folder = join(dataDir, 'catalog');
  const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
  try {
    return catalog.cveColumns.size;
  } finally {
    catalog.close();
  }
}
