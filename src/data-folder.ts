import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFileUrl } from './program-files.ts';

/**
 * Where the data of an installation is, unless it is configured: `./data` of a checkout. A package that npm installed is used in any
 * folder, so its data is where the system keeps that of programs.
 */
export function defaultDataFolder(
  packageFolder = fileURLToPath(packageFileUrl('')),
  platform: NodeJS.Platform = process.platform,
): string {
  if (!/[/\\]node_modules[/\\]/.test(packageFolder)) return './data';
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library/Application Support/sextant');
  return join(home, platform === 'win32' ? 'AppData/Local/sextant' : '.local/share/sextant');
}
