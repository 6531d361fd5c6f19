import { displayLine } from '../../analysis/display-text.ts';
import { requireGit, runGit, splitByZero } from './run-git.ts';

const OPTION = '--history';
/** Commits whose changes one call of git lists. */
const COMMITS_IN_BATCH = 500;
/** How much of the files is read by one call of git. */
const BATCH_BYTES = 32 * 1024 * 1024;
/** For one file in the output of `git cat-file --batch`: a hash, a type and a size. */
const MAX_HEADER_BYTES = 128;

/** A version of a file, where it first came into the history. */
export interface FileVersion {
  /** Hash of its content. */
  blob: string;
  /** Relative to the folder, as the commit has it. */
  path: string;
  /** Hash of the commit. */
  commit: string;
  /** Date of the author, `YYYY-MM-DD`, in their time zone. */
  date: string;
}

/** The hashes and dates of all commits that a reference or HEAD reaches, the oldest first; whether the clone lacks older ones. */
export function listCommits(root: string): { commits: { commit: string; date: string }[]; isShallow: boolean } {
  const shallow = requireGit(root, ['rev-parse', '--is-shallow-repository'], OPTION).stdout.toString().trim();
  const hasHead = runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).status === 0;
  const words = ['log', '--all', ...(hasHead ? ['HEAD'] : []), '--reverse', '--topo-order', '--format=%H %as'];
  const { stdout } = requireGit(root, [...words, '--no-show-signature', '--'], OPTION);
  const commits = stdout
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [, commit, date] = /^([\da-f]{40,64}) (\d{4}-\d{2}-\d{2})$/.exec(line) ?? [];
      return commit === undefined ? [] : [{ commit, date: date! }];
    });
  return { commits, isShallow: shallow === 'true' };
}

/** The file versions that each of the commits brought, in batches; what a merge alone brought is among them. Paths outside of the folder are not. */
export function* listFileVersions(
  root: string,
  commits: readonly { commit: string; date: string }[],
): Generator<{ versions: FileVersion[]; commits: number }> {
  const words = [
    'diff-tree',
    '--stdin',
    '-r',
    '--root',
    '-m',
    '--raw',
    '-z',
    '--no-abbrev',
    '--no-renames',
    '--relative',
  ];
  for (let from = 0; from < commits.length; from += COMMITS_IN_BATCH) {
    const batch = commits.slice(from, from + COMMITS_IN_BATCH);
    const input = batch.map(({ commit }) => `${commit}\n`).join('');
    const dates = new Map(batch.map(({ commit, date }) => [commit, date]));
    const { stdout } = requireGit(root, [...words, '--no-ext-diff', '--no-textconv', '--diff-filter=AM'], OPTION, {
      input,
    });
    yield { versions: readRawDiff(stdout, dates), commits: batch.length };
  }
}

/** `<commit>\0:<modes and blobs>\0<path>\0…`; of a merge the commit stands once for each parent. */
function readRawDiff(output: Buffer, dates: ReadonlyMap<string, string>): FileVersion[] {
  const versions: FileVersion[] = [];
  let commit = '';
  const fields = splitByZero(output);
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!;
    const [, mode, blob] = /^:\d{6} (\d{6}) [\da-f]+ ([\da-f]+) [A-Z]$/.exec(field) ?? [];
    if (blob === undefined) {
      commit = field.trim().split(' ', 1)[0]!;
      continue;
    }
    at++;
    if (mode!.startsWith('100')) versions.push({ blob, path: fields[at]!, commit, date: dates.get(commit) ?? '' });
  }
  return versions;
}

/** The sizes of blobs in bytes; those that the clone does not have are missing. */
export function readSizes(root: string, blobs: readonly string[]): Map<string, number> {
  if (blobs.length === 0) return new Map();
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const { stdout } = requireGit(root, ['cat-file', '--batch-check'], OPTION, { input });
  return new Map(
    stdout
      .toString()
      .split('\n')
      .flatMap((line): [string, number][] => {
        const [, blob, size] = /^([\da-f]+) blob (\d+)$/.exec(line) ?? [];
        return blob === undefined ? [] : [[blob, Number(size)]];
      }),
  );
}

/** The contents of blobs whose sizes are known, one after the other. */
export function* readBlobs(
  root: string,
  sizes: ReadonlyMap<string, number>,
): Generator<[blob: string, content: Buffer]> {
  let batch: [string, number][] = [];
  let bytes = 0;
  for (const entry of sizes) {
    if (bytes + entry[1] > BATCH_BYTES && batch.length > 0) {
      yield* readBatch(root, batch, bytes);
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += entry[1];
  }
  if (batch.length > 0) yield* readBatch(root, batch, bytes);
}

function* readBatch(root: string, batch: readonly [string, number][], bytes: number): Generator<[string, Buffer]> {
  const input = batch.map(([blob]) => `${blob}\n`).join('');
  const maxBuffer = bytes + batch.length * MAX_HEADER_BYTES;
  const { stdout } = requireGit(root, ['cat-file', '--batch'], OPTION, { input, maxBuffer });
  let at = 0;
  for (const [blob, size] of batch) {
    const header = stdout.toString('latin1', at, stdout.indexOf('\n', at));
    const start = at + header.length + 1;
    if (header !== `${blob} blob ${size}`) return;
    at = start + size + 1;
    yield [blob, stdout.subarray(start, start + size)];
  }
}

/** As reports name it. */
export function shortCommit(commit: string): string {
  return displayLine(commit.slice(0, 12), 12);
}
