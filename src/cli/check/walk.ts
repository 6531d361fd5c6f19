import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../exit.ts';

/** Folders with what others wrote or tools made; lockfiles speak for them. */
const SKIPPED: ReadonlySet<string> = new Set(
  'node_modules .git .hg .svn .venv venv __pycache__ .tox .gradle .m2 bower_components .next .nuxt .cache'.split(' '),
);
const MAX_DEPTH = 40;
const MAX_FILES = 50_000;

export interface FoundFile {
  /** Relative to the folder, with `/`; for a single file its name. */
  path: string;
  absolute: string;
  bytes: number;
}

/**
 * The files below a folder, in order, or the one file that `root` is; links are not followed. `truncated` where there are more than
 * can be looked at. Throws `CliError` where there is no such path.
 */
export function filesBelow(root: string): { files: FoundFile[]; truncated: boolean } {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) throw new CliError('usage', `there is no ${root}`);
  if (!stats.isDirectory()) {
    const name = root.slice(Math.max(root.lastIndexOf('/'), root.lastIndexOf('\\')) + 1);
    return { files: [{ path: name, absolute: root, bytes: stats.size }], truncated: false };
  }
  const files: FoundFile[] = [];
  const folders = [{ path: '', depth: 0 }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of entriesOf(join(root, folder.path))) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory() && folder.depth < MAX_DEPTH && !SKIPPED.has(entry.name)) {
        folders.push({ path, depth: folder.depth + 1 });
      } else if (entry.isFile()) {
        if (files.length === MAX_FILES) return { files, truncated: true };
        const absolute = join(root, path);
        files.push({ path, absolute, bytes: statSync(absolute, { throwIfNoEntry: false })?.size ?? 0 });
      }
    }
  }
  return { files, truncated: false };
}

/** A folder that may not be read is passed over. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
