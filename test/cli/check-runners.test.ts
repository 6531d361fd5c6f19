import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { CODE, project, VULNERABLE, writeFeed } from './check-project.ts';
import { type Ended, ended, PROGRAM, temporaryFolder } from './command-line.ts';

/** What others run in CI, run as their runners do: with bash, files for outputs, and the documented variables. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const readYaml = (path: string): unknown => load(readFileSync(join(ROOT, path), 'utf8'));
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };
const feeds = temporaryFolder();
const cache = temporaryFolder();
const BAD = { ...VULNERABLE, ...CODE };

/** A folder of commands with an npm that installs nothing but a command `sextant`, which runs this program, into its prefix. */
function commands(): { path: string; installed: string } {
  const folder = temporaryFolder();
  const installed = join(folder, 'installed');
  const sextant = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(folder, 'sextant-to-install'), sextant);
  const npm = `#!/bin/sh
echo "$*" >> '${installed}'
bin='${folder}'
while [ $# -gt 0 ]; do
  if [ "$1" = --prefix ]; then bin="$2/bin"; fi
  shift
done
mkdir -p "$bin"
cp '${folder}/sextant-to-install' "$bin/sextant"
chmod +x "$bin/sextant"
`;
  writeFileSync(join(folder, 'npm'), npm);
  chmodSync(join(folder, 'npm'), 0o755);
  return { path: folder, installed };
}

function bash(script: string, folder: string, variables: Readonly<Record<string, string>>): Promise<Ended> {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(?:SEXTANT|GITHUB|RUNNER|CI)_|^NODE_TEST|COLOR/.test(name),
  );
  const env = { ...Object.fromEntries(others), SEXTANT_FEEDS: feeds, XDG_CACHE_HOME: cache, ...variables };
  return ended(spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd: folder, env }));
}

before(() => writeFeed(feeds));

interface Step {
  id?: string;
  if?: string;
  run: string;
  env: Record<string, string>;
}
interface Action {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

/** Runs the steps of the composite action, as far as it uses the language of expressions. */
async function runAction(folder: string, given: Readonly<Record<string, string>>) {
  const { inputs, outputs, runs } = readYaml('action.yml') as Action;
  const { path, installed } = commands();
  const temp = temporaryFolder();
  const context: Record<string, string> = {
    'github.action_path': ROOT,
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, { default: value }]) => [`inputs.${name}`, given[name] ?? value]),
    ),
  };
  const evaluate = (text: string): string =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
      assert.ok(Object.hasOwn(context, name) || name.startsWith('steps.'), name);
      return context[name] ?? '';
    });
  const files = {
    GITHUB_OUTPUT: join(temp, 'output'),
    GITHUB_STEP_SUMMARY: join(temp, 'summary'),
    GITHUB_PATH: join(temp, 'path'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const log: string[] = [];
  let status: number | null = 0;
  for (const step of runs.steps) {
    const condition = /^\$\{\{ ([\w.-]+) != '' \}\}$/.exec(step.if ?? '');
    assert.equal(condition === null, step.if === undefined, 'an expression that is not known here');
    if (condition !== null && context[condition[1]!] === '') continue;
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, evaluate(value)]));
    const added = readFileSync(files.GITHUB_PATH, 'utf8').split('\n').filter(Boolean);
    const result = await bash(step.run, folder, {
      ...env,
      ...files,
      RUNNER_TEMP: temp,
      SEXTANT_DATA_DIR: join(temp, 'data'),
      PATH: [...added, path, process.env['PATH']].join(':'),
    });
    log.push(result.stdout, result.stderr);
    status = result.status;
    if (step.id !== undefined) {
      for (const line of readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean)) {
        const cut = line.indexOf('=');
        context[`steps.${step.id}.outputs.${line.slice(0, cut)}`] = line.slice(cut + 1);
      }
    }
    if (status !== 0) break;
  }
  return {
    status,
    log: log.join(''),
    installed: readFileSync(installed, 'utf8'),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, evaluate(value)])),
  };
}

