import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Installs a tool of npm, without its scripts, below `folder` unless it is there; the path of its package, null: it cannot be had. */
export function installPeer(folder: string | null, name: string): string | null {
  if (folder === null) return null;
  const prefix = join(folder, name.replaceAll('/', '-'));
  const path = join(prefix, 'node_modules', name);
  if (existsSync(path)) return path;
  mkdirSync(prefix, { recursive: true });
  const flags = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', name];
  try {
    execFileSync('npm', flags, { stdio: 'ignore', timeout: 300_000 });
  } catch {
    return null;
  }
  return existsSync(path) ? path : null;
}
