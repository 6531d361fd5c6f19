/**
 * Compares `sextant check` with other tools on the same material: files with and without a secret that are made here, the source of ten well-known packages,
 * and lockfiles of four well-known applications. Prints tables in Markdown, and writes every finding to the folder `--out`, to be judged by hand.
 * What is not installed, or cannot be reached, is named. `--runs`: timed runs of each (default 5). Times are wall and CPU time of the fastest.
 * `SEXTANT_DATA_DIR`: a catalog of all feeds. Needs npm with a registry, tar, and GNU time. See docs/check.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { harmlessFiles, secretFiles, type SeedFile } from './peers/secret-seeds.ts';
import { type Finding, installTools, type Tool, TOOLS } from './peers/tools.ts';

const PACKAGES =
  'express@4.16.0 lodash@4.17.11 axios@0.21.0 jquery@3.4.1 bootstrap@3.3.7 handlebars@4.0.11 moment@2.29.1 mongoose@5.7.4 socket.io@2.4.0 jsonwebtoken@8.5.1'.split(
    ' ',
  );
const APPLICATIONS = 'node-red@2.2.2 verdaccio@5.1.0 react-scripts@4.0.3 sails@1.2.4'.split(' ');

const { values } = parseArgs({
  options: { out: { type: 'string' }, runs: { type: 'string', default: '5' } },
});
const runs = Number(values.runs);
const work = values.out ?? mkdtempSync(join(tmpdir(), 'sextant-peers-'));
mkdirSync(work, { recursive: true });

interface Timed {
  stdout: string;
  stderr: string;
  wallSeconds: number;
  /** Of the program and all that it started. */
  cpuSeconds: number;
}

/** Runs a command, whatever its exit status is. */
function run(words: readonly string[], cwd: string): Timed {
  const times = join(work, 'times');
  const { stdout, stderr } = spawnSync('/usr/bin/time', ['--format=%e %U %S', `--output=${times}`, ...words], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    env: { ...process.env, SEXTANT_SYNC: 'off', XDG_CACHE_HOME: join(work, 'cache') },
  });
  const [wall, user, system] = readFileSync(times, 'utf8').trim().split('\n').at(-1)!.split(' ').map(Number);
  return { stdout, stderr, wallSeconds: wall!, cpuSeconds: user! + system! };
}

/** Wall and CPU time of the fastest run: others differ by what else the machine does. */
function formatTimes(all: readonly Timed[]): string {
  const least = (of: (one: Timed) => number): string => Math.min(...all.map(of)).toFixed(2);
  return `${least(({ wallSeconds }) => wallSeconds)} / ${least(({ cpuSeconds }) => cpuSeconds)} s`;
}

function writeSeeds(folder: string, files: readonly SeedFile[]): void {
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The source of packages as the registry has it, each in its folder. */
function fetchSources(folder: string): void {
  for (const name of PACKAGES) {
    const target = join(folder, name.replace('@', '-'));
    if (existsSync(target)) continue;
    mkdirSync(target, { recursive: true });
    const packed = execFileSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', packed, '-C', target, '--strip-components=1'], { cwd: folder });
    rmSync(join(folder, packed));
  }
}

/** The lockfile that npm makes today for an application of a given version. */
function makeLockfiles(folder: string): void {
  for (const name of APPLICATIONS) {
    const target = join(folder, name.replace('@', '-'));
    if (existsSync(join(target, 'package-lock.json'))) continue;
    mkdirSync(target, { recursive: true });
    const [, id, version] = /^(.+)@(.+)$/.exec(name)!;
    writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, dependencies: { [id!]: version } }));
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'], {
      cwd: target,
      stdio: 'ignore',
    });
  }
}

interface Measured {
  tool: Tool;
  version: string;
  times: string;
  findings: readonly Finding[];
}

/** Runs a tool on a folder; null, with a line on stderr, where it cannot run. */
function measure(tool: Tool, folder: string, name: string): Measured | null {
  const version = tool.version(work);
  if (version === null) {
    process.stderr.write(`${tool.name}: not installed here\n`);
    return null;
  }
  const words = tool.command(work, folder);
  const first = run(words, folder);
  const findings = tool.read(first, folder);
  if (findings === null) {
    process.stderr.write(`${tool.name} on ${name}: ${(first.stderr || first.stdout).trim().split('\n').at(0)}\n`);
    return null;
  }
  const times = formatTimes(Array.from({ length: runs }, () => run(words, folder)));
  const lines = findings.map(({ file, line, what }) => `${file}:${line ?? ''}\t${what}\n`);
  writeFileSync(join(work, `${tool.id}-${name}.tsv`), lines.join(''));
  return { tool, version, times, findings };
}

const seeds = join(work, 'seeds');
rmSync(seeds, { recursive: true, force: true });
const secrets = secretFiles();
const harmless = harmlessFiles();
writeSeeds(join(seeds, 'one'), secrets);
writeSeeds(join(seeds, 'two'), harmless);
const sources = join(work, 'sources');
mkdirSync(sources, { recursive: true });
fetchSources(sources);
const lockfiles = join(work, 'lockfiles');
makeLockfiles(lockfiles);
await installTools(work);

/** A table in Markdown. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

const secretRows = TOOLS.filter(({ looksFor }) => looksFor === 'secrets').flatMap((tool) => {
  const onSeeds = measure(tool, seeds, 'seeds');
  const onSources = measure(tool, sources, 'sources');
  if (onSeeds === null || onSources === null) return [];
  const found = new Set(onSeeds.findings.map(({ file }) => file));
  const missed = secrets.filter(({ name }) => !found.has(`one/${name}`)).map(({ name }) => name);
  const wrong = harmless.filter(({ name }) => found.has(`two/${name}`)).map(({ name }) => name);
  process.stderr.write(`${tool.name} missed: ${missed.join(', ') || 'none'}; wrong: ${wrong.join(', ') || 'none'}\n`);
  return [
    [
      `${tool.name} ${onSeeds.version}`,
      `${secrets.length - missed.length} of ${secrets.length}`,
      `${wrong.length} of ${harmless.length}`,
      String(onSources.findings.length),
      onSeeds.times,
      onSources.times,
    ],
  ];
});
const secretTitles = [
  'tool',
  'secrets found',
  'harmless files reported',
  'findings in the packages',
  'time, seeds',
  'time, packages',
];
process.stdout.write(`${table(secretTitles, secretRows)}\n`);

const packageRows = TOOLS.filter(({ looksFor }) => looksFor === 'packages').flatMap((tool) =>
  readdirSync(lockfiles)
    .toSorted()
    .flatMap((name) => {
      const measured = measure(tool, join(lockfiles, name), name);
      if (measured === null) return [];
      const packages = new Set(measured.findings.map(({ what }) => what.split(' ')[0]));
      const { version, findings, times } = measured;
      return [[`${tool.name} ${version}`, name, `${findings.length}`, `${packages.size}`, times]];
    }),
);
process.stdout.write(`${table(['tool', 'application', 'findings', 'packages', 'time'], packageRows)}\n`);

const libraryRows = TOOLS.filter(({ looksFor }) => looksFor === 'libraries').flatMap((tool) => {
  const measured = measure(tool, sources, 'libraries');
  return measured === null ? [] : [[`${tool.name} ${measured.version}`, `${measured.findings.length}`, measured.times]];
});
if (libraryRows.length > 0) process.stdout.write(`${table(['tool', 'libraries found', 'time'], libraryRows)}\n`);
process.stderr.write(`every finding: ${relative(process.cwd(), work) || '.'}/*.tsv\n`);
