import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { zipOf } from '../feeds/zip-of.ts';
import { sextant, temporaryFolder } from './command-line.ts';

const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), SEXTANT_FEEDS: temporaryFolder() };
const check = (...words: string[]) => sextant(['check', ...words], settings);

/** An OSV archive of our own: one flaw of `anvil`, fixed in 2.0. */
function writeFeed(folder: string): void {
  const advisory = {
    schema_version: '1.6.0',
    id: 'PYSEC-2025-1',
    modified: '2025-03-01T00:00:00Z',
    aliases: ['CVE-2025-1000'],
    summary: 'Anvils fall on those who look up',
    database_specific: { severity: 'MODERATE' },
    affected: [
      {
        package: { ecosystem: 'PyPI', name: 'anvil' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0' }] }],
      },
    ],
  };
  write(folder, { 'osv/ecosystems.txt': 'PyPI\n' });
  mkdirSync(join(folder, 'osv', 'PyPI'), { recursive: true });
  const zip = zipOf([{ name: 'PYSEC-2025-1.json', content: JSON.stringify(advisory) }]);
  writeFileSync(join(folder, 'osv', 'PyPI', 'all.zip'), zip);
}

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function project(files: Record<string, string>): string {
  const folder = temporaryFolder();
  write(folder, files);
  return folder;
}

const VULNERABLE = { 'app/requirements.txt': '# pinned\nanvil==1.0\n' };
const CODE = { 'main.py': 'import os\n\ndef run(request):\n    os.system("ls " + request.args["x"])\n' };

before(async () => {
  writeFeed(settings.SEXTANT_FEEDS);
  const { status, stderr } = await sextant(['sync', 'osv'], settings);
  assert.equal(status, 0, stderr);
});

describe('sextant check', { concurrency: 2 }, () => {
  it('finds vulnerable packages below a folder, in a table, and ends with 1', async () => {
    const { status, stdout, stderr } = await check(project(VULNERABLE));
    assert.equal(status, 1, stderr);
    assert.match(stdout, /medium\s+anvil\s+1\.0\s+2\.0\s+CVE-2025-1000\s+app\/requirements\.txt:2/);
    assert.match(stdout, /1 finding in 1 package in 1 lockfile/);
  });

  it('ends with 0 where nothing is found, or nothing that is bad enough', async () => {
    assert.equal((await check(project({ 'requirements.txt': 'anvil==2.0\n' }))).status, 0);
    assert.equal((await check(project(VULNERABLE), '--fail-on', 'high')).status, 0);
    assert.equal((await check(project(VULNERABLE), '--fail-on', 'MEDIUM')).status, 1);
    assert.equal((await check(project(VULNERABLE), '--only', 'secrets')).status, 0);
  });

  it('passes over what others wrote, and takes a single file', async () => {
    const folder = project({ 'node_modules/a/requirements.txt': 'anvil==1.0', '.git/requirements.txt': 'anvil==1.0' });
    const { status, stdout } = await check(folder);
    assert.equal(status, 0);
    assert.match(stdout, /no lockfile or SBOM was found/);
    assert.equal((await check(join(project(VULNERABLE), 'app/requirements.txt'))).status, 1);
  });

  it('says what could not be read, and goes on', async () => {
    const folder = project({ ...VULNERABLE, 'package-lock.json': '{\n<<<<<<< a\n=======\n>>>>>>> b\n' });
    const { status, stdout } = await check(folder, '--json');
    assert.equal(status, 1);
    const { dependencies, notes } = JSON.parse(stdout);
    assert.equal(dependencies.findings.length, 1);
    assert.deepEqual(
      dependencies.documents.map(({ file, packages }: { file: string; packages: number }) => [file, packages]),
      [
        ['package-lock.json', 0],
        ['app/requirements.txt', 1],
      ],
    );
    assert.match(notes.join(), /package-lock\.json could not be read: line 2 is the marker of a merge conflict/);
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
    assert.equal(by_severity.critical, 1);
  });

  it('refuses wrong usage', async () => {
    for (const words of [['--fail-on', 'terrible'], ['--only', 'spelling'], [join(temporaryFolder(), 'nowhere')]]) {
      const { status, stderr } = await check(...words);
      assert.equal(status, 2, words.join(' '));
      assert.notEqual(stderr, '');
    }
  });

  it('writes SARIF 2.1.0', async () => {
    const { status, stdout } = await check(project({ ...VULNERABLE, ...CODE }), '--sarif');
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
