import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { readDocument } from '../../src/cli/check/read-dependency-document.ts';
import { CODE, project, VULNERABLE, writeFeed } from './check-project.ts';
import { sextant, temporaryFolder } from './command-line.ts';
import { dpkgStatus, osRelease, savedImage } from './image-of.ts';

const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), SEXTANT_FEEDS: temporaryFolder() };
const check = (...words: string[]) => sextant(['check', ...words], settings);

before(async () => {
  writeFeed(settings.SEXTANT_FEEDS);
  const { status, stderr } = await sextant(['sync', 'osv'], settings);
  assert.equal(status, 0, stderr);
});

describe('what is not read', { concurrency: 2 }, () => {
  const unreadOf = async (folder: string, ...words: string[]) => {
    const { status, stdout } = await check(folder, '--json', ...words);
    const { unread, complete, code, total, by_severity } = JSON.parse(stdout);
    return {
      status,
      complete,
      code,
      total,
      by_severity,
      files: unread.map(({ file }: { file: string }) => file),
      unread,
    };
  };

  it('is named, and ends with 6 where nothing was found', async () => {
    const long = `x = 1 # ${'a'.repeat(600 * 1024)}\n`;
    const deep = `${'d/'.repeat(42)}main.py`;
    const folder = project({ 'big.py': long, [deep]: 'x = 1\n', 'Podfile.lock': 'PODS:\n', 'bun.lockb': 'x' });
    const { status, complete, files } = await unreadOf(folder);
    assert.equal(status, 6);
    assert.equal(complete, false);
    assert.deepEqual(files.sort(), ['Podfile.lock', 'big.py', 'bun.lockb', 'd/'.repeat(41).slice(0, -1)]);
    const table = await check(folder);
    assert.equal(table.status, 6);
    for (const name of files) assert.ok(table.stdout.includes(`not read: ${name}`), name);
    assert.match(table.stdout, /Not everything could be read/);
  });

  it('does not hide what was found: that ends with 1', async () => {
    assert.equal((await unreadOf(project({ ...CODE, 'Podfile.lock': 'PODS:\n' }))).status, 1);
  });

  it('is neither a binary file nor one in UTF-16, which is read', async () => {
    const folder = project(CODE);
    const code = CODE['main.py'];
    writeFileSync(join(folder, 'bom.py'), Buffer.from(`\ufeff${code}`, 'utf16le'));
    writeFileSync(join(folder, 'plain.py'), Buffer.from(code, 'utf16le'));
    writeFileSync(join(folder, 'swapped.py'), Buffer.from(`\ufeff${code}`, 'utf16le').swap16());
    writeFileSync(join(folder, 'picture.py'), Buffer.from([0x89, 0x50, 0, 0, 0, 13, 0, 1, 2, 0]));
    writeFileSync(join(folder, 'requirements.txt'), Buffer.from('\ufeffanvil==1.0\n', 'utf16le'));
    const { code: report, files, total } = await unreadOf(folder);
    assert.deepEqual(files, []);
    assert.equal(report.binary, 1);
    assert.deepEqual(
      report.findings.map(({ file }: { file: string }) => file),
      ['bom.py', 'main.py', 'plain.py', 'swapped.py'],
    );
    assert.equal(total, 5);
  });

  it('are findings beyond those that are listed: they are counted', async () => {
    const line = CODE['main.py'].split('\n').at(-2);
    const body = Array.from({ length: 300 }, () => line).join('\n');
    const folder = project({ 'main.py': `import os\n\ndef run(request):\n${body}\n` });
    const { total, by_severity, code, complete, unread } = await unreadOf(folder, '--only', 'injection');
    assert.equal(total, 300);
    assert.equal(by_severity.CRITICAL, 300);
    assert.equal(code.findings.length, 200);
    assert.equal(complete, false);
    assert.match(unread[0].reason, /300 findings/);
  });

  it('is a lockfile that cannot be opened', async () => {
    const gone = { path: 'uv.lock', absolutePath: join(temporaryFolder(), 'uv.lock'), bytes: 5 };
    assert.deepEqual(await readDocument(gone, temporaryFolder()), { read: null, error: 'it cannot be opened' });
  });

  it('is a range of versions: the package could not be checked, by name', async () => {
    const { status, stdout } = await check(project({ 'requirements.txt': 'anvil!=1.0\n' }));
    assert.equal(status, 6);
    assert.match(stdout, /1 package could not be checked: anvil !=1\.0 in requirements\.txt:1 \(.*range/);
    const go = await check(
      project({ 'go.mod': 'module example.com/a\ngo 1.22\nrequire x.example/b v1.0.0\nreplace x.example/b => ../b\n' }),
    );
    assert.equal(go.status, 0, 'the line go names no release, and a folder is no module');
  });
});

it('packages of an ecosystem without any advisories are no passed check', async () => {
  const lock = JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { 'is-number': '7.0.0' } }, 'node_modules/is-number': { version: '7.0.0' } },
  });
  const { status, stdout } = await check(project({ 'package-lock.json': lock, 'requirements.txt': 'rivet==1.0\n' }));
  assert.equal(status, 6, stdout);
  assert.match(stdout, /^! not read: package-lock\.json: no advisories for npm have been synced/m);
  assert.doesNotMatch(stdout, /not read: requirements\.txt/);
});

