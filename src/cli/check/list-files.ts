import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliError } from '../../exit-codes.ts';
import type { ExclusionCheck } from './exclusion-check.ts';
import type { UnreadItem } from '../../operations/code/lib/report/problem.ts';

/** Third-party code and tool output; third-party packages are checked by their lockfiles. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  'node_modules .git .hg .svn .venv venv __pycache__ .tox .gradle .m2 bower_components .next .nuxt .cache'.split(' '),
);
const MAX_DEPTH = 40;
export const MAX_FILES = 50_000;

export interface FoundFile {
  /** Relative to the root, with `/`. */
  path: string;
  absolutePath: string;
  bytes: number;
  /** True for a file that was given by its name. */
  isGiven?: boolean;
}

/** The files below a folder, and what was left out. */
export interface FileTree {
  /** The folder that paths are relative to. */
  root: string;
  /** Whether all of that folder is checked. */
  isWhole: boolean;
  /** The paths that were given, relative to the root; '' for the root itself. */
  given: string[];
  files: FoundFile[];
  /** Could not be read. */
  unread: UnreadItem[];
  /** Number of files and folders that were left out on purpose, by reason. */
  excluded: Record<string, number>;
}

/**
 * The given files, and all files below the given folders, breadth first by name. Links below a folder are not followed. A folder by itself is the
 * root that paths are relative to, and that has the settings of the project; else it is `workingFolder`, or the folder of the one file that is not
 * inside it. Throws `CliError` (usage) for a path that does not exist, and for one of several that is not inside `workingFolder`.
 */
export function listFiles(
  paths: readonly string[],
  workingFolder: string,
  exclusionFor: (folder: string) => ExclusionCheck,
): FileTree {
  const given = [...new Set(paths.map((path) => resolve(workingFolder, path)))].map((absolutePath) => {
    const stats = statSync(absolutePath, { throwIfNoEntry: false });
    if (stats === undefined) throw new CliError('usage', `there is no ${absolutePath}`);
    return { absolutePath, bytes: stats.size, isFolder: stats.isDirectory() };
  });
  const root = rootOf(given, workingFolder);
  const exclusion = exclusionFor(root);
  const tree: FileTree = {
    root,
    isWhole: given.some(({ absolutePath }) => absolutePath === root),
    given: given.map(({ absolutePath }) => relative(root, absolutePath).replaceAll(sep, '/')),
    files: [],
    unread: [],
    excluded: {},
  };
  const countExcluded = (reason: string): void => {
    tree.excluded[reason] = (tree.excluded[reason] ?? 0) + 1;
  };
  const folders: { path: string; depth: number }[] = [];
  for (const { absolutePath, bytes, isFolder } of given) {
    const path = relative(root, absolutePath).replaceAll(sep, '/');
    const reason = path === '' ? null : givenExclusionReason(path, isFolder, exclusion);
    if (reason !== null) countExcluded(reason);
    else if (isFolder) folders.push({ path, depth: 0 });
    else tree.files.push({ path, absolutePath, bytes, isGiven: true });
  }
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

function rootOf(given: readonly { absolutePath: string; isFolder: boolean }[], workingFolder: string): string {
  const [only, ...others] = given;
  if (only !== undefined && others.length === 0 && only.isFolder) return only.absolutePath;
  const outside = given.find(({ absolutePath }) => !isInside(workingFolder, absolutePath));
  if (outside === undefined) return workingFolder;
  if (others.length > 0)
    throw new CliError(
      'usage',
      `${outside.absolutePath} is not below ${workingFolder}: run the command in a folder that has all the paths`,
    );
  return dirname(outside.absolutePath);
}

function isInside(folder: string, absolutePath: string): boolean {
  const path = relative(folder, absolutePath);
  return path.split(sep)[0] !== '..' && !isAbsolute(path);
}

/** Why a path that was given is left out: a pattern matches it, or a folder that it is in. */
function givenExclusionReason(path: string, isFolder: boolean, exclusion: ExclusionCheck): string | null {
  const parts = path.split('/');
  const reasons = parts.map((_, index) =>
    exclusion(parts.slice(0, index + 1).join('/'), isFolder || index < parts.length - 1),
  );
  return reasons.find((reason) => reason !== null) ?? null;
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
