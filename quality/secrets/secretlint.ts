import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installNpmPeer, type NpmPeer } from '../npm-peer.ts';
import type { ReportedPlace } from './judge-findings.ts';
import type { SecretCase } from './secret-case.ts';

const VERSION = '13.0.6';
const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/** secretlint with its recommended preset; null: it cannot be had here. */
export function installSecretlint(folder: string | null): NpmPeer | null {
  return installNpmPeer(folder, 'secretlint', VERSION, [`${PRESET}@13.0.7`]);
}

/** What it reports in each case, in their order, and the seconds of the one run over all of them. */
export function runSecretlint(
  { folder: installed }: NpmPeer,
  cases: readonly SecretCase[],
): { reported: ReportedPlace[][]; seconds: number } {
  const folder = mkdtempSync(join(tmpdir(), 'secretlint-'));
  try {
    cases.forEach(({ path, text }, index) => {
      const file = join(folder, String(index), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    });
    writeFileSync(join(folder, '.secretlintrc.json'), JSON.stringify({ rules: [{ id: PRESET }] }));
    const config = ['--secretlintrc', join(folder, '.secretlintrc.json'), '--secretlintignore', join(folder, 'none')];
    const started = performance.now();
    const { stdout } = spawnSync(
      join(installed, '../.bin/secretlint'),
      [...config, '--format', 'json', '--no-color', '--no-gitignore', '**/*', '**/.*', '**/.*/**'],
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: MAX_OUTPUT_BYTES,
      },
    );
    const seconds = (performance.now() - started) / 1000;
    return { reported: readReport(stdout, folder, cases), seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface SecretlintFile {
  filePath: string;
  messages: { range: [number, number]; loc: { start: { line: number } } }[];
}

function readReport(stdout: string, folder: string, cases: readonly SecretCase[]): ReportedPlace[][] {
  const reported: ReportedPlace[][] = cases.map(() => []);
  for (const { filePath, messages } of JSON.parse(stdout) as SecretlintFile[]) {
    const index = Number(filePath.slice(folder.length + 1).split('/', 1)[0]);
    for (const { range, loc } of messages)
      reported[index]?.push({ line: loc.start.line, start: range[0], end: range[1] });
  }
  return reported;
}