describe('what is left out', { concurrency: 2 }, () => {
  it('by patterns of .sextantignore and --exclude, as gitignore(5) has them, is said', async () => {
    const code = CODE['main.py'];
    const paths = ['main.py', 'a/main.py', 'a/b/test_x.py', 'docs/main.py', 'a/docs/main.py', 'keep/test_y.py'];
    const folder = project({
      ...Object.fromEntries(paths.map((path) => [path, code])),
      '.sextantignore': '# tests\ntest_*.py\n!keep/test_y.py\n/docs/\n',
    });
    const { stdout } = await check(folder, '--only', 'injection', '--json', '--exclude', 'a/**/docs');
    const { code: report, excluded } = JSON.parse(stdout);
    assert.deepEqual(
      report.findings.map(({ file }: { file: string }) => file),
      ['a/main.py', 'keep/test_y.py', 'main.py'],
    );
    assert.deepEqual(excluded, { '.sextantignore /docs/': 1, '.sextantignore test_*.py': 1, '--exclude a/**/docs': 1 });
  });

  it('packages for development alone, with --omit dev; without it their scope is shown', async () => {
    const lock = { default: { forge: { version: '==1.0' } }, develop: { anvil: { version: '==1.0' } } };
    const folder = project({ 'Pipfile.lock': JSON.stringify(lock) });
    const all = JSON.parse((await check(folder, '--json')).stdout);
    assert.equal(all.dependencies.findings[0].scope, 'dev');
    const { status, stdout } = await check(folder, '--json', '--omit', 'dev', '--fail-on', 'low');
    assert.equal(status, 0);
    const { dependencies, notes } = JSON.parse(stdout);
    assert.deepEqual([dependencies.packages, dependencies.omitted, dependencies.findings], [1, 1, []]);
    assert.match(notes.join(), /1 package left out \(--omit dev\)/);
  });

  it('packages of several scopes, with --omit given twice or as a list', async () => {
    const packages = {
      '': { dependencies: { a: '1' }, devDependencies: { d: '1' }, optionalDependencies: { o: '1' } },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/both': { version: '1.0.0', devOptional: true },
      'node_modules/d': { version: '1.0.0', dev: true },
      'node_modules/o': { version: '1.0.0', optional: true },
    };
    const folder = project({ 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }) });
    for (const [words, left] of [
      [['--omit', 'optional'], 3],
      [['--omit', 'dev,optional'], 1],
      [['--omit', 'dev', '--omit', 'optional'], 1],
    ] as const) {
      const { dependencies } = JSON.parse((await check(folder, '--json', ...words)).stdout);
      assert.deepEqual([dependencies.packages, dependencies.omitted], [left, 4 - left], words.join(' '));
    }
  });

  it('flows from parameters alone, unless they are asked for', async () => {
    const folder = project({ 'main.py': 'import os\n\ndef run(name):\n    os.system("ls " + name)\n' });
    const words = ['--only', 'injection', '--json', '--fail-on', 'low'];
    assert.equal((await check(folder, ...words)).status, 0);
    const { status, stdout } = await check(folder, ...words, '--parameters');
    assert.equal(status, 1);
    assert.equal(JSON.parse(stdout).total, 1);
  });
});

