import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../cli/command-line.ts';
import { fullCatalog } from '../support/full-catalog.ts';
import { type Answered, type Client, clientFrom, type ServeProcess, startServe } from '../support/serve-process.ts';

/** An installation over the full catalog, with a service in a process of its own. */
export interface Installation {
  dataDir: string;
  catalogFolder: string;
  service: ServeProcess;
  client: Client;
  get: (path: string) => Promise<Answered>;
  end: () => Promise<void>;
}

/** A data folder with the full catalog of the feeds. `own`: its files may be written to, so they are copies. */
export async function fullDataDir(own: boolean): Promise<string> {
  const { folder } = await fullCatalog();
  const dataDir = temporaryFolder();
  const target = join(dataDir, 'catalog');
  mkdirSync(target);
  for (const name of readdirSync(folder)) {
    // A lock that is linked is one lock for every installation.
    if (name.startsWith('sync.lock')) continue;
    if (own || name.endsWith('.json')) copyFileSync(join(folder, name), join(target, name));
    else linkOrCopy(join(folder, name), join(target, name));
  }
  return dataDir;
}

/** Starts the service over a data folder. */
export async function startInstallation(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
  through: readonly string[] = [],
): Promise<Installation> {
  const service = await startServe(
    { SEXTANT_DATA_DIR: dataDir, SEXTANT_QUOTA_KEYLESS: '0', ...settings },
    words,
    through,
  );
  // A connection for each question: a part that hangs must not hold up the next.
  const client = clientFrom('127.0.0.1', false);
  return {
    dataDir,
    catalogFolder: join(dataDir, 'catalog'),
    service,
    client,
    get: (path) => client.get(service.base + path),
    async end() {
      client.close();
      await service.stop();
    },
  };
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // On another device.
    copyFileSync(from, to);
  }
}
