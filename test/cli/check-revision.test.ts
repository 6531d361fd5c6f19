import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { CODE, project, VULNERABLE, write, writeFeed } from './check-project.ts';
import { ended, sextant, start, temporaryFolder } from './command-line.ts';

const temporary = temporaryFolder();
const settings = {
  SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'),
  SEXTANT_FEEDS: temporaryFolder(),
  TMPDIR: temporary,
};
const WORDS = ['--fail-on', 'low', '--json'];

interface Report {
  total: number;
  known_before: number | null;
  notes: string[];
  code: { findings: { file: string; known_before: boolean }[] };
  dependencies: { findings: { file: string; known_before: boolean }[] };
}

/** The report on a folder, compared with a revision. */
async function compared(
  folder: string,
  revision: string,
  ...words: string[]
): Promise<{ status: number | null } & Report> {
  const { status, stdout, stderr } = await sextant(
    ['check', folder, ...WORDS, '--new-since', revision, ...words],
    settings,
  );
  assert.ok(status === 0 || status === 1, stderr);
  return { status, ...(JSON.parse(stdout) as Report) };
}

function git(folder: string, ...words: string[]): string {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...author, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

function commit(folder: string, message: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
}

/** A repository whose one commit, on the branch `main`, has these files. */
function repository(files: Readonly<Record<string, string>>): string {
  const folder = project(files);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  commit(folder, 'first');
  return folder;
}

/** The program of `CODE` with so many lines that git knows it again. */
const LONG_CODE = `${CODE['main.py']}\n${Array.from({ length: 20 }, (_, at) => `VALUE_${at} = ${at}`).join('\n')}\n`;

before(async () => {
  writeFeed(settings.SEXTANT_FEEDS);
  const { status, stderr } = await sextant(['sync', 'osv'], settings);
  assert.equal(status, 0, stderr);
});

describe('sextant check --new-since <revision>', { concurrency: 2 }, () => {
  it('fails for what the revision does not have, committed or not', async () => {
    const folder = repository({ ...VULNERABLE, ...CODE });
    git(folder, 'tag', 'v1');
    const before = await compared(folder, 'main');
    assert.deepEqual([before.status, before.total, before.known_before], [0, 0, 2]);
    assert.match(before.notes.join('\n'), /^findings that commit [\da-f]{12} \(main\) has do not count$/m);
    writeFileSync(join(folder, 'second.py'), CODE['main.py']);
    const { status, total, code } = await compared(folder, 'HEAD');
    assert.deepEqual([status, total], [1, 1]);
    assert.deepEqual(
      code.findings.map(({ file, known_before }) => [file, known_before]),
      [
        ['main.py', true],
        ['second.py', false],
      ],
    );
    commit(folder, 'second');
    for (const [revision, expected] of [
      ['HEAD', 0],
      ['HEAD~1', 1],
      ['v1', 1],
      [git(folder, 'rev-parse', '--short', 'HEAD~').trim(), 1],
    ] as const)
      assert.equal((await compared(folder, revision)).status, expected, revision);
    assert.equal(git(folder, 'status', '--porcelain'), '');
  });

  it('knows renamed files again, with changes in them too; a copy is new', async () => {
    const folder = repository({ ...VULNERABLE, 'old/a name.py': LONG_CODE });
    write(folder, { 'new/ü.py': LONG_CODE.replace('VALUE_3', 'OTHER'), 'copy.py': LONG_CODE });
    rmSync(join(folder, 'old'), { recursive: true });
    renameSync(join(folder, 'app'), join(folder, 'service'));
    git(folder, 'add', '--all');
    const { total, code, dependencies } = await compared(folder, 'main');
    assert.deepEqual(
      dependencies.findings.map(({ file, known_before }) => [file, known_before]),
      [['service/requirements.txt', true]],
    );
    // Which of the two is the renamed one is for git to say; the other one is new.
    assert.equal(total, 1);
    assert.deepEqual(code.findings.map(({ file }) => file).toSorted(), ['copy.py', 'new/ü.py']);
  });

  it('compares a folder of a repository, and paths in it, with their own files', async () => {
    const folder = repository({ 'web/main.py': CODE['main.py'], 'other/main.py': CODE['main.py'] });
    write(folder, { 'web/second.py': CODE['main.py'] });
    const { total, known_before } = await compared(join(folder, 'web'), 'main');
    assert.deepEqual([total, known_before], [1, 1]);
    const run = async (...words: string[]) =>
      JSON.parse(
        (
          await ended(
            start(['check', ...words, ...WORDS, '--new-since', 'main'], settings, false, ['env', '-C', folder]),
          )
        ).stdout,
      ) as Report;
    const some = await run('web/second.py', 'other');
    assert.deepEqual([some.total, some.known_before], [1, 1]);
    write(folder, { 'later/main.py': CODE['main.py'] });
    const later = await compared(join(folder, 'later'), 'main');
    assert.equal(later.total, 1);
    assert.match(later.notes.join('\n'), /main does not have this folder: every finding counts/);
  });

  it('counts what the revision suppressed and the project no longer does', async () => {
    const suppressed = CODE['main.py'].replace('["x"])', '["x"]) # sextant-ignore command_injection: an example');
    const folder = repository({ 'main.py': suppressed });
    assert.equal((await compared(folder, 'main')).status, 0);
    writeFileSync(join(folder, 'main.py'), CODE['main.py']);
    assert.equal((await compared(folder, 'main')).total, 1);
  });

  it('reads what the commit has, whatever attributes and links say', async () => {
    const folder = repository({ ...CODE, '.gitattributes': '*.py export-ignore ident filter=gone\n' });
    execFileSync('ln', ['-s', '/etc/hostname', join(folder, 'link.py')]);
    commit(folder, 'a link');
    const { status, known_before } = await compared(folder, 'HEAD');
    assert.deepEqual([status, known_before], [0, 1]);
  });

  it('writes nothing outside its folder for a tree whose names lead there', async () => {
    const folder = repository(CODE);
    const inGit = (words: string[], input: string | Buffer): string =>
      execFileSync('git', words, { cwd: folder, input, encoding: 'utf8' }).trim();
    const treeOf = (mode: string, name: string, id: string): string =>
      inGit(
        ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
      );
    const file = inGit(['hash-object', '-w', '--stdin'], CODE['main.py']);
    const tree = treeOf('40000', '..', treeOf('100644', 'sextant-escaped.py', file));
    git(folder, 'tag', 'hostile', git(folder, 'commit-tree', '-m', 'x', tree).trim());
    const { total } = await compared(folder, 'hostile');
    assert.equal(total, 1);
    assert.ok(!readdirSync(temporary).includes('sextant-escaped.py'));
  });

  it('takes a file for a report, and a full name for a branch of the same name', async () => {
    const folder = repository(CODE);
    const { stdout } = await sextant(['check', folder, '--json'], settings);
    write(folder, { main: stdout });
    const run = (revision: string) =>
      ended(start(['check', ...WORDS, '--new-since', revision], settings, false, ['env', '-C', folder]));
    assert.equal((JSON.parse((await run('main')).stdout) as Report).known_before, 1);
    write(folder, { main: 'no report' });
    assert.match((await run('main')).stderr, /no report of sextant check/);
    assert.equal((JSON.parse((await run('refs/heads/main')).stdout) as Report).known_before, 1);
  });

  it('says what is wrong where there is no such revision, and how a shallow clone gets it', async () => {
    const origin = repository(CODE);
    git(origin, 'tag', 'v1');
    write(origin, { 'more.py': 'x = 1\n' });
    commit(origin, 'second');
    const shallow = join(temporaryFolder(), 'clone');
    git(origin, 'clone', '--quiet', '--depth', '1', `file://${origin}`, shallow);
    for (const [folder, revision, pattern] of [
      [origin, 'no-such', /there is no report and no git revision of this name/],
      [origin, '--output=/tmp/x', /./],
      [origin, 'HEAD:main.py', /no git revision/],
      [shallow, 'HEAD~1', /shallow clone: fetch it first \(git fetch --unshallow/],
      [shallow, 'v1', /shallow clone/],
      [temporaryFolder(), 'main', /no report of this name, and git says: not a git repository/],
    ] as const) {
      const { status, stderr } = await sextant(['check', folder, `--new-since=${revision}`], settings);
      assert.equal(status, 2, `${revision}: ${stderr}`);
      assert.match(stderr, pattern);
    }
    const { status, known_before } = await compared(shallow, 'HEAD');
    assert.deepEqual([status, known_before], [0, 1]);
    git(shallow, 'fetch', '--quiet', '--unshallow');
    assert.equal((await compared(shallow, 'HEAD~1')).status, 0);
  });

  it('says so where git is not installed', async () => {
    const { status, stderr } = await sextant(['check', repository(CODE), '--new-since', 'main'], {
      ...settings,
      PATH: temporaryFolder(),
    });
    assert.equal(status, 2);
    assert.match(stderr, /git says: nothing: it is not installed/);
  });
});

it('leaves no temporary folder behind', () => {
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name.startsWith('sextant-revision-')),
    [],
  );
});
