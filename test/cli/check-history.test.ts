import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkHistory, type HistoryOptions } from '../../src/cli/check/check-history.ts';
import { openResultCache } from '../../src/cli/check/result-cache.ts';
import { fillIn } from '../analysis/secrets/stand-ins.ts';
import { chance } from '../support/random.ts';
import { sextant, temporaryFolder } from './command-line.ts';

const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), XDG_CACHE_HOME: temporaryFolder() };
const WORDS = ['--only', 'secrets', '--json', '--history'];
const draw = chance(23).next;
const TOKEN = fillIn('ghp_{crc62}', draw);
const OTHER = fillIn('npm_{crc62}', draw);

interface Finding {
  type: string;
  file: string;
  line: number;
  description: string;
  commit?: string;
  author_date?: string;
}
interface Report {
  complete: boolean;
  notes: string[];
  unread: { file: string; reason: string }[];
  code: { findings: Finding[] };
}

function git(folder: string, ...words: string[]): string {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...author, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Commits all files of the folder with this author's date, and returns the hash. */
function commit(folder: string, date: string): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'change', `--date=${date}T12:00:00Z`);
  return git(folder, 'rev-parse', 'HEAD');
}

function repository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  return folder;
}

async function reportOn(folder: string, ...words: string[]): Promise<{ status: number | null } & Report> {
  const { status, stdout, stderr } = await sextant(['check', folder, ...WORDS, ...words], settings);
  assert.ok(stdout.startsWith('{'), stderr);
  return { status, ...(JSON.parse(stdout) as Report) };
}

const OPTIONS: HistoryOptions = { exclusion: () => null, cache: undefined, present: new Set() };