describe('files beside a document', () => {
  it('are read inside the checked folder alone, and not over links', async () => {
    const parent = `<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><dependencies><dependency>
      <groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>`;
    const child = (path: string): string =>
      `<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version><relativePath>${path}</relativePath></parent><artifactId>c</artifactId></project>`;
    const outside = project({ 'parent.xml': parent, 'pom.xml': parent, 'base.txt': 'anvil==1.0\n' });
    const packagesIn = async (folder: string): Promise<number> =>
      JSON.parse((await check(folder, '--json', '--only', 'dependencies')).stdout).dependencies.packages;
    const inside = project({ 'parents/parent.xml': parent, 'app/pom.xml': child('../parents/parent.xml') });
    assert.equal(await packagesIn(inside), 1);
    assert.equal(await packagesIn(project({ 'pom.xml': child(`../${basename(outside)}/parent.xml`) })), 0);
    const linked = project({ 'pom.xml': child('parent.xml'), 'requirements.txt': '-r base.txt\n' });
    symlinkSync(join(outside, 'parent.xml'), join(linked, 'parent.xml'));
    symlinkSync(join(outside, 'base.txt'), join(linked, 'base.txt'));
    assert.equal(await packagesIn(linked), 0);
    symlinkSync(outside, join(linked, 'elsewhere'));
    writeFileSync(join(linked, 'pom.xml'), child('elsewhere/parent.xml'));
    assert.equal(await packagesIn(linked), 0);
  });

  it('are the manifests that say what is direct and what is for development', async () => {
    const folder = project({
      'yarn.lock': '# yarn lockfile v1\n\n\na@^1.0.0:\n  version "1.0.0"\n\nb@^1.0.0:\n  version "1.0.0"\n',
      'package.json': JSON.stringify({ dependencies: { a: '^1.0.0' }, devDependencies: { b: '^1.0.0' } }),
    });
    const { dependencies } = JSON.parse((await check(folder, '--json', '--omit', 'dev')).stdout);
    assert.deepEqual([dependencies.packages, dependencies.omitted], [1, 1]);
  });

  it('that a requirements.txt includes are read', async () => {
    const folder = project({
      'requirements.txt': '-r deps/base.txt\n',
      'deps/base.txt': '-r more.txt\n',
      'deps/more.txt': 'anvil==1.0\n',
    });
    const { dependencies, unread } = JSON.parse((await check(folder, '--json')).stdout);
    assert.equal(dependencies.findings.length, 1);
    assert.deepEqual(unread, []);
  });
});

