import { createHash, hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { CodeFinding, RankedFindings } from '../../analysis/finding.ts';
import { SEVERITIES } from '../../analysis/severity.ts';
import { writeFileAtomically } from '../../catalog/atomic-write.ts';
import { IS_BUILT, packageFileUrl } from '../../program-files.ts';
import { VERSION } from '../../version.ts';

/** What a check found in a text. Secrets are masked in it. */
export interface CodeCheckResult extends RankedFindings<CodeFinding> {
  gaps: readonly string[];
}

/** Results of an earlier run for the same texts. */
export interface ResultCache {
  find(key: string): CodeCheckResult | null;
  record(key: string, result: CodeCheckResult): void;
  /** Keeps what this run found or recorded. Does nothing where that cannot be written. */
  save(): void;
}

const MAX_CACHE_BYTES = 32 * 1024 * 1024;
/** One for each tree that is checked. */
const MAX_CACHE_FILES = 20;
const CACHE_FILE = /^check-[\da-f]{32}\.json$/;

const Count = z.number().int();
const Result = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      severity: z.enum(SEVERITIES),
      description: z.string(),
      remediation: z.string(),
      evidence: z.string(),
      line: Count,
      column: Count,
      length: Count.exactOptional(),
    }),
  ),
  total: Count,
  by_severity: z.object({ CRITICAL: Count, HIGH: Count, MEDIUM: Count, LOW: Count }),
  gaps: z.array(z.string()),
});
/** 0 stands for a result without findings and gaps, as most are. */
const CacheFile = z.object({ program: z.string(), results: z.record(z.string(), z.union([z.literal(0), Result])) });
type Stored = z.output<typeof CacheFile>['results'][string];

/** The name of a text in the keys of its results. */
export function textHash(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The key of a result: the same check of the same text, with the same options. */
export function resultKey(options: readonly (string | boolean)[], hashOfText: string): string {
  return `${hashOfText} ${options.join(' ')}`;
}

/**
 * The results of earlier checks of the tree `root`, in a file of `folder`. A file that is damaged or was written by another program is ignored.
 * Two runs may write at once: the last one stays.
 */
export function openResultCache(folder: string, root: string): ResultCache {
  const path = join(folder, `check-${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
  const program = programIdentity();
  const stored = loadResults(path, program);
  const current: Record<string, Stored> = {};
  return {
    find(key) {
      const result = Object.hasOwn(stored, key) ? stored[key]! : null;
      if (result !== null) current[key] = result;
      return result === 0 ? emptyResult() : result;
    },
    record(key, result) {
      const isEmpty = result.total === 0 && result.gaps.length === 0;
      current[key] = isEmpty ? 0 : { ...result, gaps: [...result.gaps] };
    },
    save() {
      const text = JSON.stringify({ program, results: current } satisfies z.input<typeof CacheFile>);
      if (text.length > MAX_CACHE_BYTES) return;
      try {
        // Of the user alone: it tells which files have findings.
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeOldest(folder, path);
        writeFileAtomically(path, text);
      } catch {
        // A run without a cache is only slower.
      }
    },
  };
}

function emptyResult(): CodeCheckResult {
  return { findings: [], total: 0, by_severity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }, gaps: [] };
}

function loadResults(path: string, program: string): Readonly<Record<string, Stored>> {
  try {
    if (statSync(path).size > MAX_CACHE_BYTES) return {};
    const file = CacheFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    return file.program === program ? file.results : {};
  } catch {
    return {};
  }
}

function removeOldest(folder: string, own: string): void {
  const others = readdirSync(folder)
    .filter((name) => CACHE_FILE.test(name))
    .map((name) => join(folder, name))
    .filter((path) => path !== own)
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  for (const { path } of others.slice(MAX_CACHE_FILES - 1)) rmSync(path, { force: true });
}

/** Changes with the rules: the version, and the sizes and times of the files of this program. */
function programIdentity(): string {
  const folder = fileURLToPath(packageFileUrl(IS_BUILT ? 'dist' : 'src'));
  const hash = createHash('sha256').update(VERSION);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`\n${name} ${size} ${mtimeMs}`);
  }
  return hash.digest('base64url');
}