describe('sextant check --history', { concurrency: 2 }, () => {
  it('names the commit, the path, the line and the date of what is no longer in the tree', async () => {
    const folder = repository();
    writeFileSync(join(folder, 'a.py'), `import os\nclient = Client("${TOKEN}")\n`);
    const first = commit(folder, '2024-03-01');
    writeFileSync(join(folder, 'a.py'), 'import os\nclient = Client(os.environ["TOKEN"])\n');
    commit(folder, '2024-03-02');
    const { status, code, complete } = await reportOn(folder);
    assert.deepEqual([status, complete], [1, true]);
    assert.deepEqual(
      code.findings.map(({ type, file, line, commit: at, author_date }) => [type, file, line, at, author_date]),
      [['github_personal_access_token', 'a.py', 2, first, '2024-03-01']],
    );
    assert.match(code.findings[0]!.description, /In commit [\da-f]{12} of 2024-03-01; no longer in the tree\.$/);
  });

  it('reports a secret once: in the tree if it is there, else where it first came in', async () => {
    const folder = repository();
    writeFileSync(join(folder, 'old.py'), `a = "${TOKEN}"\nb = "${OTHER}"\n`);
    const first = commit(folder, '2024-03-01');
    renameSync(join(folder, 'old.py'), join(folder, 'new.py'));
    writeFileSync(join(folder, 'new.py'), `# longer\na = "${TOKEN}"\nb = "${OTHER}"\n`);
    commit(folder, '2024-03-02');
    writeFileSync(join(folder, 'new.py'), `a = "${TOKEN}"\n`);
    const { code } = await reportOn(folder);
    assert.deepEqual(code.findings.map(({ type, file, commit: at }) => [type, file, at]).toSorted(), [
      ['github_personal_access_token', 'new.py', undefined],
      ['npm_token', 'old.py', first],
    ]);
  });

  it('reads branches that are not merged, tags without a branch, and what a merge alone brought', async () => {
    const folder = repository();
    writeFileSync(join(folder, 'a.txt'), 'a\n');
    commit(folder, '2024-03-01');
    git(folder, 'checkout', '--quiet', '-b', 'side');
    writeFileSync(join(folder, 'side.env'), `TOKEN=${TOKEN}\n`);
    commit(folder, '2024-03-02');
    rmSync(join(folder, 'side.env'));
    writeFileSync(join(folder, 'b.txt'), 'b\n');
    commit(folder, '2024-03-03');
    git(folder, 'checkout', '--quiet', 'main');
    writeFileSync(join(folder, 'c.txt'), 'c\n');
    commit(folder, '2024-03-04');
    git(folder, 'merge', '--quiet', '--no-commit', 'side');
    writeFileSync(join(folder, 'merge.env'), `NPM=${OTHER}\n`);
    commit(folder, '2024-03-05');
    rmSync(join(folder, 'merge.env'));
    commit(folder, '2024-03-06');
    git(folder, 'branch', '--quiet', '--delete', '--force', 'side');
    const { code } = await reportOn(folder);
    assert.deepEqual(code.findings.map(({ file }) => file).toSorted(), ['merge.env', 'side.env']);
  });

  it('leaves out what is excluded, and other folders than the given one', async () => {
    const folder = repository();
    for (const part of ['inside', 'outside', 'inside/node_modules']) mkdirSync(join(folder, part), { recursive: true });
    const tokens = ['inside/a.env', 'inside/b.env', 'outside/c.env', 'inside/node_modules/d.env'];
    for (const path of tokens) writeFileSync(join(folder, path), `TOKEN=${fillIn('ghp_{crc62}', draw)}\n`);
    commit(folder, '2024-03-01');
    for (const path of tokens) rmSync(join(folder, path));
    writeFileSync(join(folder, 'inside/rest.txt'), 'rest\n');
    commit(folder, '2024-03-02');
    const { code } = await reportOn(join(folder, 'inside'), '--exclude', 'b.env');
    assert.deepEqual(
      code.findings.map(({ file }) => file),
      ['a.env'],
    );
  });

  it('says what it did not read: a version that is too large, older commits of a shallow clone', async () => {
    const folder = repository();
    writeFileSync(join(folder, 'large.txt'), 'a line\n'.repeat(100_000));
    commit(folder, '2024-03-01');
    writeFileSync(join(folder, 'large.txt'), 'small\n');
    commit(folder, '2024-03-02');
    const { status, complete, unread } = await reportOn(folder);
    assert.deepEqual([status, complete], [6, false]);
    assert.deepEqual(unread, [{ file: 'large.txt', reason: 'a version in the history is larger than 512 KiB' }]);
    const clone = join(temporaryFolder(), 'clone');
    git(folder, 'clone', '--quiet', '--depth=1', `file://${folder}`, clone);
    assert.match((await reportOn(clone)).unread[0]!.reason, /shallow/);
  });

  it('stops at its bounds, says so, and goes on from there', async () => {
    const folder = repository();
    for (const [name, token] of [
      ['a.env', TOKEN],
      ['b.env', OTHER],
    ] as const) {
      writeFileSync(join(folder, name), `TOKEN=${token}\n`);
      commit(folder, '2024-03-01');
      rmSync(join(folder, name));
    }
    commit(folder, '2024-03-02');
    const cache = openResultCache(temporaryFolder(), folder);
    const first = await checkHistory(folder, { ...OPTIONS, cache, maxBytes: 60 });
    assert.deepEqual(
      first.findings.map(({ file }) => file),
      ['a.env'],
    );
    assert.match(first.unread[0]!.reason, /^1 version of files in the history were not read.*the next run goes on/);
    let time = 0;
    const late = await checkHistory(folder, { ...OPTIONS, cache, clock: () => (time += 1000), maxMs: 1 });
    assert.equal(late.findings.length, 0);
    assert.equal(late.unread.length, 1);
    const whole = await checkHistory(folder, { ...OPTIONS, cache });
    assert.deepEqual([whole.findings.map(({ file }) => file), whole.unread], [['a.env', 'b.env'], []]);
  });

  it('is refused without a repository, without a commit, and without the check for secrets', async () => {
    for (const [folder, words, problem] of [
      [temporaryFolder(), WORDS, /--history: git says: not a git repository/],
      [repository(), WORDS, /--history: there is no commit/],
      [repository(), ['--only', 'injection', '--history'], /they must be among the checks of --only/],
    ] as const) {
      const { status, stderr } = await sextant(['check', folder, ...words], settings);
      assert.equal(status, 2, stderr);
      assert.match(stderr, problem);
    }
  });
});