describe('sextant check', { concurrency: 2 }, () => {
  it('finds vulnerable packages below a folder, in a table, and ends with 1', async () => {
    const { status, stdout, stderr } = await check(project(VULNERABLE), '--fail-on', 'medium');
    assert.equal(status, 1, stderr);
    assert.match(stdout, /MEDIUM\s+anvil\s+1\.0\s+2\.0\s+CVE-2025-1000\s+app\/requirements\.txt:2\s+Anvils fall/);
    assert.match(stdout, /upgrade anvil 1\.0 to 2\.0: fixes 1 of 1 finding/);
    assert.match(stdout, /1 finding in 1 package in 1 lockfile/);
  });

  it('takes an image by itself, and finds what its distribution has mended', async () => {
    const image = (version: string) => {
      const file = join(temporaryFolder(), 'image.tar');
      const status = { name: 'var/lib/dpkg/status', content: dpkgStatus(`libcurl4|${version}|curl`) };
      writeFileSync(file, savedImage([osRelease('debian', '12'), status]));
      return file;
    };
    const { status, stdout } = await check(image('7.88.1-10'), '--json', '--fail-on', 'medium');
    assert.equal(status, 1);
    const { dependencies, notes, code } = JSON.parse(stdout);
    const [{ cve_id, fixed_in, file, brought_by }] = dependencies.findings;
    assert.deepEqual(
      [cve_id, fixed_in, file, brought_by, code.files],
      ['CVE-2023-38545', '7.88.1-10+deb12u4', 'image.tar', null, 0],
    );
    assert.match(notes.join(), /not those of languages in it/);
    assert.equal((await check(image('7.88.1-10+deb12u4'), '--fail-on', 'low')).status, 0);
    const other = await check(dirname(image('7.88.1-10')), '--only', 'dependencies');
    assert.match(other.stdout, /no lockfile or SBOM was found/, 'archives in a folder are no images');
  });

  it('ends with 0 where nothing is found, or nothing that is bad enough', async () => {
    assert.equal((await check(project({ 'requirements.txt': 'anvil==2.0\n' }))).status, 0);
    assert.equal((await check(project(VULNERABLE))).status, 0, 'the default is high');
    assert.equal((await check(project(VULNERABLE), '--fail-on', 'MEDIUM')).status, 1);
    assert.equal((await check(project(VULNERABLE), '--only', 'secrets')).status, 0);
  });

  it('passes over what others wrote, and takes a single file', async () => {
    const folder = project({ 'node_modules/a/requirements.txt': 'anvil==1.0', '.git/requirements.txt': 'anvil==1.0' });
    const { status, stdout } = await check(folder);
    assert.equal(status, 0);
    assert.match(stdout, /no lockfile or SBOM was found/);
    const file = join(project(VULNERABLE), 'app/requirements.txt');
    assert.equal((await check(file, '--fail-on', 'low')).status, 1);
  });

  it('says what could not be read, and goes on', async () => {
    const folder = project({ ...VULNERABLE, 'package-lock.json': '{\n<<<<<<< a\n=======\n>>>>>>> b\n' });
    const { status, stdout } = await check(folder, '--json', '--fail-on', 'medium');
    assert.equal(status, 1);
    const { dependencies, unread, complete } = JSON.parse(stdout);
    assert.equal(dependencies.findings.length, 1);
    assert.deepEqual(
      dependencies.documents.map(({ file, packages }: { file: string; packages: number }) => [file, packages]),
      [
        ['package-lock.json', 0],
        ['app/requirements.txt', 1],
      ],
    );
    assert.equal(complete, false);
    assert.equal(unread[0].file, 'package-lock.json');
    assert.match(unread[0].reason, /line 2 is the marker of a merge conflict/);
  });

  it('looks into code for secrets and injections', async () => {
    const { status, stdout } = await check(project(CODE), '--only', 'secrets,injection', '--json');
    assert.equal(status, 1);
    const { code, dependencies, by_severity } = JSON.parse(stdout);
    assert.equal(dependencies, null);
    assert.deepEqual(
      code.findings.map(({ check, file, line }: Record<string, unknown>) => [check, file, line]),
      [['injection', 'main.py', 4]],
    );
    assert.equal(by_severity.CRITICAL, 1);
  });

  it('refuses wrong usage', async () => {
    for (const words of [
      ['--sarif', '--json'],
      ['--omit', 'prod'],
      ['--fail-on', 'terrible'],
      ['--only', 'spelling'],
      [join(temporaryFolder(), 'nowhere')],
    ]) {
      const { status, stderr } = await check(...words);
      assert.equal(status, 2, words.join(' '));
      assert.notEqual(stderr, '');
    }
  });

  it('writes SARIF 2.1.0', async () => {
    const { status, stdout } = await check(project({ ...VULNERABLE, ...CODE, 'Podfile.lock': 'PODS:\n' }), '--sarif');
    assert.equal(status, 1);
    const log = JSON.parse(stdout);
    assert.deepEqual(sarifFaults(log), []);
    const [run] = log.runs;
    assert.deepEqual(
      run.results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level]),
      [
        ['command_injection', 'error'],
        ['CVE-2025-1000', 'warning'],
      ],
    );
    const [place] = run.results[1].locations;
    assert.equal(place.physicalLocation.artifactLocation.uri, 'app/requirements.txt');
    assert.equal(place.physicalLocation.region.startLine, 2);
    assert.match(run.results[1].message.text, /Upgrade anvil to 2\.0/);
    const [injection, flaw] = run.tool.driver.rules;
    assert.equal(injection.helpUri, 'https://cwe.mitre.org/data/definitions/78.html');
    assert.doesNotMatch(injection.shortDescription.text, /request|line/, 'not the text of one finding');
    assert.equal(flaw.helpUri, 'https://nvd.nist.gov/vuln/detail/CVE-2025-1000');
    assert.equal(flaw.properties['security-severity'], '5.5');
    const [notification] = run.invocations[0].toolExecutionNotifications;
    assert.equal(notification.level, 'warning');
    assert.match(notification.message.text, /^Podfile\.lock: /);
    assert.equal(run.invocations[0].exitCode, 1);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the log is judged piece by piece.
type Json = any;

/** What the log lacks of the structure that SARIF 2.1.0 (OASIS) asks for, section by section. */
function sarifFaults(log: Json): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  const text = (value: unknown): boolean => typeof value === 'string' && value !== '';
  must(log.version === '2.1.0', '3.13.2 version');
  must(Array.isArray(log.runs) && log.runs.length === 1, '3.13.4 runs');
  for (const { tool, results, invocations } of log.runs) {
    must(text(tool.driver.name), '3.19.8 name');
    for (const rule of tool.driver.rules) {
      must(text(rule.id), '3.49.3 id');
      must(text(rule.shortDescription.text), '3.49.9 shortDescription');
      must(['none', 'note', 'warning', 'error'].includes(rule.defaultConfiguration.level), '3.50.3 level');
      must(Number(rule.properties['security-severity']) > 0, 'security-severity');
    }
    const ids = tool.driver.rules.map(({ id }: Json) => id);
    must(new Set(ids).size === ids.length, '3.19.23 rules are unique');
    for (const { executionSuccessful, toolExecutionNotifications } of invocations) {
      must(typeof executionSuccessful === 'boolean', '3.20.14 executionSuccessful');
      for (const { message } of toolExecutionNotifications) must(text(message.text), '3.58.5 message');
    }
    for (const result of results) {
      must(ids[result.ruleIndex] === result.ruleId, '3.27.6 ruleIndex');
      must(text(result.message.text), '3.27.11 message');
      must(['none', 'note', 'warning', 'error'].includes(result.level), '3.27.10 level');
      must(result.locations.length === 1, '3.27.12 locations');
      for (const { physicalLocation } of result.locations) {
        const { uri } = physicalLocation.artifactLocation;
        must(text(uri) && !uri.startsWith('/') && URL.canParse(uri, 'file:///'), '3.4.3 uri');
        must(Number.isInteger(physicalLocation.region.startLine), '3.30.5 startLine');
        must(physicalLocation.region.startLine >= 1, '3.30.5 startLine from 1');
      }
      for (const value of Object.values(result.partialFingerprints)) must(text(value), '3.27.17 partialFingerprints');
    }
  }
  return faults;
}
