import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { kevFeedFolder, sextant, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
const target = join(folder, 'published');
const pem = join(folder, 'publisher.pem');
const publisher = { SEXTANT_DATA_DIR: join(folder, 'publisher') };
const [FIRST, SECOND] = ['CVE-2024-11111', 'CVE-2024-22222'];
let follower: Record<string, string>;

const done = async (words: string[], settings: Record<string, string>): Promise<string> => {
  const { status, stdout, stderr } = await sextant(words, settings);
  assert.equal(status, 0, stderr);
  return stdout;
};
const bytesOf = (data: string): Buffer => {
  const catalog = join(data, 'catalog');
  return readFileSync(join(catalog, readCurrentGeneration(catalog)!.file));
};
const publishWith = async (ids: string[]): Promise<void> => {
  await done(['sync', 'kev'], { ...publisher, SEXTANT_FEEDS: kevFeedFolder(ids) });
  await done(['catalog', 'publish', target, '--key', pem], publisher);
};

before(async () => {
  const { public_key } = JSON.parse(await done(['catalog', 'keygen', pem, '--json'], publisher));
  follower = {
    SEXTANT_DATA_DIR: join(folder, 'follower'),
    SEXTANT_CATALOG_FROM: target,
    SEXTANT_CATALOG_KEY: public_key,
  };
  await publishWith([FIRST]);
});

describe('sextant catalog publish and update', () => {
  it('bring a machine without a network to the same bytes, and say how it stands', async () => {
    assert.match(await done(['catalog', 'update'], follower), /answers from now on: .* in full/);
    assert.deepEqual(bytesOf(follower.SEXTANT_DATA_DIR!), bytesOf(publisher.SEXTANT_DATA_DIR));
    await publishWith([FIRST, SECOND]);
    await done(['catalog', 'update'], follower);
    assert.deepEqual(bytesOf(follower.SEXTANT_DATA_DIR!), bytesOf(publisher.SEXTANT_DATA_DIR));
    assert.equal(JSON.parse(await done(['kev-detail', SECOND, '--json'], follower)).cve_id, SECOND);
    const { followed_catalog } = JSON.parse(await done(['status', '--json'], follower));
    assert.equal(followed_catalog.state, 'current');
    assert.equal(followed_catalog.from, 'a folder');
    assert.equal(JSON.parse(await done(['status', '--json'], publisher)).followed_catalog, null);
    assert.match(await done(['catalog', 'update'], follower), /is the published one/);
  });

  it('refuse what is not signed, with status 5, and say so afterwards', async () => {
    const other = {
      ...follower,
      SEXTANT_DATA_DIR: join(folder, 'other'),
      SEXTANT_CATALOG_FROM: join(folder, 'forged'),
    };
    mkdirSync(other.SEXTANT_CATALOG_FROM);
    const schema = readdirSync(target)[0]!;
    mkdirSync(join(other.SEXTANT_CATALOG_FROM, schema));
    for (const name of readdirSync(join(target, schema))) {
      const content = readFileSync(join(target, schema, name));
      const forged = name.endsWith('.txt') ? String(content).replace('"version":', '"version":1') : content;
      writeFileSync(join(other.SEXTANT_CATALOG_FROM, schema, name), forged);
    }
    const { status, stderr } = await sextant(['catalog', 'update'], other);
    assert.equal(status, 5);
    assert.match(stderr, /was not taken, the one before answers: none of its roots is signed with the configured key/);
    const { followed_catalog, problems } = JSON.parse(await done(['status', '--json'], other));
    assert.equal(followed_catalog.state, 'refused');
    assert.ok(problems.includes(followed_catalog.problem));
  });

  it('need an address and a key together, and no sync beside them', async () => {
    const ended = await Promise.all([
      sextant(['catalog', 'update'], publisher),
      sextant(['catalog', 'update'], { ...publisher, SEXTANT_CATALOG_FROM: target }),
      sextant(['catalog', 'update'], { ...follower, SEXTANT_CATALOG_KEY: 'abc' }),
      sextant(['sync'], follower),
      sextant(['catalog', 'keygen', pem], publisher),
    ]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      [2, 2, 2, 2, 2],
    );
    assert.match(ended[0]!.stderr, /set SEXTANT_CATALOG_FROM and SEXTANT_CATALOG_KEY/);
    assert.match(ended[1]!.stderr, /SEXTANT_CATALOG_FROM: it needs SEXTANT_CATALOG_KEY/);
    assert.match(ended[2]!.stderr, /neither 44 characters of base64 nor a PEM file/);
    assert.match(ended[3]!.stderr, /follows a published catalog/);
    assert.match(ended[4]!.stderr, /is there already/);
    assert.equal(statSync(pem).mode & 0o077, 0);
  });
});
