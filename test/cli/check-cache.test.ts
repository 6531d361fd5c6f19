import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkCode } from '../../src/cli/check/check-code.ts';
import { openResultCache, resultKey } from '../../src/cli/check/result-cache.ts';
import { cacheFolder } from '../../src/config.ts';
import { project } from './check-project.ts';
import { sextant, temporaryFolder } from './command-line.ts';

const SECRET = 'Tr7-quiet-Lamp-kL29';
const FINDING = {
  id: 'sql_injection',
  severity: 'HIGH' as const,
  description: 'a',
  remediation: 'b',
  evidence: 'c',
  line: 1,
  column: 2,
};
const RESULT = { findings: [FINDING], total: 1, by_severity: { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0 }, gaps: ['d'] };
const NOTHING = { findings: [], total: 0, by_severity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }, gaps: [] };

describe('the cache of results', () => {
  const cacheFile = (folder: string): string => join(folder, readdirSync(folder)[0]!);

  it('has what an earlier run recorded, of what that run still found', () => {
    const folder = temporaryFolder();
    const first = openResultCache(folder, '/tree');
    first.record('found', RESULT);
    first.record('clean', NOTHING);
    first.save();
    const second = openResultCache(folder, '/tree');
    assert.deepEqual([second.find('found'), second.find('clean'), second.find('other')], [RESULT, NOTHING, null]);
    assert.equal(openResultCache(folder, '/other').find('found'), null);
    const third = openResultCache(folder, '/tree');
    third.find('clean');
    third.save();
    assert.equal(openResultCache(folder, '/tree').find('found'), null, 'it does not grow');
  });

  it('is ignored where it is damaged, or another program wrote it', () => {
    const folder = temporaryFolder();
    const cache = openResultCache(folder, '/tree');
    cache.record('found', RESULT);
    cache.save();
    const text = readFileSync(cacheFile(folder), 'utf8');
    const { program } = JSON.parse(text);
    for (const other of [
      text.slice(0, -5),
      '[]',
      text.replace('"HIGH"', '"TERRIBLE"'),
      text.replace('"total":1', '"total":"1"'),
      text.replace(program, 'another'),
    ]) {
      assert.notEqual(other, text);
      writeFileSync(cacheFile(folder), other);
      assert.equal(openResultCache(folder, '/tree').find('found'), null, other);
    }
  });

  it('differs by text and by options', () => {
    const keys = [
      resultKey(['secrets', 'py', false], 'a'),
      resultKey(['secrets', 'py', false], 'b'),
      resultKey(['injection', 'py', false], 'a'),
      resultKey(['secrets', 'js', false], 'a'),
      resultKey(['secrets', 'py', true], 'a'),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });

  it('is of this user alone, of at most twenty trees, and does without a folder that cannot be written', () => {
    const folder = join(temporaryFolder(), 'cache');
    for (let tree = 0; tree < 22; tree++) {
      openResultCache(folder, `/tree${tree}`).save();
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
    }
    assert.equal(readdirSync(folder).length, 20);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    openResultCache(file, '/tree').save();
  });

  it('has no secret, and gives the same findings again', async () => {
    const root = project({ 'a.py': `password = "${SECRET}"\n` });
    const folder = temporaryFolder();
    const run = async () => {
      const cache = openResultCache(folder, root);
      const file = { path: 'a.py', absolutePath: join(root, 'a.py'), bytes: 40 };
      const { report } = await checkCode([file], { checks: ['secrets', 'injection'], parameters: false, cache });
      cache.save();
      return report;
    };
    const report = await run();
    assert.equal(report.findings.length, 1);
    assert.ok(!readFileSync(cacheFile(folder), 'utf8').includes(SECRET));
    assert.deepEqual(await run(), report);
  });
});

it('a second run says what the first one said; --no-cache keeps nothing', async () => {
  const folder = project({ 'a.py': `password = "${SECRET}"\n`, 'b.py': 'x = 1\n' });
  const cache = temporaryFolder();
  const settings = { SEXTANT_DATA_DIR: join(cache, 'data'), XDG_CACHE_HOME: cache };
  const run = (...words: string[]) =>
    sextant(['check', folder, '--only', 'secrets,injection', '--json', ...words], settings);
  const without = await run('--no-cache');
  assert.ok(!readdirSync(cache).includes('sextant'));
  const first = await run();
  assert.ok(readdirSync(cache).includes('sextant'));
  assert.equal(first.status, 1);
  assert.deepEqual([first.stdout, (await run()).stdout], [without.stdout, without.stdout]);
  mkdirSync(join(folder, 'c'));
  writeFileSync(join(folder, 'c/a.py'), `password = "${SECRET}"\n`);
  assert.equal(JSON.parse((await run()).stdout).total, 2, 'a new file of the same text');
});

it('the folder is that of the XDG Base Directory Specification, or of the platform', () => {
  assert.equal(cacheFolder({ XDG_CACHE_HOME: '/x' }, 'linux', '/home/a'), '/x/sextant');
  assert.equal(cacheFolder({ XDG_CACHE_HOME: 'x' }, 'linux', '/home/a'), '/home/a/.cache/sextant');
  assert.equal(cacheFolder({}, 'darwin', '/Users/a'), '/Users/a/Library/Caches/sextant');
});
