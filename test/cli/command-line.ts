import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM_FOLDER } from '../support/built-program.ts';

/** The program, as it is installed. */
export const PROGRAM = join(PROGRAM_FOLDER, 'bin/sextant.js');

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

const root = mkdtempSync(join(tmpdir(), 'sextant-cli-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

/** A folder that is gone when the tests of this file have run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(root, 'folder-'));
}

/** Starts the real command line with these settings and no others. `through`: a command that runs it, such as `unshare -m`. */
export function start(
  words: readonly string[],
  settings: Record<string, string>,
  ipc = false,
  through: readonly string[] = [],
): ChildProcess {
  const others = Object.entries(process.env).filter(([name]) => !/^SEXTANT_|^NODE_TEST|COLOR/.test(name));
  const [program = '', ...args] = [...through, process.execPath, PROGRAM, ...words];
  return spawn(program, args, {
    // Not the cache of who runs the tests.
    env: { ...Object.fromEntries(others), XDG_CACHE_HOME: join(root, 'cache'), ...settings },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (written.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (written.stderr += text));
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...written })));
}

/** Runs a command to its end. */
export function sextant(words: readonly string[], settings: Record<string, string>): Promise<Ended> {
  return ended(start(words, settings));
}

/** A folder of feeds that holds a known-exploited catalog of these CVEs and nothing else. */
export function kevFeedFolder(cveIds: readonly string[], short = 'A made-up flaw.'): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'kev'));
  const vulnerabilities = cveIds.map((cveID) => ({
    cveID,
    vendorProject: 'Example',
    product: 'Widget',
    vulnerabilityName: 'Example Widget Flaw',
    dateAdded: '2024-01-02',
    shortDescription: short,
    requiredAction: 'Apply the update.',
    dueDate: '2024-01-23',
    knownRansomwareCampaignUse: 'Unknown',
    notes: '',
    cwes: ['CWE-79'],
  }));
  const catalog = {
    title: 'Known exploited',
    catalogVersion: '2024.01.02',
    dateReleased: '2024-01-02T10:00:00.0000Z',
    count: vulnerabilities.length,
    vulnerabilities,
  };
  writeFileSync(join(folder, 'kev', 'known_exploited_vulnerabilities.json'), JSON.stringify(catalog));
  return folder;
}
