import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
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

describe('a catalog in a file', () => {
  it('is answered from where it is imported', async () => {
    const before = await sextant(['kev-detail', ID], taken);
    assert.equal(before.status, 3);
    const imported = await sextant(['catalog', 'import', bundle, '--json'], taken);
    assert.equal(imported.status, 0, imported.stderr);
    assert.deepEqual(JSON.parse(imported.stdout).sources, ['kev']);
    const after = await sextant(['kev-detail', ID, '--json'], taken);
    assert.equal(JSON.parse(after.stdout).cve_id, ID);
    const info = JSON.parse((await sextant(['catalog', 'info', '--json'], taken)).stdout);
    assert.equal(info.sources.kev.records, 1);
    assert.equal(info.sources.kev.from_origin, false);
  });

  it('is refused when damaged, with status 5, and the old catalog goes on answering', async () => {
    const bytes = readFileSync(bundle);
    const altered = Buffer.from(bytes);
    altered[bytes.length - 100]! ^= 0xff;
    for (const content of [bytes.subarray(0, bytes.length - 50), altered]) {
      const file = join(folder, 'bad.sextant');
      writeFileSync(file, content);
      const { status, stderr } = await sextant(['catalog', 'import', file], taken);
      assert.equal(status, 5);
      assert.match(stderr, /refused, nothing was changed: the bundle is damaged/);
    }
    assert.equal((await sextant(['kev-detail', ID], taken)).status, 0);
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
    assert.equal((await sextant(['catalog', 'export', bundle], made)).status, 2);
    assert.equal((await sextant(['catalog', 'export', bundle, '--force'], made)).status, 0);
    const target = temporaryFolder();
    assert.equal((await sextant(['catalog', 'export', target], made)).status, 0);
    assert.match(readdirSync(target).join(), /^catalog-\d{8}T\d{6}Z\.sextant$/);
  });

  it('cannot be made or found where there is none', async () => {
    const empty = { SEXTANT_DATA_DIR: join(folder, 'empty') };
    const ends = await Promise.all([
      sextant(['catalog', 'export', join(folder, 'y')], empty),
      sextant(['catalog', 'info'], empty),
      sextant(['catalog', 'import', join(folder, 'nowhere')], empty),
    ]);
    assert.deepEqual(ends.map(({ status }) => status), [3, 3, 3]);
  });
});
