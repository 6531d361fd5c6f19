import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { displayLine } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import { CliError } from '../../exit-codes.ts';
import { presentCodeFinding } from '../../operations/code/lib/code-check-fields.ts';
import type { UnreadItem } from '../../operations/code/lib/report/problem.ts';
import { runTask } from '../../threads/run-task.ts';
import type { ExclusionCheck } from './exclusion-check.ts';
import { type FileVersion, listCommits, listFileVersions, readBlobs, readSizes, shortCommit } from './git-history.ts';
import { SKIPPED_FOLDERS } from './list-files.ts';
import { type ResultCache, resultKey } from './result-cache.ts';
import { decodeText, MAX_CODE_FILE_BYTES } from './text-file.ts';

const MAX_BYTES = 2 * 1024 ** 3;
const MAX_MS = 600_000;

/** A secret in an earlier version of a file, with the commit that brought it. */
export interface HistoryFinding extends ReturnType<typeof presentCodeFinding> {
  check: 'secrets';
  /** As the commit has it. */
  file: string;
  commit: string;
  /** Date of the author, `YYYY-MM-DD`. */
  author_date: string;
}

export interface HistoryOptions {
  exclusion: ExclusionCheck;
  cache: ResultCache | undefined;
  /** Of the secrets that are in the tree now, as `secretIdentity` has them: they are reported there. */
  present: ReadonlySet<string>;
  /** Bounds of one run: bytes of content that no earlier run has read, and milliseconds. */
  maxBytes?: number;
  maxMs?: number;
  /** Milliseconds of a clock that does not go back. */
  clock?: () => number;
}

export interface HistoryReport {
  findings: HistoryFinding[];
  unread: UnreadItem[];
  notes: string[];
}

interface SecretPlace {
  rule: string;
  line: number;
  column: number;
  length: number | null;
}

/** What makes two findings the same secret: the rule and the text. */
export function secretIdentity(text: string, { rule, line, column, length }: SecretPlace): string {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  const secret = text.slice(start + column - 1, start + column - 1 + (length ?? 0));
  return `${rule} ${createHash('sha256').update(secret).digest('base64url')}`;
}

/**
 * Finds secrets in all versions of the files below `root` that commits have, each content once, the oldest commit first; those that are in the tree
 * now are left out. Results are kept in the cache, so that the next run goes on where this one stopped. Throws `CliError` (usage) where git cannot
 * read the history.
 */
export async function checkHistory(
  root: string,
  { exclusion, cache, present, maxBytes = MAX_BYTES, maxMs = MAX_MS, clock = () => performance.now() }: HistoryOptions,
): Promise<HistoryReport> {
  const { commits, isShallow } = listCommits(root);
  if (commits.length === 0) throw new CliError('usage', '--history: there is no commit in this repository');
  const deadline = clock() + maxMs;
  const seenBlobs = new Set<string>();
  const seenSecrets = new Set(present);
  const report: HistoryReport = { findings: [], unread: [], notes: [] };
  const tooLarge = new Set<string>();
  let [bytes, read, leftOut, missing] = [0, 0, 0, 0];
  for (const batch of listFileVersions(root, commits)) {
    const versions = batch.versions.filter(({ blob, path }) => {
      if (seenBlobs.has(blob) || !isChecked(path, exclusion)) return false;
      seenBlobs.add(blob);
      return true;
    });
    const known = new Map(versions.map((version) => [version.blob, version]));
    const sizes = readSizes(root, [...known.keys()]);
    const wanted = new Map<string, number>();
    for (const { blob, path } of versions) {
      const size = sizes.get(blob);
      if (size === undefined) missing++;
      else if (size > MAX_CODE_FILE_BYTES) tooLarge.add(path);
      else if (size > 0 && cache?.find(keyOf(known.get(blob)!))?.total !== 0) {
        if (bytes + size > maxBytes || clock() > deadline) leftOut++;
        else {
          bytes += size;
          wanted.set(blob, size);
        }
      }
    }
    for (const [blob, content] of readBlobs(root, wanted)) {
      if (clock() > deadline) {
        leftOut++;
        continue;
      }
      read++;
      await checkVersion(known.get(blob)!, content, { cache, seenSecrets, report });
    }
  }
  const where = displayLine(root, 200);
  if (missing > 0)
    report.unread.push({
      file: '.git',
      reason: `${formatCount(missing, 'version')} of files are not in this partial clone`,
    });
  if (isShallow) report.unread.push({ file: '.git', reason: 'the clone is shallow: older commits are not in it' });
  for (const path of tooLarge)
    report.unread.push({
      file: path,
      reason: `a version in the history is larger than ${MAX_CODE_FILE_BYTES / 1024} KiB`,
    });
  if (leftOut > 0)
    report.unread.push({
      file: '.git',
      reason: `${formatCount(leftOut, 'version')} of files in the history were not read for lack of time: the next run goes on from there`,
    });
  const files = formatCount(seenBlobs.size, 'version');
  report.notes.push(
    `the history of ${where} has ${formatCount(commits.length, 'commit')} and ${files} of files; ${read} were read now`,
  );
  return report;
}

function isChecked(path: string, exclusion: ExclusionCheck): boolean {
  const parts = path.split('/');
  if (parts.slice(0, -1).some((part) => SKIPPED_FOLDERS.has(part))) return false;
  return parts.every((_, index) => exclusion(parts.slice(0, index + 1).join('/'), index < parts.length - 1) === null);
}

function keyOf({ blob, path }: FileVersion): string {
  return resultKey(['history', path], blob);
}

async function checkVersion(
  version: FileVersion,
  content: Buffer,
  { cache, seenSecrets, report }: { cache: ResultCache | undefined; seenSecrets: Set<string>; report: HistoryReport },
): Promise<void> {
  const { path, commit, date } = version;
  const code = decodeText(content);
  const language = extname(path).slice(1).toLowerCase();
  const result =
    code === null
      ? { findings: [], total: 0, by_severity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 } }
      : await runTask('secrets', { code, language, path }, { inputSize: code.length }).catch(() => null);
  if (result === null) {
    report.unread.push({
      file: path,
      reason: `its version of commit ${shortCommit(commit)} took too much time or memory`,
    });
    return;
  }
  cache?.record(keyOf(version), { ...result, gaps: [] });
  if (result.total > result.findings.length)
    report.unread.push({
      file: path,
      reason: `${result.total} secrets in commit ${shortCommit(commit)}: the worst ${result.findings.length} are listed`,
    });
  for (const finding of result.findings) {
    const identity = secretIdentity(code!, { ...finding, rule: finding.id, length: finding.length ?? null });
    if (seenSecrets.has(identity)) continue;
    seenSecrets.add(identity);
    const presented = presentCodeFinding(finding);
    report.findings.push({
      check: 'secrets',
      file: path,
      ...presented,
      description: `${presented.description} In commit ${shortCommit(commit)} of ${date}; no longer in the tree.`,
      commit,
      author_date: date,
    });
  }
}
