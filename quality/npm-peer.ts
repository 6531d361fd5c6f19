import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Another tool of npm, installed for one run. */
export interface NpmPeer {
  /** Name and version, as results name it. */
  tool: string;
  /** Loads a module of it by its path within the package. */
  load(path?: string): unknown;
}

/** Installs `name@version` into the folder, unless it is there. Null: it cannot be had here. */
export function installNpmPeer(folder: string, name: string, version: string): NpmPeer | null {
  const root = join(folder, name);
  const manifest = join(root, 'package.json');
  const installed = join(root, 'node_modules', name, 'package.json');
  mkdirSync(root, { recursive: true });
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}');
  try {
    if (!existsSync(installed))
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], {
        cwd: root,
        stdio: 'ignore',
        timeout: 300_000,
      });
    const { version: found } = JSON.parse(readFileSync(installed, 'utf8')) as { version: string };
    const require = createRequire(manifest);
    return { tool: `${name} ${found}`, load: (path = '') => require(`${name}${path}`) };
  } catch {
    return null;
  }
}
