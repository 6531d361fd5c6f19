import { spawnSync } from 'node:child_process';
import { displayLine } from '../../analysis/display-text.ts';
import { childEnvironment } from '../../config.ts';
import { CliError } from '../../exit-codes.ts';

const GIT_TIMEOUT_MS = 120_000;
const MAX_LIST_BYTES = 256 * 1024 * 1024;

export interface GitResult {
  status: number | null;
  stdout: Buffer;
  /** What git says of it, as one line. */
  problem: string;
}

export interface GitOptions {
  input?: string;
  maxBuffer?: number;
}

/** The output of git; throws `CliError` (usage) in the name of `option` where git refuses. */
export function requireGit(
  root: string,
  words: readonly string[],
  option: string,
  options: GitOptions = {},
): GitResult {
  const result = runGit(root, words, options);
  if (result.status === 0) return result;
  throw new CliError('usage', `${option}: git says: ${result.problem}`);
}

/** Runs git in the folder `root`: without hooks, locks, questions, and fetches of what a partial clone lacks. */
export function runGit(
  root: string,
  words: readonly string[],
  { input, maxBuffer = MAX_LIST_BYTES }: GitOptions = {},
): GitResult {
  const { status, stdout, stderr, error } = spawnSync('git', ['-c', 'core.fsmonitor=false', ...words], {
    cwd: root,
    env: childEnvironment({
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
    }),
    maxBuffer,
    timeout: GIT_TIMEOUT_MS,
    windowsHide: true,
    ...(input !== undefined && { input }),
  });
  if (error !== undefined) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return {
      status: null,
      stdout: Buffer.alloc(0),
      problem: isMissing ? 'nothing: it is not installed' : error.message,
    };
  }
  const [firstLine = ''] = stderr.toString().split('\n');
  return { status, stdout, problem: displayLine(firstLine.replace(/^(?:fatal|error): /, ''), 300) || 'nothing' };
}

/** The parts of output that ends each with a zero byte. */
export function splitByZero(bytes: Buffer): string[] {
  return bytes
    .toString()
    .split('\0')
    .filter((part) => part !== '');
}
