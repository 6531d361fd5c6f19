import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { CODE, project, VULNERABLE, writeFeed } from './check-project.ts';
import { ended, sextant, start, temporaryFolder } from './command-line.ts';

const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), SEXTANT_FEEDS: temporaryFolder() };
const check = (...words: string[]) => sextant(['check', ...words], settings);

before(async () => {
  writeFeed(settings.SEXTANT_FEEDS);
  const { status, stderr } = await sextant(['sync', 'osv'], settings);
  assert.equal(status, 0, stderr);
});

describe('sextant check in CI', { concurrency: 2 }, () => {
  it('passes over what is suppressed, and says so', async () => {
    const folder = project({
      'app/requirements.txt': '# sextant-ignore CVE-2025-1000: nobody looks up\nanvil==1.0\n',
      'main.py': CODE['main.py'].replace('["x"])', '["x"]) # sextant-ignore command_injection: an example'),
      'other.py': '# sextant-ignore sql_injection: gone long ago\n',
    });
    const { status, stdout } = await check(
      folder,
      '--json',
      '--fail-on',
      'low',
      '--output',
      `sarif=${join(folder, 'a.sarif')}`,
    );
    assert.equal(status, 0, stdout);
    const { total, suppressed, dependencies, code, notes, upgrades } = JSON.parse(stdout);
    assert.deepEqual([total, suppressed, upgrades], [0, 2, []]);
    assert.deepEqual(dependencies.findings[0].suppression, {
      kind: 'inSource',
      reason: 'nobody looks up',
      until: null,
      source: 'app/requirements.txt:1',
    });
    assert.equal(code.findings[0].suppression.reason, 'an example');
    assert.ok(notes.includes('the suppression of sql_injection in other.py:1 is about no finding: remove it'));
    const [run] = JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')).runs;
    assert.deepEqual(
      run.results.map(({ suppressions }: { suppressions: { kind: string }[] }) => suppressions[0]!.kind),
      ['inSource', 'inSource'],
    );
    const table = await check(folder, '--fail-on', 'low');
    assert.match(table.stdout, /Nothing new was found [\s\S]*Not\s+counted:\s+2\s+suppressed\./);
  });

  it('counts a malformed suppression as not read', async () => {
    const { status, stdout } = await check(project({ 'a.py': '# sextant-ignore everything\n' }), '--only', 'secrets');
    assert.equal(status, 6);
    assert.match(stdout, /not read: a\.py: line 1: .* write sextant-ignore\s<rule-id>/);
  });

  it('fails for what an earlier report does not have, in JSON or SARIF, wherever the lines have gone', async () => {
    const folder = project({ ...VULNERABLE, ...CODE });
    const words = ['--fail-on', 'low'];
    const baseline = join(temporaryFolder(), 'baseline');
    const files = ['--output', `json=${baseline}.json`, '--output', `sarif=${baseline}.sarif`];
    assert.equal((await check(folder, ...words, ...files)).status, 1);
    const moved = project({
      'app/requirements.txt': `# more\n\n${VULNERABLE['app/requirements.txt']}`,
      'main.py': `# more\n\n${CODE['main.py']}`,
    });
    for (const ending of ['json', 'sarif']) {
      const { status, stdout } = await check(moved, ...words, '--new-since', `${baseline}.${ending}`);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /Not counted: 2 known before\./);
    }
    writeFileSync(join(moved, 'second.py'), CODE['main.py']);
    const { status, stdout } = await check(moved, ...words, '--new-since', `${baseline}.json`, '--json');
    assert.equal(status, 1);
    const { total, known_before, code } = JSON.parse(stdout);
    assert.deepEqual([total, known_before], [1, 2]);
    assert.deepEqual(
      code.findings.map(({ file, known_before: known }: { file: string; known_before: boolean }) => [file, known]),
      [
        ['main.py', true],
        ['second.py', false],
      ],
    );
  });

  it('refuses a baseline that is no report, and says what is one', async () => {
    const file = join(project({ 'a.json': '{}', 'b.json': '{' }), 'a.json');
    for (const path of [file, file.replace('a.json', 'b.json'), `${file}.gone`]) {
      const { status, stderr } = await check(temporaryFolder(), '--new-since', path);
      assert.equal(status, 2);
      assert.match(stderr, /no report of sextant check|there is no/);
    }
  });

  it('takes several paths, relative to the working folder, and its patterns', async () => {
    const folder = project({ ...VULNERABLE, ...CODE, 'left.py': CODE['main.py'], '.sextantignore': 'left.py\n' });
    const run = (...words: string[]) =>
      ended(start(['check', ...words, '--json'], settings, false, ['env', '-C', folder]));
    const { stdout } = await run('main.py', 'left.py', 'app');
    const { code, dependencies, excluded } = JSON.parse(stdout);
    assert.deepEqual(
      [...code.findings, ...dependencies.findings].map(({ file }: { file: string }) => file),
      ['main.py', 'app/requirements.txt'],
    );
    assert.deepEqual(excluded, { '.sextantignore left.py': 1 });
    const outside = await run('main.py', project(CODE));
    assert.equal(outside.status, 2);
    assert.match(JSON.parse(outside.stdout || outside.stderr).error?.message ?? outside.stderr, /is not below/);
  });

  it('refuses a format that there is not, or that has nothing to say', async () => {
    for (const words of [
      ['--format', 'html'],
      ['--format', 'sarif', '--json'],
      ['--format', 'cyclonedx', '--only', 'secrets'],
      ['--output', 'html=a.html'],
      ['--output', 'json='],
    ]) {
      const { status, stderr } = await check(temporaryFolder(), ...words);
      assert.equal(status, 2, words.join(' '));
      assert.notEqual(stderr, '');
    }
  });

  it('writes every format', async () => {
    const folder = project({ ...VULNERABLE, ...CODE });
    const formats = [
      'table',
      'json',
      'sarif',
      'cyclonedx',
      'openvex',
      'junit',
      'github',
      'markdown',
      'gitlab-code-quality',
      'gitlab-dependency-scanning',
      'gitlab-sast',
    ];
    const files = temporaryFolder();
    const outputs = formats.flatMap((format) => ['--output', `${format}=${join(files, format)}`]);
    const { status, stdout } = await check(folder, '--format', 'github', ...outputs);
    assert.equal(status, 1);
    assert.match(stdout, /^::error file=main\.py,line=4,col=\d+,title=CRITICAL command_injection::/);
    for (const format of formats)
      assert.match(readFileSync(join(files, format), 'utf8'), /anvil|command_injection/, format);
    assert.match(
      readFileSync(join(files, 'table'), 'utf8'),
      /^1 upgrade fixes 1 of 1 finding in packages:\nupgrade anvil 1\.0 to 2\.0/,
    );
    const file = join(files, 'alone');
    assert.equal((await check(folder, '--sarif', '--output', file)).stdout, '', 'the file instead of the terminal');
    assert.ok(existsSync(file));
  });
});