describe('the action of GitHub', { concurrency: 2 }, () => {
  it('fails for the finding, at its place, and shows how to mend it', async () => {
    const folder = project(BAD);
    const { status, log, installed, summary, outputs } = await runAction(folder, { sync: 'osv', 'fail-on': 'medium' });
    assert.equal(status, 1, log);
    assert.match(installed, new RegExp(` ${PACKAGE.name}@${PACKAGE.version}\n$`), 'its own version');
    assert.match(log, /^::error file=main\.py,line=4,/m);
    assert.match(
      log,
      /^::warning file=app\/requirements\.txt,line=2,title=MEDIUM CVE-2025-1000::.*Upgrade anvil to 2\.0/m,
    );
    assert.match(summary, /anvil 1\\\.0 to \*\*2\\\.0\*\*|anvil 1\.0 to \*\*2\.0\*\*/);
    assert.equal(outputs['status'], '1');
    assert.equal(JSON.parse(readFileSync(join(folder, outputs['sarif']!), 'utf8')).runs[0].results.length, 2);
    assert.equal(readFileSync(outputs['summary']!, 'utf8'), summary);
  });

  it('passes where the revision that it is compared with has the same', async () => {
    const folder = project(BAD);
    const git = 'git -c user.name=A -c user.email=a@example.com -c commit.gpgsign=false';
    const made = await bash(`git init -q . && git add -A && ${git} commit -qm first`, folder, {});
    assert.equal(made.status, 0, made.stderr);
    const { status, log } = await runAction(folder, { sync: 'osv', 'fail-on': 'medium', 'new-since': 'HEAD' });
    assert.equal(status, 0, log);
    assert.match(log, /Not counted: 2 known before/);
  });

  it('passes where nothing is bad enough, with the paths and options given, and leaves the summary if it shall', async () => {
    const folder = project({ ...BAD, 'clean/a.py': 'x = 1\n', 'also clean/b.py': 'y = 1\n' });
    const { status, log, summary, outputs } = await runAction(folder, {
      paths: 'clean\napp',
      sync: '',
      summary: 'false',
      only: 'injection',
      sarif: 'out.sarif',
    });
    assert.equal(status, 0, log);
    assert.equal(summary, '');
    assert.equal(outputs['sarif'], 'out.sarif');
    assert.ok(existsSync(join(folder, 'out.sarif')));
  });

  it('fails for what could not be read, unless it shall not', async () => {
    const folder = project({ 'Podfile.lock': 'PODS:\n' });
    assert.equal((await runAction(folder, { sync: '' })).status, 6);
    const { status, outputs } = await runAction(folder, { sync: '', 'fail-on-unread': 'false' });
    assert.deepEqual([status, outputs['status']], [0, '6']);
  });

  it('takes no input for a part of a script', async () => {
    const folder = project({ 'a.py': 'x = 1\n' });
    const { status } = await runAction(folder, {
      sync: '',
      paths: '$(touch hacked) ; touch hacked',
      'fail-on': '"; touch hacked',
    });
    assert.equal(status, 2);
    assert.ok(!existsSync(join(folder, 'hacked')));
  });
});

it('the hook of pre-commit takes the files of the commit, and fails for the one that is bad', async () => {
  const [hook] = readYaml('.pre-commit-hooks.yaml') as {
    id: string;
    entry: string;
    language: string;
    require_serial: boolean;
  }[];
  assert.deepEqual([hook!.id, hook!.language, hook!.require_serial], ['sextant', 'system', true]);
  const folder = project({
    ...CODE,
    'clean.py': 'x = 1\n',
    '.sextantignore': '/left.py\n',
    'left.py': CODE['main.py'],
  });
  const { path } = commands();
  await bash('npm install --global @sextant/cli', folder, { PATH: `${path}:${process.env['PATH']}` });
  // pre-commit runs the entry in the root of the repository, with the names of staged files behind it.
  const run = (...files: string[]) =>
    bash(`${hook!.entry} ${files.join(' ')}`, folder, {
      PATH: `${path}:${process.env['PATH']}`,
      SEXTANT_DATA_DIR: join(path, 'data'),
    });
  assert.equal((await run('clean.py', 'left.py')).status, 0, 'another file of the tree is no business of this commit');
  const { status, stdout } = await run('clean.py', 'main.py');
  assert.equal(status, 1);
  assert.match(stdout, /main\.py:4/);
});

it('the job of GitLab fails for the finding, and leaves the reports that it names', async () => {
  const { variables, sextant: job } = readYaml('deploy/ci/gitlab.yml') as {
    variables: Record<string, string>;
    sextant: {
      before_script: string[];
      script: string[];
      artifacts: { reports: Record<string, string> };
      variables: Record<string, string>;
    };
  };
  assert.equal(variables['CHECK_PACKAGE'], `${PACKAGE.name}@${PACKAGE.version}`);
  const { path } = commands();
  const run = async (folder: string, given: Record<string, string>) => {
    const values: Record<string, string> = { CI_PROJECT_DIR: folder, ...variables, ...given };
    const own = Object.entries(job.variables).map(([name, value]) => [name, value.replace('$CI_PROJECT_DIR', folder)]);
    const script = [...job.before_script, ...job.script].join('\n');
    return bash(script, folder, { ...values, ...Object.fromEntries(own), PATH: `${path}:${process.env['PATH']}` });
  };
  const folder = project(BAD);
  const { status, stdout, stderr } = await run(folder, { CHECK_FEEDS: 'osv', CHECK_FAIL_ON: 'medium' });
  assert.equal(status, 1, stderr);
  assert.match(stdout, /upgrade anvil 1\.0 to 2\.0/);
  const texts = Object.entries(job.artifacts.reports).map(
    ([kind, file]) => [kind, readFileSync(join(folder, file), 'utf8')] as const,
  );
  assert.deepEqual(
    texts.map(([kind, text]) => [kind, text.includes('anvil'), text.includes('command_injection')]),
    [
      ['codequality', true, true],
      ['dependency_scanning', true, false],
      ['sast', false, true],
      ['junit', true, true],
    ],
  );
  mkdirSync(join(folder, 'clean'));
  writeFileSync(join(folder, 'clean/a.py'), 'x = 1\n');
  assert.equal((await run(folder, { CHECK_FEEDS: '', CHECK_PATHS: 'clean', CHECK_OPTIONS: '--omit dev' })).status, 0);
});
