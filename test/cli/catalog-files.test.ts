import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { kevFeedFolder, sextant, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
const bundle = join(folder, 'catalog.sextant');
const [made, taken] = [{ SEXTANT_DATA_DIR: join(folder, 'made') }, { SEXTANT_DATA_DIR: join(folder, 'taken') }];
const ID = 'CVE-2024-11111';
const keys = generateKeyPairSync('ed25519');
const [privatePem, publicPem] = [join(folder, 'private.pem'), join(folder, 'public.pem')];

before(async () => {
  writeFileSync(privatePem, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(publicPem, keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const sync = await sextant(['sync', 'kev'], { ...made, SEXTANT_FEEDS: kevFeedFolder([ID]) });
  assert.equal(sync.status, 0, sync.stderr);
  const exported = await sextant(['catalog', 'export', bundle], made);
  assert.equal(exported.status, 0, exported.stderr);
});

describe('a catalog in a file', { concurrency: 2 }, () => {
  it('is answered from where it is imported', async () => {
    const imported = await sextant(['catalog', 'import', bundle, '--json'], taken);
    assert.equal(imported.status, 0, imported.stderr);
    assert.ok(JSON.parse(imported.stdout).sources.includes('kev'));
    const after = await sextant(['kev-detail', ID, '--json'], taken);
    assert.equal(JSON.parse(after.stdout).cve_id, ID);
    const info = JSON.parse((await sextant(['catalog', 'info', '--json'], taken)).stdout);
    assert.equal(info.sources.kev.records, 1);
    assert.equal(info.sources.kev.from_origin, false);
  });

  it('is refused when damaged, with status 5, and the old catalog goes on answering', async () => {
    const old = { SEXTANT_DATA_DIR: join(folder, 'old') };
    cpSync(made.SEXTANT_DATA_DIR, old.SEXTANT_DATA_DIR, { recursive: true });
    const bytes = readFileSync(bundle);
    const altered = Buffer.from(bytes);
    altered[bytes.length - 100]! ^= 0xff;
    const bad = [bytes.subarray(0, bytes.length - 50), altered].map((content, index) => {
      const file = join(folder, `bad-${index}.sextant`);
      writeFileSync(file, content);
      return file;
    });
    for (const file of bad) {
      const { status, stderr } = await sextant(['catalog', 'import', file], old);
      assert.equal(status, 5);
      assert.match(stderr, /refused, nothing was changed: the bundle is damaged/);
    }
    assert.equal((await sextant(['kev-detail', ID], old)).status, 0);
  });

  it('is signed and verified with keys in PEM', async () => {
    const signed = join(folder, 'signed.sextant');
    const exported = await sextant(['catalog', 'export', signed, '--sign', privatePem], made);
    assert.equal(exported.status, 0, exported.stderr);
    const [good, unsigned, wrongKey] = await Promise.all([
      sextant(['catalog', 'import', signed, '--verify', publicPem], { SEXTANT_DATA_DIR: join(folder, 'verified') }),
      sextant(['catalog', 'import', bundle, '--verify', publicPem], { SEXTANT_DATA_DIR: join(folder, 'unsigned') }),
      sextant(['catalog', 'export', join(folder, 'x'), '--sign', bundle], made),
    ]);
    assert.equal(good.status, 0, good.stderr);
    assert.equal(unsigned.status, 5);
    assert.match(unsigned.stderr, /not signed/);
    assert.equal(wrongKey.status, 2);
  });

  it('is not written over another file unless told to, and gets a name in a folder', async () => {
    const target = temporaryFolder();
    assert.equal((await sextant(['catalog', 'export', target], made)).status, 0);
    const again = await Promise.all([
      sextant(['catalog', 'export', target], made),
      sextant(['catalog', 'export', target, '--force'], made),
    ]);
    assert.deepEqual(
      again.map(({ status }) => status),
      [2, 0],
    );
    assert.match(readdirSync(target).join(), /^catalog-\d{8}T\d{6}Z\.sextant$/);
  });

  it('is told in plain words where a folder is missing or stands in its place', async () => {
    const [missing, place] = [join(folder, 'no', 'such', 'x.sextant'), temporaryFolder()];
    const [exported, imported] = await Promise.all([
      sextant(['catalog', 'export', missing], made),
      sextant(['catalog', 'import', place], made),
    ]);
    assert.deepEqual([exported.status, imported.status], [2, 2]);
    assert.equal(exported.stderr, `sextant: ${join(folder, 'no', 'such')}: there is no such folder\n`);
    assert.equal(imported.stderr, `sextant: ${place}: is a folder, not a file that sextant catalog export wrote\n`);
  });

  it('of another schema is refused, and not called anything else', async () => {
    const other = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'other') };
    cpSync(made.SEXTANT_DATA_DIR, other.SEXTANT_DATA_DIR, { recursive: true });
    const catalog = join(other.SEXTANT_DATA_DIR, 'catalog');
    const database = join(catalog, readCurrentGeneration(catalog)!.file);
    const content = readFileSync(database);
    content.writeUInt32BE(99, 60);
    writeFileSync(database, content);
    const { status, stderr } = await sextant(['catalog', 'info'], other);
    assert.equal(status, 5);
    assert.match(stderr, /^sextant: the catalog has schema 99, this version reads \d+\n$/);
  });

  it('cannot be made or found where there is none', async () => {
    const empty = { SEXTANT_DATA_DIR: join(folder, 'empty') };
    const ends = await Promise.all([
      sextant(['catalog', 'export', join(folder, 'y')], empty),
      sextant(['catalog', 'info'], empty),
      sextant(['catalog', 'import', join(folder, 'nowhere')], empty),
    ]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      [3, 3, 3],
    );
  });
});
