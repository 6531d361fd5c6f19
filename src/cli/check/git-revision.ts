import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { displayLine } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import { CliError } from '../../exit-codes.ts';
import { MAX_FILES, SKIPPED_FOLDERS } from './list-files.ts';
import { requireGit, runGit, splitByZero } from './run-git.ts';
import { MAX_DOCUMENT_BYTES } from './text-file.ts';

const MAX_NAME_LENGTH = 200;
const MAX_TOTAL_BYTES = 1024 ** 3;
/** How much of the files is read by one call of git. */
const BATCH_BYTES = 32 * 1024 * 1024;
/** For one file in the output of `git cat-file --batch`: a hash, a type and a size. */
const MAX_HEADER_BYTES = 128;
/** Pairs of files that git compares to find what was renamed: a bound for its time. */
const RENAME_LIMIT = 2000;

/** The files of a commit, in a temporary folder. */
export interface RevisionFiles {
  folder: string;
  /** Hash of the commit. */
  commit: string;
  /** Files that have another path now: the old path, and the new one. */
  renames: ReadonlyMap<string, string>;
  /** What limits the comparison. */
  notes: string[];
}

interface Entry {
  mode: string;
  id: string;
  bytes: number;
  path: string;
}

/**
 * Writes the files that the folder `root` has in a git revision into a temporary folder, calls `work`, and removes them. Nothing is checked out, and
 * no filter or attribute of the repository is applied; files of submodules are not among them. Throws `CliError` (usage) where there is no such
 * revision, or git cannot read it.
 */
export async function withRevisionFiles<T>(
  root: string,
  revision: string,
  work: (files: RevisionFiles) => Promise<T>,
): Promise<T> {
  const option = `--new-since ${displayLine(revision, MAX_NAME_LENGTH)}`;
  const commit = resolveCommit(root, revision, option);
  const entries = listEntries(root, commit, option);
  const folder = mkdtempSync(join(tmpdir(), 'sextant-revision-'));
  try {
    const files = entries.filter(isChecked);
    writeFiles(root, folder, files, option);
    return await work({ folder, commit, renames: findRenames(root, commit), notes: notesOf(entries, revision) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `option`: how errors name the option. */
function resolveCommit(root: string, revision: string, option: string): string {
  const repository = runGit(root, ['rev-parse', '--is-shallow-repository']);
  if (repository.status !== 0)
    throw new CliError('usage', `${option}: there is no report of this name, and git says: ${repository.problem}`);
  const { status, stdout } = runGit(root, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ]);
  if (status === 0) return stdout.toString().trim();
  const isShallow = repository.stdout.toString().trim() === 'true';
  throw new CliError(
    'usage',
    isShallow
      ? `${option}: there is no report of this name, and no such revision in this shallow clone: fetch it first (git fetch --unshallow; fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab)`
      : `${option}: there is no report and no git revision of this name`,
  );
}

function listEntries(root: string, commit: string, option: string): Entry[] {
  const { stdout } = requireGit(root, ['ls-tree', '-r', '-z', '--long', commit], option);
  return splitByZero(stdout).flatMap((line) => {
    const [, mode, id, size, path] = /^(\d+) \w+ ([\da-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [{ mode: mode!, id: id!, bytes: size === '-' ? 0 : Number(size), path }];
  });
}

/** Whether it is a file that `sextant check` reads. Paths of a hostile repository may lead anywhere. */
function isChecked({ mode, bytes, path }: Entry): boolean {
  const parts = path.split('/');
  return (
    mode.startsWith('100') &&
    bytes <= MAX_DOCUMENT_BYTES &&
    !parts.slice(0, -1).some((part) => SKIPPED_FOLDERS.has(part)) &&
    !parts.some(
      (part) => part === '' || part === '.' || part === '..' || (process.platform === 'win32' && /[\\:]/.test(part)),
    )
  );
}

function writeFiles(root: string, folder: string, files: readonly Entry[], option: string): void {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (files.length > MAX_FILES || total > MAX_TOTAL_BYTES)
    throw new CliError(
      'usage',
      `${option}: there are more than ${MAX_FILES} files or ${MAX_TOTAL_BYTES / 1024 ** 3} GiB in it: compare with a report (--json)`,
    );
  const folders = new Set<string>();
  for (const batch of batchesOf(files)) {
    const input = batch.map(({ id }) => `${id}\n`).join('');
    const bytes = batch.reduce((sum, one) => sum + one.bytes + MAX_HEADER_BYTES, 0);
    const { stdout } = requireGit(root, ['cat-file', '--batch'], option, { input, maxBuffer: bytes });
    let at = 0;
    for (const { path, bytes: size, id } of batch) {
      const header = stdout.toString('latin1', at, stdout.indexOf('\n', at));
      // In a partial clone some files are missing.
      if (header !== `${id} blob ${size}`)
        throw new CliError(
          'usage',
          `${option}: this clone does not have all files of that revision: fetch them first (git fetch --refetch --filter=blob:limit=64m)`,
        );
      const start = at + header.length + 1;
      at = start + size + 1;
      const target = join(folder, path);
      if (!folders.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
      folders.add(dirname(target));
      writeFileSync(target, stdout.subarray(start, start + size), { mode: 0o600 });
    }
  }
}

function batchesOf(files: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    if (bytes + file.bytes > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(file);
    bytes += file.bytes;
  }
  return batches;
}

/** Files that git takes for renamed between the commit and the working tree, as far as they are in the index; none where it cannot tell. */
function findRenames(root: string, commit: string): Map<string, string> {
  const words = ['--no-ext-diff', '--no-textconv', '--name-status', '--relative', '-z', '-M', `-l${RENAME_LIMIT}`];
  const { status, stdout } = runGit(root, ['diff', ...words, '--diff-filter=R', commit, '--', '.']);
  const fields = status === 0 ? splitByZero(stdout) : [];
  const renames = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) renames.set(fields[at + 1]!, fields[at + 2]!);
  return renames;
}

function notesOf(entries: readonly Entry[], revision: string): string[] {
  const submodules = entries.filter(({ mode }) => mode === '160000').length;
  const name = displayLine(revision, MAX_NAME_LENGTH);
  return [
    ...(entries.length === 0 ? [`${name} does not have this folder: every finding counts`] : []),
    ...(submodules === 0
      ? []
      : [`files of ${formatCount(submodules, 'submodule')} were not compared with ${name}: their findings count`]),
  ];
}
