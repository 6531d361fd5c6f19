import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TIMEOUT_MS = 60_000;

/** Runs a file of this folder in a process of its own; what it printed. Throws when it fails. */
export async function runChild(file: string, words: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...words], { timeout: TIMEOUT_MS });
  return stdout.trim();
}
