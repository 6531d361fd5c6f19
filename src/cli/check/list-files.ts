import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { CliError } from '../../exit-codes.ts';
import type { ExclusionCheck } from './exclusion-check.ts';
import type { UnreadItem } from '../../operations/code/lib/report/problem.ts';

/** Third-party code and tool output; third-party packages are checked by their lockfiles. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  'node_modules .git .hg .svn .venv venv __pycache__ .tox .gradle .m2 bower_components .next .nuxt .cache'.split(' '),
);
const MAX_DEPTH = 40;
const MAX_FILES = 50_000;

export interface FoundFile {
  /** Relative to the folder, with `/`; for a single file its name. */
  path: string;
  absolutePath: string;
  bytes: number;
}

/** The files below a folder, and what was left out. */
export interface FileTree {
  /** The folder that is checked; for a single file, its folder. */
  root: string;
  files: FoundFile[];
  /** Could not be read. */
  unread: UnreadItem[];
  /** Number of files and folders that were left out on purpose, by reason. */
  excluded: Record<string, number>;
}

/**
 * All files below the folder `root`, breadth first by name, or the one file that `root` is. Links are not followed. Throws `CliError`
 * (usage) if the path does not exist.
 */
export function listFiles(root: string, exclusionFor: (folder: string) => ExclusionCheck): FileTree {
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) throw new CliError('usage', `there is no ${root}`);
  if (!stats.isDirectory()) {
    const files = [{ path: basename(root), absolutePath: root, bytes: stats.size }];
    return { root: dirname(root), files, unread: [], excluded: {} };
  }
  const exclusion = exclusionFor(root);
  const tree: FileTree = { root, files: [], unread: [], excluded: {} };
  const countExcluded = (reason: string): void => {
    tree.excluded[reason] = (tree.excluded[reason] ?? 0) + 1;
  };
  const folders = [{ path: '', depth: 0 }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = readFolder(join(root, folder.path));
    if (entries === null) {
      tree.unread.push({ file: folder.path || '.', reason: 'the folder cannot be opened' });
      continue;
    }
    for (const entry of entries) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      const reason = exclusionReason(entry, path, exclusion);
      if (reason !== null) countExcluded(reason);
      else if (entry.isDirectory() && folder.depth >= MAX_DEPTH) {
        tree.unread.push({ file: path, reason: `the folder is more than ${MAX_DEPTH} deep` });
      } else if (entry.isDirectory()) folders.push({ path, depth: folder.depth + 1 });
      else if (entry.isFile() && tree.files.length === MAX_FILES) {
        const reason = `there are more than ${MAX_FILES} files: this and later ones were not read`;
        tree.unread.push({ file: path, reason });
        return tree;
      } else if (entry.isFile()) {
        const absolutePath = join(root, path);
        tree.files.push({ path, absolutePath, bytes: statSync(absolutePath, { throwIfNoEntry: false })?.size ?? 0 });
      }
    }
  }
  return tree;
}

function exclusionReason(entry: Dirent, path: string, exclusion: ExclusionCheck): string | null {
  const isFolder = entry.isDirectory();
  if (isFolder && SKIPPED_FOLDERS.has(entry.name)) return `folder ${entry.name}`;
  if (entry.isSymbolicLink()) return 'links';
  return exclusion(path, isFolder);
}

/** Null for a folder that cannot be read. */
function readFolder(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null;
  }
}

/** Whether a path is a regular file inside `root` (at any depth) and no link on the way leads out of `root`. */
export function isRegularFileInside(root: string, absolute: string): boolean {
  try {
    const stats = lstatSync(absolute);
    return stats.isFile() && realpathSync(absolute).startsWith(realpathSync(root) + sep);
  } catch {
    return false;
  }
}
