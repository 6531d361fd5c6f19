import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writePackage } from '../../scripts/package/write-package.ts';
import { VERSION } from '../../src/version.ts';

export interface Finding {
  /** Relative to the folder that was looked at. */
  file: string;
  line: number | null;
  what: string;
}

interface Output {
  stdout: string;
  stderr: string;
}

export interface Tool {
  id: string;
  name: string;
  looksFor: 'secrets' | 'packages' | 'libraries';
  /** Null: it is not installed. */
  version: (work: string) => string | null;
  command: (work: string, folder: string) => string[];
  /** Null: it did not work. */
  read: (output: Output, folder: string) => Finding[] | null;
}

/** Tools of npm, in versions that were compared. They are installed into the folder of the comparison, and are no dependencies of ours. */
const NPM_PEERS = ['secretlint@13.0.6', '@secretlint/secretlint-rule-preset-recommend@13.0.7', 'retire@5.7.0'];

/** Installs the peers that npm has, and makes our own package, in the folder of the comparison. */
export async function installTools(work: string): Promise<void> {
  await writePackage(join(work, 'package'), null);
  const tools = join(work, 'tools');
  if (!existsSync(join(tools, 'node_modules'))) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'package.json'), '{"private":true}');
    const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...NPM_PEERS];
    execFileSync('npm', words, { cwd: tools, stdio: 'ignore' });
  }
  writeFileSync(
    join(work, 'secretlintrc.json'),
    JSON.stringify({ rules: [{ id: '@secretlint/secretlint-rule-preset-recommend' }] }),
  );
  spawnSync('git', ['secrets', '--register-aws', '--global'], { env: gitEnvironment(work) });
}

function gitEnvironment(work: string): NodeJS.ProcessEnv {
  return { ...process.env, GIT_CONFIG_GLOBAL: join(work, 'gitconfig') };
}

function sextantCommand(work: string, folder: string, checks: string, ...words: string[]): string[] {
  const program = join(work, 'package/bin/sextant.js');
  return [process.execPath, program, 'check', folder, '--only', checks, '--json', ...words];
}

function readSextant({ stdout }: Output): Finding[] | null {
  const report = parseJson(stdout) as {
    code: { findings: { file: string; line: number; type: string; match: string }[] } | null;
    dependencies: { findings: { file: string; package: string; version: string; cve_id: string | null }[] } | null;
  } | null;
  if (report === null) return null;
  return [
    ...(report.code?.findings ?? []).map(({ file, line, type, match }) => ({ file, line, what: `${type} ${match}` })),
    ...(report.dependencies?.findings ?? []).map((one) => ({
      file: one.file,
      line: null,
      what: `${one.package}@${one.version} ${one.cve_id ?? ''}`,
    })),
  ];
}

function readSecretlint({ stdout }: Output, folder: string): Finding[] | null {
  const files = parseJson(stdout) as
    | { filePath: string; messages: { ruleId: string; message: string; loc: { start: { line: number } } }[] }[]
    | null;
  return (
    files?.flatMap(({ filePath, messages }) =>
      messages.map(({ message, loc }) => ({
        file: relative(folder, filePath),
        line: loc.start.line,
        what: message.replaceAll(/\s+/g, ' '),
      })),
    ) ?? null
  );
}

/** `path:line:text` */
function readGitSecrets({ stdout, stderr }: Output): Finding[] {
  return `${stdout}\n${stderr}`.split('\n').flatMap((text) => {
    const [, file, line, what] = /^([^:\s]+):(\d+):(.*)$/.exec(text) ?? [];
    return file === undefined ? [] : [{ file, line: Number(line), what: what!.slice(0, 200) }];
  });
}

function readNpmAudit({ stdout }: Output): Finding[] | null {
  const report = parseJson(stdout) as { vulnerabilities?: Record<string, { range: string }> } | null;
  if (report?.vulnerabilities === undefined) return null;
  return Object.entries(report.vulnerabilities).map(([name, { range }]) => ({
    file: 'package-lock.json',
    line: null,
    what: `${name} ${range}`,
  }));
}

function readRetire({ stdout }: Output, folder: string): Finding[] | null {
  const report = parseJson(stdout) as {
    data?: { file: string; results: { component: string; version: string }[] }[];
    errors?: string[];
  } | null;
  if (report?.errors?.length !== 0) return null;
  return (
    report?.data?.flatMap(({ file, results }) =>
      results.map(({ component, version }) => ({
        file: relative(folder, file),
        line: null,
        what: `${component} ${version}`,
      })),
    ) ?? null
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function npmToolVersion(work: string, name: string): string | null {
  const spec = NPM_PEERS.find((one) => one.startsWith(`${name}@`))!;
  return existsSync(join(work, 'tools/node_modules', name)) ? spec.slice(name.length + 1) : null;
}

const npmTool = (work: string, name: string): string[] => [
  process.execPath,
  join(work, 'tools/node_modules/.bin', name),
];

export const TOOLS: readonly Tool[] = [
  {
    id: 'sextant',
    name: 'sextant',
    looksFor: 'secrets',
    version: () => VERSION,
    command: (work, folder) => sextantCommand(work, folder, 'secrets', '--no-cache'),
    read: readSextant,
  },
  {
    id: 'sextant-cached',
    name: 'sextant (second run)',
    looksFor: 'secrets',
    version: () => VERSION,
    command: (work, folder) => sextantCommand(work, folder, 'secrets'),
    read: readSextant,
  },
  {
    id: 'secretlint',
    name: 'secretlint',
    looksFor: 'secrets',
    version: (work) => npmToolVersion(work, 'secretlint'),
    command: (work) => [
      ...npmTool(work, 'secretlint'),
      '--secretlintrc',
      join(work, 'secretlintrc.json'),
      '--format',
      'json',
      '**/*',
    ],
    read: readSecretlint,
  },
  {
    id: 'git-secrets',
    name: 'git-secrets',
    looksFor: 'secrets',
    version: () => (spawnSync('git', ['secrets', '--list']).status === 129 ? null : debianVersion('git-secrets')),
    command: (work) => [
      'env',
      `GIT_CONFIG_GLOBAL=${join(work, 'gitconfig')}`,
      'git',
      'secrets',
      '--scan',
      '--no-index',
    ],
    read: readGitSecrets,
  },
  {
    id: 'sextant',
    name: 'sextant',
    looksFor: 'packages',
    version: () => VERSION,
    command: (work, folder) => sextantCommand(work, folder, 'dependencies'),
    read: readSextant,
  },
  {
    id: 'npm-audit',
    name: 'npm audit',
    looksFor: 'packages',
    version: () => execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
    command: () => ['npm', 'audit', '--json'],
    read: readNpmAudit,
  },
  {
    id: 'retire',
    name: 'retire',
    looksFor: 'libraries',
    version: (work) => npmToolVersion(work, 'retire'),
    command: (work, folder) => [...npmTool(work, 'retire'), '--path', folder, '--outputformat', 'json'],
    read: readRetire,
  },
];

function debianVersion(name: string): string | null {
  const { status, stdout } = spawnSync('dpkg-query', ['--show', '--showformat', '${Version}', name], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.replace(/-[^-]*$/, '') : null;
}
