import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Another tool of npm, installed for one run. */
export interface NpmPeer {
  /** Name and version, as results name it. */
  readonly tool: string;
  /** Folder of its package. */
  readonly folder: string;
  /** Loads a module of it by its path within the package. */
  load(path?: string): unknown;
}

/** Installs `name@version` into a folder of its own, with others that it needs, unless it is there. Null: it cannot be had here. */
export function installNpmPeer(
  folder: string | null,
  name: string,
  version: string,
  others: readonly string[] = [],
): NpmPeer | null {
  if (folder === null) return null;
  const root = join(folder, name);
  const manifest = join(root, 'package.json');
  const own = join(root, 'node_modules', name);
  mkdirSync(root, { recursive: true });
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}');
  try {
    if (!existsSync(own))
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`, ...others], {
        cwd: root,
        stdio: 'ignore',
        timeout: 300_000,
      });
    const { version: found } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string };
    const require = createRequire(manifest);
    return { tool: `${name} ${found}`, folder: own, load: (path = '') => require(`${name}${path}`) };
  } catch {
    return null;
  }
}
