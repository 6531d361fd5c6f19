import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ReportedPlace } from './judge-findings.ts';
import type { SecretCase } from './secret-case.ts';

const VERSION = '13.0.6';
const PACKAGES = [`secretlint@${VERSION}`, '@secretlint/secretlint-rule-preset-recommend@13.0.7'];
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
export const SECRETLINT = `secretlint ${VERSION}, recommended preset`;

/** Installs secretlint from npm into a folder, once. Throws where npm cannot. */
export function installSecretlint(peers: string): string {
  const folder = join(peers, 'secretlint');
  const program = join(folder, 'node_modules/.bin/secretlint');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, ...PACKAGES], {
    timeout: 300_000,
  });
  return program;
}

/** What it reports in each case, in their order, and the seconds of the one run over all of them. */
export function runSecretlint(
  program: string,
  cases: readonly SecretCase[],
): { reported: ReportedPlace[][]; seconds: number } {
  const folder = mkdtempSync(join(tmpdir(), 'secretlint-'));
  try {
    cases.forEach(({ path, text }, index) => {
      const file = join(folder, String(index), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    });
    writeFileSync(
      join(folder, '.secretlintrc.json'),
      JSON.stringify({ rules: [{ id: '@secretlint/secretlint-rule-preset-recommend' }] }),
    );
    const config = ['--secretlintrc', join(folder, '.secretlintrc.json'), '--secretlintignore', join(folder, 'none')];
    const started = performance.now();
    const { stdout } = spawnSync(
      program,
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
